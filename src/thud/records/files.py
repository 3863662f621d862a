"""Open and write records in any format, chosen by the extension of the file."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from thud.disk.atomic import write_atomic
from thud.records.bounds import InvalidRecord
from thud.records.intake import BadRecord, read_text
from thud.records.record import Record
from thud.records.tgn_reader import read_tgn
from thud.records.tgn_writer import tgn_text
from thud.rules.geometry import shown
from thud.rules.variant import Variant

READABLE: Final = (".tgn", ".thud")
WRITABLE: Final = (".tgn", ".thud", ".json")


class UnknownFormat(ValueError):
    """A file whose extension is none of those that can be read, or written."""


def read_file(path: Path, variant: Variant | None = None) -> tuple[Record, ...]:
    """Read a `.tgn` or `.thud` file; the variant is for `.thud`, which does not name it.

    Raises:
        BadRecord: it is broken; `partial` may hold the moves before the fault.
        UnknownFormat: its extension is another.
        OSError: it cannot be read.
    """
    if _extension(path, READABLE) == ".tgn":
        return read_tgn(read_text(path))
    from thud.records.thudboard import read_thud

    return (read_thud(read_text(path), variant),)


def read_match(path: Path, variant: Variant | None = None, number: int = 1) -> tuple[Record, str]:
    """Read one match of a file, as far as it can be read, and say what its fault is, if any.

    Raises:
        ValueError: there is no such file or match, or nothing of it can be read; the message
            says why, without the name of the file.
    """
    fault = None
    try:
        if path.exists() and not path.is_file():
            raise ValueError("it is not a file")
        records = read_file(path, variant)
    except BadRecord as error:
        fault = error
        records = (*error.before, *([error.partial] if error.partial else []))
    except OSError as error:
        raise ValueError(error.strerror or str(error)) from error
    if fault and (number > len(records) or not records):
        raise fault
    if not 1 <= number <= len(records):
        raise ValueError(f"there is no match {number}, the last is {len(records)}")
    if fault and fault.partial is records[number - 1]:
        return records[number - 1], f"{fault}; the moves before it are kept"
    return records[number - 1], ""


def format_records(extension: str, *records: Record, battle: int | None = None) -> str:
    """Return the text of records in the format of an extension such as `".json"`.

    Args:
        extension: one of `WRITABLE`.
        records: one or several; `.thud` takes one.
        battle: which battle a `.thud` file gets, from 1; needed if there are two.

    Raises:
        InvalidRecord: the format cannot hold them.
    """
    if extension == ".tgn":
        return tgn_text(*records)
    if extension == ".json":
        from thud.records.as_json import json_text

        return json_text(*records)
    from thud.records.thudboard import thud_text

    if len(records) != 1 or (battle is None and len(records[0].battles) > 1):
        raise InvalidRecord("a .thud file holds one battle: say which, 1 or 2")
    return thud_text(records[0], battle or 1)


def write_file(
    path: Path, *records: Record, battle: int | None = None, overwrite: bool = False
) -> None:
    """Write records to a `.tgn`, `.thud` or `.json` file, whole or not at all.

    Raises:
        InvalidRecord: the format cannot hold them.
        UnknownFormat: the extension is another.
        FileExistsError: there is such a file, and it is not to be overwritten.
        OSError: it cannot be written; a file that was there is untouched.
    """
    text = format_records(_extension(path, WRITABLE), *records, battle=battle)
    if path.exists() and not overwrite:
        raise FileExistsError(f"{path} is there already")
    write_atomic(path, text.encode())


def _extension(path: Path, known: tuple[str, ...]) -> str:
    extension = path.suffix.lower()
    if extension not in known:
        *others, last = known
        reason = f"{shown(path.name)} ends in none of {', '.join(others)} and {last}"
        raise UnknownFormat(reason)
    return extension

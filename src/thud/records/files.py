"""Open and write matches in any format, chosen by the suffix of the file."""

from __future__ import annotations

from os.path import expanduser
from pathlib import Path
from typing import TYPE_CHECKING

from thud.disk.atomic import replacing
from thud.records.bounds import BadRecord, read_text
from thud.records.cursor import WHOLE, Excerpt
from thud.records.formats import READABLE, USUAL, Format, format_of
from thud.records.record import Record
from thud.rules.variant import Variant

if TYPE_CHECKING:
    from thud.records.store import Store


def read_file(path: Path, variant: Variant | None = None) -> tuple[Record, ...]:
    """Read the matches of a file; the variant is for formats that do not name it.

    Raises:
        BadRecord: it is broken; `partial` may hold the moves before the fault.
        UnknownFormat: there is no format of such a suffix that can be read.
        OSError: it cannot be read.
    """
    read = format_of(path, READABLE).read
    assert read
    return read(read_text(path), variant)


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


def is_saved(name: str) -> bool:
    """Say whether a name means a saved match, and not a file."""
    path = Path(expanduser(name))
    return not path.suffix and not path.exists()


def open_named(
    name: str, store: Store | None = None, variant: Variant | None = None, number: int = 1
) -> tuple[Record, str]:
    """Read what a name means: a file, or else, if it has no suffix, the id of a saved match.

    Args:
        name: as a player gives it; `~` is the home directory.
        store: where saved matches are; None knows files only.
        variant: for files that do not name it.
        number: which match of a file, from 1.

    Returns:
        The record as far as it can be read, and a sentence on its fault, empty if it has none.

    Raises:
        CannotResume: there is no such saved match, or it cannot be read.
        ValueError: nothing can be read of such a file; the message says why, without its name.
    """
    if store and is_saved(name):
        return store.load(name), ""
    return read_match(Path(expanduser(name)), variant, number)


def write_file(
    path: Path,
    *records: Record,
    excerpt: Excerpt = WHOLE,
    overwrite: bool = False,
    kind: Format | None = None,
) -> None:
    """Write matches to a file, whole or not at all.

    Args:
        path: where to.
        records: one or several, if the format can hold them.
        excerpt: which part of a match, for formats that hold no more.
        overwrite: replace what is there; pipes and devices are written to in any case.
        kind: the format, if not that of the suffix.

    Raises:
        InvalidRecord: the format cannot hold them.
        UnknownFormat: there is no format of such a suffix.
        PicturesUnavailable: the format needs what is not installed.
        FileExistsError: there is such a file, and it is not to be overwritten.
        OSError: it cannot be written; a file that was there is untouched.
    """
    kind = kind or format_of(path)
    if path.is_file() and not overwrite:
        raise FileExistsError(f"{path} is there already")
    with replacing(path) as file:
        kind.write(file, records, excerpt)


def save_as(record: Record, name: str, excerpt: Excerpt | None = None) -> Path:
    """Write a match to a new file that a player names, in the format of its suffix.

    A format that holds one battle, or one position, gets that of the excerpt, and without one the
    last.  Without a suffix it is a `.tgn` file.

    Returns:
        The file.

    Raises:
        ValueError: it cannot be written, or is there already; the message says so.
    """
    path = Path(expanduser(name))
    try:
        if not path.name:
            raise ValueError("a file needs a name")
        if not path.suffix:
            path = path.with_name(path.name + USUAL)
        write_file(path, record, excerpt=excerpt or Excerpt(len(record.battles)))
    except FileExistsError as error:
        raise ValueError(f"{path} is there already: nothing was written") from error
    except OSError as error:
        raise ValueError(f"{path} cannot be written: {error.strerror or error}") from error
    return path

"""The registry of file formats.

A format is told by the suffix of a file's name.  What reads and writes it is loaded when it is
used: the list itself costs a command line that only names them nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING, BinaryIO, Final, NamedTuple, TypeAlias

from thud.wording.text import joined, quoted

if TYPE_CHECKING:
    from thud.records.cursor import Excerpt
    from thud.records.record import Record
    from thud.rules.variant import Variant


Read: TypeAlias = "Callable[[str, Variant | None], tuple[Record, ...]]"
"""From a text to its matches; the variant is for formats that do not name it."""

Write: TypeAlias = "Callable[[BinaryIO, Sequence[Record], Excerpt], None]"
"""Writes matches, or the part of one that the format can hold."""


class UnknownFormat(ValueError):
    """A suffix of no format that can be read, or written."""


class Format(NamedTuple):
    """A file format: its name, its purpose, its reader and writer."""

    name: str
    purpose: str
    write: Write
    read: Read | None = None

    @property
    def suffix(self) -> str:
        """How the names of such files end: `".tgn"`."""
        return f".{self.name}"


def _read_tgn(text: str, _: Variant | None) -> tuple[Record, ...]:
    from thud.records.tgn.reader import read_tgn

    return read_tgn(text)


def _write_tgn(file: BinaryIO, records: Sequence[Record], _: Excerpt) -> None:
    from thud.records.tgn.writer import tgn_text

    file.write(tgn_text(*records).encode())


def _read_thud(text: str, variant: Variant | None) -> tuple[Record, ...]:
    from thud.records.thudboard import read_thud

    return (read_thud(text, variant),)


def _write_thud(file: BinaryIO, records: Sequence[Record], excerpt: Excerpt) -> None:
    from thud.records.bounds import InvalidRecord
    from thud.records.thudboard import thud_text

    record = _only(records)
    if excerpt.battle is None and len(record.battles) > 1:
        raise InvalidRecord("a .thud file holds one battle: say which, 1 or 2")
    file.write(thud_text(record, excerpt.battle or 1).encode())


def _write_json(file: BinaryIO, records: Sequence[Record], _: Excerpt) -> None:
    from thud.records.as_json import json_text

    file.write(json_text(*records).encode())


def _write_pos(file: BinaryIO, records: Sequence[Record], excerpt: Excerpt) -> None:
    file.write(f"{excerpt.of(_only(records)).position.to_text()}\n".encode())


def _write_svg(file: BinaryIO, records: Sequence[Record], excerpt: Excerpt) -> None:
    from thud.records.pictured import svg_text

    file.write(svg_text(_only(records), excerpt).encode())


def _write_png(file: BinaryIO, records: Sequence[Record], excerpt: Excerpt) -> None:
    from thud.records.pictured import write_picture

    write_picture(file, _only(records), excerpt)


def _write_gif(file: BinaryIO, records: Sequence[Record], excerpt: Excerpt) -> None:
    from thud.records.pictured import write_battle

    write_battle(file, _only(records), excerpt)


def _only(records: Sequence[Record]) -> Record:
    """Return the one match that there is."""
    from thud.records.bounds import InvalidRecord

    if len(records) != 1:
        raise InvalidRecord("a file of this format holds one match")
    return records[0]


FORMATS: Final = {
    each.suffix: each
    for each in (
        Format("tgn", "a record, whole", _write_tgn, _read_tgn),
        Format("thud", "a battle, for the ThudBoard program", _write_thud, _read_thud),
        Format("json", "a record, for other programs", _write_json),
        Format("pos", "a position, as its text", _write_pos),
        Format("svg", "a picture of a position", _write_svg),
        Format("png", "a picture of a position, in pixels", _write_png),
        Format("gif", "a moving picture of a battle", _write_gif),
    )
}
"""Every format by the suffix of its files."""

WRITABLE: Final = tuple(FORMATS)
READABLE: Final = tuple(each.suffix for each in FORMATS.values() if each.read)
USUAL: Final = ".tgn"
"""The suffix of a file whose name has none."""


def format_of(path: PurePath, known: Sequence[str] = WRITABLE) -> Format:
    """Return the format of a file by its name, in either case of letters.

    Raises:
        UnknownFormat: its suffix is none of those known.
    """
    suffix = path.suffix.lower()
    if suffix not in known:
        raise UnknownFormat(f"{quoted(path.name)} ends in none of {joined(known)}")
    return FORMATS[suffix]

"""The registry of file formats; opens and writes files in any of them.

A file name's suffix determines the format.  What a new match does not need is imported on use.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum
from itertools import chain, count
from os.path import expanduser
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, BinaryIO, Final, NamedTuple, TypeAlias

from thud.disk.atomic import replacing
from thud.records.bounds import MAX_BYTES, READABLE, read_text, text_of
from thud.records.record import InvalidRecord, Reading, Record
from thud.records.store import CannotResume, Store
from thud.records.tgn.writer import tgn_text
from thud.records.tree import Excerpt
from thud.text import joined, plural, quoted, why

if TYPE_CHECKING:
    from thud.rules.variant import Variant


Write: TypeAlias = Callable[[BinaryIO, Sequence[Record], Excerpt], None]
"""Writes matches, or the part of one that the format can hold."""


class UnknownFormat(ValueError):
    """No readable, or writable, format has this suffix."""


class Extent(Enum):
    """How much of a match a file holds, in words."""

    RECORD = "the whole record"
    BATTLE = "a whole battle"
    PLACE = "a place in a battle, perhaps with the way there"


class Format(NamedTuple):
    """A file format: its name, its purpose, how much it holds, and its writer."""

    name: str
    purpose: str
    extent: Extent
    write: Write

    @property
    def suffix(self) -> str:
        """The suffix of such files, such as `".tgn"`."""
        return f".{self.name}"


def _read_tgn(text: str, _: Variant | None) -> list[Reading]:
    from thud.records.tgn.reader import readings_of

    return readings_of(text)


def _write_tgn(file: BinaryIO, records: Sequence[Record], _: Excerpt) -> None:
    file.write(tgn_text(*records).encode())


def _read_thud(text: str, variant: Variant | None) -> list[Reading]:
    from thud.records.thudboard import read_thud

    return [read_thud(text, variant)]


def _write_thud(file: BinaryIO, records: Sequence[Record], excerpt: Excerpt) -> None:
    from thud.records.thudboard import thud_text

    record = _only(records)
    if excerpt.battle is None and len(record.battles) > 1:
        raise InvalidRecord("a .thud file has one battle: say which, 1 or 2")
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
    """Return the only match."""
    if len(records) != 1:
        raise InvalidRecord("a file of this format has one match")
    return records[0]


FORMATS: Final = {
    each.suffix: each
    for each in (
        Format("tgn", "a whole record", Extent.RECORD, _write_tgn),
        Format("thud", "a battle, for ThudBoard", Extent.BATTLE, _write_thud),
        Format("json", "a record, for other programs", Extent.RECORD, _write_json),
        Format("pos", "the text of a position", Extent.PLACE, _write_pos),
        Format("svg", "an SVG image of a position", Extent.PLACE, _write_svg),
        Format("png", "a PNG image of a position", Extent.PLACE, _write_png),
        Format("gif", "an animated GIF of a battle", Extent.PLACE, _write_gif),
    )
}
"""Formats by suffix."""

WRITABLE: Final = tuple(FORMATS)
_READERS: Final = dict(zip(READABLE, (_read_tgn, _read_thud), strict=True))
USUAL: Final = ".tgn"
"""Default suffix."""


def format_of(path: PurePath) -> Format:
    """Return the format to write a file in by its name's suffix, case-insensitive.

    Raises:
        UnknownFormat: there is no format of such a suffix.
    """
    return FORMATS[known_suffix(path, WRITABLE)]


def known_suffix(path: PurePath, known: Sequence[str]) -> str:
    """Return the suffix of a file's name in lower case.

    Raises:
        UnknownFormat: it is none of those known.
    """
    suffix = path.suffix.lower()
    if suffix not in known:
        raise UnknownFormat(f"{quoted(path.name)} must end in {joined(known, 'or')}")
    return suffix


# Files


def read_file(path: Path) -> tuple[Record, ...]:
    """Read the matches of a file.

    Raises:
        BadRecord: the first fault.
        UnknownFormat: there is no format of such a suffix that can be read.
        OSError: it cannot be read.
    """
    return tuple(reading.whole() for reading in readings_in(path))


def readings_in(path: Path, variant: Variant | None = None) -> list[Reading]:
    """Read the matches of a file, each as far as possible.

    Raises:
        BadRecord: there is no match at all.
        UnknownFormat: there is no format of such a suffix that can be read.
        OSError: it cannot be read.
    """
    return _READERS[known_suffix(path, READABLE)](read_text(path), variant)


def read_all(path: Path, variant: Variant | None = None) -> list[Reading]:
    """Read the matches of a file, each as far as possible.

    Raises:
        ValueError: there is no such file, or nothing can be read; the message does not contain the
            file's name.
    """
    try:
        path.stat()
        if not path.is_file():
            raise ValueError("not a file")
        return readings_in(path, variant)
    except UnknownFormat as error:
        raise ValueError(f"its name must end in {joined(READABLE, 'or')}") from error
    except OSError as error:
        raise ValueError(why(error)) from error


def read_match(path: Path, variant: Variant | None = None, number: int = 1) -> tuple[Record, str]:
    """Read one match of a file, as far as possible; return it with its fault, empty for none.

    Raises:
        ValueError: as `read_all`, or there is no such match.
    """
    return match_of(read_all(path, variant), number)


def read_stream(stream: BinaryIO) -> list[Reading]:
    """Read the matches of a TGN record from a stream, as `read_all` does from a file.

    Raises:
        ValueError: nothing can be read.
    """
    try:
        return _read_tgn(text_of(stream.read(MAX_BYTES + 1)), None)
    except OSError as error:
        raise ValueError(why(error)) from error


def match_in(text: str) -> tuple[Record, str]:
    """Read the first match of a TGN record, as `read_match` does from a file.

    Raises:
        ValueError: nothing can be read.
    """
    return match_of(_read_tgn(text, None), 1)


def check_number(number: int, last: int = 1) -> None:
    """Check the number of a match in a file; a saved match is alone in its file.

    Raises:
        ValueError: there is no such match.
    """
    if not 1 <= number <= last:
        raise ValueError(f"there is no match {number}, the last is {last}")


def match_of(readings: Sequence[Reading], number: int) -> tuple[Record, str]:
    """Return one match of several, as far as it was read, with its fault, empty for none.

    Raises:
        ValueError: there is no such match, or nothing of it can be read.
    """
    check_number(number, len(readings))
    record, fault = readings[number - 1]
    if not record:
        assert fault
        raise fault
    moves = sum(len(battle.moves) for battle in record.battles)
    kept = f"{moves} {plural(moves, 'move')} {'is' if moves == 1 else 'are'} kept"
    return record, f"{fault}; {kept}" if fault else ""


def is_saved(name: str) -> bool:
    """Whether a name means a saved match, not a file."""
    path = Path(expanduser(name))
    return not path.suffix and not path.exists()


def open_named(
    name: str, store: Store | None = None, variant: Variant | None = None, number: int = 1
) -> tuple[Record, str]:
    """Read a file or, for a name without suffix that is no file, a saved match by its id.

    Args:
        name: as the player gives it; `~` is the home directory.
        store: the saved matches; None for files only.
        variant: for files that do not name it.
        number: the match in the file, from 1.

    Returns:
        The record as far as it can be read, and a sentence on its fault, empty for none.

    Raises:
        CannotResume: there is no such saved match, or it cannot be read.
        ValueError: nothing can be read; the message does not contain the file's name.
    """
    if store and is_saved(name):
        record, fault = salvage(store, name)
        check_number(number)
        return record, fault
    return read_match(Path(expanduser(name)), variant, number)


def salvage(store: Store, name: str) -> tuple[Record, str]:
    """Read a saved match as far as possible, without locking it; return it with its fault.

    Raises:
        CannotResume: there is no such match, or nothing of it can be read.
    """
    path = store.existing(name)
    try:
        return read_match(path)
    except ValueError as error:
        raise CannotResume(f"match {name} cannot be read: {error}") from error


def write_file(
    path: Path,
    *records: Record,
    excerpt: Excerpt | None = None,
    overwrite: bool = False,
    kind: Format | None = None,
) -> None:
    """Write matches to a file, whole or not at all.

    Args:
        path: the file.
        records: one or several, if the format can hold them.
        excerpt: the part of a match, for formats that hold only a part; None for the default.
        overwrite: replace an existing file; pipes and devices are written to in any case.
        kind: the format; None for the suffix's.

    Raises:
        InvalidRecord: the format cannot hold them.
        UnknownFormat: no format has this suffix.
        PicturesUnavailable: the format needs a library that is not installed.
        FileExistsError: the file exists, and `overwrite` is off.
        OSError: it cannot be written; a file that was there is untouched.
    """
    kind = kind or format_of(path)
    if path.is_file() and not overwrite:
        raise FileExistsError(f"{path} exists")
    with replacing(path, devices=True) as file:
        kind.write(file, records, excerpt or Excerpt())


def new_path(name: str, suffix: str = USUAL) -> Path:
    """Return the path for a name given by a player, with `suffix` if it has none.

    Raises:
        ValueError: the name is empty.
    """
    path = Path(expanduser(name))
    if not path.name:
        raise ValueError("a file needs a name")
    return path if path.suffix else path.with_name(path.name + suffix)


def unused_name(stem: str, suffix: str) -> str:
    """Return the name of a new file here: `"match.tgn"`, or `"match-2.tgn"` if that exists."""
    numbered = (f"{stem}-{number}{suffix}" for number in count(2))
    return next(name for name in chain([stem + suffix], numbered) if not Path(name).exists())


class FileThere(ValueError):
    """A file exists that is not to be replaced.

    Attributes:
        path: the file.
    """

    def __init__(self, path: Path) -> None:
        super().__init__(f"{path} exists: nothing was written")
        self.path = path


def save_as(
    record: Record, name: str, excerpt: Excerpt | None = None, *, overwrite: bool = False
) -> Path:
    """Write a match to a file named by a player, in the format of its suffix.

    A format that holds one battle, or one position, gets the excerpt's, by default the last.
    Without a suffix it is a `.tgn` file.

    Returns:
        The file.

    Raises:
        FileThere: it exists, and `overwrite` is off.
        ValueError: it cannot be written.
    """
    path, part = new_path(name), excerpt or Excerpt(len(record.battles))
    try:
        write_file(path, record, excerpt=part, overwrite=overwrite)
    except FileExistsError as error:
        raise FileThere(path) from error
    except OSError as error:
        raise ValueError(f"{path} cannot be written: {why(error)}") from error
    return path

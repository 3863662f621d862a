"""Files of matches: finding them, detecting changes, extracting the moves."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import chain
from pathlib import Path
from stat import S_ISDIR, S_ISREG
from typing import Final, NamedTuple, TypeAlias

from thud.explore.quick_reader import read_quickly
from thud.explore.zobrist import plays_along
from thud.records.bounds import BadRecord, read_text
from thud.records.formats import READABLE, USUAL, UnknownFormat, readings_in
from thud.records.record import Record
from thud.records.store import SUFFIX, is_id
from thud.rules.match import BATTLES
from thud.rules.variant import Variant

CORPUS: Final = Path(__file__).with_name("corpus")
"""Battles of the computer shipped with the program, made by `tools/make_corpus.py`."""

Stamp: TypeAlias = str
"""Fingerprint of a file's content: size, time, and the variant it is read as."""


def corpus_of(variant: Variant) -> Path:
    """Return the file with the computer's battles of a variant."""
    return CORPUS / f"{variant.name}.tgn"


def checked(names: Iterable[str]) -> list[Path]:
    """Return the files and directories named by the user.

    Raises:
        OSError: one does not exist.
        ValueError: one is neither a directory nor a file of a readable format.
    """
    paths = [Path(os.path.expanduser(name)) for name in names]
    for path in paths:
        mode = path.stat().st_mode
        if not S_ISDIR(mode) and not (S_ISREG(mode) and _readable(path.name)):
            raise ValueError(f"{path} is neither a folder nor a {' or '.join(READABLE)} file")
    return paths


def stamps_in(
    roots: Iterable[Path],
    variant: Variant | None,
    stopped: Callable[[], bool] = lambda: False,
    saved: Path | None = None,
) -> dict[Path, Stamp]:
    """Return the stamps of all record files among `roots` and below them.

    Missing and unreadable roots are skipped; links to directories are not followed.

    Args:
        roots: files and directories.
        variant: the variant of files that do not name it.
        stopped: polled often; True ends the search.
        saved: a directory of saved matches, where only these count: no copies that a cloud made of
            two versions, and no old versions in folders below.
    """
    found: dict[Path, Stamp] = {}
    # A directory reached by two paths is searched once.
    below = (_below(Path(os.path.realpath(root)), stopped) for root in roots)
    for path in chain(_saved_in(saved) if saved else (), *below):
        if stamp := _stamp(path, variant):
            found[path] = stamp
    return found


def _saved_in(directory: Path) -> Iterator[Path]:
    real = Path(os.path.realpath(directory))
    if real.is_file():
        yield real  # its fault is reported
    names: set[str] = set()
    with suppress(OSError):
        names = {each.removesuffix(SUFFIX) for each in os.listdir(real) if each.endswith(SUFFIX)}
    for name in filter(is_id, names):
        # OneDrive appends the computer's name, which may make another id.
        if not any(name[:at] in names for at, char in enumerate(name) if char == "-"):
            yield real / f"{name}{SUFFIX}"


def _below(root: Path, stopped: Callable[[], bool]) -> Iterator[Path]:
    if not root.is_dir():
        yield root
        return
    for folder, _, names in os.walk(root):
        # A name that begins with a dot is a temporary or hidden file.
        for name in (name for name in names if _readable(name) and name[0] != "."):
            if stopped():
                return
            yield Path(folder, name)
        if stopped():
            return


def _readable(name: str) -> bool:
    return os.path.splitext(name)[1].lower() in READABLE


def _stamp(path: Path, variant: Variant | None) -> Stamp:
    """Return a file's stamp, empty if it is no regular file."""
    try:
        status = path.stat()
    except OSError:
        return ""
    if not S_ISREG(status.st_mode):
        return ""
    named = variant.name if variant and path.suffix.lower() != ".tgn" else ""
    return f"{status.st_size} {status.st_mtime_ns} {named}"


# Moves


_PLIES: Final = 1 << 13
"""Bound above the number of moves of any battle in a record."""


class IndexedMove(NamedTuple):
    """A move made in a battle, at the first occurrence of its position.

    Attributes:
        position: the position's hash, shared by its symmetric images.
        where: the place in the file, packed by `Where`.
        move: the move's canonical form, shared by its symmetric images.
        margin: the dwarfs' final points minus the trolls', None if unfinished.
    """

    position: int
    where: int
    move: bytes
    margin: float | None


class Where(NamedTuple):
    """A ply in a file: match and battle from 1, ply from 0."""

    match: int
    battle: int
    ply: int

    def packed(self) -> int:
        """Return it as an int."""
        return (self.match * BATTLES + self.battle - 1) * _PLIES + self.ply

    @classmethod
    def unpacked(cls, number: int) -> Where:
        """Return the value of a packed int."""
        rest, ply = divmod(number, _PLIES)
        match, battle = divmod(rest, BATTLES)
        return cls(match, battle + 1, ply)


class Content(NamedTuple):
    """The matches of a file, as far as it can be read.

    Attributes:
        players: each match's players.
        plays: the moves of all matches.
        fault: why the rest cannot be read, empty if it can.
    """

    players: Sequence[tuple[str, str]]
    plays: Sequence[IndexedMove]
    fault: str = ""


def content_of(path: Path, variant: Variant | None) -> Content:
    """Return a file's content; of a faulty file, the matches before the fault.

    Args:
        path: the file.
        variant: the variant of a file that does not name it.

    Raises:
        OSError: it cannot be read now.
    """
    try:
        records, fault = records_of(path, variant)
    except BadRecord as error:
        records, fault = [], str(error)
    except UnknownFormat:  # only folders are searched for suffixes
        records, fault = [], "it is a file, not a folder"
    plays: list[IndexedMove] = []
    for match, record in enumerate(records, 1):
        for number, battle in enumerate(record.battles, 1):
            margin = battle.outcome and battle.outcome.margin
            first = Where(match, number, 0).packed()
            moves = plays_along(record.variant, battle.start, battle.moves)
            seen: set[int] = set()
            for where, (position, move) in enumerate(moves, first):
                if position not in seen:  # of symmetric positions only the first counts
                    seen.add(position)
                    plays.append(IndexedMove(position, where, move, margin))
    return Content([record.players for record in records], plays, fault)


def records_of(path: Path, variant: Variant | None) -> tuple[Sequence[Record], str]:
    """Return the records of a file up to the first faulty one, and its fault, empty for none.

    A file that is as Thud writes it is read quickly.

    Raises:
        BadRecord, UnknownFormat: it cannot be read.
        OSError: it cannot be read now.
    """
    if path.suffix.lower() == USUAL:
        with suppress(ValueError):
            return read_quickly(read_text(path)), ""
    records: list[Record] = []
    for record, fault in readings_in(path, variant):
        if fault:
            return records, str(fault)
        assert record
        records.append(record)
    return records, ""

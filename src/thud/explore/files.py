"""Files of matches: finding them, detecting changes, extracting the moves."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import chain
from pathlib import Path
from stat import S_ISDIR, S_ISREG
from typing import Final, NamedTuple, TypeAlias

from thud.explore.zobrist import plays_along
from thud.records.bounds import READABLE, BadRecord
from thud.records.formats import UnknownFormat, readings_in
from thud.records.programs import own_player
from thud.records.record import BattleRecord, Record
from thud.records.store import SUFFIX, is_id
from thud.rules.match import BATTLES
from thud.rules.notation import move_text
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
        with suppress(OSError):
            status = path.stat()
            named = variant.name if variant and path.suffix.lower() != ".tgn" else ""
            if S_ISREG(status.st_mode):
                found[path] = f"{status.st_size} {status.st_mtime_ns} {named}"
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


# Moves


PLIES: Final = 1 << 13
"""Bound above the number of moves of any battle in a record."""


IndexedMove: TypeAlias = tuple[int, int, bytes, float | None]
"""A move made in a battle, at the first occurrence of its position.

The position's hash, which its symmetric images share; the place in the file, packed by `Where`; the
move's canonical form, shared likewise; the dwarfs' final points minus the trolls', None if
unfinished.  A plain tuple, which the garbage collector need not visit: there are millions.
"""


class Where(NamedTuple):
    """A ply in a file: match and battle from 1, ply from 0."""

    match: int
    battle: int
    ply: int

    def packed(self) -> int:
        """Return it as an int."""
        return (self.match * BATTLES + self.battle - 1) * PLIES + self.ply

    @classmethod
    def unpacked(cls, number: int) -> Where:
        """Return the value of a packed int."""
        rest, ply = divmod(number, PLIES)
        match, battle = divmod(rest, BATTLES)
        return cls(match, battle + 1, ply)


class BattleLine(NamedTuple):
    """What tells a battle from others in a list.

    Attributes:
        players: the match's players, with the levels of computers.
        opening: the battle's first moves.
        moves: how many it has.
    """

    players: str
    opening: str
    moves: int


_OPENING: Final = 12
"""Moves of a battle's opening."""


def line_of(record: Record, battle: BattleRecord) -> BattleLine:
    """Return what tells a battle of a record from others."""
    told = []
    for name, program in zip(record.players, record.programs, strict=True):
        level = (found := own_player(program)) and found.level
        told.append(f"{name} (level {level})" if level else name)
    positions = battle.positions()
    opening = [move_text(*each) for each in zip(positions, battle.moves[:_OPENING], strict=False)]
    return BattleLine(" – ".join(told), " ".join(opening), len(battle.moves))


class Content(NamedTuple):
    """The sound matches of a file.

    Attributes:
        battles: each battle, by the packed place of its beginning.
        plays: the moves of all matches.
        fault: what is wrong with the others, empty for nothing.
    """

    battles: Mapping[int, BattleLine]
    plays: Sequence[IndexedMove]
    fault: str = ""


def content_of(path: Path, variant: Variant | None) -> Content:
    """Return a file's content, without its faulty matches.

    Args:
        path: the file.
        variant: the variant of a file that does not name it.

    Raises:
        OSError: it cannot be read now.
    """
    try:
        records, fault = records_of(path, variant)
    except BadRecord as error:
        records, fault = {}, str(error)
    except UnknownFormat:  # only folders are searched for suffixes
        records, fault = {}, "it is a file, not a folder"
    plays: list[IndexedMove] = []
    battles: dict[int, BattleLine] = {}
    for match, record in records.items():
        for number, battle in enumerate(record.battles, 1):
            margin = battle.outcome and battle.outcome.margin
            first = Where(match, number, 0).packed()
            battles[first] = line_of(record, battle)
            moves = plays_along(record.variant, battle.start, battle.moves)
            seen: set[int] = set()
            for where, (position, move) in enumerate(moves, first):
                if position not in seen:  # of symmetric positions only the first counts
                    seen.add(position)
                    plays.append((position, where, move, margin))
    return Content(battles, plays, fault)


def records_of(path: Path, variant: Variant | None) -> tuple[dict[int, Record], str]:
    """Return a file's sound records by number, and what is wrong with others, empty for nothing.

    Raises:
        BadRecord, UnknownFormat: it cannot be read.
        OSError: it cannot be read now.
    """
    readings = readings_in(path, variant)
    faults = [str(each.fault) for each in readings if each.fault]
    told = faults[0] if faults else ""
    if faults and len(readings) > 1:
        are = "is" if len(faults) == 1 else "are"
        told = f"{len(faults)} of {len(readings)} matches {are} not counted: {told}"
    sound = {number: each.whole() for number, each in enumerate(readings, 1) if not each.fault}
    return sound, told

"""Files of matches: find them, notice changes, extract the moves played."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from stat import S_ISDIR, S_ISREG
from typing import Final, NamedTuple, TypeAlias

from thud.explore.zobrist import keys_along
from thud.records.bounds import BadRecord
from thud.records.formats import READABLE, read_file
from thud.records.record import BattleRecord, Record
from thud.rules.match import BATTLES
from thud.rules.variant import Variant

CORPUS: Final = Path(__file__).with_name("corpus")
"""Battles of the computer that come with the program; `tools/make_corpus.py` makes them."""

Stamp: TypeAlias = str
"""Identity of a file's content: size, time, and how it is read."""


def corpus_of(variant: Variant) -> Path:
    """Return the file with the battles of the computer in a game."""
    return CORPUS / f"{variant.name}.tgn"


def checked(names: Iterable[str]) -> list[Path]:
    """Return the files and folders that people name.

    Raises:
        OSError: there is no such one.
        ValueError: it is neither a folder nor a file that can be a record.
    """
    return [_checked(Path(os.path.expanduser(name))) for name in names]


def _checked(path: Path) -> Path:
    mode = path.stat().st_mode
    if not S_ISDIR(mode) and not (S_ISREG(mode) and _readable(path.name)):
        raise ValueError(f"{path} is neither a folder nor a {' or '.join(READABLE)} file")
    return path


def stamps_in(
    roots: Iterable[Path], variant: Variant | None, stopped: Callable[[], bool] = lambda: False
) -> dict[Path, Stamp]:
    """Return the files that can be records at some places and in all folders below.

    Places that are not there, or may not be looked into, have none; links to folders are not
    followed.

    Args:
        roots: files and folders.
        variant: the game of the files that do not name it.
        stopped: is asked all the time whether to look no further.
    """
    found: dict[Path, Stamp] = {}
    for root in roots:
        # A folder that is reached in two ways is looked into once.
        for path in _below(Path(os.path.realpath(root)), stopped):
            if stamp := _stamp(path, variant):
                found[path] = stamp
    return found


def _below(root: Path, stopped: Callable[[], bool]) -> Iterator[Path]:
    if not root.is_dir():
        yield root
        return
    for folder, _, names in os.walk(root):
        # What begins with a point is being written, or not meant to be seen.
        for name in (name for name in names if _readable(name) and name[0] != "."):
            if stopped():
                return
            yield Path(folder, name)
        if stopped():
            return


def _readable(name: str) -> bool:
    return os.path.splitext(name)[1].lower() in READABLE


def _stamp(path: Path, variant: Variant | None) -> Stamp:
    """Return the stamp of a file, nothing if it is none."""
    try:
        status = path.stat()
    except OSError:
        return ""
    if not S_ISREG(status.st_mode):
        return ""
    named = variant.name if variant and path.suffix.lower() != ".tgn" else ""
    return f"{status.st_size} {status.st_mtime_ns} {named}"


# What was played


_PLIES: Final = 1 << 13
"""More than a battle in a record has moves."""


class IndexedMove(NamedTuple):
    """A move made in a battle, the first time its position occurs.

    Attributes:
        position: the number of the position, which all that are alike share.
        where: the place in the file, as `Where` packs it.
        move: as all that are alike have it.
        margin: the dwarfs' points less the trolls' when the battle was over, None if it goes on.
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
        """Return it as one number."""
        return (self.match * BATTLES + self.battle - 1) * _PLIES + self.ply

    @classmethod
    def unpacked(cls, number: int) -> Where:
        """Return what was packed."""
        rest, ply = divmod(number, _PLIES)
        match, battle = divmod(rest, BATTLES)
        return cls(match, battle + 1, ply)


class Content(NamedTuple):
    """The matches of a file, and why the rest of it cannot be read, if so.

    Attributes:
        players: of each match, who played.
        plays: what was played in all of them.
        fault: one sentence, empty if there is none.
    """

    players: Sequence[tuple[str, str]]
    plays: Sequence[IndexedMove]
    fault: str = ""


def content_of(path: Path, variant: Variant | None) -> Content:
    """Return what is in a file; of one with a fault, the matches before that.

    Args:
        path: the file.
        variant: the game of a file that does not name it.

    Raises:
        OSError: it cannot be read now.
    """
    fault = ""
    try:
        records = read_file(path, variant)
    except BadRecord as error:
        records, fault = error.before, str(error)
    plays = [play for number, record in enumerate(records, 1) for play in _plays(record, number)]
    return Content([record.players for record in records], plays, fault)


def _plays(record: Record, match: int) -> Iterator[IndexedMove]:
    for number, battle in enumerate(record.battles, 1):
        yield from _of_battle(record.variant, battle, Where(match, number, 0).packed())


def _of_battle(variant: Variant, battle: BattleRecord, first: int) -> Iterator[IndexedMove]:
    """Yield the moves of a battle; in like positions only the first counts."""
    margin = battle.outcome and battle.outcome.margin
    seen: set[int] = set()
    for ply, key in enumerate(keys_along(variant, battle.start, battle.moves)):
        if key.number not in seen:
            seen.add(key.number)
            yield IndexedMove(key.number, first + ply, key.shared(battle.moves[ply]), margin)

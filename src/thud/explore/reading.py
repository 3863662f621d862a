"""From a file to what was played in it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from thud.explore.likeness import places
from thud.records.bounds import BadRecord
from thud.records.files import read_file
from thud.records.record import BattleRecord, Record
from thud.rules.match import BATTLES
from thud.rules.variant import Variant

_PLIES: Final = 1 << 13
"""More than a battle in a record has moves."""


class Play(NamedTuple):
    """A move that was made in a battle, for the first time in its position.

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
    """A place in a file: which match of it, from 1, which battle, and before which move, from 0."""

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
    """What is in a file: its matches, and what keeps it from being read to its end, if anything.

    Attributes:
        players: of each match, who played.
        plays: what was played in all of them.
        fault: one sentence, empty if there is none.
    """

    players: Sequence[tuple[str, str]]
    plays: Sequence[Play]
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


def _plays(record: Record, match: int) -> Iterator[Play]:
    for number, battle in enumerate(record.battles, 1):
        yield from _of_battle(record.variant, battle, Where(match, number, 0).packed())


def _of_battle(variant: Variant, battle: BattleRecord, first: int) -> Iterator[Play]:
    """Yield what was played in a battle: a move made again in a like position counts once."""
    margin = battle.outcome and battle.outcome.margin
    seen: set[tuple[int, bytes]] = set()
    for ply, place in enumerate(places(variant, battle.start, battle.moves)):
        made = place.number, place.shared(battle.moves[ply])
        if made not in seen:
            seen.add(made)
            yield Play(made[0], first + ply, made[1], margin)

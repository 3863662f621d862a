"""Which part of a match is meant, for formats that cannot hold all of it and for looking at it."""

from __future__ import annotations

from typing import Final, NamedTuple

from thud.records.bounds import InvalidRecord
from thud.records.record import BattleRecord, Record


class Place(NamedTuple):
    """A place in a record: the battle, its number, and how many of its moves are played."""

    battle: BattleRecord
    number: int
    ply: int


class Excerpt(NamedTuple):
    """What of a match is written: which battle, as far as which move, and seen from which end.

    Without a battle it is the last, without a ply all of its moves; `flipped` turns the board of
    a picture round, rank 15 at the top.
    """

    battle: int | None = None
    ply: int | None = None
    flipped: bool = False

    def place(self, record: Record) -> Place:
        """Return where that is in a record.

        Raises:
            InvalidRecord: the record has no such place.
        """
        count = len(record.battles)
        number = count if self.battle is None else self.battle
        if not 1 <= number <= count:
            raise InvalidRecord(f"the record has no battle {number}")
        battle = record.battles[number - 1]
        last = len(battle.moves)
        ply = last if self.ply is None else self.ply
        if not 0 <= ply <= last:
            raise InvalidRecord(f"battle {number} has no ply {ply}, the last is {last}")
        return Place(battle, number, ply)


WHOLE: Final = Excerpt()
"""All that a format can hold."""

"""A place in a record, to be looked at: a battle, and how many of its moves have been played."""

from __future__ import annotations

from typing import NamedTuple

from thud.records.bounds import InvalidRecord
from thud.records.record import BattleRecord, Record
from thud.rules.position import Move, Position
from thud.rules.variant import Outcome


class Cursor(NamedTuple):
    """A place in a record; what goes elsewhere returns another one.

    Make the first one by `at`, which checks that the record has such a place.
    """

    record: Record
    number: int
    """The battle, from 1."""
    ply: int
    """After so many of its moves."""
    positions: tuple[Position, ...]
    """Every position of the battle: one more than it has moves."""

    @classmethod
    def at(cls, record: Record, number: int | None = None, ply: int | None = None) -> Cursor:
        """Return a place: after so many moves of a battle, by itself the last of the last.

        Raises:
            InvalidRecord: the record has no such place.
        """
        count = len(record.battles)
        number = count if number is None else number
        if not 1 <= number <= count:
            raise InvalidRecord(f"the record has no battle {number}")
        positions = tuple(record.battles[number - 1].positions())
        last = len(positions) - 1
        ply = last if ply is None else ply
        if not 0 <= ply <= last:
            raise InvalidRecord(f"battle {number} has no ply {ply}, the last is {last}")
        return cls(record, number, ply, positions)

    @property
    def battle(self) -> BattleRecord:
        """The battle."""
        return self.record.battles[self.number - 1]

    @property
    def position(self) -> Position:
        """The position there."""
        return self.positions[self.ply]

    @property
    def last(self) -> int:
        """How many moves the battle has."""
        return len(self.positions) - 1

    @property
    def before(self) -> Position | None:
        """The position before the last move, None where the battle begins."""
        return self.positions[self.ply - 1] if self.ply else None

    @property
    def move(self) -> Move | None:
        """The move that has led there, None where the battle begins."""
        return self.battle.moves[self.ply - 1] if self.ply else None

    @property
    def outcome(self) -> Outcome | None:
        """How the battle has ended, where all its moves have been played."""
        return self.battle.outcome if self.ply == self.last else None

    @property
    def comments(self) -> tuple[str, ...]:
        """What is written at this place."""
        return tuple(each.text for each in self.battle.comments if each.after == self.ply)

    @property
    def commanders(self) -> tuple[str, str]:
        """Who commands the dwarfs there, and who the trolls."""
        return self.record.commanders(self.number)

    def to(self, ply: int) -> Cursor:
        """Return the place after so many moves, or the nearest that there is."""
        return self._replace(ply=max(0, min(ply, self.last)))

    def to_turn(self, turn: int) -> Cursor:
        """Return the place after both moves of a turn, or the nearest that there is."""
        return self.to(2 * turn - (self.battle.turn(1) - 1))

    def to_battle(self, number: int) -> Cursor:
        """Return where a battle begins; the first one follows the last."""
        return Cursor.at(self.record, (number - 1) % len(self.record.battles) + 1, 0)

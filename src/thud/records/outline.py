"""The moves of a battle in the order in which they are read, its variations among them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, TypeAlias

from thud.records.markup import prose
from thud.records.record import BattleRecord, Line
from thud.records.tree import Trail
from thud.rules.notation import move_text
from thud.rules.position import Position

Node: TypeAlias = tuple[Trail, int]
"""A place in a battle: on which line, and after how many moves."""


class Entry(NamedTuple):
    """A move as it is listed."""

    trail: Trail
    """The line on which it is."""
    ply: int
    """How many moves have been played when this one has."""
    text: str
    commented: bool

    @property
    def node(self) -> Node:
        """The place after it."""
        return self.trail, self.ply


def outline(battle: BattleRecord) -> Iterator[Entry]:
    """Yield every move of a battle; behind a move come those that could replace it."""
    yield from _moves(battle, battle.start, (), 0)


def _moves(line: Line, position: Position, trail: Trail, begins: int) -> Iterator[Entry]:
    """Yield the moves of a line and of its variations, which are not deep in one another."""
    commented = {comment.after for comment in line.comments if prose(comment.text)}
    varied: dict[int, list[int]] = {}
    for index, variation in enumerate(line.variations):
        varied.setdefault(variation.after, []).append(index)
    for played, move in enumerate(line.moves):
        ply = begins + played
        yield Entry(trail, ply + 1, move_text(position, move), played + 1 in commented)
        for index in varied.get(played, ()):
            yield from _moves(line.variations[index], position, (*trail, index), ply)
        position = position.after(move)
    for index in varied.get(len(line.moves), ()):
        ply = begins + len(line.moves)
        yield from _moves(line.variations[index], position, (*trail, index), ply)

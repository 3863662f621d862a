"""The moves of a battle in the order in which they are read, its variations among them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from thud.records.markup import prose
from thud.records.record import BattleRecord, Line, positions_after
from thud.records.tree import Trail
from thud.rules.notation import move_text
from thud.rules.position import Move, Position

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


def _moves(line: Line, start: Position, trail: Trail, begins: int) -> Iterator[Entry]:
    """Yield the moves of a line and of its variations, which are not deep in one another."""
    commented = {comment.after for comment in line.comments if prose(comment.text)}
    varied: dict[int, list[int]] = {}
    for index, variation in enumerate(line.variations):
        varied.setdefault(variation.after, []).append(index)
    # Many a variation must not push the battle itself, which is longest, out of the cache.
    texts, positions = (_written if trail else _remembered)(start, line.moves)
    for played, position in enumerate(positions):
        ply = begins + played
        if played < len(texts):
            yield Entry(trail, ply + 1, texts[played], played + 1 in commented)
        for index in varied.get(played, ()):
            yield from _moves(line.variations[index], position, (*trail, index), ply)


def _written(
    start: Position, moves: tuple[Move, ...]
) -> tuple[tuple[str, ...], tuple[Position, ...]]:
    """Return the texts of moves, and the positions before and after them."""
    positions = (start, *positions_after(start, moves))
    return tuple(map(move_text, positions, moves)), positions


@lru_cache(maxsize=4)
def _remembered(
    start: Position, moves: tuple[Move, ...]
) -> tuple[tuple[str, ...], tuple[Position, ...]]:
    """Return the same of a battle as it was played.

    One of thousands of moves is listed anew with every variation of it.
    """
    return _written(start, moves)

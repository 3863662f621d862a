"""The tree of lines of a battle, and edits of it by path.

A way (`Trail`) names the variation that is gone into from the battle, the one from there, and so
on.  Trees are `bounds.MAX_DEPTH` deep at most, so that to follow a way may call itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple, TypeAlias, TypeVar, cast

from thud.records.record import BattleRecord, Comment, Line, Variation, positions_after
from thud.records.tgn.notes import prose
from thud.rules.notation import move_text
from thud.rules.position import Move, Position

Trail: TypeAlias = tuple[int, ...]
"""Which variation of a battle is gone into, which of that, and so on; none is the battle itself."""

Change: TypeAlias = Callable[[Line], Line]
"""What makes another line of a line."""

_AnyLine = TypeVar("_AnyLine", bound=Line)


def lines(battle: BattleRecord) -> Iterator[tuple[Trail, int, Line]]:
    """Yield every line of a battle, each with its trail and how many moves come before it."""
    waiting: list[tuple[Trail, int, Line]] = [((), 0, battle)]
    while waiting:
        trail, begins, line = waiting.pop()
        yield trail, begins, line
        waiting += [
            ((*trail, index), begins + variation.after, variation)
            for index, variation in enumerate(line.variations)
        ]


def changed(line: _AnyLine, trail: Trail, change: Change) -> _AnyLine:
    """Return a line in which another one, to which a trail leads, has been changed."""
    if not trail:
        return cast("_AnyLine", change(line))
    first, *rest = trail
    variations = list(line.variations)
    variations[first] = changed(variations[first], tuple(rest), change)
    return cast("_AnyLine", line._replace(variations=tuple(variations)))


# What lies before or behind a move


def until(line: _AnyLine, played: int) -> _AnyLine:
    """Return the first moves of a line, with what is written on them and varies them."""
    kept = line._replace(
        moves=line.moves[:played],
        comments=tuple(each for each in line.comments if each.after <= played),
        variations=tuple(each for each in line.variations if each.after < played),
    )
    return cast("_AnyLine", kept)


def rest_of(line: Line, played: int) -> Variation:
    """Return what follows on the first moves of a line, as a variation that begins there."""
    return Variation(
        played,
        line.moves[played:],
        moved_comments((each for each in line.comments if each.after > played), -played),
        moved((each for each in line.variations if each.after > played), -played),
    )


def beginning_at(line: Line, played: int) -> tuple[Variation, ...]:
    """Return the variations that begin after so many moves of a line."""
    return tuple(each for each in line.variations if each.after == played)


def joined(line: _AnyLine, rest: Variation) -> _AnyLine:
    """Return the beginning of a line that goes on as a variation of it does."""
    onward = line._replace(
        moves=line.moves[: rest.after] + rest.moves,
        comments=line.comments + moved_comments(rest.comments, rest.after),
        variations=line.variations + moved(rest.variations, rest.after),
    )
    return cast("_AnyLine", onward)


def in_order(variations: Iterable[Variation]) -> tuple[Variation, ...]:
    """Return variations in the order of the moves after which they begin."""
    return tuple(sorted(variations, key=lambda each: each.after))


def moved(variations: Iterable[Variation], by: int) -> tuple[Variation, ...]:
    """Return variations of a line as those of another, in which more moves come before them."""
    return tuple(each._replace(after=each.after + by) for each in variations)


def moved_comments(comments: Iterable[Comment], by: int) -> tuple[Comment, ...]:
    """Return comments on a line as those on another, in which more moves come before them."""
    return tuple(each._replace(after=each.after + by) for each in comments)


Node: TypeAlias = tuple[Trail, int]
"""A place in a battle: on which line, and after how many moves."""


class Entry(NamedTuple):
    """A move in a listing."""

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

"""A move step by step: the piece goes over the squares, then its victims vanish."""

from __future__ import annotations

from typing import Final, NamedTuple

from thud.rules.geometry import RAYS, Mask, Square, bit, squares_of, step_between
from thud.rules.moves import HOPS
from thud.rules.position import STONE_LETTER, Move, Position, Side
from thud.tui.board.look import Mark, View

LONGEST: Final = 0.24
"""Seconds that the stills of a move take at most, all together."""

_STRIDE: Final = 0.03
"""Seconds that the piece is seen on each square."""

_FAREWELL: Final = 0.09
"""Seconds that the victims are seen marked before they vanish."""

_MOST_STRIDES: Final = int((LONGEST - _FAREWELL) / _STRIDE)


class Still(NamedTuple):
    """What is drawn, and until how many seconds after the first still was shown."""

    view: View
    until: float


class _Stop(NamedTuple):
    """Where the piece is on its way, and what it has captured by then."""

    square: Square
    captured: Mask


def stills(view: View, move: Move) -> list[Still]:
    """Return the stills of a move that lead to a view, which follows them and is not among them."""
    letter = view.position.letter_at(move.destination)
    if letter is None:
        return []
    before = _before(view.position, letter, move)
    stops = _thinned(_way(before, move))
    walked = [
        Still(_view(view, _moved(before, letter, stop), move, 0), _STRIDE * number)
        for number, stop in enumerate(stops, 1)
    ]
    left = move.captures & ~(stops[-1].captured if stops else 0)
    if not left:
        return walked
    arrived = _moved(before, letter, _Stop(move.destination, move.captures & ~left))
    until = _STRIDE * len(stops) + _FAREWELL
    return [*walked, Still(_view(view, arrived, move, left), until)]


def _view(view: View, position: Position, move: Move, victims: Mask) -> View:
    marks = {move.origin: Mark.LAST} | dict.fromkeys(squares_of(victims), Mark.VICTIM)
    return View(position, marks, goals=view.goals)


def _before(after: Position, letter: str, move: Move) -> Position:
    """Return the position without the piece that moved, and with its victims."""
    if letter == Side.DWARFS.value:
        return after._replace(
            dwarfs=after.dwarfs & ~bit(move.destination), trolls=after.trolls | move.captures
        )
    if letter == Side.TROLLS.value:
        return after._replace(
            trolls=after.trolls & ~bit(move.destination), dwarfs=after.dwarfs | move.captures
        )
    return after


def _moved(before: Position, letter: str, stop: _Stop) -> Position:
    """Return the position with the piece on a stop of its way."""
    here = bit(stop.square)
    dwarfs, trolls = (pieces & ~here & ~stop.captured for pieces in (before.dwarfs, before.trolls))
    if letter == STONE_LETTER:
        return before._replace(stone=stop.square)
    if letter == Side.DWARFS.value:
        return before._replace(dwarfs=dwarfs | here, trolls=trolls)
    return before._replace(dwarfs=dwarfs, trolls=trolls | here)


def _way(before: Position, move: Move) -> list[_Stop]:
    """Return the squares from the origin to the one before the destination, or a trample's hops."""
    line = step_between(move.origin, move.destination)
    if line:
        step, length = line
        between = RAYS[move.origin][step][: length - 1]
        if not any(before.occupied >> square & 1 for square in between):
            return [_Stop(square, 0) for square in (move.origin, *between)]
    return _trample(before, move)


def _trample(before: Position, move: Move) -> list[_Stop]:
    """Return the hops of a trample with this effect, the origin first; none if there is no such."""
    ways = [[_Stop(move.origin, 0)]]
    while ways:
        way = ways.pop()
        at, captured = way[-1]
        if captured and (at, captured) == (move.destination, move.captures):
            return way
        ways += [
            [*way, _Stop(landing, captured | bit(victim))]
            for victim, landing in HOPS[at]
            if move.captures & ~captured & bit(victim)
            and (landing == move.origin or not before.occupied & ~captured & bit(landing))
        ]
    return []


def _thinned(stops: list[_Stop]) -> list[_Stop]:
    """Return so few of the stops that they can be seen in time, the first and the last included."""
    if len(stops) <= _MOST_STRIDES:
        return stops
    last = len(stops) - 1
    return [stops[last * i // (_MOST_STRIDES - 1)] for i in range(_MOST_STRIDES)]

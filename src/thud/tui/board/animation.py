"""Animation of a move: the piece crosses the squares, then its victims vanish.

Captures and the end of a battle are in `effects`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from thud.rules.geometry import RAYS, Mask, Square, bit, step_between
from thud.rules.moves import HOPS
from thud.rules.position import STONE_LETTER, Move, Position, Side
from thud.tui.board.effects import Ending, Shot, brought_home, captured, thud, trail, win_animation
from thud.tui.board.look import SquareMark, View

LONGEST: Final = 0.48
"""Longest animation of a move, in seconds."""

_STRIDE: Final = 0.03
"""Seconds that the piece is shown on each square."""

_MOST_STRIDES: Final = 5


class AnimationFrame(NamedTuple):
    """A frame, and its end in seconds from the start."""

    view: View
    until: float


class _Stop(NamedTuple):
    """A square on a piece's way, and its captures so far."""

    square: Square
    captured: Mask


def frames(view: View, move: Move | None, ending: Ending | None = None) -> list[AnimationFrame]:
    """Return the frames that lead up to a view, without the view itself.

    Args:
        view: the final view.
        move: the move that led there, to be animated.
        ending: the end of the battle, to be animated.
    """
    shown, until = list[AnimationFrame](), 0.0
    for seen, seconds in _shots(view, move, ending):
        until += seconds
        shown.append(AnimationFrame(seen, until))
    return shown


def _shots(view: View, move: Move | None, ending: Ending | None) -> list[Shot]:
    shots = list(_walked(view, move)) if move else []
    if move:
        shots += _arrived(view, move, _left(shots))
        shots += brought_home(view, move, _left(shots))
        shots += thud(view, move, _left(shots))
    if ending:
        shots += win_animation(view, ending, _left(shots))
    return shots


def _left(shots: list[Shot]) -> float:
    """Return the seconds left after some shots."""
    return max(0.0, LONGEST - sum(seconds for _, seconds in shots))


def _walked(view: View, move: Move) -> Iterator[Shot]:
    """Yield the piece on each square of its way, up to the one before the last."""
    letter = view.position.letter_at(move.destination)
    if letter is None:
        return
    before = _before(view.position, letter, move)
    for stop in _thinned(_way(before, move)):
        seen = View(_moved(before, letter, stop), {move.origin: SquareMark.LAST}, goals=view.goals)
        yield seen._replace(strokes=trail(view.position, move, stop.square)), _STRIDE


def _arrived(view: View, move: Move, seconds: float) -> Iterator[Shot]:
    """Yield a move's captures, with the piece arrived."""
    letter = view.position.letter_at(move.destination)
    if letter is None or not move.captures:
        return
    before = _before(view.position, letter, move)
    way = _way(before, move)
    left = move.captures & ~(way[-1].captured if way else 0)
    there = _moved(before, letter, _Stop(move.destination, move.captures & ~left))
    arrived = View(there, {move.origin: SquareMark.LAST}, goals=view.goals)
    yield from captured(arrived, move, left, seconds)


def _before(after: Position, letter: str, move: Move) -> Position:
    """Return the position without the moving piece but with its victims."""
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
    """Return the position with the moving piece at a stop."""
    here = bit(stop.square)
    dwarfs, trolls = (pieces & ~here & ~stop.captured for pieces in (before.dwarfs, before.trolls))
    if letter == STONE_LETTER:
        return before._replace(stone=stop.square)
    if letter == Side.DWARFS.value:
        return before._replace(dwarfs=dwarfs | here, trolls=trolls)
    return before._replace(dwarfs=dwarfs, trolls=trolls | here)


def _way(before: Position, move: Move) -> list[_Stop]:
    """Return the squares from the origin to just before the destination, or a trample's hops."""
    line = step_between(move.origin, move.destination)
    if line:
        step, length = line
        between = RAYS[move.origin][step][: length - 1]
        if not any(before.occupied >> square & 1 for square in between):
            return [_Stop(square, 0) for square in (move.origin, *between)]
    return _trample(before, move)


def _trample(before: Position, move: Move) -> list[_Stop]:
    """Return a trampling route for the move, from its origin; empty if there is none."""
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
    """Thin the stops out to the number that fits the time, keeping the first and the last."""
    if len(stops) <= _MOST_STRIDES:
        return stops
    last = len(stops) - 1
    return [stops[last * i // (_MOST_STRIDES - 1)] for i in range(_MOST_STRIDES)]

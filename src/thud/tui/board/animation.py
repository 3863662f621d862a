"""Animations: a move, its captures, and special moments such as hurls and the end of a battle.

The piece crosses the squares, then its victims vanish.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate, groupby
from typing import Final, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from thud.rules.geometry import (
    RAYS,
    Mask,
    Square,
    bit,
    distance,
    mask_of,
    parse_square,
    squares_of,
    step_between,
)
from thud.rules.moves import hops_from
from thud.rules.position import STONE_LETTER, Move, Position, Side
from thud.tui.board.look import STROKES, SquareMark, View

Shot: TypeAlias = tuple[View, float]
"""A frame of an animation, and its duration in seconds."""

LONGEST: Final = 0.48
"""Longest animation of a move, in seconds."""

_STRIDE: Final = 0.03
"""Seconds that the piece is shown on each square."""

_MOST_STRIDES: Final = 5

TITLE: Final = """\
██████ ██  ██ ██  ██ █████
  ██   ██  ██ ██  ██ ██  ██
  ██   ██████ ██  ██ ██  ██
  ██   ██  ██ ██  ██ ██  ██
  ██   ██  ██  ████  █████"""
"""The name of the game in big letters."""

LONG_HURL: Final = 5
"""Shortest hurl, in squares, that is animated with a trail and a burst."""

GREAT_SHOVE: Final = 4
"""Fewest victims of a shove that fall one after the other."""

_TRAIL: Final = 3
"""Length in squares of the trail behind a hurled dwarf."""

_FAREWELL: Final = 0.09
"""Seconds that the victims are marked before they vanish."""

_DUST: Final = 0.06
"""Seconds that the victims' squares are marked afterwards."""

_FALL: Final = 0.03
"""Longest pause between two victims that fall, in seconds."""

_WAVE: Final = 0.045
"""Longest pause between two rings of a wave, in seconds."""

_THUD: Final = 0.2
"""Longest time that the name of the game is shown, in seconds."""


class Ending(Struct, frozen=True):
    """The end of a battle, as the board shows it."""

    winners: Mask
    """The winning side's pieces, none after a draw."""
    last: bool = False
    """Whether the match is over, too."""


class AnimationFrame(Struct, frozen=True):
    """A frame, and its end in seconds from the start."""

    view: View
    until: float


class _Stop(Struct, frozen=True):
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
    shots: list[Shot] = []

    def left() -> float:
        return max(0.0, LONGEST - sum(seconds for _, seconds in shots))

    if move:
        shots += _walked(view, move)
        shots += _captured(view, move, left())
        if move.destination == view.position.stone and view.goals >> move.destination & 1:
            # The goals light up around a stone that has reached one.
            shots += _wave(view, view.goals, move.destination, left())
        if move.is_great:
            # The name of the game stands across the board for great captures.
            shots.append((replace(view, thud=True), min(_THUD, left())))
    if ending:
        # The winner's pieces light up from the middle, and go out again after a match.
        share = left() / (2 if ending.last else 1)
        lit = list(_wave(view, ending.winners, parse_square("H8"), share))
        shots += lit
        if ending.last:
            shots += reversed(lit[:-1])
    ends = accumulate(seconds for _, seconds in shots)
    return [AnimationFrame(seen, until) for (seen, _), until in zip(shots, ends, strict=True)]


def _walked(view: View, move: Move) -> Iterator[Shot]:
    """Yield the piece on each square of its way, up to the one before the last."""
    letter = view.position.letter_at(move.destination)
    if letter is None:
        return
    before = _before(view.position, letter, move)
    stops = _way(before, move)
    if len(stops) > _MOST_STRIDES:
        # As many as there is time for, with the first and the last.
        last = len(stops) - 1
        stops = [stops[last * i // (_MOST_STRIDES - 1)] for i in range(_MOST_STRIDES)]
    behind: list[Square] = []
    step, _ = step_between(move.origin, move.destination) or (0, 0)
    if step and is_long_hurl(view.position, move):
        behind = [move.origin, *RAYS[move.origin][step]]
    for stop in stops:
        trail = behind[: behind.index(stop.square)][-_TRAIL:] if behind else []
        yield (
            View(
                _moved(before, letter, stop),
                {move.origin: SquareMark.LAST},
                goals=view.goals,
                strokes=dict.fromkeys(trail, STROKES[abs(step)]) if trail else {},
            ),
            _STRIDE,
        )


def _captured(view: View, move: Move, seconds: float) -> Iterator[Shot]:
    """Yield a move's captures, with the piece arrived; `seconds` are left for all of it."""
    letter = view.position.letter_at(move.destination)
    if letter is None or not move.captures:
        return
    before = _before(view.position, letter, move)
    way = _way(before, move)
    # Those that have not vanished on the way.
    left = move.captures & ~(way[-1].captured if way else 0)
    there = _moved(before, letter, _Stop(move.destination, move.captures & ~left))
    arrived = View(there, {move.origin: SquareMark.LAST}, goals=view.goals)
    victims = list(squares_of(left))
    if victims:
        yield _marked(arrived, dict.fromkeys(victims, SquareMark.VICTIM)), _FAREWELL
    if len(victims) >= GREAT_SHOVE:
        pause = min(_FALL, (seconds - _FAREWELL) / len(victims))
        for fallen in range(1, len(victims) + 1):
            gone, standing = victims[:fallen], victims[fallen:]
            marks = dict.fromkeys(gone, SquareMark.CAPTURE)
            marks |= dict.fromkeys(standing, SquareMark.VICTIM)
            yield _marked(_without(arrived, mask_of(*gone)), marks), pause
        return
    # A hurled dwarf lands where its victim stood, and stays there.
    here = bit(move.destination)
    after = _without(arrived, left & ~here)
    fallen_now = squares_of(move.captures & (here | ~after.position.occupied))
    dust = _marked(after, dict.fromkeys(fallen_now, SquareMark.CAPTURE))
    if is_long_hurl(after.position, move):
        # A burst on the empty squares around.
        near = {step: ray[0] for step, ray in RAYS[move.destination].items()}
        burst = {
            square: STROKES[abs(step)]
            for step, square in near.items()
            if not after.position.occupied >> square & 1
        }
        dust = replace(dust, strokes=burst)
    yield dust, _DUST


def is_long_hurl(after: Position, move: Move) -> bool:
    """Whether the move that led to a position was a long hurl."""
    line = step_between(move.origin, move.destination)
    dwarf = after.letter_at(move.destination) == Side.DWARFS.value
    return bool(move.captures and dwarf and line and line[1] >= LONG_HURL)


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
        at, captured = way[-1].square, way[-1].captured
        if captured and (at, captured) == (move.destination, move.captures):
            return way
        ways += [
            [*way, _Stop(landing, captured | bit(victim))]
            for victim, landing in hops_from(at)
            if move.captures & ~captured & bit(victim)
            and (landing == move.origin or not before.occupied & ~captured & bit(landing))
        ]
    return []


def _wave(view: View, squares: Mask, origin: Square, seconds: float) -> Iterator[Shot]:
    """Yield squares lighting up in rings around an origin."""

    def away(square: Square) -> int:
        return distance(origin, square)

    rings = [list(ring) for _, ring in groupby(sorted(squares_of(squares), key=away), away)]
    lit: list[Square] = []
    for left, ring in enumerate(rings, -len(rings)):
        lit += ring
        pause = min(_WAVE, seconds / (len(rings) + 1))
        yield _marked(view, dict.fromkeys(lit, SquareMark.HELD)), pause if left < -1 else 2 * pause


def _marked(view: View, marks: dict[Square, SquareMark]) -> View:
    """Return a view with more marks, and without labels or previews."""
    return View(view.position, dict(view.marks) | marks, goals=view.goals)


def _without(view: View, pieces: Mask) -> View:
    before = view.position
    return replace(
        view,
        position=before._replace(dwarfs=before.dwarfs & ~pieces, trolls=before.trolls & ~pieces),
    )

"""Animations of special moments: captures, hurls, great shoves, the Rock home, the end."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import Final, NamedTuple, TypeAlias

from thud.rules.geometry import (
    RAYS,
    Mask,
    Square,
    bit,
    distance,
    parse_square,
    squares_of,
    step_between,
)
from thud.rules.position import STONE_LETTER, Move, Position, Side
from thud.tui.board.look import STROKES, SquareMark, Stroke, View

Shot: TypeAlias = tuple[View, float]
"""A frame of an animation, and its duration in seconds."""

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

_MIDDLE: Final = parse_square("H8")


class Ending(NamedTuple):
    """The end of a battle, as the board shows it."""

    winners: Mask
    """The winning side's pieces, none after a draw."""
    last: bool = False
    """Whether the match is over, too."""


def trail(position: Position, move: Move, at: Square) -> dict[Square, Stroke]:
    """Return the trail behind a dwarf at a square, if it is a long hurl."""
    line = step_between(move.origin, move.destination)
    if not is_long_hurl(position, move) or not line or at == move.origin:
        return {}
    step, _ = line
    passed = [move.origin, *RAYS[move.origin][step]]
    behind = passed[: passed.index(at)][-_TRAIL:]
    return dict.fromkeys(behind, STROKES[abs(step)])


def is_long_hurl(after: Position, move: Move) -> bool:
    """Whether the move that led to a position was a long hurl."""
    line = step_between(move.origin, move.destination)
    dwarf = after.letter_at(move.destination) == Side.DWARFS.value
    return bool(move.captures and dwarf and line and line[1] >= LONG_HURL)


def captured(arrived: View, move: Move, left: Mask, seconds: float) -> Iterator[Shot]:
    """Yield the captures of a piece that has arrived.

    Args:
        arrived: the view with the victims still on the board.
        move: the move.
        left: those victims, none if they have vanished on the way.
        seconds: the time left for all of it.
    """
    victims = dict.fromkeys(squares_of(left), SquareMark.VICTIM)
    if left:
        yield _marked(arrived, victims), _FAREWELL
    # A hurled dwarf lands where its victim stood, and stays there.
    here = bit(move.destination)
    after = _without(arrived, left & ~here)
    if left.bit_count() >= GREAT_SHOVE:
        pause = min(_FALL, (seconds - _FAREWELL) / left.bit_count())
        yield from _falling(arrived, list(squares_of(left)), pause)
    else:
        fallen = move.captures & (here | ~after.position.occupied)
        dust = _marked(after, dict.fromkeys(squares_of(fallen), SquareMark.CAPTURE))
        if is_long_hurl(after.position, move):
            dust = dust._replace(strokes=_burst(after.position, move.destination))
        yield dust, _DUST


def _falling(arrived: View, victims: list[Square], pause: float) -> Iterator[Shot]:
    """Yield the victims of a shove falling one after the other."""
    for fallen in range(1, len(victims) + 1):
        gone, standing = victims[:fallen], victims[fallen:]
        marks = dict.fromkeys(gone, SquareMark.CAPTURE) | dict.fromkeys(standing, SquareMark.VICTIM)
        yield _marked(_without(arrived, sum(1 << square for square in gone)), marks), pause


def _burst(position: Position, at: Square) -> dict[Square, Stroke]:
    """Return strokes on the empty squares around a square."""
    near = {step: ray[0] for step, ray in RAYS[at].items()}
    return {
        square: STROKES[abs(step)]
        for step, square in near.items()
        if not position.occupied >> square & 1
    }


def brought_home(view: View, move: Move, seconds: float) -> Iterator[Shot]:
    """Yield the goals lighting up around a stone that has reached one."""
    at = move.destination
    if view.position.letter_at(at) == STONE_LETTER and view.goals >> at & 1:
        yield from _wave(view, view.goals, at, seconds)


def thud(view: View, move: Move, seconds: float) -> Iterator[Shot]:
    """Yield the name of the game across the board, for a hurl that lands and for great captures."""
    if move.is_great:
        yield view._replace(thud=True), min(_THUD, seconds)


def win_animation(view: View, ending: Ending, seconds: float) -> Iterator[Shot]:
    """Yield the winner's pieces lighting up from the middle, and back again after a match."""
    share = seconds / (2 if ending.last else 1)
    lit = list(_wave(view, ending.winners, _MIDDLE, share))
    yield from lit
    if ending.last:
        yield from reversed(lit[:-1])


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
    return view._replace(
        position=before._replace(dwarfs=before.dwarfs & ~pieces, trolls=before.trolls & ~pieces)
    )

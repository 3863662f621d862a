"""Celebrated moments: captures, long hurls, great shoves, the Rock home, the end."""

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
from thud.tui.board.look import STROKES, Mark, Stroke, View

Shot: TypeAlias = tuple[View, float]
"""A still of an animation, and its duration in seconds."""

LONG_HURL: Final = 5
"""Squares of a hurl from which much is made of it."""

GREAT_SHOVE: Final = 4
"""Dwarfs captured by a shove from which they fall one after the other."""

_TRAIL: Final = 3
"""The squares behind a hurled dwarf on which its trail is seen."""

_FAREWELL: Final = 0.09
"""Seconds that the victims are seen marked before they vanish."""

_DUST: Final = 0.06
"""Seconds that it is seen where they stood."""

_FALL: Final = 0.03
_WAVE: Final = 0.045
"""Seconds between two that fall, and between two places that a wave comes to, at most."""

_MIDDLE: Final = parse_square("H8")


class Ending(NamedTuple):
    """The end of a battle, as far as the board shows it."""

    winners: Mask
    """The pieces of the side that has won, none if nobody has."""
    last: bool = False
    """Whether that is the end of the match, too."""


def trail(position: Position, move: Move, at: Square) -> dict[Square, Stroke]:
    """Return the trail of a dwarf on its way, if it is hurled far."""
    line = step_between(move.origin, move.destination)
    if not is_long_hurl(position, move) or not line or at == move.origin:
        return {}
    step, _ = line
    passed = [move.origin, *RAYS[move.origin][step]]
    behind = passed[: passed.index(at)][-_TRAIL:]
    return dict.fromkeys(behind, STROKES[abs(step)])


def is_long_hurl(after: Position, move: Move) -> bool:
    """Say whether a move that led to a position was a hurl over many squares."""
    line = step_between(move.origin, move.destination)
    dwarf = after.letter_at(move.destination) == Side.DWARFS.value
    return bool(move.captures and dwarf and line and line[1] >= LONG_HURL)


def captured(arrived: View, move: Move, left: Mask, seconds: float) -> Iterator[Shot]:
    """Yield what is seen of captures once the piece that makes them has arrived.

    Args:
        arrived: the view then, the victims still on the board.
        move: the move.
        left: those victims, none where they have vanished on the way.
        seconds: how long all of it may take at most.
    """
    victims = dict.fromkeys(squares_of(left), Mark.VICTIM)
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
        dust = _marked(after, dict.fromkeys(squares_of(fallen), Mark.CAPTURE))
        if is_long_hurl(after.position, move):
            dust = dust._replace(strokes=_burst(after.position, move.destination))
        yield dust, _DUST


def _falling(arrived: View, victims: list[Square], pause: float) -> Iterator[Shot]:
    """Yield the victims of a shove as they fall, one after the other."""
    for fallen in range(1, len(victims) + 1):
        gone, standing = victims[:fallen], victims[fallen:]
        marks = dict.fromkeys(gone, Mark.CAPTURE) | dict.fromkeys(standing, Mark.VICTIM)
        yield _marked(_without(arrived, sum(1 << square for square in gone)), marks), pause


def _burst(position: Position, at: Square) -> dict[Square, Stroke]:
    """Return strokes that run from a square to all sides, as far as nobody stands there."""
    near = {step: ray[0] for step, ray in RAYS[at].items()}
    return {
        square: STROKES[abs(step)]
        for step, square in near.items()
        if not position.occupied >> square & 1
    }


def brought_home(view: View, move: Move, seconds: float) -> Iterator[Shot]:
    """Yield the goals as they light up around a stone that has been brought there."""
    at = move.destination
    if view.position.letter_at(at) == STONE_LETTER and view.goals >> at & 1:
        yield from _wave(view, view.goals, at, seconds)


def hailed(view: View, ending: Ending, seconds: float) -> Iterator[Shot]:
    """Yield the winner's pieces as they light up from the middle on; after a match twice."""
    share = seconds / (2 if ending.last else 1)
    lit = list(_wave(view, ending.winners, _MIDDLE, share))
    yield from lit
    if ending.last:
        yield from reversed(lit[:-1])


def _wave(view: View, squares: Mask, origin: Square, seconds: float) -> Iterator[Shot]:
    """Yield squares as they light up, the nearest to one of them first."""

    def away(square: Square) -> int:
        return distance(origin, square)

    rings = [list(ring) for _, ring in groupby(sorted(squares_of(squares), key=away), away)]
    lit: list[Square] = []
    for left, ring in enumerate(rings, -len(rings)):
        lit += ring
        pause = min(_WAVE, seconds / (len(rings) + 1))
        yield _marked(view, dict.fromkeys(lit, Mark.HELD)), pause if left < -1 else 2 * pause


def _marked(view: View, marks: dict[Square, Mark]) -> View:
    """Return what is seen of a view while a moment is shown."""
    return View(view.position, dict(view.marks) | marks, goals=view.goals)


def _without(view: View, pieces: Mask) -> View:
    before = view.position
    return view._replace(
        position=before._replace(dwarfs=before.dwarfs & ~pieces, trolls=before.trolls & ~pieces)
    )

"""Where the dwarfs gather in Classic, and where they go once they have gathered.

A troll takes lone dwarfs one after the other, long before any search sees that they should have
gathered; so the dwarfs are drawn to one of the eight edges of the board, to the area where most of
them and the fewest trolls are.  Once nothing happens any more, they advance together on the
centre and the trolls: from there their lines reach far, and the trolls run out of safe squares.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final, TypeAlias

from thud.ai.appraisal import spread
from thud.rules.geometry import (
    SIZE,
    SQUARES,
    Mask,
    Square,
    distance,
    file_of,
    mask_of,
    rank_of,
    square_at,
    squares_of,
)
from thud.rules.variants.classic import THUDSTONE

Area: TypeAlias = tuple[Mask, ...]
"""Belts along an edge or around a square, each within another: the more of them, the nearer."""

_CENTRE: Final = SIZE // 2 + 1
_BELTS: Final = 4
"""Of an area at an edge."""

_REACH: Final = 7
"""Of the widest belt around a square."""

_LEAN: Final = 0.3
"""How far the advance aims from the centre of the board towards the middle of the trolls."""


def _belt(file_step: int, rank_step: int, beyond: int) -> Mask:
    """Return the squares so many steps and more from the centre towards an edge."""
    return mask_of(
        *(
            square
            for square in SQUARES
            if (file_of(square) - _CENTRE) * file_step + (rank_of(square) - _CENTRE) * rank_step
            >= beyond
        )
    )


def _area(file_step: int, rank_step: int) -> Area:
    first = 3 if file_step and rank_step else 2
    return tuple(_belt(file_step, rank_step, first + place) for place in range(_BELTS))


AREAS: Final[tuple[Area, ...]] = tuple(
    _area(*steps)
    for steps in ((0, 1), (0, -1), (1, 0), (-1, 0), (-1, -1), (1, -1), (-1, 1), (1, 1))
)
"""The four straight edges, then the four slanting ones."""


def gathering(dwarfs: Mask, trolls: Mask) -> Area:
    """Return the area with the most dwarfs, less its squares within three steps of a troll."""
    near = spread(spread(spread(trolls)))
    return max(
        AREAS, key=lambda area: (dwarfs & area[0]).bit_count() - (near & area[0]).bit_count()
    )


@cache
def _around(aim: Square) -> Area:
    """Return the belts around a square."""
    return tuple(
        mask_of(*(square for square in SQUARES if distance(square, aim) <= reach))
        for reach in range(_REACH, 0, -1)
    )


def advance(trolls: Mask) -> Area:
    """Return the belts around the square that the dwarfs advance on."""
    occupied = list(squares_of(trolls)) or [THUDSTONE]
    aim = square_at(
        _leaning([file_of(square) for square in occupied]),
        _leaning([rank_of(square) for square in occupied]),
    )
    assert aim is not None, "so near the centre there are only squares"
    return _around(aim)


def _leaning(coordinates: Sequence[int]) -> int:
    return round(_CENTRE + _LEAN * (sum(coordinates) / len(coordinates) - _CENTRE))

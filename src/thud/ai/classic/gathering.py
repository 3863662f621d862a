"""The dwarfs' gathering area in Classic, and their aim after gathering.

A troll takes lone dwarfs one after the other, long before a search sees that they should have
gathered.  So the dwarfs are drawn to one of the board's eight edges, to the area with most dwarfs
and fewest trolls.  When nothing happens any more, they advance together on the nearest troll: their
lines reach more and more squares, and the trolls run out of safe ones.
"""

from __future__ import annotations

from functools import cache
from typing import Final, TypeAlias

from thud.ai.bitboards import spread
from thud.rules.geometry import (
    CENTRE,
    SQUARES,
    Mask,
    Square,
    distance,
    file_of,
    mask_of,
    rank_of,
    squares_of,
)
from thud.rules.variants.classic import THUDSTONE

Area: TypeAlias = tuple[Mask, ...]
"""Nested belts along an edge or around a square: the nearer, the more belts contain a square."""

_BELTS: Final = 4
"""Number of belts of an area at an edge."""

_REACH: Final = 7
"""Distance of the widest belt around a square."""


def _belt(file_step: int, rank_step: int, beyond: int) -> Mask:
    """Return the squares at least `beyond` steps from the centre towards an edge."""
    return mask_of(
        *(
            square
            for square in SQUARES
            if (file_of(square) - CENTRE) * file_step + (rank_of(square) - CENTRE) * rank_step
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
    """Return the area with the most dwarfs, minus its squares within three steps of a troll."""
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


def advance(dwarfs: Mask, trolls: Mask) -> Area:
    """Return the belts around the troll nearest to the middle of the dwarfs."""
    files, ranks = _middle(dwarfs)
    nearest = min(
        squares_of(trolls),
        key=lambda troll: max(abs(file_of(troll) - files), abs(rank_of(troll) - ranks)),
        default=THUDSTONE,
    )
    return _around(nearest)


def _middle(pieces: Mask) -> tuple[float, float]:
    """Return the mean file and the mean rank of pieces; the centre if there are none."""
    squares = list(squares_of(pieces)) or [THUDSTONE]
    count = len(squares)
    return sum(map(file_of, squares)) / count, sum(map(rank_of, squares)) / count

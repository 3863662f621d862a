"""Where the dwarfs gather in Classic: at one of the eight edges of the board.

A troll takes lone dwarfs one after the other, long before any search sees that they should have
gathered; so the dwarfs are drawn to the area where most of them and the fewest trolls are.
"""

from __future__ import annotations

from typing import Final, TypeAlias

from thud.ai.appraisal import spread
from thud.rules.geometry import SIZE, SQUARES, Mask, file_of, mask_of, rank_of

Area: TypeAlias = tuple[Mask, ...]
"""Belts along one edge, from the widest to the narrowest, each within the one before."""

_CENTRE: Final = SIZE // 2 + 1
_BELTS: Final = 4


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

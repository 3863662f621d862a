"""The board turned and mirrored, and positions with it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Final, TypeAlias

from thud.rules.geometry import (
    CENTRE,
    SQUARES,
    Mask,
    Square,
    file_of,
    mask_of,
    rank_of,
    square_at,
    squares_of,
)
from thud.rules.position import Position

Symmetry: TypeAlias = tuple[int, int, int, int]
"""What to multiply a square's way from the centre by."""

TURN: Final[Symmetry] = (0, -1, 1, 0)
"""A quarter turn, the way a clock's hand goes."""

MIRROR: Final[Symmetry] = (-1, 0, 0, 1)
"""Left and right exchanged."""

_TURNS: Final = [(1, 0, 0, 1), TURN, (-1, 0, 0, -1), (0, 1, -1, 0)]
SYMMETRIES: Final[tuple[Symmetry, ...]] = (*_TURNS, *((-a, -b, c, d) for a, b, c, d in _TURNS))
"""The turns, and the same mirrored."""


@cache
def squares_under(symmetry: Symmetry) -> Mapping[Square, Square]:
    """Return where each square of the board goes."""
    return {square: _moved(square, symmetry) for square in SQUARES}


def image(position: Position, symmetry: Symmetry) -> Position:
    """Return a position turned or mirrored; a stone that is not on the board stays where it is."""
    to = squares_under(symmetry)
    dwarfs, trolls, stone, to_move = position
    return Position(_mask(dwarfs, to), _mask(trolls, to), to.get(stone, stone), to_move)


def _moved(square: Square, symmetry: Symmetry) -> Square:
    across, down = file_of(square) - CENTRE, rank_of(square) - CENTRE
    a, b, c, d = symmetry
    moved = square_at(CENTRE + a * across + b * down, CENTRE + c * across + d * down)
    assert moved is not None
    return moved


def _mask(mask: Mask, to: Mapping[Square, Square]) -> Mask:
    return mask_of(*(to[square] for square in squares_of(mask)))

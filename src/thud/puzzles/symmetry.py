"""Positions turned and mirrored: two that are the same to a player have the same likeness."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Final

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
from thud.rules.variant import Variant

_TURNS: Final = [(1, 0, 0, 1), (0, -1, 1, 0), (-1, 0, 0, -1), (0, 1, -1, 0)]
_SYMMETRIES: Final = [*_TURNS, *((-a, -b, c, d) for a, b, c, d in _TURNS)]
"""The turns, and the same mirrored: what to multiply a square's way from the centre by."""


def likeness(variant: Variant, position: Position) -> str:
    """Return the text that all images of a position under the variant's symmetries share."""
    return min(_image(position, to).to_text() for to in _symmetries(variant.start))


@cache
def _symmetries(start: Position) -> tuple[dict[Square, Square], ...]:
    """Return the symmetries of the board that leave a start as it is."""
    return tuple(to for to in _boards() if _image(start, to) == start)


def _boards() -> Iterator[dict[Square, Square]]:
    for symmetry in _SYMMETRIES:
        yield {square: _moved(square, symmetry) for square in SQUARES}


def _moved(square: Square, symmetry: tuple[int, int, int, int]) -> Square:
    across, down = file_of(square) - CENTRE, rank_of(square) - CENTRE
    a, b, c, d = symmetry
    image = square_at(CENTRE + a * across + b * down, CENTRE + c * across + d * down)
    assert image is not None
    return image


def _image(position: Position, to: dict[Square, Square]) -> Position:
    dwarfs, trolls, stone, to_move = position
    return Position(_mask(dwarfs, to), _mask(trolls, to), to[stone], to_move)


def _mask(mask: Mask, to: dict[Square, Square]) -> Mask:
    return mask_of(*(to[square] for square in squares_of(mask)))

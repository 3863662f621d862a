"""Symmetries of the board, and canonical position texts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Final, NamedTuple

from thud.rules.geometry import (
    CENTRE,
    EAST,
    SOUTH,
    SQUARES,
    Mask,
    Square,
    file_of,
    mask_of,
    rank_of,
    square_at,
    squares_of,
)
from thud.rules.position import Move, Position
from thud.rules.variant import Variant

_TURNS: Final = [(1, 0, 0, 1), (0, -1, 1, 0), (-1, 0, 0, -1), (0, 1, -1, 0)]
_WAYS: Final = [*_TURNS, *((-a, -b, c, d) for a, b, c, d in _TURNS)]
"""Matrices of the rotations, and of these mirrored, for offsets from the centre."""


class Symmetry(NamedTuple):
    """A rotation or reflection of the board, as a map of its squares."""

    images: Mapping[Square, Square]

    def mask(self, mask: Mask) -> Mask:
        """Return the images of squares."""
        return mask_of(*(self.images[square] for square in squares_of(mask)))

    def position(self, position: Position) -> Position:
        """Return the image of a position; a stone off the board stays."""
        dwarfs, trolls, stone, to_move = position
        lies = self.images.get(stone, stone)
        return Position(self.mask(dwarfs), self.mask(trolls), lies, to_move)

    def move(self, move: Move) -> Move:
        """Return the image of a move."""
        origin, destination, captures = move
        return Move(self.images[origin], self.images[destination], self.mask(captures))

    @property
    def mirrors(self) -> bool:
        """Whether it is a reflection, and no rotation."""
        middle = square_at(CENTRE, CENTRE)
        assert middle is not None
        (a, b), (c, d) = (
            (file_of(image) - CENTRE, rank_of(image) - CENTRE)
            for image in (self.images[middle + EAST], self.images[middle + SOUTH])
        )
        return a * d - b * c < 0

    @property
    def back(self) -> Symmetry:
        """The inverse."""
        return Symmetry({image: square for square, image in self.images.items()})


def symmetries(variant: Variant) -> tuple[Symmetry, ...]:
    """Return a variant's symmetries: those that preserve its start and its goals.

    The first one is the identity.
    """
    return _symmetries(variant.start, variant.goals)


def canonical_text(variant: Variant, position: Position) -> str:
    """Return the position text shared by all symmetric images of a position."""
    return min(each.position(position).to_text() for each in symmetries(variant))


@cache
def _symmetries(start: Position, goals: Mask) -> tuple[Symmetry, ...]:
    return tuple(
        each for each in _boards() if each.position(start) == start and each.mask(goals) == goals
    )


def quarter_turn() -> Symmetry:
    """Return the clockwise rotation by a quarter turn."""
    return _board((0, -1, 1, 0))


def mirror() -> Symmetry:
    """Return the reflection that swaps left and right."""
    return _board((-1, 0, 0, 1))


def _boards() -> Iterator[Symmetry]:
    return map(_board, _WAYS)


@cache
def _board(way: tuple[int, int, int, int]) -> Symmetry:
    return Symmetry({square: _moved(square, way) for square in SQUARES})


def _moved(square: Square, way: tuple[int, int, int, int]) -> Square:
    across, down = file_of(square) - CENTRE, rank_of(square) - CENTRE
    a, b, c, d = way
    image = square_at(CENTRE + a * across + b * down, CENTRE + c * across + d * down)
    assert image is not None
    return image

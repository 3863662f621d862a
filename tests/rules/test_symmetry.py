"""A rotated or mirrored board has the same moves, rotated or mirrored."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.strategies import every_variant, positions
from thud.rules.geometry import (
    Mask,
    Square,
    file_of,
    mask_of,
    rank_of,
    square_at,
    squares_of,
)
from thud.rules.position import Move, Position
from thud.rules.symmetry import canonical_text
from thud.rules.variant import Variant
from thud.rules.variants import VARIANTS

Symmetry: TypeAlias = Callable[[int, int], tuple[int, int]]

SYMMETRIES: dict[str, Symmetry] = {
    "identity": lambda x, y: (x, y),
    "left-right": lambda x, y: (16 - x, y),
    "top-bottom": lambda x, y: (x, 16 - y),
    "half turn": lambda x, y: (16 - x, 16 - y),
    "diagonal": lambda x, y: (y, x),
    "antidiagonal": lambda x, y: (16 - y, 16 - x),
    "quarter turn": lambda x, y: (16 - y, x),
    "three quarters": lambda x, y: (y, 16 - x),
}


def mapped_square(symmetry: Symmetry, square: Square) -> Square:
    image = square_at(*symmetry(file_of(square), rank_of(square)))
    assert image is not None
    return image


def mapped_mask(symmetry: Symmetry, mask: Mask) -> Mask:
    return mask_of(*(mapped_square(symmetry, square) for square in squares_of(mask)))


def mapped_move(symmetry: Symmetry, move: Move) -> Move:
    ends = mapped_square(symmetry, move.origin), mapped_square(symmetry, move.destination)
    return Move(*ends, mapped_mask(symmetry, move.captures))


def mapped(symmetry: Symmetry, position: Position) -> Position:
    pieces = mapped_mask(symmetry, position.dwarfs), mapped_mask(symmetry, position.trolls)
    return Position(*pieces, mapped_square(symmetry, position.stone), position.to_move)


def of_variant(variant: Variant) -> list[str]:
    """List the symmetries of a variant: those that leave its start as it is."""
    return [name for name, s in SYMMETRIES.items() if mapped(s, variant.start) == variant.start]


@every_variant
@given(data=st.data())
def test_moves_and_outcome_are_those_of_the_mirrored_board(
    variant: Variant, data: st.DataObject
) -> None:
    position = data.draw(positions(variant))
    symmetry = SYMMETRIES[data.draw(st.sampled_from(of_variant(variant)[1:]))]
    image = mapped(symmetry, position)
    moves = {mapped_move(symmetry, move) for move in variant.legal_moves(position)}
    assert set(variant.legal_moves(image)) == moves
    assert variant.outcome(image) == variant.outcome(position)
    assert variant.progress(image) == variant.progress(position)
    assert variant.lead(image) == variant.lead(position)


def some_position(variant: Variant, seed: int) -> Position:
    chance, position = Random(seed), variant.start
    for _ in range(12):
        position = position.after(chance.choice(variant.legal_moves(position)))
    return position


@pytest.mark.parametrize("name", VARIANTS)
def test_images_are_alike_and_others_are_not(name: str) -> None:
    variant = VARIANTS[name]
    position = some_position(variant, 1)
    images = {mapped(SYMMETRIES[each], position) for each in of_variant(variant)}
    assert {canonical_text(variant, image) for image in images} == {
        canonical_text(variant, position)
    }
    assert canonical_text(variant, some_position(variant, 2)) != canonical_text(variant, position)

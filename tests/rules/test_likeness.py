"""What is alike: a position, and its images under the symmetries of its variant."""

from random import Random

import pytest

from rules.test_symmetry import SYMMETRIES, mapped, of_variant
from thud.rules.position import Position
from thud.rules.symmetry import likeness
from thud.rules.variant import Variant
from thud.rules.variants import VARIANTS


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
    assert {likeness(variant, image) for image in images} == {likeness(variant, position)}
    assert likeness(variant, some_position(variant, 2)) != likeness(variant, position)


def test_a_valley_that_is_turned_is_another_one() -> None:
    valley = VARIANTS["koom"]
    position = some_position(valley, 3)
    turned = mapped(SYMMETRIES[(set(SYMMETRIES) - set(of_variant(valley))).pop()], position)
    assert likeness(valley, turned) != likeness(valley, position)

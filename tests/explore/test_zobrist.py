"""Symmetric positions and moves have equal hashes, and others do not."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from records.matches import play
from rules.strategies import every_variant
from rules.test_symmetry import SYMMETRIES, mapped, mapped_move, of_variant
from thud.explore.zobrist import key_of, plays_along
from thud.rules.battle import Battle
from thud.rules.symmetry import canonical_text
from thud.rules.variant import Variant
from thud.rules.variants import VARIANTS


def battle_of(variant: Variant, seed: int) -> Battle:
    battle = Battle(variant)
    play(battle, Random(seed), 30)
    return battle


@every_variant
@given(seed=st.integers(0, 10_000))
def test_a_step_gives_the_number_that_the_position_has(variant: Variant, seed: int) -> None:
    battle = battle_of(variant, seed)
    keys = [key_of(variant, each) for each in battle.positions[:-1]]
    assert list(plays_along(variant, battle.positions[0], battle.moves)) == [
        (key.number, key.shared(move)) for key, move in zip(keys, battle.moves, strict=True)
    ]


@every_variant
@given(seed=st.integers(0, 10_000), data=st.data())
def test_images_share_their_number_and_their_moves(
    variant: Variant, seed: int, data: st.DataObject
) -> None:
    battle = battle_of(variant, seed)
    ply = data.draw(st.integers(0, len(battle.moves) - 1))
    position, move = battle.positions[ply], battle.moves[ply]
    symmetry = SYMMETRIES[data.draw(st.sampled_from(of_variant(variant)))]
    image, moved = mapped(symmetry, position), mapped_move(symmetry, move)
    key, other = key_of(variant, position), key_of(variant, image)
    assert key.number == other.number
    assert key.shared(move) == other.shared(moved)
    own = other.own(key.shared(move))
    assert variant.is_legal(image, own)
    assert canonical_text(variant, image.after(own)) == canonical_text(
        variant, position.after(move)
    )


@pytest.mark.slow
def test_what_is_not_alike_has_another_number() -> None:
    numbers: dict[tuple[str, str], int] = {}
    for name, variant in VARIANTS.items():
        for seed in range(6):
            for position in battle_of(variant, seed).positions:
                alike = name, canonical_text(variant, position)
                number = key_of(variant, position).number
                assert numbers.setdefault(alike, number) == number
    assert len(set(numbers.values())) == len(numbers)
    assert all(-(1 << 63) <= number < 1 << 63 for number in numbers.values())

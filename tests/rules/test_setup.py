"""Setups: placing and removing pieces, and faults."""

from __future__ import annotations

from random import Random

import pytest

from thud.rules.geometry import BOARD, SQUARES, Square, parse_square
from thud.rules.position import InvalidPosition, Side
from thud.rules.setup import NOWHERE, Setup, piece_letter
from thud.rules.variant import Variant
from thud.rules.variants import VARIANTS


@pytest.fixture(params=VARIANTS)
def variant(request: pytest.FixtureRequest) -> Variant:
    return VARIANTS[request.param]


def scattered(variant: Variant, seed: int) -> Setup:
    """Return a setup with random pieces."""
    chance, setup = Random(seed), Setup.usual(variant).clear()
    free = [square for square in SQUARES if square != variant.start.stone]
    for _ in range(chance.randrange(1, 60)):
        setup = setup.put(chance.choice("dT"), chance.choice(free))
    return setup.give_turn(chance.choice(list(Side)))


def standing(setup: Setup) -> dict[Square, str]:
    """Return the pieces by square."""
    letters = {square: setup.position.letter_at(square) for square in SQUARES}
    return {square: letter for square, letter in letters.items() if letter}


def test_whatever_is_done_is_done_to_one_square_alone(variant: Variant) -> None:
    chance, setup = Random(1), Setup.usual(variant)
    expected = standing(setup)
    for _ in range(400):
        letter, square, other = chance.choice("dTR"), *chance.sample(SQUARES, 2)
        done = chance.choice(("put", "remove", "move"))
        if done == "put":
            setup = setup.put(letter, square)
            expected = {s: x for s, x in expected.items() if x != "R" or letter != "R"}
            expected[square] = letter
        elif done == "remove":
            setup = setup.remove(square)
            expected.pop(square, None)
        else:
            setup = setup.move(square, other)
            if square in expected:
                expected[other] = expected.pop(square)
        assert standing(setup) == expected
        assert not (setup.position.dwarfs | setup.position.trolls) & ~BOARD


def test_what_is_without_fault_is_what_the_game_reads_from_a_text(variant: Variant) -> None:
    seen = set()
    for seed in range(60):
        setup = scattered(variant, seed)
        text = setup.position.to_text()
        if setup.faults:
            with pytest.raises(InvalidPosition) as refused:
                variant.position(text)
            assert "; ".join(setup.faults) == str(refused.value)
        else:
            assert variant.position(text) == setup.checked()
        seen.add(bool(setup.faults))
    assert seen == {True, False}


def test_a_stone_that_is_missing_is_told_and_can_be_put_back(variant: Variant) -> None:
    setup = Setup.usual(variant).put("T", variant.start.stone)
    assert setup.position.stone == NOWHERE
    assert any(f"the {variant.stone} is missing" in fault for fault in setup.faults)
    with pytest.raises(InvalidPosition, match="is missing"):
        setup.checked()
    assert setup.mirror().turn().position.stone == NOWHERE
    assert setup.put("R", variant.start.stone).position == variant.start


def test_what_is_written_is_read_back_with_the_stone_and_without(variant: Variant) -> None:
    for seed in range(20):
        setup = scattered(variant, seed)
        for each in (setup, setup.remove(variant.start.stone)):
            text = each.position.to_text()
            assert Setup.usual(variant).read(text) == each
            if "R" not in text:
                with pytest.raises(InvalidPosition, match=r"no stone \(R\) on any rank"):
                    variant.position(text)
    two = Setup.usual(variant).clear().put("R", parse_square("F1")).position.to_text()
    with pytest.raises(InvalidPosition, match="2 stones"):
        setup.read(two.replace("/7/", "/R6/", 1))


def test_turning_four_times_and_mirroring_twice_change_nothing(variant: Variant) -> None:
    setup = scattered(variant, 7).put("d", parse_square("F1"))
    assert setup.turn().position.letter_at(parse_square("P6")) == "d"
    assert setup.mirror().position.letter_at(parse_square("K1")) == "d"
    assert setup.turn().turn().turn().turn() == setup == setup.mirror().mirror()
    assert setup.turn() != setup != setup.mirror()


def test_another_game_keeps_pieces_but_not_an_untouched_start() -> None:
    classic, koom = VARIANTS["classic"], VARIANTS["koom"]
    assert Setup.usual(classic).at_game(koom) == Setup.usual(koom)
    changed = Setup.usual(classic).remove(parse_square("F1"))
    assert changed.at_game(koom).position == changed.position


def test_a_battle_is_begun_after_any_move_but_not_where_it_would_be_over(variant: Variant) -> None:
    setup = Setup.usual(variant)
    assert setup.playable() == variant.start
    for move in variant.legal_moves(variant.start)[::50]:
        assert setup.after(move).playable() == variant.start.after(move)
    assert setup.clear().ending
    with pytest.raises(InvalidPosition, match="over at once"):
        setup.clear().playable()


def test_pieces_are_known_by_their_names(variant: Variant) -> None:
    words = "D", "troll", variant.stone.upper()
    assert "".join(piece_letter(variant, word) for word in words) == "dTR"
    with pytest.raises(ValueError, match="'x' is not a piece"):
        piece_letter(variant, "x")

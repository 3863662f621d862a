"""The hand reaches every legal move and nothing else."""

import random
from collections.abc import Iterator

import pytest

from thud.rules.geometry import bit, squares_of
from thud.rules.position import Move, Position
from thud.rules.variant import IllegalMove, Kind, Variant
from thud.rules.variants import VARIANTS
from thud.tui.battle.hand import Hand
from tui.driver import hops, placed


def random_positions(variant: Variant, games: int, plies: int) -> Iterator[Position]:
    """Yield every position of some random games that like to capture."""
    chooser = random.Random(f"{variant.name} hands")
    for _ in range(games):
        position = variant.start
        for _ in range(plies):
            moves = variant.legal_moves(position)
            if not moves:
                break
            captures = [move for move in moves if move.captures]
            position = position.after(chooser.choice(captures or moves))
            yield position


def played_by_hand(variant: Variant, position: Position, move: Move) -> Move | None:
    """Make a move square by square, as a player would."""
    hand = Hand(variant, position)
    hand.choose(move.origin)
    assert hand.grip is not None
    if variant.kind(position, move) is Kind.TRAMPLE:
        routes = variant.legal_moves(position, bit(move.origin))
        done = [hand.choose(square) for square in hops(routes, move)]
        return done[-1] or hand.choose(move.destination)
    done = [hand.choose(move.destination)]
    if (choice := hand.grip.choice) is not None:
        first = choice.taken
        for square in squares_of(first ^ move.captures):
            if (choice.taken ^ move.captures) >> square & 1:
                choice.toggle(square)
        return hand.choose(move.destination)
    return done[-1]


@pytest.mark.parametrize("variant", VARIANTS.values(), ids=VARIANTS)
def test_every_legal_move_can_be_made(variant: Variant, full: bool) -> None:
    chooser = random.Random(7)
    for position in random_positions(variant, games=4 if full else 1, plies=60):
        moves = variant.legal_moves(position)
        for move in chooser.sample(moves, min(len(moves), 25 if full else 15)):
            assert played_by_hand(variant, position, move) == move


@pytest.mark.parametrize("variant", VARIANTS.values(), ids=VARIANTS)
def test_destinations_are_those_of_the_legal_moves(variant: Variant) -> None:
    for position in random_positions(variant, games=2, plies=40):
        hand = Hand(variant, position)
        moves = variant.legal_moves(position)
        assert hand.movable == sorted({move.origin for move in moves})
        for origin in hand.movable:
            hand.pick_up(origin)
            assert hand.grip is not None
            expected = {move.destination for move in moves if move.origin == origin}
            assert set(hand.grip.destinations) == expected


def classic_hand(*pieces: str, to_move: str = "T", variant: str = "classic") -> Hand:
    rules = VARIANTS[variant]
    return Hand(rules, rules.position(placed(*pieces, to_move=to_move)))


def squares(text: str) -> list[int]:
    from thud.rules.geometry import parse_square

    return [parse_square(name) for name in text.split()]


def test_nothing_can_be_picked_up_but_what_can_move() -> None:
    hand = classic_hand("dA6", "TG7", "TF7", "TE7")
    empty, dwarf, stone = squares("B7 A6 H8")
    for square, reason in (
        (empty, "B7 is empty"),
        (dwarf, "it is the trolls' turn, but A6 has a dwarf"),
        (stone, "the Thudstone never moves"),
    ):
        with pytest.raises(IllegalMove, match=reason):
            hand.choose(square)
        assert hand.grip is None


def test_a_piece_is_put_back_on_its_own_square() -> None:
    hand = classic_hand("dA6", "TG7")
    (troll,) = squares("G7")
    hand.choose(troll)
    assert hand.grip is not None
    assert hand.choose(troll) is None
    assert hand.grip is None


def test_a_piece_is_put_back_even_where_a_trample_ends_in_a_circle() -> None:
    rules = VARIANTS["koom"]
    start = placed("dG6", "dG7", "dF7", "TF6", to_move="T")
    hand = Hand(rules, rules.position(start))
    (troll,) = squares("F6")
    hand.choose(troll)
    assert hand.grip is not None
    assert troll in hand.grip.destinations
    assert hand.choose(troll) is None
    assert hand.grip is None


def test_choosing_another_piece_takes_it_instead() -> None:
    hand = classic_hand("dA6", "TG7", "TL7")
    first, second = squares("G7 L7")
    hand.choose(first)
    hand.choose(second)
    assert hand.grip is not None
    assert hand.grip.origin == second


def test_a_refused_destination_leaves_the_piece_in_hand() -> None:
    hand = classic_hand("dA6", "TG7")
    troll, far = squares("G7 G4")
    hand.choose(troll)
    with pytest.raises(IllegalMove, match="the line has one troll, and G4 is three squares away"):
        hand.choose(far)
    assert hand.grip is not None
    assert hand.grip.origin == troll


def test_single_capture_chooses_one_in_place_of_the_other() -> None:
    hand = classic_hand("dE5", "dG5", "TG7", variant="single")
    troll, landing, west, east = squares("G7 F6 E5 G5")
    hand.choose(troll)
    hand.choose(landing)
    choice = hand.grip and hand.grip.choice
    assert choice
    assert choice.taken == bit(west)
    choice.toggle(east)
    assert choice.taken == bit(east)
    choice.toggle(east)
    assert choice.confirm().captures == 0


def test_take_all_leaves_a_single_capture_open() -> None:
    hand = classic_hand("dE5", "dG5", "TG7", variant="single")
    troll, landing = squares("G7 F6")
    hand.choose(troll)
    assert hand.grip is not None
    assert hand.grip.take_all(landing) is None
    assert hand.grip.choice is not None


def test_an_ambiguous_end_of_trampling_wants_to_be_walked() -> None:
    rules = VARIANTS["koom"]
    start = placed("dD7", "dC9", "dF7", "dG9", "TE6", "dF11", "dD11", to_move="T")
    hand = Hand(rules, rules.position(start))
    troll, end = squares("E6 E12")
    hand.choose(troll)
    grip = hand.grip
    assert grip is not None
    assert len(grip.destinations[end]) > 1
    with pytest.raises(IllegalMove, match="go hop by hop"):
        hand.choose(end)
    assert grip.at == troll


def test_back_undoes_one_choice_after_the_other() -> None:
    rules = VARIANTS["koom"]
    hand = Hand(rules, rules.position(placed("dF6", "dD6", "TG6", "dA9", to_move="T")))
    troll, first = squares("G6 E6")
    hand.choose(troll)
    hand.choose(first)
    assert hand.grip is not None
    assert hand.grip.at == first
    hand.back()
    assert hand.grip.at == troll
    hand.back()
    assert hand.grip is None

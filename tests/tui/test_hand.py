"""The hand reaches every legal move and nothing else."""

import random
from collections.abc import Iterator

import pytest

from thud.rules.geometry import bit, squares_of
from thud.rules.position import Move, Position
from thud.rules.variant import IllegalMove, Kind, Variant
from thud.rules.variants import VARIANTS
from thud.tui.picking.hand import Grip, Hand
from tui.driver import hops, placed


def random_positions(variant: Variant, games: int, plies: int) -> Iterator[Position]:
    """Yield every position of some random games that like to capture."""
    chooser = random.Random("hands")
    for _ in range(games):
        position = variant.start
        for _ in range(plies):
            moves = variant.legal_moves(position)
            if not moves:
                break
            captures = [move for move in moves if move.captures]
            position = position.after(chooser.choice(captures or moves))
            yield position


def choose(hand: Hand, square: int) -> Hand:
    """Choose a square with which the move is not complete yet."""
    picked = hand.choose(square)
    assert isinstance(picked, Hand)
    return picked


def gripped(hand: Hand) -> Grip:
    assert hand.grip is not None
    return hand.grip


def played_by_hand(variant: Variant, position: Position, move: Move) -> Move:
    """Make a move square by square, as a player would."""
    picked: Hand | Move = choose(Hand.empty(variant, position), move.origin)
    trampling = variant.kind(position, move) is Kind.TRAMPLE
    routes = variant.legal_moves(position, bit(move.origin))
    for square in hops(routes, move) if trampling else [move.destination]:
        assert isinstance(picked, Hand)
        picked = picked.choose(square)
    if isinstance(picked, Hand) and (choice := gripped(picked).choice) is not None:
        for square in squares_of(choice.taken ^ move.captures):
            if (choice.taken ^ move.captures) >> square & 1:
                choice = choice.toggle(square)
        picked = picked._replace(grip=gripped(picked).chosen(choice))
    if isinstance(picked, Hand):
        picked = picked.choose(move.destination)
    assert isinstance(picked, Move)
    return picked


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
        hand = Hand.empty(variant, position)
        moves = variant.legal_moves(position)
        assert hand.movable == sorted({move.origin for move in moves})
        for origin in hand.movable:
            grip = gripped(hand.pick_up(origin))
            expected = {move.destination for move in moves if move.origin == origin}
            assert set(grip.destinations) == expected


def classic_hand(*pieces: str, to_move: str = "T", variant: str = "classic") -> Hand:
    rules = VARIANTS[variant]
    return Hand.empty(rules, rules.position(placed(*pieces, to_move=to_move)))


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
    held = choose(hand, troll)
    assert gripped(held).origin == troll
    assert choose(held, troll) == hand


def test_a_piece_is_put_back_even_where_a_trample_ends_in_a_circle() -> None:
    rules = VARIANTS["koom"]
    start = placed("dG6", "dG7", "dF7", "TF6", to_move="T")
    hand = Hand.empty(rules, rules.position(start))
    (troll,) = squares("F6")
    held = choose(hand, troll)
    assert troll in gripped(held).destinations
    assert choose(held, troll) == hand


def test_choosing_another_piece_takes_it_instead() -> None:
    first, second = squares("G7 L7")
    hand = choose(choose(classic_hand("dA6", "TG7", "TL7"), first), second)
    assert gripped(hand).origin == second


def test_what_is_chosen_changes_no_earlier_hand() -> None:
    hand = classic_hand("dE5", "dG5", "TG7")
    troll, landing = squares("G7 F6")
    held = choose(hand, troll)
    choosing = choose(held, landing)
    assert hand.grip is None
    assert gripped(held).choice is None
    assert gripped(choosing).choice is not None
    assert isinstance(choosing.choose(landing), Move)
    assert gripped(choosing).choice is not None


def test_a_refused_destination_says_why() -> None:
    troll, far = squares("G7 G4")
    hand = choose(classic_hand("dA6", "TG7"), troll)
    with pytest.raises(IllegalMove, match="the line has one troll, and G4 is three squares away"):
        hand.choose(far)


def test_single_capture_chooses_one_in_place_of_the_other() -> None:
    troll, landing, west, east = squares("G7 F6 E5 G5")
    hand = choose(classic_hand("dE5", "dG5", "TG7", variant="single"), troll)
    grip = gripped(choose(hand, landing))
    assert grip.choice
    assert grip.choice.taken == bit(west)
    other = grip.choice.toggle(east)
    assert other.taken == bit(east)
    assert grip.chosen(other.toggle(east)).confirm().captures == 0


def test_take_all_leaves_a_single_capture_open() -> None:
    troll, landing = squares("G7 F6")
    hand = choose(classic_hand("dE5", "dG5", "TG7", variant="single"), troll)
    taken = hand.take_all(landing)
    assert isinstance(taken, Hand)
    assert gripped(taken).choice is not None


def test_an_ambiguous_end_of_trampling_wants_to_be_walked() -> None:
    rules = VARIANTS["koom"]
    start = placed("dD7", "dC9", "dF7", "dG9", "TE6", "dF11", "dD11", to_move="T")
    troll, end = squares("E6 E12")
    hand = choose(Hand.empty(rules, rules.position(start)), troll)
    assert len(gripped(hand).destinations[end]) > 1
    with pytest.raises(IllegalMove, match="go hop by hop"):
        hand.choose(end)


def test_back_undoes_one_choice_after_the_other() -> None:
    rules = VARIANTS["koom"]
    hand = Hand.empty(rules, rules.position(placed("dF6", "dD6", "TG6", "dA9", to_move="T")))
    troll, first = squares("G6 E6")
    trampled = choose(choose(hand, troll), first)
    assert gripped(trampled).at == first
    assert gripped(trampled.back()).at == troll
    assert trampled.back().back() == hand

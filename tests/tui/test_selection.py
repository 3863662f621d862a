"""Picking reaches every legal move and nothing else."""

import random
from collections import defaultdict
from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from thud.rules.geometry import bit, squares_of
from thud.rules.position import Move, Position
from thud.rules.variant import IllegalMove, Kind, Variant
from thud.rules.variants import VARIANTS
from thud.tui.picking.picker import PickedPiece, Selection
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


def choose(selection: Selection, square: int) -> Selection:
    """Choose a square with which the move is not complete yet."""
    now = selection.choose(square)
    assert isinstance(now, Selection)
    return now


def piece_in(selection: Selection) -> PickedPiece:
    assert selection.picked is not None
    return selection.picked


def picked(variant: Variant, position: Position, move: Move) -> Move:
    """Make a move square by square, as a player would."""
    now: Selection | Move = choose(Selection.empty(variant, position), move.origin)
    trampling = variant.kind(position, move) is Kind.TRAMPLE
    routes = variant.legal_moves(position, bit(move.origin))
    for square in hops(routes, move) if trampling else [move.destination]:
        assert isinstance(now, Selection)
        now = now.choose(square)
    if isinstance(now, Selection) and (choice := piece_in(now).choice) is not None:
        for square in squares_of(choice.taken ^ move.captures):
            if (choice.taken ^ move.captures) >> square & 1:
                choice = choice.toggle(square)
        now = replace(now, picked=piece_in(now).chosen(choice))
    if isinstance(now, Selection):
        now = now.choose(move.destination)
    assert isinstance(now, Move)
    return now


@pytest.mark.parametrize("variant", VARIANTS.values(), ids=VARIANTS)
def test_every_legal_move_can_be_made(variant: Variant, full: bool) -> None:
    chooser = random.Random(7)
    for position in random_positions(variant, games=4 if full else 1, plies=60):
        moves = variant.legal_moves(position)
        for move in chooser.sample(moves, min(len(moves), 25 if full else 5)):
            assert picked(variant, position, move) == move


@pytest.mark.parametrize("variant", VARIANTS.values(), ids=VARIANTS)
def test_captures_are_asked_for_only_where_the_rules_leave_a_choice(variant: Variant) -> None:
    for position in random_positions(variant, games=2, plies=40):
        for moves in Selection.empty(variant, position).moves.values():
            piece = PickedPiece(variant, position, moves)
            by_end = defaultdict[int, list[Move]](list)
            for move in moves:
                if variant.kind(position, move) is not Kind.TRAMPLE:
                    by_end[move.destination].append(move)
            for end, ways in by_end.items():
                put = piece.put_down(end)
                assert put == ways[0] if len(ways) == 1 else isinstance(put, PickedPiece)


@pytest.mark.parametrize("variant", VARIANTS.values(), ids=VARIANTS)
def test_destinations_are_those_of_the_legal_moves(variant: Variant) -> None:
    for position in random_positions(variant, games=2, plies=40):
        selection = Selection.empty(variant, position)
        moves = variant.legal_moves(position)
        assert selection.movable == sorted({move.origin for move in moves})
        for origin in selection.movable:
            piece = piece_in(selection.pick_up(origin))
            expected = {move.destination for move in moves if move.origin == origin}
            assert set(piece.destinations) == expected


def classic_selection(*pieces: str, to_move: str = "T", variant: str = "classic") -> Selection:
    rules = VARIANTS[variant]
    return Selection.empty(rules, rules.position(placed(*pieces, to_move=to_move)))


def squares(text: str) -> list[int]:
    from thud.rules.geometry import parse_square

    return [parse_square(name) for name in text.split()]


def test_nothing_can_be_picked_up_but_what_can_move() -> None:
    selection = classic_selection("dA6", "TG7", "TF7", "TE7")
    empty, dwarf, stone = squares("B7 A6 H8")
    for square, reason in (
        (empty, "B7 is empty"),
        (dwarf, "it is the trolls' turn, but A6 has a dwarf"),
        (stone, "the Thudstone never moves"),
    ):
        with pytest.raises(IllegalMove, match=reason):
            selection.choose(square)
        assert selection.picked is None


def test_a_piece_is_put_back_even_where_a_trample_ends_in_a_circle() -> None:
    rules = VARIANTS["koom"]
    start = placed("dG6", "dG7", "dF7", "TF6", to_move="T")
    selection = Selection.empty(rules, rules.position(start))
    (troll,) = squares("F6")
    held = choose(selection, troll)
    assert troll in piece_in(held).destinations
    assert choose(held, troll) == selection


def test_choosing_another_piece_takes_it_instead() -> None:
    first, second = squares("G7 L7")
    selection = choose(choose(classic_selection("dA6", "TG7", "TL7"), first), second)
    assert piece_in(selection).origin == second


def test_a_refused_destination_says_why() -> None:
    troll, far = squares("G7 G4")
    selection = choose(classic_selection("dA6", "TG7"), troll)
    with pytest.raises(IllegalMove, match="the line has one troll, and G4 is three squares away"):
        selection.choose(far)


def test_single_capture_chooses_one_in_place_of_the_other() -> None:
    troll, landing, west, east = squares("G7 F6 E5 G5")
    selection = choose(classic_selection("dE5", "dG5", "TG7", variant="single"), troll)
    assert isinstance(selection.take_all(landing), Selection), "which one is still open"
    piece = piece_in(choose(selection, landing))
    assert piece.choice
    assert piece.choice.taken == bit(west)
    other = piece.choice.toggle(east)
    assert other.taken == bit(east)
    assert piece.chosen(other.toggle(east)).confirm().captures == 0


def test_an_ambiguous_end_of_trampling_wants_to_be_walked() -> None:
    rules = VARIANTS["koom"]
    start = placed("dD7", "dC9", "dF7", "dG9", "TE6", "dF11", "dD11", to_move="T")
    troll, end = squares("E6 E12")
    selection = choose(Selection.empty(rules, rules.position(start)), troll)
    assert len(piece_in(selection).destinations[end]) > 1
    with pytest.raises(IllegalMove, match="go hop by hop"):
        selection.choose(end)


def test_back_undoes_one_choice_after_the_other() -> None:
    rules = VARIANTS["koom"]
    selection = Selection.empty(
        rules, rules.position(placed("dF6", "dD6", "TG6", "dA9", to_move="T"))
    )
    troll, first = squares("G6 E6")
    trampled = choose(choose(selection, troll), first)
    assert piece_in(trampled).at == first
    assert piece_in(trampled.back()).at == troll
    assert trampled.back().back() == selection

"""Properties of the legal moves, for every variant."""

from __future__ import annotations

from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st

from rules import reference
from rules.strategies import (
    any_move,
    every_variant,
    legal,
    masks,
    open_positions,
    positions,
    squares,
)
from thud.rules.geometry import BOARD, SQUARES, bit
from thud.rules.notation import move_text
from thud.rules.position import Move, Side
from thud.rules.variant import Kind, Variant
from variants import every_told


@every_told
@given(data=st.data())
def test_the_legal_moves_are_the_reference_generators(
    variant: Variant, data: st.DataObject
) -> None:
    position = data.draw(positions(variant))
    moves = variant.legal_moves(position)
    written = {move_text(position, move) for move in moves}
    assert len(moves) == len(set(moves)) == len(written)
    assert written == reference.legal_moves(variant.name, position.to_text())


@every_variant
@given(data=st.data())
def test_the_count_is_the_length_of_the_list(variant: Variant, data: st.DataObject) -> None:
    position = data.draw(positions(variant))
    assert variant.count_moves(position) == len(variant.legal_moves(position))


@every_variant
@given(data=st.data())
@settings(max_examples=4)
def test_is_legal_agrees_with_the_list_from_every_square_to_every_square(
    variant: Variant, data: st.DataObject, full: bool
) -> None:
    position = data.draw(open_positions(variant))
    moves = variant.legal_moves(position)
    destinations = SQUARES if full else data.draw(st.sets(squares, min_size=12, max_size=12))
    taken = data.draw(st.sampled_from(sorted({move.captures for move in moves})))
    for origin, destination in product(SQUARES, destinations):
        for captures in {0, bit(destination), taken}:
            move = Move(origin, destination, captures)
            assert variant.is_legal(position, move) == (move in moves)


@every_variant
@given(data=st.data())
def test_a_move_with_one_capture_more_or_fewer_is_legal_only_if_listed(
    variant: Variant, data: st.DataObject
) -> None:
    position = data.draw(open_positions(variant))
    moves = variant.legal_moves(position)
    move = data.draw(st.sampled_from([move for move in moves if move.captures] or moves))
    assert variant.is_legal(position, move)
    for square in SQUARES:
        other = move._replace(captures=move.captures ^ bit(square))
        assert variant.is_legal(position, other) == (other in moves)


@every_variant
@given(data=st.data(), origins=masks, destinations=masks)
def test_a_mask_and_its_complement_split_the_moves(
    variant: Variant, data: st.DataObject, origins: int, destinations: int
) -> None:
    position = data.draw(positions(variant))
    moves = sorted(variant.legal_moves(position))
    rest, elsewhere = BOARD & ~origins, BOARD & ~destinations
    by_origin = [variant.legal_moves(position, origins=mask) for mask in (origins, rest)]
    by_destination = [
        variant.legal_moves(position, destinations=mask) for mask in (destinations, elsewhere)
    ]
    quarters = [
        variant.legal_moves(position, *ends)
        for ends in product((origins, rest), (destinations, elsewhere))
    ]
    for parts in by_origin, by_destination, quarters:
        assert sorted(move for part in parts for move in part) == moves
    assert all(origins >> move.origin & 1 for move in by_origin[0])
    assert all(destinations >> move.destination & 1 for move in by_destination[0])


@every_variant
@given(data=st.data())
def test_a_move_takes_the_movers_piece_and_captures_the_enemys(
    variant: Variant, data: st.DataObject
) -> None:
    position = data.draw(open_positions(variant))
    own, enemy = position.pieces(position.to_move), position.pieces(position.to_move.other)
    for move in variant.legal_moves(position):
        assert own >> move.origin & 1 or move.origin == position.stone
        assert move.captures & ~enemy == 0
        free = BOARD & ~position.occupied | move.captures | bit(move.origin)
        assert free >> move.destination & 1


@every_variant
@given(data=st.data(), move=any_move)
def test_only_a_listed_move_is_legal(variant: Variant, data: st.DataObject, move: Move) -> None:
    position = data.draw(positions(variant))
    assert variant.is_legal(position, move) == (move in variant.legal_moves(position))


@every_variant
@given(data=st.data())
def test_a_move_is_called_what_it_does(variant: Variant, data: st.DataObject) -> None:
    position = data.draw(open_positions(variant))
    move = data.draw(legal(variant, position))
    kind = variant.kind(position, move)
    capturing = {Kind.HURL, Kind.TRAP, Kind.TRAMPLE}
    assert (kind is Kind.ROLL) == (move.origin == position.stone)
    assert bool(move.captures) == (kind in capturing) or kind in (Kind.STEP, Kind.SHOVE)
    by = Side.TROLLS if kind in (Kind.STEP, Kind.SHOVE, Kind.TRAMPLE) else Side.DWARFS
    assert kind is Kind.MOVE or position.to_move is by

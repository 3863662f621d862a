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
    assert variant.count_moves(position) == len(moves)


@every_variant
@given(data=st.data())
@settings(max_examples=4)
def test_only_a_listed_move_is_legal(variant: Variant, data: st.DataObject, full: bool) -> None:
    position = data.draw(open_positions(variant))
    moves = variant.legal_moves(position)
    one = data.draw(st.sampled_from([move for move in moves if move.captures] or moves))
    tried = [one._replace(captures=one.captures ^ bit(square)) for square in SQUARES]
    tried += [one, *data.draw(st.lists(any_move, max_size=4))]
    destinations = SQUARES if full else data.draw(st.sets(squares, min_size=12, max_size=12))
    for origin, destination in product(SQUARES, destinations):
        captures = {0, bit(destination), one.captures}
        tried += [Move(origin, destination, taken) for taken in captures]
    for move in tried:
        assert variant.is_legal(position, move) == (move in moves)


@every_variant
@given(data=st.data(), origins=masks, destinations=masks)
def test_a_mask_and_its_complement_split_the_moves(
    variant: Variant, data: st.DataObject, origins: int, destinations: int
) -> None:
    position = data.draw(positions(variant))
    moves = sorted(variant.legal_moves(position))
    rest, elsewhere = BOARD & ~origins, BOARD & ~destinations
    quarters = [
        variant.legal_moves(position, *ends)
        for ends in product((origins, rest), (destinations, elsewhere))
    ]
    assert sorted(move for part in quarters for move in part) == moves
    for move in quarters[0]:
        assert origins >> move.origin & destinations >> move.destination & 1


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

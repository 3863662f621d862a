"""The abilities of a piece agree with the rules, as if it were its side's turn."""

from hypothesis import given
from hypothesis import strategies as st

from rules.strategies import every_variant, open_positions
from thud.rules.geometry import SQUARES, bit
from thud.rules.tactics import abilities
from thud.rules.variant import Variant


@every_variant
@given(data=st.data())
def test_abilities_sum_up_the_legal_moves_of_a_piece(variant: Variant, data: st.DataObject) -> None:
    position = data.draw(open_positions(variant))
    square = data.draw(st.sampled_from(SQUARES))
    may = abilities(variant, position, square)
    turn = position._replace(to_move=may.side)
    moves = variant.legal_moves(turn, bit(square))
    assert may.moves == len(moves)
    assert {(kind, to) for kind, places in may.kinds.items() for to in places} == {
        (variant.kind(turn, move), move.destination) for move in moves
    }
    for move in moves:
        most = may.kinds[variant.kind(turn, move)][move.destination]
        assert most.bit_count() >= move.captures.bit_count()
        assert move._replace(captures=most) in moves


@every_variant
@given(data=st.data())
def test_a_piece_is_told_of_on_its_own_sides_turn(variant: Variant, data: st.DataObject) -> None:
    position = data.draw(open_positions(variant))
    for square in data.draw(st.lists(st.sampled_from(SQUARES), max_size=8)):
        side = abilities(variant, position, square).side
        assert not position.pieces(side.other) >> square & 1
        if position.letter_at(square) is None:
            assert side is position.to_move

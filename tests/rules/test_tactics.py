"""What is said of pieces and moves agrees with the rules."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.strategies import every_variant, formations, open_positions, stone_squares
from thud.rules.geometry import NEIGHBOURS, SQUARES, Square, bit, distance, mask_of, squares_of
from thud.rules.position import Position, Side
from thud.rules.tactics import (
    abilities,
    can_win,
    lets_win,
    lost,
    only_these_save,
    only_these_win,
    surely_wins_in,
    wins,
    wins_in_two,
)
from thud.rules.variant import Gain, Variant
from thud.rules.variants import VARIANTS


@every_variant
@given(data=st.data())
def test_abilities_sum_up_the_legal_moves_of_a_piece(variant: Variant, data: st.DataObject) -> None:
    position = data.draw(open_positions(variant))
    square = data.draw(st.sampled_from(SQUARES))
    may = abilities(variant, position, square)
    assert not position.pieces(may.side.other) >> square & 1
    assert may.side is position.to_move or position.letter_at(square)
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


@st.composite
def decisive(draw: st.DrawFn, variant: Variant) -> Position:
    """Choose a position, with the stone near its goal and pieces beside it, where there is one."""
    position = draw(open_positions(variant))
    goals = squares_of(variant.goals)
    near = [s for s in stone_squares(variant) if any(distance(s, goal) == 1 for goal in goals)]
    if not near:
        return position
    stone = draw(st.sampled_from(near))
    beside = mask_of(*draw(st.permutations(NEIGHBOURS[stone]))[: draw(st.integers(1, 3))])
    free = ~beside & ~bit(stone)
    dwarfs, trolls = position.dwarfs & free, position.trolls & free
    if position.to_move is Side.DWARFS:
        return Position(dwarfs | beside, trolls, stone, Side.DWARFS)
    return Position(dwarfs, trolls | beside, stone, Side.TROLLS)


@every_variant
@given(data=st.data())
def test_whoever_can_win_wins_by_the_outcome(variant: Variant, data: st.DataObject) -> None:
    position = data.draw(decisive(variant).filter(variant.count_moves))
    moves = variant.legal_moves(position)
    ends = [(move, variant.outcome(position.after(move))) for move in moves]
    winning = [move for move, end in ends if end and end.winner is position.to_move]
    assert [move for move in moves if wins(variant, position, move)] == winning
    assert can_win(variant, position) is bool(variant.goals and winning)
    assert only_these_win(variant, position, winning)
    assert not only_these_win(variant, position, winning[1:] if winning else moves[:1])
    if winning:
        assert surely_wins_in(variant, position, winning) == 1
        assert not wins_in_two(variant, position, winning[0])


@pytest.mark.slow
@every_variant
@given(data=st.data())
def test_a_battle_is_lost_that_every_move_lets_the_other_side_win(
    variant: Variant, data: st.DataObject
) -> None:
    position = data.draw(decisive(variant).filter(variant.count_moves))
    if not variant.goals:
        return
    moves = variant.legal_moves(position)[:40]
    letting = [move for move in moves if lets_win(variant, position, move)]
    assert letting == [move for move in moves if can_win(variant, position.after(move))]
    if len(letting) < len(moves):
        assert not lost(variant, position)
    elif len(moves) < 40:
        assert lost(variant, position)
        assert not lost(variant, position, most=len(moves) - 1)
    if len(moves) < 40:
        assert only_these_save(variant, position, [each for each in moves if each not in letting])


@pytest.mark.slow
@pytest.mark.parametrize("name", ["koom", "football"])
@given(data=st.data())
def test_what_a_move_does_for_the_stone_is_told(name: str, data: st.DataObject) -> None:
    variant = VARIANTS[name]
    before = data.draw(decisive(variant).filter(variant.count_moves))
    side, goals = before.to_move, squares_of(variant.goals)

    def to_go(position: Position) -> int:
        return min(distance(position.stone, goal) for goal in goals)

    def beside(position: Position) -> set[Square]:
        own = squares_of(position.pieces(side))
        return {square for square in own if distance(square, position.stone) == 1}

    def awaiting(position: Position) -> set[Square]:
        free = {goal for goal in goals if not position.occupied >> goal & 1}
        dwarfs = squares_of(position.dwarfs)
        return {goal for goal in free if any(distance(goal, dwarf) == 1 for dwarf in dwarfs)}

    for move in variant.legal_moves(before):
        after = before.after(move)
        told = {gain: {*squares_of(pieces)} for gain, pieces in variant.merits(before, after)}
        assert (Gain.NEARER in told) is (to_go(after) < to_go(before))
        more = len(beside(after)) > len(beside(before))
        assert told.get(Gain.BESIDE) == (beside(after) if more else None)
        if name == "football":
            assert told.get(Gain.AWAITS, set()) == awaiting(after) - awaiting(before)


@pytest.mark.parametrize("name", ["classic", "single"])
@given(data=st.data())
def test_what_a_move_does_for_lines_and_neighbours_is_told(name: str, data: st.DataObject) -> None:
    variant = VARIANTS[name]
    before = data.draw(formations(variant).filter(variant.count_moves))
    dwarfs = before.to_move is Side.DWARFS

    def line(position: Position, square: Square) -> int:
        own = {*squares_of(position.pieces(before.to_move))}
        lengths = []
        for step in (1, 15, 16, 17):
            ways = (itertools.count(square + way, way) for way in (step, -step))
            runs = (len([*itertools.takewhile(own.__contains__, way)]) for way in ways)
            lengths.append(sum(runs) + 1)
        return max(lengths)

    def beside(position: Position, square: Square) -> set[Square]:
        own = squares_of(position.pieces(before.to_move))
        return {each for each in own if distance(each, square) == 1}

    for move in variant.legal_moves(before):
        after = before.after(move)
        told = dict(variant.merits(before, after))
        longest = line(after, move.destination)
        longer = dwarfs and longest > 2 and longest > line(before, move.origin)
        assert told.get(Gain.LINES_UP, 0).bit_count() == (longest if longer else 0)
        near = beside(after, move.destination)
        joins = len(near) > len(beside(before, move.origin)) and len(near) >= (3 if dwarfs else 1)
        assert {*squares_of(told.get(Gain.JOINS, 0))} == (near if joins else set())

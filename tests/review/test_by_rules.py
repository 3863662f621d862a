"""Judgements and marks agree with the rules, whatever an engine or an older file says."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.strategies import every_variant, legal, open_positions
from thud.ai.scores import GOAL
from thud.exercises.puzzles.book import puzzles
from thud.exercises.puzzles.puzzle import Puzzle
from thud.exercises.puzzles.themes import NOT_LOSING
from thud.review.judgement import Judgement, Mark, believed, chance, settled, won_at_once
from thud.review.notes import judgement_in
from thud.review.summary import marked
from thud.rules.position import Side
from thud.rules.tactics import Fault, lets_win
from thud.rules.variant import Outcome, Reason, Score, Variant
from thud.rules.variants import VARIANTS

GOAL_GAMES = [variant for variant in VARIANTS.values() if not variant.counts_points]
LOSING = [
    each
    for each in puzzles()
    if each.gain == NOT_LOSING and lets_win(each.variant, each.position, each.tempting[0])
][::4]


@pytest.mark.parametrize("variant", GOAL_GAMES, ids=lambda each: each.name)
def test_a_drawn_battle_is_worth_what_an_even_one_is(variant: Variant) -> None:
    drawn = Outcome(None, Reason.NO_GOAL, "", Score(0.5, 0.5))
    assert chance(variant, settled(variant, drawn)) == 0.5


@every_variant
@given(data=st.data())
def test_a_note_is_read_as_far_as_the_rules_allow(variant: Variant, data: st.DataObject) -> None:
    position = data.draw(open_positions(variant))
    move = data.draw(legal(variant, position))
    after = position.after(move)
    text = data.draw(st.sampled_from(["-999.99", "999", "0.5", "#+0", "#-0", "#+1", "#-1", "#+7"]))
    judgement = judgement_in(variant, position, move, f"[%eval {text}]")
    assert judgement
    found, outcome = judgement.expected, variant.outcome(after)
    if variant.counts_points:
        most = {each: variant.worth[each] * after.pieces(each).bit_count() for each in Side}
        assert -100 * most[Side.TROLLS] <= found <= 100 * most[Side.DWARFS]
    elif abs(found) == GOAL:
        assert outcome
        assert outcome.winner is (Side.DWARFS if found > 0 else Side.TROLLS)
    elif abs(found) == GOAL - 1:
        assert found == won_at_once(variant, after)
    assert believed(variant, after, found) == found


@pytest.mark.parametrize("puzzle", LOSING, ids=lambda puzzle: puzzle.id)
def test_a_move_that_lets_the_other_side_win_at_once_is_a_blunder(puzzle: Puzzle) -> None:
    """In Football the figures alone would make it a mistake."""
    variant, position, best = puzzle.variant, puzzle.position, puzzle.solutions[0][0]
    lost, reply = puzzle.tempting
    expected = won_at_once(variant, position.after(lost))
    assert expected
    judgement = Judgement(expected, 0, best, (), (reply,))
    found = marked(variant, 0, position, lost, judgement)
    assert (found.mark, found.fault) == (Mark.BLUNDER, Fault.LETS_WIN)
    forced = marked(variant, 0, position, lost, judgement._replace(promised=expected, best=lost))
    assert forced.mark is None

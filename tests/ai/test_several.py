"""Search of several lines at once."""

import pytest

from thud.ai.by_rules import RulesSearcher
from thud.ai.player import Limits, Thought
from thud.ai.thinker import Thinker, think_of_several
from thud.rules.variant import Variant
from thud.rules.variants import VARIANTS
from toy_variant import SKIRMISH

pytestmark = pytest.mark.usefixtures("each_search")

LINES = 3
GAMES = (*VARIANTS.values(), SKIRMISH)
EVERY_GAME = pytest.mark.parametrize("variant", GAMES, ids=lambda variant: variant.name)


def lines_of(thinker: Thinker, limits: Limits, number: int = LINES) -> list[Thought]:
    told: list[Thought] = []
    start = thinker.variant.start
    decision = think_of_several(
        thinker, [start], limits, number, stop=lambda: False, report=told.append
    )
    best = [thought for thought in told if thought.rank == 1]
    assert decision.thought == best[-1]
    assert decision.move == best[-1].line[0]
    return told


@EVERY_GAME
def test_each_line_begins_with_another_move(variant: Variant) -> None:
    told = lines_of(Thinker(variant, 1), Limits(depth=2))
    assert [thought.rank for thought in told] == [1, 2, 3] * 2
    for round_of in (told[:LINES], told[LINES:]):
        assert len({thought.line[0] for thought in round_of}) == LINES
        assert [thought.nodes for thought in round_of] == sorted(x.nodes for x in round_of)
    for thought in told:
        position = variant.start
        for move in thought.line:
            variant.check(position, move)
            position = position.after(move)


@EVERY_GAME
def test_the_best_line_is_that_of_a_search_for_one(variant: Variant) -> None:
    thinker = Thinker(variant, 1)
    told = lines_of(thinker, Limits(depth=2))
    found = thinker.search([variant.start], Limits(depth=2))
    assert (told[LINES].line, told[LINES].score) == (found.thought.line, found.thought.score)


def test_there_are_no_more_lines_than_moves() -> None:
    classic: Variant = VARIANTS["classic"]
    position = classic.position("4T/7/9/11/13/15/15/7R7/15/15/13/11/9/7/d4 d")
    thinker = Thinker(classic, 1, searcher=RulesSearcher(classic, 1))
    moves, told = classic.count_moves(position), list[Thought]()
    think_of_several(
        thinker, [position], Limits(depth=1), 50, stop=lambda: False, report=told.append
    )
    assert len({thought.line[0] for thought in told}) == len(told) == moves


def test_it_stops_within_its_limits_and_when_it_is_told() -> None:
    classic = Thinker(VARIANTS["classic"], 1)
    told = lines_of(classic, Limits(nodes=3000))
    assert told[-1].nodes <= 3000 + 1000
    stopped = list[Thought]()
    decision = think_of_several(
        classic, [classic.variant.start], Limits(), LINES, stop=lambda: True, report=stopped.append
    )
    classic.variant.check(classic.variant.start, decision.move)
    assert len(stopped) == 1

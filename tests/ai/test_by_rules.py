"""The searcher that knows only the rules: correct, within limits and sensible in any variant."""

from __future__ import annotations

import pytest

from ai.wandering import endgames, wanderings, winning
from thud.ai.by_rules import Appraiser, RulesSearcher
from thud.ai.player import Limits
from thud.ai.scores import LIMIT, Score, adjusted_for_distance
from thud.ai.searcher import Found
from thud.rules.position import Position, Side
from thud.rules.variant import Variant
from thud.rules.variants import VARIANTS
from toy_variant import EYRIE, SKIRMISH

ANY = {**VARIANTS, SKIRMISH.name: SKIRMISH, EYRIE.name: EYRIE}
ANY_VARIANT = pytest.mark.parametrize("variant", ANY.values(), ids=ANY.keys())


def minimax(variant: Variant, position: Position, depth: int, ply: int = 0) -> Score:
    """Return the score of a position by plain minimax."""
    judge = Appraiser(variant)
    if outcome := variant.decided(position):
        return adjusted_for_distance(judge.ended(position, outcome), ply)
    if depth == 0:
        return judge.standing(position)
    moves = variant.legal_moves(position)
    if not moves:
        return adjusted_for_distance(judge.ended(position, variant.stuck(position)), ply)
    after = (position.after(move) for move in moves)
    return max(-minimax(variant, one, depth - 1, ply + 1) for one in after)


def searched(variant: Variant, position: Position, limits: Limits, seed: int = 1) -> Found:
    return RulesSearcher(variant, seed).search([position], limits)


@ANY_VARIANT
def test_it_finds_what_trying_everything_finds(variant: Variant, full: bool) -> None:
    tried = [(each, depth) for each in endgames(variant, 6 if full else 2) for depth in (1, 2)]
    tried += [(each, 3) for each in endgames(variant, 3, (2, 2)) if full]
    assert len(tried) > 2
    for position, depth in tried:
        found = searched(variant, position, Limits(depth=depth))
        assert found.thought.score == minimax(variant, position, depth), position.to_text()
        assert found.thought.depth <= depth


WON_NEXT = {
    "two dwarfs and the last troll": (SKIRMISH, "5/7/9/11/13/15/7Td6/7R7/15/10d4/13/11/9/7/5 d"),
    "a troll and the last dwarf": (SKIRMISH, "5/7/9/4T6/13/15/7T7/7R7/15/15/13/11/9/3d3/3T1 T"),
    "a dwarf before the peak": (EYRIE, "5/7/4d4/4T6/13/15/15/7R7/15/15/13/11/9/7/5 d"),
    "a rock before the far side": (
        VARIANTS["koom"],
        "5/2Rd3/9/11/13/15/15/2dT1d9/15/15/13/11/9/7/5 d",
    ),
    "a third troll to come": (
        VARIANTS["koom"],
        "5/7/9/11/13/15/6TRT6/15/15/7T7/13/11/9/2ddd2/5 T",
    ),
}


@pytest.mark.parametrize(("variant", "text"), WON_NEXT.values(), ids=WON_NEXT)
def test_it_wins_at_once_if_it_can(variant: Variant, text: str) -> None:
    position = variant.position(text)
    found = searched(variant, position, Limits(depth=3))
    assert found.move in winning(variant, position)
    assert found.thought.goal_in == 1
    assert found.thought.score > LIMIT


def test_who_stands_well_is_the_same_from_either_side() -> None:
    for variant in ANY.values():
        judge = Appraiser(variant)
        for position in wanderings(variant, 4):
            turned = position._replace(to_move=position.to_move.other)
            assert judge.standing(position) == -judge.standing(turned)


def test_a_point_is_a_hundred_and_pieces_count_where_points_do_not() -> None:
    fewer = SKIRMISH.start._replace(trolls=SKIRMISH.start.trolls & -SKIRMISH.start.trolls)
    judge = Appraiser(SKIRMISH)
    assert judge.standing(fewer) - judge.standing(SKIRMISH.start) == 600
    assert fewer.to_move is Side.DWARFS
    assert Appraiser(EYRIE).standing(fewer) > Appraiser(EYRIE).standing(EYRIE.start)

"""The searcher that knows only the rules: correct, within limits and sensible in any variant."""

from __future__ import annotations

import pytest

from ai.wandering import endgames, wanderings
from thud.ai.by_rules import Appraiser, RulesSearcher
from thud.ai.player import Limits, Thought
from thud.ai.scores import LIMIT, Score, put_off
from thud.ai.searcher import Found
from thud.rules.battle import Battle
from thud.rules.position import Move, Position, Side
from thud.rules.variant import Variant
from thud.rules.variants import VARIANTS
from toy_variant import EYRIE, SKIRMISH

ANY = {**VARIANTS, SKIRMISH.name: SKIRMISH, EYRIE.name: EYRIE}
ANY_VARIANT = pytest.mark.parametrize("variant", ANY.values(), ids=ANY.keys())


def minimax(variant: Variant, position: Position, depth: int, ply: int = 0) -> Score:
    """Return the score of a position by plain minimax."""
    judge = Appraiser(variant)
    if outcome := variant.decided(position):
        return put_off(judge.ended(position, outcome), ply)
    if depth == 0:
        return judge.standing(position)
    moves = variant.legal_moves(position)
    if not moves:
        return put_off(judge.ended(position, variant.stuck(position)), ply)
    after = (position.after(move) for move in moves)
    return max(-minimax(variant, one, depth - 1, ply + 1) for one in after)


def searched(variant: Variant, position: Position, limits: Limits, seed: int = 1) -> Found:
    return RulesSearcher(variant, seed).search([position], limits)


@ANY_VARIANT
def test_it_finds_what_trying_everything_finds(variant: Variant) -> None:
    compared = 0
    for position in endgames(variant, 6):
        for depth in (1, 2):
            found = searched(variant, position, Limits(depth=depth))
            assert found.thought.score == minimax(variant, position, depth), position.to_text()
            assert found.thought.depth <= depth
            compared += 1
    assert compared > 4


@pytest.mark.slow
@ANY_VARIANT
def test_three_plies_deep_too(variant: Variant) -> None:
    for position in endgames(variant, 3, (2, 2)):
        found = searched(variant, position, Limits(depth=3))
        assert found.thought.score == minimax(variant, position, 3), position.to_text()


@ANY_VARIANT
def test_every_legal_move_is_ranked_once_the_best_first(variant: Variant) -> None:
    for position in list(wanderings(variant, 3))[:3]:
        found = searched(variant, position, Limits(depth=1))
        moves = [ranked.move for ranked in found.ranked]
        assert sorted(moves) == sorted(variant.legal_moves(position))
        assert moves[0] == found.move
        scores = [ranked.score for ranked in found.ranked]
        assert scores == sorted(scores, reverse=True)
        for ranked in found.ranked[:5]:
            assert ranked.score == -minimax(variant, position.after(ranked.move), 0, 1)


def winning(variant: Variant, position: Position) -> list[Move]:
    """Return the moves that win the battle."""
    outcomes = {
        move: variant.decided(position.after(move)) for move in variant.legal_moves(position)
    }
    return [m for m, outcome in outcomes.items() if outcome and outcome.winner is position.to_move]


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


def test_it_does_not_walk_into_what_loses_at_once() -> None:
    position = EYRIE.position("3T1/7/9/5d5/13/15/15/7R7/15/15/4T8/11/9/7/3T1 T")
    found = searched(EYRIE, position, Limits(depth=2))
    after = position.after(found.move)
    assert winning(EYRIE, position._replace(to_move=Side.DWARFS))
    assert not winning(EYRIE, after)


@ANY_VARIANT
@pytest.mark.parametrize("nodes", [1, 30, 700])
def test_it_keeps_to_its_nodes(variant: Variant, nodes: int) -> None:
    for position in list(wanderings(variant, 2))[:3]:
        found = searched(variant, position, Limits(nodes=nodes))
        assert 1 <= found.thought.nodes <= nodes
        assert variant.is_legal(position, found.move)


@ANY_VARIANT
def test_it_stops_when_told_to_and_still_has_a_move(variant: Variant) -> None:
    asked = 0

    def stop() -> bool:
        nonlocal asked
        asked += 1
        return asked > 10

    found = RulesSearcher(variant, 1).search([variant.start], Limits(), stop)
    assert found.thought.nodes == 10
    assert variant.is_legal(variant.start, found.move)
    at_once = RulesSearcher(variant, 1).search([variant.start], Limits(seconds=0.0))
    assert at_once.thought.nodes == 0
    assert variant.is_legal(variant.start, at_once.move)


@ANY_VARIANT
def test_it_tells_of_every_depth_and_its_line_can_be_played(variant: Variant) -> None:
    told: list[Thought] = []
    searcher = RulesSearcher(variant, 1)
    for position in list(endgames(variant, 3)):
        told.clear()
        found = searcher.search([position], Limits(depth=2), report=told.append)
        assert [thought.depth for thought in told] == sorted(thought.depth for thought in told)
        assert told[-1].line == found.thought.line
        battle = Battle(variant, position)
        for move in found.thought.line:
            battle.play(move)


def test_a_seed_repeats_it_and_others_differ() -> None:
    moves = [searched(SKIRMISH, SKIRMISH.start, Limits(depth=1), seed).move for seed in range(9)]
    again = [searched(SKIRMISH, SKIRMISH.start, Limits(depth=1), seed).move for seed in range(9)]
    assert moves == again
    assert len(set(moves)) > 2


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

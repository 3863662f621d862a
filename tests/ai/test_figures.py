"""Laws of what a search says: margins that the board allows, and ends as they are."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from random import Random

import pytest

from ai.wandering import endgames, wander, wanderings
from thud.ai.core import knows, searcher_for
from thud.ai.level_player import LevelPlayer
from thud.ai.levels import LEVELS, strength
from thud.ai.player import Limits, Thought
from thud.ai.searcher import Searcher
from thud.ai.thinker import Thinker
from thud.rules.battle import Battle
from thud.rules.geometry import ADJACENT
from thud.rules.position import Move, Position, Side
from thud.rules.variant import Variant
from thud.rules.variants import VARIANTS
from variants import every_quick

every_points_game = pytest.mark.parametrize(
    "variant",
    [each for each in VARIANTS.values() if each.counts_points],
    ids=lambda each: each.name,
)

STONE = VARIANTS["koom"].start.stone

MOST_TAKEN = 8
"""Most pieces that a move captures in Classic."""

LONE_TROLL = "5/7/9/11/13/1ddd11/1ddd11/1dddd1TR7/1dddd10/2ddd10/2d10/11/9/7/5 d"


def bounds(variant: Variant, position: Position) -> tuple[int, int]:
    """Return the lowest and the highest final margin of the side to move, in hundredths."""
    dwarfs, trolls = (
        100 * variant.worth[side] * position.pieces(side).bit_count() for side in Side
    )
    return (-trolls, dwarfs) if position.to_move is Side.DWARFS else (-dwarfs, trolls)


def lopsided(variant: Variant, number: int) -> Iterator[Position]:
    """Yield positions with few pieces of one side and many of the other, both sides to move."""
    chance = Random("lopsided")
    for seed in range(number):
        few = chance.randint(1, 3)
        left = (32, few) if seed % 2 else (few + 1, 8)
        for position in endgames(variant, seed + 1, left):
            for side in Side:
                if variant.outcome(turned := position._replace(to_move=side)) is None:
                    yield turned


def said(searcher: Searcher, position: Position, limits: Limits, lines: int = 1) -> list[Thought]:
    thoughts = list[Thought]()
    found = searcher.search([position], limits, report=thoughts.append, lines=lines)
    return [*thoughts, found.thought]


@every_points_game
def test_no_figure_is_outside_what_the_board_allows(variant: Variant, full: bool) -> None:
    searcher = searcher_for(variant, 1)
    number = 300 if full else 8
    some = (*islice(wanderings(variant, number), number), *islice(lopsided(variant, 9), number))
    for position in some:
        low, high = bounds(variant, position)
        for lines in (1, 4):
            for thought in said(searcher, position, Limits(nodes=3_000), lines):
                assert low <= thought.score <= high, position.to_text()
                assert thought.goal_in is None


def test_trolls_too_few_to_win_are_never_said_to_be_ahead(full: bool) -> None:
    variant = VARIANTS["koom"]
    even, searcher = variant.odds.level, searcher_for(variant, 1)
    for position in endgames(variant, 400 if full else 30, (9, 2)):
        for turned in (position._replace(to_move=side) for side in Side):
            if variant.outcome(turned):
                continue
            sign = 1 if turned.to_move is Side.DWARFS else -1
            for thought in said(searcher, turned, Limits(nodes=500), 3):
                assert sign * thought.score >= even, turned.to_text()


def winning(variant: Variant, position: Position) -> list[Move]:
    """Return the moves that end the battle with the best result that the board allows."""
    side, best = position.to_move, list[Move]()
    if variant.counts_points and position.pieces(side.other).bit_count() > MOST_TAKEN:
        return best
    near = ADJACENT[position.stone] | 1 << position.stone
    for move in variant.legal_moves(position):
        # Only a capture, or a move of the stone or to it, can win.
        if not (move.captures or near >> move.origin & 1 or near >> move.destination & 1):
            continue
        outcome = variant.outcome(position.after(move))
        if outcome is None:
            continue
        if variant.counts_points:
            margin = outcome.margin if side is Side.DWARFS else -outcome.margin
            if round(100 * margin) == bounds(variant, position)[1]:
                best.append(move)
        elif outcome.winner is side:
            best.append(move)
    return best


def won_at_once(variant: Variant, number: int) -> Iterator[tuple[Position, list[Move]]]:
    """Yield positions in which a move wins, with those moves."""
    for seed in range(400):
        turns = (wander(variant, seed, 150), islice(lopsided(variant, 6), 60) if not seed else ())
        for position in (each for positions in turns for each in positions):
            if variant.outcome(position) is None and (moves := winning(variant, position)):
                yield position, moves
                number -= 1
                if not number:
                    return


@every_quick
def test_a_move_that_wins_is_played_and_shown_as_what_it_is(variant: Variant, full: bool) -> None:
    sharp = [
        level
        for level in LEVELS
        if not any(any(strength(level, variant, side).oversight) for side in Side)
    ][:3]
    tried = 0
    for position, moves in won_at_once(variant, 200 if full else 4):
        for limits in (Limits(nodes=2_000), Limits(depth=1), Limits(depth=3)):
            for lines in (1, 3):
                found = Thinker(variant, 1).search([position], limits, lines=lines)
                assert found.move in moves, position.to_text()
                if variant.counts_points:
                    assert found.thought.score == bounds(variant, position)[1]
                else:
                    assert found.thought.goal_in == 1
        for level in sharp:
            assert LevelPlayer(variant, level, 1).decide([position]).move in moves
        tried += 1
    assert tried > 3


def test_a_lone_troll_is_captured() -> None:
    classic = VARIANTS["classic"]
    position = classic.position(LONE_TROLL)
    found = Thinker(classic, 1).search([position], Limits(nodes=1_000))
    assert found.thought.score == 1800
    assert classic.outcome(position.after(found.move)) is not None


@every_points_game
def test_a_forced_end_has_the_exact_margin(variant: Variant, full: bool) -> None:
    """A line that ends the battle shows the margin with which it ends."""
    ended, searcher = 0, searcher_for(variant, 1)
    # Few of these battles can be forced to an end: the first of them is number 56.
    for position in islice(lopsided(variant, 12), *((0, 80) if full else (55, 64))):
        thought = searcher.search([position], Limits(nodes=20_000)).thought
        after = position
        for move in thought.line:
            after = after.after(move)
        if outcome := variant.outcome(after):
            margin = round(100 * outcome.margin)
            assert thought.score == (margin if position.to_move is Side.DWARFS else -margin)
            ended += 1
    assert ended or not knows(variant)


@every_quick
def test_a_goal_is_at_least_a_move_away(variant: Variant) -> None:
    if variant.counts_points:
        pytest.skip("points decide")
    goals = 0
    for position in (*wanderings(variant, 8), *islice(lopsided(variant, 6), 30)):
        for thought in said(searcher_for(variant, 1), position, Limits(nodes=2_000)):
            assert thought.goal_in != 0
            goals += thought.goal_in is not None
    assert goals


@every_quick
def test_a_draw_is_worth_an_even_battle(variant: Variant) -> None:
    if variant.counts_points or not knows(variant):
        pytest.skip("points decide, or nothing is evaluated")
    battle = Battle(variant)
    for _ in range(2):
        battle.play(next(m for m in variant.legal_moves(battle.position) if m.origin != STONE))
    back = [Move(to, origin, 0) for origin, to, _ in battle.moves]
    battle.play(back[0])
    others = [m for m in variant.legal_moves(battle.position) if m != back[1]]
    searcher = searcher_for(variant, 1)
    found = searcher.search(battle.positions, Limits(depth=2), without=others)
    assert found.thought.line[0] == back[1]
    assert found.thought.score == -variant.odds.level

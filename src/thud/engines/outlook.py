"""What an engine's thought says of the result, checked by the rules.

An engine's search leaves moves out, and may be anybody's program.  So a thought is corrected where
the rules know better, and a win in sight is sure only if they prove it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from thud.ai.player import Thought
from thud.ai.scores import GOAL, LIMIT, Score, own_moves, seen_by
from thud.rules import tactics
from thud.rules.position import Move, Position, Side
from thud.rules.variant import Outcome, Variant


class Outlook(NamedTuple):
    """The result to expect of a position's best move."""

    score: Score
    """The expected margin of the side to move, or its evaluation where a goal decides."""
    end: Outcome | None = None
    """The battle's outcome, if the move ends it."""
    winner: Side | None = None
    """The side that is to reach its goal, None if none is in sight."""
    moves: int = 0
    """Its moves until then."""
    sure: bool = False
    """Whether it does so whatever the other side plays, by the rules."""
    line: tuple[Move, ...] = ()
    """The moves after the best one with which it does so; empty if the engine shows none."""


def possible(variant: Variant, position: Position, expected: Score) -> Score:
    """Clamp the dwarfs' expectation to what the pieces still allow.

    That is what they are worth or, for a side without the pieces for its goal, a draw.
    """
    if variant.counts_points:
        dwarfs, trolls = (
            100 * round(variant.worth[side] * position.pieces(side).bit_count()) for side in Side
        )
    else:
        drawn = variant.odds.level
        dwarfs = GOAL if variant.can_reach_goal(position, Side.DWARFS) else drawn
        trolls = GOAL if variant.can_reach_goal(position, Side.TROLLS) else -drawn
    return max(-trolls, min(dwarfs, expected))


def is_exact(variant: Variant, position: Position, thought: Thought) -> bool:
    """Whether a thought's score is an end's: a goal is in sight, or its line ends the battle.

    Where a goal decides, a line may go on beyond what was searched: it is taken to end in a draw
    only if the score is a draw's.
    """
    if abs(thought.score) > LIMIT:
        return True
    end = position
    for move in thought.line:
        end = end.after(move)
    drawn = seen_by(position.to_move, variant.odds.level)
    return variant.outcome(end) is not None and (variant.counts_points or thought.score == drawn)


def calibrated(
    variant: Variant, position: Position, thought: Thought, others: Iterable[Thought] = ()
) -> Thought:
    """Return a search's thought with what follows such a score in play: the margin, or the odds.

    A goal in sight, and a line that ends the battle, are worth what they are. So is a line found
    better worth no less than these, and one found worse no more.

    Args:
        variant: the game.
        position: the position.
        thought: what the search says of it.
        others: what the same search says of other moves.
    """
    if is_exact(variant, position, thought):
        return thought
    side, score = position.to_move, seen_by(position.to_move, thought.score)
    if variant.counts_points:
        expected = variant.measured.margin(score, position)
    else:
        level, steep = variant.odds[:2]
        said = (score - level) / steep
        expected = round(level + steep * variant.measured.log_odds(said, variant.traits(position)))
    told = seen_by(side, possible(variant, position, expected))
    for other in others:
        if is_exact(variant, position, other):
            better, worse = thought.score >= other.score, thought.score <= other.score
            told = max(told, other.score) if better else told
            told = min(told, other.score) if worse else told
    return thought._replace(score=told)


def beside(variant: Variant, position: Position, expected: Score, exact: Score) -> Score:
    """Return the dwarfs' expectation of a position, to be compared with another's exact result.

    What follows scores on average may be points away from an end that the search weighed it
    against: it is no farther from that than its score.
    """
    if not variant.counts_points:
        return expected
    low, high = sorted((exact, variant.measured.score(expected, position)))
    return max(low, min(high, expected))


def corrected(variant: Variant, position: Position, thought: Thought) -> Thought:
    """Return a thought with its score corrected by the rules.

    A first move that ends the battle is worth its outcome; a margin, odds and a goal in sight are
    possible with the pieces on the board; only a move that wins at once does.
    """
    side, move = position.to_move, thought.line[0] if thought.line else None
    legal = move is not None and variant.is_legal(position, move)
    end = variant.outcome(position.after(move)) if move and legal else None
    if variant.counts_points:
        expected = possible(variant, position, seen_by(side, thought.score))
        if end:
            expected = round(100 * end.margin)
        return thought._replace(score=seen_by(side, expected), goal_in=None)
    if end and end.winner:
        sign = 1 if end.winner is side else -1
        return thought._replace(score=sign * (GOAL - 1), goal_in=sign)
    winner = None if thought.goal_in is None else thought.ahead(side)
    if winner and variant.can_reach_goal(position, winner):
        return thought._replace(score=GOAL - 3, goal_in=3) if thought.goal_in == 1 else thought
    expected = possible(variant, position, seen_by(side, thought.score))
    return thought._replace(score=seen_by(side, expected), goal_in=None)


def outlook(variant: Variant, position: Position, thought: Thought) -> Outlook:
    """Return what a thought says of the result; proving it may take a second."""
    thought = corrected(variant, position, thought)
    if not thought.line:
        return Outlook(thought.score)
    side, (move, *rest) = position.to_move, thought.line
    if end := variant.outcome(position.after(move)):
        return Outlook(thought.score, end)
    winner = None if thought.goal_in is None else thought.ahead(side)
    if winner is None:
        return Outlook(thought.score)
    moves, sure = own_moves(thought.goal_in or 0), False
    line: tuple[Move, ...] = ()
    if winner is side and tactics.wins_in_two(variant, position, move):
        moves, sure = 2, True
    elif winner is side.other and moves == 1 and tactics.lost(variant, position):
        sure = True
    elif line := _until_won(variant, position.after(move), rest, winner):
        moves = len(line[winner is side :: 2]) + (winner is side)
    return Outlook(thought.score, None, winner, moves, sure, line)


def _until_won(
    variant: Variant, position: Position, line: list[Move], winner: Side | None
) -> tuple[Move, ...]:
    """Return a line up to the move that wins for a side, empty if none does."""
    for place, move in enumerate(line, 1):
        if not variant.is_legal(position, move):
            return ()
        position = position.after(move)
        if outcome := variant.outcome(position):
            return tuple(line[:place]) if outcome.winner is winner else ()
    return ()

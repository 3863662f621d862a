"""Scores: hundredths of a point, with goals above them.

Every score is an int from the view of the side to move; negated, of its opponent.  Exact or
estimated points stay between -`LIMIT` and `LIMIT`; a goal just reached is `GOAL`, and a search
subtracts the moves that lead there.
"""

from __future__ import annotations

from typing import Final, TypeAlias

from thud.rules.position import Side

Score: TypeAlias = int
"""The score for the side to move."""

LIMIT: Final = 50_000
"""Bound of scores in points; higher ones are goals within reach."""

GOAL: Final = 100_000
"""The winner's score when a goal has just been reached."""

INFINITE: Final = 1_000_000
"""Above every score."""


def adjusted_for_distance(score: Score, plies: int) -> Score:
    """Return a score as seen `plies` earlier: a goal is further away, points stay the same."""
    return score if -LIMIT <= score <= LIMIT else score - plies if score > 0 else score + plies


def goal_in(score: Score) -> int | None:
    """Return the moves, of both sides, until a goal; negative if the opponent's, None if none."""
    if -LIMIT <= score <= LIMIT:
        return None
    return GOAL - score if score > 0 else -GOAL - score


def own_moves(goal_in: int) -> int:
    """Return the winner's moves until a goal."""
    return (abs(goal_in) + 1) // 2


def seen_by(side: Side, score: Score) -> Score:
    """Turn a score from the dwarfs' view to a side's, or back."""
    return score if side is Side.DWARFS else -score

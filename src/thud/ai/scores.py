"""Scores: hundredths of a point, with goals above them.

Every score is an int from the view of the side to move, and of its opponent if negated.  One that
counts points or guesses at them stays between -`LIMIT` and `LIMIT`; a goal just reached is `GOAL`,
and whoever looks ahead takes off the moves that lead there.
"""

from __future__ import annotations

from typing import Final, TypeAlias

Score: TypeAlias = int
"""The score for the side to move."""

LIMIT: Final = 50_000
"""No score of points is higher; what is above is a goal within reach."""

GOAL: Final = 100_000
"""The score of the winner where a goal has just been reached."""

INFINITE: Final = 1_000_000
"""Above every score."""


def put_off(score: Score, plies: int) -> Score:
    """Return a score so many plies before: a goal is further away, points are what they are."""
    return score if -LIMIT <= score <= LIMIT else score - plies if score > 0 else score + plies


def goal_in(score: Score) -> int | None:
    """Return in how many moves of either side a goal is reached, below 0 by the opponent."""
    if -LIMIT <= score <= LIMIT:
        return None
    return GOAL - score if score > 0 else -GOAL - score

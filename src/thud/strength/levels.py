"""Ratings of the computer's levels.

A level is rated by the measured share of matches won against the level below, a draw counting half.
Half a match is added to either side (Jeffreys' prior), so that a few matches, all won, mean a much
stronger level, not an infinitely stronger one.  The Miner, who overlooks nothing and looks no
further than an exchange, is in the middle of the scale.
"""

from __future__ import annotations

from math import log
from typing import Final, NamedTuple

from thud.strength.glicko import LOGIT, Rating


class Measured(NamedTuple):
    """Matches of a level against the one below, in all variants, and the points it won."""

    level: int
    matches: int
    points: float

    @property
    def share(self) -> float:
        """The stronger level's estimated share of wins."""
        return (self.points + 0.5) / (self.matches + 1)

    @property
    def distance(self) -> float:
        """Difference in rating to the level below."""
        return LOGIT * log(self.share / (1 - self.share))


MEASURED: Final = (
    Measured(2, 160, 109.5),
    Measured(3, 160, 120.5),
    Measured(4, 160, 110.5),
    Measured(5, 160, 105),
    Measured(6, 160, 111),
    Measured(7, 160, 106),
    Measured(8, 160, 114),
    Measured(9, 160, 116),
    Measured(10, 160, 109.5),
    Measured(11, 160, 104),
    Measured(12, 68, 45),
)
"""The matches in docs/levels.md."""

_MIDDLE_LEVEL: Final = 6


def _ratings() -> dict[int, Rating]:
    """Return each level's rating; the levels define the scale, so the deviation is 0."""
    heights = {1: 0.0}
    for each in MEASURED:
        heights[each.level] = heights[each.level - 1] + each.distance
    lift = Rating().value - heights[_MIDDLE_LEVEL]
    return {level: Rating(round(lift + high), 0.0) for level, high in heights.items()}


RATINGS: Final = _ratings()
"""Ratings by level."""


def closest_level(rating: Rating) -> int:
    """Return the level with the closest rating."""
    return min(RATINGS, key=lambda level: abs(RATINGS[level].value - rating.value))

"""Ratings of the computer's levels.

A level is rated by the share of matches it was measured to win against a lower one, a drawn match
counting half.  Half a match is added to either side (Jeffreys' prior): a few matches that were all
won tell that a level is much stronger, and not that it is endlessly so.  Levels between the two
that were measured are spaced evenly.  The Miner, who overlooks nothing and looks no further than
an exchange, stands in the middle of the scale.
"""

from __future__ import annotations

from math import log
from typing import Final, NamedTuple

from thud.strength.glicko import LOGIT, Rating


class Measured(NamedTuple):
    """Matches of a level against a lower one, over all games, and the points it won."""

    level: int
    below: int
    matches: int
    points: float

    @property
    def share(self) -> float:
        """The share of the matches that the stronger level is taken to win."""
        return (self.points + 0.5) / (self.matches + 1)

    @property
    def distance(self) -> float:
        """Difference in rating to the level below."""
        return LOGIT * log(self.share / (1 - self.share))


MEASURED: Final = (
    Measured(2, 1, 76, 55),
    Measured(3, 2, 48, 39.5),
    Measured(4, 3, 48, 36),
    Measured(5, 4, 48, 30.5),
    Measured(6, 5, 48, 33),
    Measured(7, 6, 48, 40),
    Measured(9, 7, 20, 17),
    Measured(11, 9, 10, 8.5),
    Measured(12, 11, 4, 4),
)
"""The matches in docs/levels.md."""

_MIDDLE_LEVEL: Final = 6


def _ratings() -> dict[int, Rating]:
    """Return what each level is rated; that is the scale, and so there is no doubt about it."""
    heights = {1: 0.0}
    for each in MEASURED:
        steps = range(1, each.level - each.below + 1)
        for step in steps:
            share = step / len(steps)
            heights[each.below + step] = heights[each.below] + share * each.distance
    lift = Rating().value - heights[_MIDDLE_LEVEL]
    return {level: Rating(round(lift + high), 0.0) for level, high in heights.items()}


RATINGS: Final = _ratings()
"""The rating of every level by its number."""


def closest_level(rating: Rating) -> int:
    """Return the level whose rating is the closest."""
    return min(RATINGS, key=lambda level: abs(RATINGS[level].value - rating.value))

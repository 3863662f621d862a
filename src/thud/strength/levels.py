"""Ratings of the computer's levels.

Each level is rated by what was measured of it against the level below, in Classic.  A margin and
its standard error tell how much a single match varies, and so how many a level would win: the
normal distribution's share.  Half a match is then added to either side (Jeffreys' prior): twenty
matches that were all won tell that a level is much stronger, and not that it is endlessly so.
Level 3, which overlooks nothing and looks no further, stands in the middle of the scale.
"""

from __future__ import annotations

from itertools import accumulate
from math import erf, log, sqrt
from typing import Final, NamedTuple

from thud.strength.glicko import LOGIT, Rating


class Measured(NamedTuple):
    """A level's mean margin against the level below, and its standard error."""

    matches: int
    margin: float
    error: float

    @property
    def share(self) -> float:
        """The share of the matches that the stronger level is taken to win."""
        spread = self.error * sqrt(self.matches)
        won = (1 + erf(self.margin / spread / sqrt(2))) / 2
        return (self.matches * won + 0.5) / (self.matches + 1)

    @property
    def distance(self) -> float:
        """How much higher the stronger level is rated."""
        return LOGIT * log(self.share / (1 - self.share))


MEASURED: Final = (
    Measured(20, 32.2, 1.3),
    Measured(20, 42.9, 1.4),
    Measured(20, 8.2, 2.1),
    Measured(20, 12.2, 2.5),
    Measured(10, 10.6, 3.3),
    Measured(4, 15.5, 2.9),
)
"""Level 2 against 1, 3 against 2, and so on to 7 against 6, as in docs/levels.md."""

_MIDDLE_LEVEL: Final = 3


def _ratings() -> dict[int, Rating]:
    """Return what each level is rated; that is the scale, and so there is no doubt about it."""
    heights = list(accumulate((each.distance for each in MEASURED), initial=0.0))
    lift = Rating().value - heights[_MIDDLE_LEVEL - 1]
    return {level: Rating(round(lift + high), 0.0) for level, high in enumerate(heights, 1)}


RATINGS: Final = _ratings()
"""The rating of every level by its number."""


def closest_level(rating: Rating) -> int:
    """Return the level whose rating is the closest."""
    return min(RATINGS, key=lambda level: abs(RATINGS[level].value - rating.value))

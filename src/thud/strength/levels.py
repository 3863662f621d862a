"""Ratings of the computer's levels.

A level is rated by its share of matches won against the level below, a draw counting half. The
middle of the scale is the Miner.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import accumulate
from math import log
from typing import Final

from thud.records.programs import EDITION, MIDDLE_LEVEL, today
from thud.strength.glicko import LOGIT, Rating

SHARES: Final = {
    2: 0.67,
    3: 0.68,
    4: 0.70,
    5: 0.69,
    6: 0.66,
    7: 0.66,
    8: 0.65,
    9: 0.70,
    10: 0.69,
    11: 0.67,
    12: 0.65,
    13: 0.68,
    14: 0.67,
    15: 0.67,
}
"""Each level's share against the level below, the average of the games in docs/levels.md."""


def _ratings(shares: Mapping[int, float]) -> dict[int, Rating]:
    """Return each level's rating, by today's number for it.

    The levels define the scale, so the deviation is 0.
    """
    steps = [LOGIT * log(share / (1 - share)) for share in shares.values()]
    levels = [today(level, len(steps) + 1) for level in range(1, len(steps) + 2)]
    heights = dict(zip(levels, accumulate(steps, initial=0.0), strict=True))
    lift = Rating().value - heights[MIDDLE_LEVEL]
    return {level: Rating(round(lift + high), 0.0) for level, high in heights.items()}


_ELEVENTH: Final = {**SHARES, 12: 0.66, 13: 0.67, 14: 0.69}
_TENTH: Final = {**_ELEVENTH, 14: 0.66}
_NINTH: Final = {
    2: 0.78,
    3: 0.75,
    4: 0.74,
    5: 0.71,
    6: 0.72,
    7: 0.71,
    8: 0.71,
    9: 0.74,
    10: 0.73,
    11: 0.75,
    12: 0.71,
}
_EIGHTH: Final = {
    2: 0.76,
    3: 0.74,
    4: 0.74,
    5: 0.72,
    6: 0.72,
    7: 0.72,
    8: 0.69,
    9: 0.75,
    10: 0.73,
    11: 0.74,
    12: 0.73,
}
_SEVENTH: Final = {
    2: 0.77,
    3: 0.75,
    4: 0.75,
    5: 0.72,
    6: 0.71,
    7: 0.71,
    8: 0.66,
    9: 0.74,
    10: 0.73,
    11: 0.72,
    12: 0.77,
}
_SIXTH: Final = {
    2: 0.78,
    3: 0.75,
    4: 0.72,
    5: 0.73,
    6: 0.71,
    7: 0.70,
    8: 0.68,
    9: 0.75,
    10: 0.71,
    11: 0.68,
    12: 0.76,
}
_FOURTH: Final = {
    **_SIXTH,
    3: 0.73,
    4: 0.71,
    5: 0.72,
    8: 0.73,
    9: 0.74,
    10: 0.73,
    11: 0.72,
    12: 0.70,
}
_THIRD: Final = {**_FOURTH, 2: 0.75, 3: 0.76, 4: 0.72, 5: 0.70, 6: 0.73, 7: 0.72, 8: 0.74, 9: 0.73}
_FIRST: Final = {**_THIRD, 8: 0.72, 9: 0.74, 10: 0.74}
_EDITIONS: Final = {
    1: _FIRST,
    2: _FIRST,
    3: _THIRD,
    4: _FOURTH,
    5: _FOURTH,
    6: _SIXTH,
    7: _SEVENTH,
    8: _EIGHTH,
    9: _NINTH,
    10: _TENTH,
    11: _ELEVENTH,
    EDITION: SHARES,
}
"""Shares of each edition of the levels; the second was set to be as strong as the first.

Up to the ninth there were twelve levels.
"""

EVERY: Final = {edition: _ratings(shares) for edition, shares in _EDITIONS.items()}
"""Ratings by edition and today's number for a level."""

RATINGS: Final = EVERY[EDITION]
"""Ratings by level, of today's."""


def closest_level(rating: Rating) -> int:
    """Return the level with the closest rating."""
    return min(RATINGS, key=lambda level: abs(RATINGS[level].value - rating.value))

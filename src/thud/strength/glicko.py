"""Glicko-2 ratings.

After Mark E. Glickman, "Example of the Glicko-2 system" (glicko.net/glicko/glicko2.pdf), whose
steps and letters these are: mu and phi are value and deviation on a scale of their own, sigma is
the volatility.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import exp, log, pi, sqrt
from typing import Final, NamedTuple

TAU: Final = 0.5
"""Change of volatility allowed (tau): Glickman advises 0.3 to 1.2."""

LOGIT: Final = 173.7178
"""Rating points that multiply the odds of winning by e."""

_MIDDLE: Final = 1500.0
_SURE: Final = 2.0
"""Deviations on both sides of a rating in its range: about nine of ten strengths are in it."""

_NARROW: Final = 180.0
"""Largest deviation of a rating that tells a few levels."""

_CLOSE: Final = 1e-6


class Rating(NamedTuple):
    """A Glicko-2 rating: value, deviation and volatility."""

    value: float = _MIDDLE
    deviation: float = 350.0
    volatility: float = 0.06

    @property
    def mu(self) -> float:
        """The strength on Glickman's scale."""
        return (self.value - _MIDDLE) / LOGIT

    @property
    def phi(self) -> float:
        """The deviation on Glickman's scale."""
        return self.deviation / LOGIT

    @property
    def bounds(self) -> tuple[float, float]:
        """The lowest and the highest strength in its range."""
        spread = _SURE * self.deviation
        return self.value - spread, self.value + spread

    @property
    def narrow(self) -> bool:
        """Whether it tells a few levels."""
        return self.deviation <= _NARROW

    @property
    def about(self) -> str:
        """Its value as text: `about 820`."""
        return f"about {max(0.0, round(self.value, -1)):.0f}"

    def __str__(self) -> str:
        """Return its value, and whether that is unsure: `about 820, not settled yet`."""
        return self.about if self.narrow else f"{self.about}, not settled yet"


def rated(rating: Rating, results: Sequence[tuple[Rating, float]]) -> Rating:
    """Return a rating after results against others: 1 a win, 0.5 a draw, 0 a loss.

    The results count as one rating period. Without any, only the deviation grows.
    """
    if not results:
        return rating._replace(deviation=LOGIT * sqrt(rating.phi**2 + rating.volatility**2))
    certainty = surprise = 0.0
    for other, score in results:
        weight, likely = _weight(other), expected(rating, other)
        certainty += weight**2 * likely * (1 - likely)
        surprise += weight * (score - likely)
    variance = 1 / certainty
    sigma = _volatility(rating, variance, variance * surprise)
    phi = 1 / sqrt(1 / (rating.phi**2 + sigma**2) + 1 / variance)
    return Rating(_MIDDLE + LOGIT * (rating.mu + phi**2 * surprise), LOGIT * phi, sigma)


def expected(rating: Rating, other: Rating) -> float:
    """Return the expected score against another rating, from 0 to 1."""
    return 1 / (1 + exp(-_weight(other) * (rating.mu - other.mu)))


@lru_cache(64)
def _weight(other: Rating) -> float:
    """Return the weight g of a result: the more uncertain the opponent's rating, the lower."""
    return 1 / sqrt(1 + 3 * (other.phi / pi) ** 2)


def _volatility(rating: Rating, variance: float, delta: float) -> float:
    """Return the volatility after results that improve the rating by delta (step 5).

    It is a function's root, found by the Illinois method.
    """
    before = 2 * log(rating.volatility)
    known, square = rating.phi**2 + variance, delta**2

    def slope(x: float) -> float:
        power = exp(x)
        spread = known + power
        return power * (square - spread) / (2 * spread * spread) - (x - before) / TAU**2

    a = before
    if square > known:
        b = log(square - known)
    else:
        b = before - TAU
        while slope(b) < 0:
            b -= TAU
    at_a, at_b = slope(a), slope(b)
    while abs(b - a) > _CLOSE:
        c = a + (a - b) * at_a / (at_b - at_a)
        at_c = slope(c)
        if at_c * at_b <= 0:
            a, at_a = b, at_b
        else:
            at_a /= 2
        b, at_b = c, at_c
    return exp(b / 2)

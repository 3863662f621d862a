"""What is known of a game from battles of computers: what follows a score, and how sure that is.

`tools/measure.py` fits it to battles and writes `measurements.py`.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Sequence
from math import exp, log1p
from typing import Final, NamedTuple

from thud.rules.position import Position, Side

_FARTHEST: Final = 5.0
"""The logarithm of odds beyond which a draw becomes no less likely."""


LONG: Final = 20
"""Moves without a capture after which a draw becomes more likely."""


class Following(NamedTuple):
    """The final margins that followed scores while so many dwarfs stood, in hundredths."""

    dwarfs: int
    factor: float
    shift: int
    """Added to the factor times the score."""
    lead: int
    """By how much a score flatters the side to move."""
    lone: int
    """Added where a single troll is left."""
    spread: tuple[int, int]
    """Two margins of three were no further off, with the dwarfs and with the trolls to move."""


class Par(NamedTuple):
    """How battles between equal players ended."""

    players: str
    battles: int
    dwarfs: float
    """The dwarfs' mean margin; where a goal decides the share that they won, a draw as half."""
    error: float
    drawn: float = 0.0
    """The share that was drawn."""


class NoGoalInSight(NamedTuple):
    """How battles ended in which no goal was in sight after so many moves, or more."""

    moves: int
    won: float
    """The share that the dwarfs won."""
    drawn: float
    lost: float


class Measured(NamedTuple):
    """What was measured of a game; nothing where it was not."""

    following: tuple[Following, ...] = ()
    """Where pieces count, at rising numbers of dwarfs; interpolated in between."""
    odds: tuple[float, ...] = ()
    """Where a goal decides: weights of 1, of a score's logarithm of the dwarfs' odds, of the
    position's traits, and of the former times the last trait, for the logarithm of the odds that
    followed, a draw as half."""
    drawn: tuple[float, ...] = ()
    """Weights for the logarithm of a draw's odds: of 1, of how far those odds are from even, of how
    long ago the last capture was, and of the traits."""
    no_goal_in_sight: tuple[NoGoalInSight, ...] = (NoGoalInSight(0, 0.5, 0.0, 0.5),)
    """Where scores say nothing until a goal is in sight; at rising numbers of moves, from 0."""
    par: tuple[Par, ...] = ()
    """Between equal players, the weakest first."""
    calm: tuple[float, float] | None = None
    """The shares of battles that saw another capture after the moves without one, and after the
    position that came up for the third time, at which they are called calm."""

    def margin(self, score: int, position: Position) -> int:
        """Return the margin that followed a score on average, in hundredths for the dwarfs."""
        factor, added = self._line(position)
        return round(factor * score + added)

    def score(self, margin: int, position: Position) -> int:
        """Return the score that a margin followed: the reverse of `margin`."""
        factor, added = self._line(position)
        return round((margin - added) / factor)

    def spread(self, position: Position) -> int:
        """Return how far off the margins of two battles in three were at most, in hundredths."""
        if not self.following:
            return 0
        *_, dwarfs, trolls = self._at(position.dwarfs.bit_count())
        return round(dwarfs if position.to_move is Side.DWARFS else trolls)

    def log_odds(self, said: float, traits: Sequence[float]) -> float:
        """Return the logarithm of the dwarfs' odds that followed, a draw as half.

        Args:
            said: the logarithm of the odds by a search's score.
            traits: the position's.
        """
        if not self.odds:
            return said
        return _dot(self.odds, (1, said, *traits, said * traits[-1]))

    def draw(self, log_odds: float, quiet: int, traits: Sequence[float]) -> float:
        """Return the chance of a draw.

        Args:
            log_odds: what the function of this name returns.
            quiet: moves since the last capture.
            traits: the position's.
        """
        if not self.drawn:
            return 0.0
        values = 1, min(_FARTHEST, abs(log_odds)), log1p(quiet / LONG), *traits
        return 1 / (1 + exp(-_dot(self.drawn, values)))

    def open_at(self, moves: int) -> tuple[float, float, float]:
        """Return the shares won, drawn and lost by the dwarfs, with no goal in sight yet."""
        place = bisect([each.moves for each in self.no_goal_in_sight], moves)
        return self.no_goal_in_sight[place - 1][1:]

    def _line(self, position: Position) -> tuple[float, float]:
        """Return what a score is multiplied by, and what is added to it."""
        if not self.following:
            return 1.0, 0.0
        factor, shift, lead, lone, *_ = self._at(position.dwarfs.bit_count())
        added = shift + (lead if position.to_move is Side.TROLLS else -lead)
        return factor, added + lone * (position.trolls.bit_count() == 1)

    def _at(self, dwarfs: int) -> list[float]:
        """Return factor, shift, lead, lone and both spreads at a number of dwarfs."""
        rows = [(*row[:5], *row.spread) for row in self.following]
        place = min(max(1, bisect([row[0] for row in rows], dwarfs)), len(rows) - 1)
        (fewer, *less), (more, *much) = rows[place - 1], rows[place]
        share = max(0, min(1, (dwarfs - fewer) / (more - fewer)))
        return [a + share * (b - a) for a, b in zip(less, much, strict=True)]


def _dot(weights: Sequence[float], values: Sequence[float]) -> float:
    return sum(weight * value for weight, value in zip(weights, values, strict=True))

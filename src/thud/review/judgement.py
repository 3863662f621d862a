"""Judgements of played moves: cost, mark, chance of winning."""

from __future__ import annotations

from enum import Enum
from math import exp
from types import MappingProxyType
from typing import Final, NamedTuple, TypeAlias

from thud.ai.scores import GOAL, LIMIT, Score
from thud.rules.position import Move, Side
from thud.rules.variant import Outcome, Variant

Expectation: TypeAlias = Score
"""What is expected of a battle, always as the dwarfs see it: hundredths of a point that they will
be ahead in the end where pieces count, and else how well they stand in the same measure."""


class _Odds(NamedTuple):
    """Logistic from a score to the chance of winning."""

    level: int = 0
    """The score, as the dwarfs see it, at which both sides win as often."""
    steep: int = 400
    """Difference in score by which the odds grow by the factor e."""


ODDS: Final = MappingProxyType({"koom": _Odds(700, 450), "football": _Odds(-500, 1000)})
"""Odds fitted to battles of the Bridge Keeper with itself: see docs/review.md."""


class Judgement(NamedTuple):
    """A judged move: the expectation after it, and with the best move."""

    expected: Expectation
    """After the move that was played."""
    promised: Expectation
    """After the best move; the same if that was played."""
    best: Move | None = None
    """The engine's best move; None if it was played."""
    line: tuple[Move, ...] = ()
    """Expected line after the best move, both sides in turn."""
    reply: tuple[Move, ...] = ()
    """Expected line after the move played, where known."""


class Mark(Enum):
    """A mark for a bad move, the mildest first; the value is its symbol."""

    DUBIOUS = "?!"
    MISTAKE = "?"
    BLUNDER = "??"

    @property
    def word(self) -> str:
        """What such a move is called: `"a blunder"`, without the article."""
        return "dubious move" if self is Mark.DUBIOUS else self.name.lower()

    @property
    def plural(self) -> str:
        """The plural of its word."""
        return f"{self.word}s"


POINTS: Final = MappingProxyType({Mark.BLUNDER: 4.0, Mark.MISTAKE: 2.0, Mark.DUBIOUS: 1.0})
"""Points that a marked move loses at least, the worst mark first."""


CHANCES: Final = MappingProxyType({Mark.BLUNDER: 0.4, Mark.MISTAKE: 0.2, Mark.DUBIOUS: 0.1})
"""The same where no points count: so much of the chance of winning."""


def given_away(variant: Variant, judgement: Judgement, side: Side) -> float:
    """Return what a side's move has cost, never below 0.

    It is in points where pieces count, and else the chance of winning, from 0 to 1.
    """
    if counts_points(variant):
        return max(0, _for(side, judgement.promised) - _for(side, judgement.expected)) / 100
    before, after = (chance(variant, e) for e in (judgement.promised, judgement.expected))
    return max(0.0, before - after if side is Side.DWARFS else after - before)


def accuracy(variant: Variant, cost: float) -> float:
    """Return how near a move came to the best, from 0 to 100: lichess's accuracy of a move.

    Each point counts alike in a match of two battles, however far ahead somebody is.  So points
    lost count as the chance of winning that they would cost in a level battle.
    """
    lost = cost
    if counts_points(variant):
        lost = 0.5 - 1 / (1 + exp(100 * cost / _Odds().steep))
    # lichess.org/page/accuracy
    return min(100.0, max(0.0, 103.1668 * exp(-4.354 * lost) - 3.1669))


def counts_points(variant: Variant) -> bool:
    """Say whether pieces count in the end, so that losses are told in points."""
    return bool(variant.worth)


def chance(variant: Variant, expected: Expectation) -> float:
    """Return the chance, from 0 to 1, that the dwarfs win; half for a draw."""
    if abs(expected) > LIMIT:
        return float(expected > 0)
    level, steep = ODDS.get(variant.name, _Odds())
    return 1 / (1 + exp((level - expected) / steep))


def settled(variant: Variant, outcome: Outcome) -> Expectation:
    """Return what a battle that is over has come to."""
    if counts_points(variant):
        return round(outcome.margin * 100)
    return 0 if outcome.winner is None else _for(outcome.winner, GOAL)


def of_dwarfs(score: Score, to_move: Side) -> Expectation:
    """Return a score of the side to move as the dwarfs see it."""
    return _for(to_move, score)


def _for(side: Side, score: Score) -> Score:
    return score if side is Side.DWARFS else -score


def mark_of(variant: Variant, judgement: Judgement, side: Side) -> Mark | None:
    """Return the mark of a side's move, None if it needs none."""
    lost = given_away(variant, judgement, side)
    return next((mark for mark, least in thresholds(variant).items() if lost >= least), None)


def thresholds(variant: Variant) -> MappingProxyType[Mark, float]:
    """Return how much each mark stands for, in the measure of `given_away`, the worst first."""
    return POINTS if counts_points(variant) else CHANCES


def is_mistake(mark: Mark | None) -> bool:
    """Say whether a mark is one of those that ask for going over the move again."""
    return mark in (Mark.MISTAKE, Mark.BLUNDER)

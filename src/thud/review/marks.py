"""The marks of moves that were worse than the best: `?!`, `?` and `??`."""

from __future__ import annotations

from enum import Enum
from types import MappingProxyType
from typing import Final

from thud.review.judgement import Judgement, counts_points, given_away
from thud.rules.position import Side
from thud.rules.variant import Variant


class Mark(Enum):
    """How bad a move was, the mildest first; the value stands behind the move."""

    DUBIOUS = "?!"
    MISTAKE = "?"
    BLUNDER = "??"

    @property
    def word(self) -> str:
        """What such a move is called: `"a blunder"`, without the article."""
        return "dubious move" if self is Mark.DUBIOUS else self.name.lower()

    @property
    def plural(self) -> str:
        """What several such moves are called."""
        return f"{self.word}s"


POINTS: Final = MappingProxyType({Mark.BLUNDER: 4.0, Mark.MISTAKE: 2.0, Mark.DUBIOUS: 1.0})
"""So many points a move gives away that has a mark, the worst mark first."""

CHANCES: Final = MappingProxyType({Mark.BLUNDER: 0.4, Mark.MISTAKE: 0.2, Mark.DUBIOUS: 0.1})
"""The same where no points count: so much of the chance of winning."""


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

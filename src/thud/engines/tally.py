"""What the matches of an arena add up to, from the view of its first player."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import sqrt
from statistics import fmean, stdev
from typing import NamedTuple

from thud.engines.pairing import Fought
from thud.rules.match import commander_of
from thud.rules.position import Side


class Tally(NamedTuple):
    """Some battles or matches: how many were won, drawn and lost, and the mean margin."""

    won: int
    drawn: int
    lost: int
    mean: float
    error: float | None
    """The standard error of the mean, None of fewer than two."""

    @classmethod
    def of(cls, margins: Sequence[float]) -> Tally:
        """Add up some margins."""
        return cls(
            sum(margin > 0 for margin in margins),
            sum(margin == 0 for margin in margins),
            sum(margin < 0 for margin in margins),
            fmean(margins) if margins else 0.0,
            stdev(margins) / sqrt(len(margins)) if len(margins) > 1 else None,
        )


class Tallies(NamedTuple):
    """The matches, and the battles by the side of the first player."""

    matches: Tally
    dwarfs: Tally
    trolls: Tally

    @classmethod
    def of(cls, fought: Iterable[Fought]) -> Tallies:
        """Add up the matches that were finished."""
        margins = [battle_margins(each) for each in fought if each.record.over]
        return cls(
            Tally.of([sum(both) for both in margins]),
            Tally.of([dwarfs for dwarfs, _ in margins]),
            Tally.of([trolls for _, trolls in margins]),
        )


def lost_on_time(fought: Iterable[Fought]) -> tuple[int, int]:
    """Return how many battles of finished matches either player has lost by running out of time."""
    late = [0, 0]
    for record in (each.record for each in fought if each.record.over):
        for number, battle in enumerate(record.battles, 1):
            for side in Side:
                outcome = battle.outcome
                late[commander_of(side, number)] += bool(outcome and outcome.is_late(side))
    return late[0], late[1]


def battle_margins(fought: Fought) -> tuple[float, float]:
    """Return the first player's margins in both battles: as dwarfs, then as trolls."""
    both = zip(fought.record.points(0), fought.record.points(1), strict=True)
    first, second = (own - other for own, other in both)
    return first, second

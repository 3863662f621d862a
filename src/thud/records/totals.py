"""What became of the matches that are over: filters and totals."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from thud.records.summary import Summary
from thud.rules.variant import Variant


class Totals(NamedTuple):
    """A player's finished matches, and the points in them for the player and against."""

    played: int = 0
    won: int = 0
    drawn: int = 0
    lost: int = 0
    points_for: float = 0
    points_against: float = 0

    def plus(self, summary: Summary, player: int) -> Totals:
        """Return these totals with a match in which the player was number 0 or 1."""
        return Totals(
            self.played + 1,
            self.won + (summary.winner == player),
            self.drawn + (summary.winner is None),
            self.lost + (summary.winner == 1 - player),
            self.points_for + summary.tally[player],
            self.points_against + summary.tally[1 - player],
        )


def filtered(
    summaries: Iterable[Summary], player: str | None = None, variant: Variant | None = None
) -> list[Summary]:
    """Return the matches of a player, in either case of letters, and of a variant."""
    wanted = None if player is None else name_key(player)
    return [
        summary
        for summary in summaries
        if (variant is None or summary.variant is variant)
        and (wanted is None or wanted in map(name_key, summary.players))
    ]


def totals(summaries: Iterable[Summary]) -> dict[str, Totals]:
    """Return the totals of every player, by name, of the matches that are over.

    Points of different variants do not add up to anything: filter by variant first.
    """
    found: dict[str, tuple[str, Totals]] = {}
    for summary in summaries:
        if not summary.over:
            continue
        for player, name in enumerate(summary.players):
            known, total = found.get(name_key(name), (name, Totals()))
            found[name_key(name)] = known, total.plus(summary, player)
    return dict(sorted(found.values()))


def name_key(name: str) -> str:
    """Return what two ways to write a player's name have in common."""
    return " ".join(name.split()).casefold()

"""How strong the people are who play against the levels, by the matches that are kept.

A match counts that is over, of a person against one of our levels, from the usual start: won, drawn
or lost by the points of both battles, whatever the game.  Each match counts by itself, in the order
in which they were ended.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Final, NamedTuple

from thud.records.programs import level_of
from thud.records.summary import Summary, name_key
from thud.rules.match import DEFAULT_PLAYERS
from thud.strength.glicko import Rating, rated
from thud.strength.levels import RATINGS, closest_level

_GENTLE: Final = 2


class Strength(NamedTuple):
    """How strong a person is, by so many matches."""

    rating: Rating = Rating()
    matches: int = 0

    @property
    def level(self) -> int:
        """The level that is about as strong."""
        return closest_level(self.rating)

    def __str__(self) -> str:
        """Return what people read: `about level 3 (1432 ± 85)`."""
        return f"about level {self.level} ({self.figures})"

    @property
    def figures(self) -> str:
        """The rating and its uncertainty, a standard deviation."""
        return f"{self.rating.value:.0f} ± {self.rating.deviation:.0f}"

    def after(self, level: int, score: float) -> Strength:
        """Return the strength after a match against a level: 1 is won, 0.5 drawn, 0 lost."""
        return Strength(rated(self.rating, [(RATINGS[level], score)]), self.matches + 1)


class Rated(NamedTuple):
    """A match that counts: whose, against which level, and what came of it."""

    person: str
    level: int
    score: float


def person(name: str) -> str:
    """Return whom a name means, in either case; who gives none is the same in either seat."""
    return name_key(DEFAULT_PLAYERS[0] if name in DEFAULT_PLAYERS else name)


def strengths(
    finished: Iterable[Summary], resets: Mapping[str, datetime] | None = None
) -> dict[str, Strength]:
    """Return how strong each `person` is, of those who have a match that counts.

    Args:
        finished: the matches that are over, those saved last first.
        resets: from when on a person's matches count, where that has been reset.
    """
    found: dict[str, Strength] = {}
    for summary in reversed(list(finished)):
        match = rated_match(summary)
        if match and not _forgotten(summary, (resets or {}).get(match.person)):
            before = found.get(match.person, Strength())
            found[match.person] = before.after(match.level, match.score)
    return found


def fair_level(known: Mapping[str, Strength], name: str) -> int:
    """Return the level for somebody by what is known of people, a gentle one by nothing."""
    strength = known.get(person(name))
    return strength.level if strength else _GENTLE


def rated_match(summary: Summary) -> Rated | None:
    """Return what counts of a match, None if it does not count."""
    people = [player for player in range(2) if not summary.programs[player]]
    if not summary.over or summary.set_up or summary.looked_on or len(people) != 1:
        return None
    (player,) = people
    level = level_of(summary.programs[1 - player])
    if level is None:
        return None
    score = 0.5 if summary.winner is None else float(summary.winner == player)
    return Rated(person(summary.players[player]), level, score)


def _forgotten(summary: Summary, since: datetime | None) -> bool:
    return since is not None and summary.saved <= since

"""Ratings of the people who play against the levels.

A match counts that is over, of a person against one of our levels, from the usual start: won, drawn
or lost by the points of both battles, whatever the game.  What was played at another place does
not count: who played there, and how strong, is the host's word alone.  Each match counts by
itself, in the order in which they were ended.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Final, NamedTuple

from thud.disk.small import read_small, write_small
from thud.records.programs import level_of
from thud.records.store import Store
from thud.records.summary import Summary, name_key
from thud.rules.match import DEFAULT_PLAYERS
from thud.strength.glicko import Rating, rated
from thud.strength.levels import RATINGS, closest_level
from thud.wording.text import quoted

FILE_NAME: Final = "rating.json"
"""From when on the matches of a person count, where a rating was reset."""

_MAX_BYTES: Final = 1 << 16
_GENTLE: Final = 2


class Strength(NamedTuple):
    """A person's rating, and the number of matches behind it."""

    rating: Rating = Rating()
    matches: int = 0

    @property
    def level(self) -> int:
        """The level that is about as strong."""
        return closest_level(self.rating)

    def __str__(self) -> str:
        """Return what people read: `about level 5 (1402 ± 85)`."""
        return f"about level {self.level} ({self.figures})"

    @property
    def figures(self) -> str:
        """The rating and its uncertainty, a standard deviation."""
        return f"{self.rating.value:.0f} ± {self.rating.deviation:.0f}"

    def after(self, level: int, score: float) -> Strength:
        """Return the strength after a match against a level: 1 is won, 0.5 drawn, 0 lost."""
        return Strength(rated(self.rating, [(RATINGS[level], score)]), self.matches + 1)


class Rated(NamedTuple):
    """A match that counts: the person, the level, and the score."""

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
    elsewhere = summary.looked_on or summary.guest
    if not summary.over or summary.set_up or elsewhere or len(people) != 1:
        return None
    (player,) = people
    level = level_of(summary.programs[1 - player])
    if level is None:
        return None
    score = 0.5 if summary.winner is None else float(summary.winner == player)
    return Rated(person(summary.players[player]), level, score)


def _forgotten(summary: Summary, since: datetime | None) -> bool:
    return since is not None and summary.saved <= since


# Ratings that begin anew: the matches stay; who deletes the file has the old ratings back


def load_resets(directory: Path) -> dict[str, datetime]:
    """Return when each person's rating was reset; what is not there or wrong is none."""
    since = read_small(directory / FILE_NAME, _MAX_BYTES).get("since")
    read = {name: _moment(each) for name, each in since.items()} if isinstance(since, dict) else {}
    return {name: moment for name, moment in read.items() if moment}


def reset(directory: Path, people: Iterable[str]) -> None:
    """Reset the ratings of people, now.

    Raises:
        OSError: that cannot be kept.
    """
    resets = load_resets(directory) | dict.fromkeys(people, datetime.now())
    seconds = {name: moment.timestamp() for name, moment in resets.items()}
    write_small(directory / FILE_NAME, {"since": seconds})


def _moment(seconds: object) -> datetime | None:
    try:
        return datetime.fromtimestamp(seconds) if isinstance(seconds, int | float) else None
    except (ValueError, OverflowError, OSError):
        return None


def strengths_in(store: Store, finished: Iterable[Summary]) -> dict[str, Strength]:
    """Return how strong each person is by a store's finished matches, which were listed already."""
    return strengths(finished, load_resets(store.matches.parent))


def begin_anew(store: Store, name: str | None) -> list[str]:
    """Reset the rating of a person, or all ratings; return whose.

    Raises:
        ValueError: nobody is rated.
        OSError: the matches cannot be read, or this cannot be kept.
    """
    rated = strengths_in(store, store.finished())
    people = [each for each in rated if name is None or each == person(name)]
    if not people:
        raise ValueError(f"{quoted(name)} has no rating" if name else "no ratings yet")
    reset(store.matches.parent, people)
    return people

"""Ratings of the people who play against the levels.

Only a finished match of a person against one of our levels, from the usual start, counts: as a win,
draw or loss by the points of both battles, in any variant, and once, however many copies there are.
Matches played elsewhere do not count: only the host's word says who played.  Each match is its own
rating period, in the order in which they ended.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Any, Final, NamedTuple

from thud.disk.dates import is_ahead
from thud.disk.small import read_small, write_small
from thud.records.programs import EDITION, own_player
from thud.records.store import Store
from thud.records.summary import Summary, name_key
from thud.rules.match import DEFAULT_PLAYERS
from thud.strength.glicko import Rating, rated
from thud.strength.levels import EVERY, closest_level
from thud.text import YOU, quoted, spelled, whose

FILE_NAME: Final = "rating.json"
"""The file with the times of resets, after which a person's matches count."""

_MAX_BYTES: Final = 1 << 16
_GENTLE: Final = 1
_SETTLED: Final = 8
"""Fair matches after which a rating has settled, in most cases."""
_SURE: Final = 100
"""Largest deviation of a rating that tells one's level: neighbouring levels are as far apart."""


class Strength(NamedTuple):
    """A person's rating, and the number of matches behind it."""

    rating: Rating = Rating()
    matches: int = 0

    @property
    def sure(self) -> bool:
        """Whether the rating tells a single level."""
        return self.rating.deviation <= _SURE

    @property
    def levels(self) -> tuple[int, int]:
        """The lowest and the highest level that may be as strong."""
        value, deviation, _ = self.rating
        spread = 0 if self.sure else deviation
        low, high = (closest_level(Rating(each)) for each in (value - spread, value + spread))
        return low, high

    def __str__(self) -> str:
        """Return the rating, and how many matches it is from or the levels that are as strong.

        Such as `about 820 after one match; some ten matches settle it`, and
        `about 1400, as strong as level 7`.
        """
        if not self.rating.narrow:
            number = "one match" if self.matches == 1 else f"{spelled(self.matches)} matches"
            return f"{self.rating.about} after {number}; {self.settling}"
        return f"{self.rating}, {self._as_strong}"

    @property
    def settling(self) -> str:
        """How many matches settle a number that is not settled yet, for within a sentence."""
        return f"{'some ten' if self.matches < _SETTLED else 'more'} matches settle it"

    @property
    def _as_strong(self) -> str:
        low, high = self.levels
        levels = f"level {low}" if low == high else f"levels {low} to {high}"
        return f"as strong as {levels}"

    def after(self, level: int, score: float, edition: int = EDITION) -> Strength:
        """Return the strength after a match against a level: 1 for a win, 0.5 a draw, 0 a loss."""
        opponent = EVERY[edition][level]
        return Strength(rated(self.rating, [(opponent, score)]), self.matches + 1)


class Rated(NamedTuple):
    """A match that counts: person, level with its edition, and score."""

    person: str
    level: int
    edition: int
    score: float


def person(name: str) -> str:
    """Return a name's key, case-insensitive; the default names of both seats mean one person."""
    return name_key(DEFAULT_PLAYERS[0] if name in DEFAULT_PLAYERS else name)


def strengths(
    finished: Iterable[Summary], resets: Mapping[str, datetime] | None = None
) -> dict[str, Strength]:
    """Return the strength of each `person` with a match that counts.

    Args:
        finished: the finished matches, last saved first.
        resets: times of resets, after which a person's matches count.
    """
    return {who: strength for _, who, strength in course(finished, resets)}


def course(
    finished: Iterable[Summary], resets: Mapping[str, datetime] | None = None
) -> Iterator[tuple[Summary, str, Strength]]:
    """Yield each match that counts, the earliest first, with whose it is and their strength then.

    Args:
        finished: the finished matches, last saved first.
        resets: times of resets, after which a person's matches count.
    """
    found: dict[str, Strength] = {}
    seen = set[Summary]()
    for summary in reversed(list(finished)):
        alike = summary._replace(id="", modified=0)
        if (match := rated_match(summary)) and alike not in seen:
            seen.add(alike)
            since = (resets or {}).get(match.person)
            if since is None or summary.saved > since:
                before = found.get(match.person, Strength())
                found[match.person] = before.after(match.level, match.score, match.edition)
                yield summary, match.person, found[match.person]


def fair_level(known: Mapping[str, Strength], name: str) -> int:
    """Return the level about as strong as a person; while that is unsure, a gentle one."""
    strength = known.get(person(name))
    return strength.levels[0] if strength else _GENTLE


def rated_match(summary: Summary) -> Rated | None:
    """Return a match's result for the rating, None if it does not count."""
    one, other = summary.programs
    elsewhere = summary.looked_on or summary.guest
    if not summary.over or elsewhere or bool(one) == bool(other) or summary.set_up:
        return None
    player = int(not other)
    played = own_player(one or other)
    if played is None or played.level is None:
        return None
    score = 0.5 if summary.winner is None else float(summary.winner == player)
    return Rated(person(summary.players[player]), played.level, played.edition, score)


# Resets: the matches stay, and deleting the file restores the old ratings


def load_resets(directory: Path) -> dict[str, datetime]:
    """Load the times of resets by person; missing or invalid ones are left out.

    One that a clock which was ahead has dated is dated now, so that matches count from now on.
    """
    resets, ahead = dict[str, datetime](), list[str]()
    for name, seconds in _reset_at(directory).items():
        with suppress(TypeError, ValueError, OverflowError, OSError):
            resets[name] = datetime.fromtimestamp(seconds)
            if is_ahead(seconds):
                resets[name] = datetime.now()
                ahead.append(name)
    if ahead:
        with suppress(OSError):
            reset(directory, ahead)
    return resets


def reset(directory: Path, people: Iterable[str]) -> None:
    """Reset the ratings of people, now.

    Raises:
        OSError: they cannot be saved.
    """
    seconds = _reset_at(directory) | dict.fromkeys(people, time.time())
    write_small(directory / FILE_NAME, {"since": seconds})


def _reset_at(directory: Path) -> dict[str, Any]:
    """Return the times of resets as they are stored: seconds since the epoch, if they are sound."""
    since = read_small(directory / FILE_NAME, _MAX_BYTES).get("since")
    return since if isinstance(since, dict) else {}


def strengths_in(store: Store, finished: Iterable[Summary]) -> dict[str, Strength]:
    """Return how strong each person is by a store's finished matches, which were listed already."""
    return strengths(finished, load_resets(store.matches.parent))


def change_by(store: Store, name: str) -> str:
    """Say how a finished match has changed a person's rating; empty if it does not count.

    Args:
        store: the saved matches.
        name: the match's id.

    Raises:
        OSError: the matches cannot be read.
    """
    finished = store.finished()
    summary = next((each for each in finished if each.id == name), None)
    match = rated_match(summary) if summary else None
    if summary is None or match is None:
        return ""
    others = [each for each in finished if each is not summary]
    before, after = (
        strengths_in(store, some).get(match.person, Strength()) for some in (others, finished)
    )
    if before == after:
        return ""
    if not after.rating.narrow:
        return f"{whose(YOU)} rating is {after}."
    moves = "rises" if after.rating.value > before.rating.value else "falls"
    return f"{whose(YOU)} rating {moves} from {before.rating.about} to {after}."


def begin_anew(store: Store, name: str | None) -> list[str]:
    """Reset the rating of a person, or all ratings; return whose.

    Raises:
        ValueError: nobody is rated.
        OSError: the matches cannot be read, or the resets not saved.
    """
    rated = strengths_in(store, store.finished())
    people = [each for each in rated if name is None or each == person(name)]
    if not people:
        raise ValueError(f"{quoted(name)} has no rating" if name else "no ratings yet")
    reset(store.matches.parent, people)
    return people

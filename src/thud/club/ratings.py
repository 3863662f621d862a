"""Ratings of a club's players, computed from its results alone.

There is one rating for each player and game.  Each match between two people is a rating period of
its own, in the order in which they ended (Glicko-2, see `strength.glicko`).  Ratings begin where
the player's matches against the levels have put them, as noted with the result, so they are on the
scale of the levels from the first match on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Final, NamedTuple

from thud.club.results import Result
from thud.strength.glicko import Rating, rated
from thud.strength.people import Strength

FEWEST_MOVES: Final = 10
"""Fewest moves of a match that is rated."""

PASSES: Final = 4
"""Passes over all matches: in each but the first, opponents are as strong as the pass before has
found them in the end.  With one pass, whoever picks newcomers who are weak would gain by it."""

SHOWN_AFTER: Final = 5
"""Rated matches after which a rating is shown."""

_LEAST, _MOST = 0.0, 3000.0
_SUREST: Final = 80.0
"""Smallest deviation that matches against the levels give a player to begin with."""


class PlayerGame(NamedTuple):
    """What a rating is of."""

    person: str
    variant: str


def is_rated(result: Result, one: str, other: str) -> bool:
    """Whether a match is rated.

    Args:
        result: the match.
        one: the first player's id, after links.
        other: the second player's.
    """
    by_chance = result.set_up or result.moves < FEWEST_MOVES
    left_out = result.unrated or result.struck
    return bool(one and other) and one != other and not (by_chance or left_out)


def ratings(
    results: Iterable[Result], person: Callable[[str], str] = lambda each: each
) -> Mapping[PlayerGame, Strength]:
    """Return all ratings, with the number of matches behind each.

    Args:
        results: the matches in the order in which they ended.
        person: follows links from an id to a player's id.
    """
    matches = [
        (PlayerGame(one, each.variant), PlayerGame(other, each.variant), each)
        for each in results
        for one, other in [(person(each.people[0]), person(each.people[1]))]
        if is_rated(each, one, other)
    ]
    found: dict[PlayerGame, Strength] = {}
    for _ in range(PASSES):
        found = _passed(matches, found)
    return found


def _passed(
    matches: Iterable[tuple[PlayerGame, PlayerGame, Result]],
    known: Mapping[PlayerGame, Strength],
) -> dict[PlayerGame, Strength]:
    """Return all ratings after one pass, in which opponents are as strong as known before."""
    found: dict[PlayerGame, Strength] = {}
    for one, other, result in matches:
        own, against = result.tally
        score = 1.0 if own > against else 0.0 if own < against else 0.5
        before = [
            found.get(key) or Strength(begun(start))
            for key, start in zip((one, other), result.starts, strict=True)
        ]
        for player, key, rival, gained in ((0, one, other, score), (1, other, one, 1 - score)):
            mine = before[player]
            theirs = known.get(rival, before[1 - player])
            rating = rated(mine.rating, [(theirs.rating, gained)])
            found[key] = Strength(rating, mine.matches + 1)
    return found


def begun(start: tuple[float, float]) -> Rating:
    """Return the rating with which a player begins: value and deviation, zeros if unknown."""
    value, deviation = start
    usual = Rating()
    if not 0 < deviation < usual.deviation:
        return usual
    return Rating(min(max(value, _LEAST), _MOST), max(deviation, _SUREST))


def rating_of(strength: Strength) -> str:
    """Return a rating in a few words; empty if it is too early."""
    return f"{strength.rating}" if strength.matches >= SHOWN_AFTER else ""


def rating_in_words(strength: Strength) -> str:
    """Return a rating with the levels that are as strong; empty if it is too early."""
    return str(strength) if rating_of(strength) else ""


def about_even(one: Rating, other: Rating) -> bool:
    """Whether two players may be as strong as each other: their ranges overlap."""
    (low, high), (least, most) = one.bounds, other.bounds
    return low <= most and least <= high

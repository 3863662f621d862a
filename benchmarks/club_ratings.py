"""Ratings of simulated players of known strength in a club: their error, and who gains by choosing.

Usage: python benchmarks/club_ratings.py [CLUBS]

60 players with 30 matches each; strengths are spread like those of people at the levels.  First all
are paired by chance.  Then one player, of middle strength, always chooses: the weakest or the
strongest opponent, by their true strength, or the one with the fewest matches.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Mapping
from math import sqrt
from statistics import fmean, stdev

from thud.club.ratings import PlayerGame, ratings
from thud.club.results import Result
from thud.strength.glicko import Rating, expected

PLAYERS, MATCHES, SPREAD = 60, 30, 300.0

Choose = Callable[[list[int], Mapping[int, int], list[float]], int]
"""Returns an opponent from others, their numbers of matches, and their true strengths."""

CHOICES: dict[str, Choose | None] = {
    "by chance": None,
    "the weakest": lambda others, played, true: min(others, key=lambda each: true[each]),
    "the strongest": lambda others, played, true: max(others, key=lambda each: true[each]),
    "those with fewest matches": lambda others, played, true: min(
        others, key=lambda each: played[each]
    ),
}


def club(seed: int, choose: Choose | None, *, levels: bool) -> tuple[list[float], float]:
    """Return each player's error in one club, and that of the player who chooses, with its sign."""
    chance = random.Random(seed)
    true = [1500.0, *(chance.gauss(1500, SPREAD) for _ in range(PLAYERS - 1))]
    ids = [f"{each:032x}" for each in range(PLAYERS)]
    starts = [
        (chance.gauss(each, 120), 120.0) if levels and chance.random() < 0.5 else (0.0, 0.0)
        for each in true
    ]
    played = dict.fromkeys(range(PLAYERS), 0)
    results = list[Result]()
    for number in range(PLAYERS * MATCHES // 2):
        one = 0 if played[0] < MATCHES and number % MATCHES == 0 else chance.randrange(1, PLAYERS)
        others = [each for each in range(PLAYERS) if each not in (one, 0)]
        other = choose(others, played, true) if choose and not one else chance.choice(others)
        likely = expected(Rating(true[one], 0.0), Rating(true[other], 0.0))
        won = chance.random() < likely
        scores = ((30.0, 9.0), (9.0, 30.0)) if won else ((9.0, 30.0), (30.0, 9.0))
        people, begins = (ids[one], ids[other]), (starts[one], starts[other])
        result = Result("x", 0.0, "classic", people, ("", ""), scores, 40, starts=begins)
        results.append(result)
        played[one] += 1
        played[other] += 1
    found = ratings(results)
    errors = [
        found[PlayerGame(each, "classic")].rating.value - strength
        for each, strength in zip(ids, true, strict=True)
        if PlayerGame(each, "classic") in found
    ]
    return errors, errors[0]


def main() -> None:
    """Simulate and print a table."""
    clubs = int(sys.argv[1]) if len(sys.argv) > 1 else 40
    for levels in (False, True):
        print("half of them have played the levels:" if levels else "nobody has played the levels:")
        for what, choose in CHOICES.items():
            found = [club(seed, choose, levels=levels) for seed in range(clubs)]
            everybody = [each for errors, _ in found for each in errors]
            error, own = sqrt(fmean(each**2 for each in everybody)), [each for _, each in found]
            print(
                f"  {what:26} error of all {error:4.0f}, of who chooses {fmean(own):+5.0f}"
                f" ± {stdev(own) / sqrt(clubs):.0f}",
                flush=True,
            )


if __name__ == "__main__":
    main()

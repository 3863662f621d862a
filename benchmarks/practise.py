"""Half a year of practice: how much there is a day, and what is known at the end.

Usage: python benchmarks/practise.py [--days 182] [--seed 1]

A learner forgets: what was right is known for about 2.5 times as long as before, what was wrong
for less, and one card in eight is too hard, and never known for longer than a day.
"""

import argparse
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from statistics import fmean
from tempfile import TemporaryDirectory

from thud.exercises.drill import Attempts
from thud.exercises.practise import Card, Practice
from thud.exercises.puzzles.book import puzzles

_START = datetime(2026, 1, 1, 19, tzinfo=UTC).astimezone()
_HARD = 1 / 8
_KNOWN = 0.8
"""Least chance of a right answer of what counts as known."""


class Learner:
    """A memory: for each card how many days it lasts, and when it was seen last."""

    def __init__(self, chance: Random) -> None:
        self._chance = chance
        self._lasts = dict[str, float]()
        self._seen = dict[str, int]()

    def recall(self, card: Card, day: int) -> float:
        """Return the chance of a right answer on a day."""
        if card.key not in self._seen:
            return 0.3
        return 1 / (1 + (day - self._seen[card.key]) / (9 * self._lasts[card.key]))

    def answer(self, card: Card, day: int) -> Attempts:
        """Answer, and learn from it."""
        right = self._chance.random() < self.recall(card, day)
        hard = Random(card.key).random() < _HARD
        lasts = self._lasts.get(card.key, 1.0)
        self._lasts[card.key] = 0.1 if hard else lasts * 2.5 if right else max(1.0, lasts / 2)
        self._seen[card.key] = day
        return Attempts(0 if right else 1)


def half_a_year(new: int, days: int, seed: int) -> None:
    """Practise with so many new cards a day, and print what came of it."""
    learner = Learner(Random(seed))
    cards = [Card(each.variant, each.position) for each in puzzles()]
    with TemporaryDirectory() as directory:
        practice, counts = Practice(Path(directory)), list[int]()
        for day in range(days):
            practice._add(cards[day * new : (day + 1) * new])
            at = _START + timedelta(days=day)
            due = practice.due(at)
            counts.append(len(due))
            for card in due:
                practice.answer(card, learner.answer(card, day), at)
        known = sum(learner.recall(card, days) >= _KNOWN for card in practice.cards)
        print(
            f"{new:4} new a day: {max(counts)} at most, {fmean(counts):.1f} on average; of "
            f"{len(practice.cards)} known {known}, put aside {practice.aside}, "
            f"never asked {sum(not card.answers for card in practice.cards)}, "
            f"waiting {practice.waiting(_START + timedelta(days=days))}"
        )


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--days", type=int, default=182)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    for new in (1, 2, 380):
        half_a_year(new, options.days, options.seed)


if __name__ == "__main__":
    main()

"""What has become of the puzzles that were tried: an ordered list, and all that follows from it.

A puzzle counts once, as it was done the first time: against a rating of its band, so that each band
has a rating of the player's own.
"""

from __future__ import annotations

from itertools import takewhile
from typing import Final, NamedTuple

from thud.drills.drill import Effort
from thud.puzzles.puzzle import BANDS, Puzzle
from thud.strength.glicko import Rating, rated

PAR: Final = dict(zip(BANDS, (Rating(1200, 60), Rating(1500, 60), Rating(1800, 60)), strict=True))
"""The rating of a band's puzzles."""


class Solved(NamedTuple):
    """A puzzle that was done, and what it took the first time."""

    id: str
    band: str
    effort: Effort


class Score(NamedTuple):
    """All puzzles that were done, in the order in which they were."""

    solved: tuple[Solved, ...] = ()

    @property
    def ids(self) -> frozenset[str]:
        """The puzzles that were done."""
        return frozenset(each.id for each in self.solved)

    @property
    def clean(self) -> int:
        """How many were right at the first try, without a hint."""
        return sum(each.effort.clean for each in self.solved)

    @property
    def streak(self) -> int:
        """How many have been right at the first try since the last that was not."""
        return sum(1 for _ in takewhile(lambda each: each.effort.clean, reversed(self.solved)))

    def rating(self, band: str) -> Rating | None:
        """Return how strong the player is in a band, None where nothing of it has been done."""
        rating = None
        for each in self.solved:
            if each.band == band:
                result = PAR[band], float(each.effort.clean)
                rating = rated(rating or Rating(), [result])
        return rating

    def with_solved(self, puzzle: Puzzle, effort: Effort) -> Score:
        """Return the score with a puzzle done: the first time counts."""
        if puzzle.id in self.ids:
            return self
        return Score((*self.solved, Solved(puzzle.id, puzzle.band, effort)))


def in_words(score: Score) -> str:
    """Return a score in sentences."""
    if not score.solved:
        return "No puzzle has been solved yet."
    number = len(score.solved)
    solved = f"{number} solved, {score.clean} at the first try; {score.streak} in a row now."
    return f"{solved} {ratings_in_words(score)}"


def ratings_in_words(score: Score) -> str:
    """Return the ratings of the bands that have one, in a sentence."""
    known = ((band, score.rating(band)) for band in BANDS)
    each = ", ".join(f"{band} {rating.value:.0f}" for band, rating in known if rating)
    return f"Your rating, {Rating().value:.0f} at first: {each}."

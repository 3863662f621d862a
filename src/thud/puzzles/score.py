"""The score of puzzles done: an ordered list, and all that follows from it.

A puzzle counts once, as it was done the first time: against a rating of its band, so that each band
has a rating of the player's own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import takewhile
from pathlib import Path
from typing import Final, NamedTuple

from thud.disk.small import read_small, write_small
from thud.drill import Attempts, Drill
from thud.puzzles.puzzle import BANDS, Puzzle, tasks
from thud.strength.glicko import Rating, rated

PAR: Final = dict(zip(BANDS, (Rating(1200, 60), Rating(1500, 60), Rating(1800, 60)), strict=True))
"""The rating of a band's puzzles."""


class Solved(NamedTuple):
    """A puzzle done, and what it took the first time."""

    id: str
    band: str
    effort: Attempts


class PuzzleScore(NamedTuple):
    """All puzzles done, in order."""

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

    def with_solved(self, puzzle: Puzzle, effort: Attempts) -> PuzzleScore:
        """Return the score with a puzzle done: the first time counts."""
        if puzzle.id in self.ids:
            return self
        return PuzzleScore((*self.solved, Solved(puzzle.id, puzzle.band, effort)))


def in_words(score: PuzzleScore) -> str:
    """Return a score in a line: `"Solved 3 · first try 2 · streak 1 · rating 1113 (easy)"`."""
    if not score.solved:
        return "No puzzle solved yet."
    figures = f"Solved {len(score.solved)} · first try {score.clean} · streak {score.streak}"
    return f"{figures} · {ratings_in_words(score)}"


def ratings_in_words(score: PuzzleScore) -> str:
    """Return the ratings of the bands that have one: `"rating 1113 (easy), 1500 (hard)"`."""
    known = ((band, score.rating(band)) for band in BANDS)
    each = ", ".join(f"{rating.value:.0f} ({band})" for band, rating in known if rating)
    return f"rating {each}"


class PuzzleCourse:
    """A sequence of puzzles, with the score kept.

    Args:
        puzzles: what there is to solve, one or more.
        score: what has been solved before.
        save: has the score saved.

    Attributes:
        score: what has been solved by now.
    """

    def __init__(
        self, puzzles: Sequence[Puzzle], score: PuzzleScore, save: Callable[[PuzzleScore], object]
    ) -> None:
        self._puzzles = puzzles
        self.score = score
        self._save = save

    def drills(self) -> Iterator[Drill]:
        """Yield a drill for each puzzle that was not solved before, for all where every one was."""
        before = self.score.ids
        unsolved = [puzzle for puzzle in self._puzzles if puzzle.id not in before]
        return map(self.drill, unsolved or self._puzzles)

    def drill(self, puzzle: Puzzle) -> Drill:
        """Return the drill of a puzzle, at whose end the score is told."""

        def done(efforts: Sequence[Attempts]) -> None:
            drill.farewell = self._note(puzzle, efforts)

        title = f"{puzzle.variant.title}, puzzle {puzzle.number} ({puzzle.band})"
        drill = Drill(title, tuple(tasks(puzzle)), done)
        return drill

    def _note(self, puzzle: Puzzle, efforts: Sequence[Attempts]) -> str:
        effort = Attempts(sum(each.misses for each in efforts), sum(each.hints for each in efforts))
        self.score = self.score.with_solved(puzzle, effort)
        self._save(self.score)
        return in_words(self.score)


FILE_NAME: Final = "puzzles.json"


_MAX_BYTES: Final = 1 << 18


_MOST: Final = 10_000
"""No more misses or hints are believed."""


def load_score(directory: Path) -> PuzzleScore:
    """Return the score in a data directory; what is not there or wrong counts as not done."""
    listed = read_small(directory / FILE_NAME, _MAX_BYTES).get("solved")
    return PuzzleScore(tuple(_read(listed))) if isinstance(listed, list) else PuzzleScore()


def save_score(directory: Path, score: PuzzleScore) -> None:
    """Keep a score in a data directory.

    Raises:
        OSError: that is not possible.
    """
    solved = [[each.id, each.band, *each.effort] for each in score.solved]
    write_small(directory / FILE_NAME, {"solved": solved})


def forget_score(directory: Path) -> None:
    """Remove a score from a data directory.

    Raises:
        OSError: that is not possible.
    """
    (directory / FILE_NAME).unlink(missing_ok=True)


def _read(listed: list[object]) -> Iterator[Solved]:
    seen = set[str]()
    for value in listed:
        match value:
            case [str(name), str(band), int(misses), int(hints)] if (
                band in BANDS and name not in seen and {misses, hints} <= _NUMBERS
            ):
                seen.add(name)
                yield Solved(name, band, Attempts(misses, hints))


_NUMBERS: Final = frozenset(range(_MOST))

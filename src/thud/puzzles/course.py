"""Puzzles as drills, one after the other, and the score as it grows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from thud.drills.drill import Drill, Effort
from thud.puzzles.puzzle import Puzzle
from thud.puzzles.score import Score, in_words
from thud.puzzles.task import tasks


class PuzzleCourse:
    """Somebody's way through puzzles.

    Args:
        puzzles: what there is to solve, one or more.
        score: what has been solved before.
        save: has the score saved.

    Attributes:
        score: what has been solved by now.
    """

    def __init__(
        self, puzzles: Sequence[Puzzle], score: Score, save: Callable[[Score], object]
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

        def done(efforts: Sequence[Effort]) -> None:
            drill.farewell = self._note(puzzle, efforts)

        title = f"{puzzle.variant.title}, puzzle {puzzle.number} ({puzzle.band})"
        drill = Drill(title, tuple(tasks(puzzle)), done)
        return drill

    def _note(self, puzzle: Puzzle, efforts: Sequence[Effort]) -> str:
        effort = Effort(sum(each.misses for each in efforts), sum(each.hints for each in efforts))
        self.score = self.score.with_solved(puzzle, effort)
        self._save(self.score)
        return in_words(self.score)

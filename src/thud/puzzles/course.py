"""Puzzles as drills, one after the other, and what is kept of each once it is done."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from thud.drills.drill import Drill, Effort
from thud.puzzles.kept import load_score, save_score
from thud.puzzles.puzzle import Puzzle
from thud.puzzles.score import in_words
from thud.puzzles.task import tasks


def course(puzzles: Sequence[Puzzle], directory: Path) -> Iterator[Drill]:
    """Yield a drill for each puzzle that has not been done, or for all where every one has."""
    known = load_score(directory).ids
    for puzzle in [each for each in puzzles if each.id not in known] or puzzles:
        yield drill_of(puzzle, directory)


def drill_of(puzzle: Puzzle, directory: Path) -> Drill:
    """Return the drill of a puzzle, which says what it is about and how the score is at its end."""

    def done(efforts: Sequence[Effort]) -> None:
        drill.farewell = _kept(puzzle, efforts, directory)

    title = f"{puzzle.variant.title}, puzzle {puzzle.number} ({puzzle.band})"
    drill = Drill(title, tuple(tasks(puzzle)), done)
    return drill


def _kept(puzzle: Puzzle, efforts: Sequence[Effort], directory: Path) -> str:
    """Keep what a puzzle took; return what is said of it."""
    effort = Effort(sum(each.misses for each in efforts), sum(each.hints for each in efforts))
    score = load_score(directory).with_solved(puzzle, effort)
    try:
        save_score(directory, score)
    except OSError as error:
        return f"The score cannot be kept: {error.strerror or error}."
    return in_words(score)

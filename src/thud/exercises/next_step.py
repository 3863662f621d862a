"""What to do next: one rule for the front page and for lines of text."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Literal, NamedTuple, TypeAlias

from thud.exercises.lessons.course import Course
from thud.exercises.lessons.progress import LessonProgress
from thud.exercises.practise import Practice
from thud.exercises.puzzles.book import PUZZLED
from thud.exercises.puzzles.score import load_score
from thud.records.store import Store
from thud.rules.variants import VARIANTS
from thud.settings.last_choices import load_choices
from thud.text import counted, quoted, spelled

Way: TypeAlias = Literal["learn", "resume", "practise", "puzzles", "today", "play"]


class Step(NamedTuple):
    """What to do next."""

    way: Way
    """The row of the front page that leads there, or the end of an action's id."""
    words: str
    """What it is, within a sentence."""
    command: str
    """The command for it."""

    @property
    def told(self) -> str:
        """It in words, as wherever something ends."""
        return f"Next: {self.words}"

    @property
    def answer(self) -> str:
        """It as the label of an answer."""
        return f"next: {self.words}"


def next_step(directory: Path, *, unfinished: int, due: int) -> Step:
    """Return what to do next: the first lessons, what is due or begun, new today, another match.

    Args:
        directory: the data directory.
        unfinished: the number of unfinished matches.
        due: the number of positions to practise today.
    """
    progress = LessonProgress(directory)
    if progress.done and not progress.graduated:
        title = Course(progress, lambda: None).next.title
        return Step("learn", f"the lesson {quoted(title)}", "thud learn")
    if due:
        return Step("practise", f"{counted(due, 'position')} to practise", "thud practise")
    if unfinished:
        number = "a match" if unfinished == 1 else f"{spelled(unfinished)} matches"
        return Step("resume", f"{number} to go on with", "thud resume")
    if puzzle := _next_puzzle(directory):
        return puzzle
    if len(progress.done) < len(Course(progress, lambda: None).lessons):
        title = Course(progress, lambda: None).next.title
        return Step("learn", f"the lesson {quoted(title)}", "thud learn")
    return Step("play", "another match", "thud play --opponent fair")


def _next_puzzle(directory: Path) -> Step | None:
    """Return the day's puzzle, unless it is done, or first an easy one of the game played last."""
    score, game = load_score(directory), load_choices(directory).variant
    if not score.solved and game in PUZZLED:
        words = f"an easy puzzle of {VARIANTS[game].title}"
        return Step("puzzles", words, f"thud puzzles --variant {game}")
    if not score.waits(date.today()):
        return None
    return Step("today", "today's puzzle", "thud puzzles --today")


def next_in(store: Store, *, dubious: bool) -> Step:
    """Return what to do next, by what is saved; see `next_step`.

    Raises:
        OSError: it cannot be read.
    """
    directory = store.matches.parent
    practice = Practice(directory)
    practice.refresh(store, dubious=dubious)
    unfinished = len(store.listing().unfinished)
    return next_step(directory, unfinished=unfinished, due=len(practice.due()))

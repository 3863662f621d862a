"""Progress bars on standard error, if that is a terminal."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Self

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from thud.engines.arena import MatchResult, Plan, RunningMatch, Tallies
from thud.engines.cluster import Workers
from thud.text import counted


def _progress(*columns: ProgressColumn) -> Progress:
    console = Console(stderr=True, highlight=False)
    # Rich 14.2 prints an empty line after even a disabled bar.
    console.quiet = not console.is_terminal
    return Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        *columns,
        console=console,
        transient=True,
        disable=console.quiet,
        # Output printed meanwhile goes above the bar, if on the same terminal.
        redirect_stdout=sys.stdout.isatty(),
        redirect_stderr=False,
    )


class Bar:
    """A progress bar, hidden if there is nothing to do."""

    def __init__(self, what: str, number: int) -> None:
        self._progress = _progress(TextColumn("left"), TimeRemainingColumn())
        self._task = self._progress.add_task(what, total=number)
        self._number = number

    def __enter__(self) -> Self:
        if self._number:
            self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._progress.stop()

    def advance(self) -> None:
        """Count another one as done."""
        self._progress.advance(self._task)

    def reach(self, done: int) -> None:
        """Show so many as done."""
        self._progress.update(self._task, completed=done)


class Scoreboard:
    """A bar for the matches, the score so far, and a line for each running match.

    Args:
        plan: the matches to play.
        elsewhere: whether workers play them, which have one line together.
    """

    def __init__(self, plan: Plan, *, elsewhere: bool = False) -> None:
        self._progress = _progress()
        self._matches = self._left = plan.matches
        self._total = self._progress.add_task("matches", total=plan.matches)
        jobs = range(1 if elsewhere else min(plan.jobs, plan.matches))
        begins = "asks for workers" if elsewhere else "begins"
        self._jobs = [self._progress.add_task(begins, total=None) for _ in jobs]

    def __enter__(self) -> Self:
        self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._progress.stop()

    def moved(self, reached: RunningMatch) -> None:
        """Show the progress of a match."""
        match = reached.match
        where = f"match {reached.number}, battle {match.number}"
        moves = match.battle.played
        self._progress.update(self._jobs[reached.job], description=where, completed=moves)

    def at_work(self, crew: Workers) -> None:
        """Show the workers, and how many matches they can play at a time."""
        busy = min(crew.places, self._left)
        who = manned(crew)
        self._progress.update(self._jobs[0], description=who, completed=busy, total=crew.places)

    def fought(self, matches: Sequence[MatchResult]) -> None:
        """Show the result so far."""
        margin = Tallies.of(matches).matches
        error = "" if margin.error is None else f" ± {margin.error:.1f}"
        text = f"{margin.mean:+.1f}{error} a match"
        self._progress.update(self._total, description=text, completed=len(matches))
        self._left = self._matches - len(matches)


def manned(crew: Workers) -> str:
    """Return the number of workers and threads, in words."""
    if not crew.workers:
        return "no worker yet"
    return f"{counted(crew.workers, 'worker')}, {counted(crew.places, 'thread')}"

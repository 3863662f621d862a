"""Progress bars on standard error, if that is a terminal."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from rich.progress import Progress


def progress_bars(*, remaining: bool = False) -> Progress:
    """Return bars with the time each takes so far, and that remaining if asked for."""
    from rich import progress as rich
    from rich.console import Console

    console = Console(stderr=True, highlight=False)
    # Rich 14.2 prints an empty line after even a disabled bar.
    console.quiet = not console.is_terminal
    return rich.Progress(
        rich.TextColumn("{task.description}", markup=False),
        rich.BarColumn(),
        rich.MofNCompleteColumn(),
        rich.TimeElapsedColumn(),
        *([rich.TextColumn("left"), rich.TimeRemainingColumn()] if remaining else []),
        console=console,
        transient=True,
        disable=console.quiet,
        # Output printed meanwhile goes above the bar, if on the same terminal.
        redirect_stdout=sys.stdout.isatty(),
        redirect_stderr=False,
    )


class Bar:
    """A progress bar, hidden if there is nothing to do; None is an unknown number."""

    def __init__(self, what: str, number: int | None) -> None:
        self._progress = progress_bars(remaining=True)
        self._task = self._progress.add_task(what, total=number)
        self._hidden = number == 0

    def __enter__(self) -> Self:
        if not self._hidden:
            self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._progress.stop()

    def advance(self) -> None:
        """Count another one as done."""
        self._progress.advance(self._task)

    def reach(self, done: int, number: int | None = None) -> None:
        """Show so many as done, of a number if it is known only now."""
        self._progress.update(self._task, completed=done, total=number)

"""Automatic replay at a chosen speed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from textual.timer import Timer
from textual.widget import Widget

SPEEDS: Final = (4.0, 2.0, 1.0, 0.5, 0.25)
"""Seconds for each move while the replay runs by itself."""


class Runner:
    """Takes step after step while it runs.

    Args:
        widget: whose timers are used.
        step: goes a move on; returns False where that was the last.
    """

    def __init__(self, widget: Widget, step: Callable[[], bool]) -> None:
        self._widget = widget
        self._step = step
        self._speed = SPEEDS.index(1.0)
        self._timer: Timer | None = None

    @property
    def running(self) -> bool:
        """Whether it runs."""
        return self._timer is not None

    @property
    def seconds(self) -> float:
        """The seconds for each move."""
        return SPEEDS[self._speed]

    def start(self) -> None:
        """Run from now on."""
        self.stop()
        self._timer = self._widget.set_interval(self.seconds, self._run_on)

    def stop(self) -> None:
        """Run no longer."""
        if self._timer:
            self._timer.stop()
            self._timer = None

    def faster(self, by: int) -> None:
        """Change the speed, below 0 to a slower one."""
        self._speed = max(0, min(self._speed + by, len(SPEEDS) - 1))
        if self.running:
            self.start()

    def _run_on(self) -> None:
        if not self._step():
            self.stop()

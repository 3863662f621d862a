"""Going through a replay by itself, and to a turn by its number."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from textual.timer import Timer
from textual.widget import Widget

SPEEDS: Final = (4.0, 2.0, 1.0, 0.5, 0.25)
"""Seconds per move of autoplay."""

_LONGEST: Final = 4
"""Most digits of a turn."""


class Autoplay:
    """Takes a step again and again, at one of several speeds.

    Args:
        widget: has the timer, and ends it when it is removed.
        step: the step.
    """

    def __init__(self, widget: Widget, step: Callable[[], None]) -> None:
        self._widget, self._step = widget, step
        self._timer: Timer | None = None
        self._speed = SPEEDS.index(1.0)

    @property
    def on(self) -> bool:
        """Whether it runs."""
        return self._timer is not None

    @property
    def told(self) -> str:
        """What is said of it, empty while it does not run."""
        seconds = f"{SPEEDS[self._speed]:g} s a move"
        return f"Playing, {seconds}. + and - change the speed." if self.on else ""

    def start(self) -> None:
        """Start it, anew if it runs."""
        self.stop()
        self._timer = self._widget.set_interval(SPEEDS[self._speed], self._step)

    def stop(self) -> None:
        """Stop it."""
        if self._timer:
            self._timer.stop()
            self._timer = None

    def change_speed(self, by: int) -> None:
        """Change the speed by steps, as far as there are any; negative is slower."""
        self._speed = max(0, min(self._speed + by, len(SPEEDS) - 1))
        if self.on:
            self.start()


class Jump:
    """The number of a turn to go to, while it is typed; false without a digit."""

    def __init__(self) -> None:
        self._digits = ""

    def __bool__(self) -> bool:
        return bool(self._digits)

    @property
    def told(self) -> str:
        """What is said of it, empty without a digit."""
        return f"Go to turn {self._digits}: Enter" if self else ""

    def append(self, digit: int) -> None:
        """Append a digit; the last few count."""
        self._digits = f"{self._digits}{digit}"[-_LONGEST:]

    def drop(self) -> None:
        """Take the last digit away."""
        self._digits = self._digits[:-1]

    def take(self) -> int:
        """Return the number, and begin another."""
        turn, self._digits = int(self._digits), ""
        return turn

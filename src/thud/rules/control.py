"""How much time the players have: what a clock is set to, and what is left on it.

All times are whole milliseconds.  Two ways are known: so much for a battle, with something added
after each move of one's own (`"20+10"`), and so much followed by periods, of which one is lost
only by whoever thinks longer than it lasts (`"15/3x30"`, after the byo-yomi of go and shogi).
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from thud.rules.text import quoted

MOST_MINUTES: Final = 600
MOST_SECONDS: Final = 600
MOST_PERIODS: Final = 20

_CONTROL: Final = re.compile(
    r"(?P<minutes>\d{1,3}(\.\d{1,2})?)"
    r"(\+(?P<added>\d{1,3})|/(?P<periods>\d{1,2})x(?P<period>\d{1,3}))?",
    re.ASCII,
)
_MINUTE: Final = 60_000
_SECOND: Final = 1_000


class InvalidControl(ValueError):
    """A text that sets no clock; the message says what one looks like."""


class TimeLeft(NamedTuple):
    """What a player has left: of what runs now, and how many periods follow on it."""

    ms: int
    periods: int = 0

    @property
    def up(self) -> bool:
        """Whether nothing is left."""
        return self.ms <= 0


class Control(NamedTuple):
    """What the clocks of both players are set to at the beginning of each battle."""

    main: int
    """Milliseconds for the battle."""
    added: int = 0
    """Milliseconds that each move of one's own adds."""
    periods: int = 0
    period: int = 0
    """Milliseconds of each of the periods that follow."""

    @property
    def full(self) -> TimeLeft:
        """What each player has at first."""
        return self.spent(TimeLeft(self.main, self.periods), 0)

    def spent(self, left: TimeLeft, used: int) -> TimeLeft:
        """Return what is left of some time after some milliseconds: never below nothing."""
        ms, periods = left.ms - used, left.periods
        while ms <= 0 and periods > 0:
            ms, periods = ms + self.period, periods - 1
        return TimeLeft(max(0, ms), periods)

    def moved(self, left: TimeLeft) -> TimeLeft:
        """Return what a player has after a move at whose end this was left."""
        if left.up:
            return left
        if self.in_period(left):
            return TimeLeft(self.period, left.periods)
        return TimeLeft(left.ms + self.added, left.periods)

    def in_period(self, left: TimeLeft) -> bool:
        """Say whether one of the periods runs, and no longer the time for the battle."""
        return left.periods < self.periods

    def whole(self, left: TimeLeft) -> int:
        """Return all milliseconds until the time is up, with those of the periods that follow."""
        return left.ms + left.periods * self.period

    def __str__(self) -> str:
        """Return the text that `parse_control` reads."""
        minutes = f"{self.main / _MINUTE:g}"
        if self.periods:
            return f"{minutes}/{self.periods}x{self.period // _SECOND}"
        return f"{minutes}+{self.added // _SECOND}" if self.added else minutes


def parse_control(text: str) -> Control:
    """Read what a clock is set to: `"20"`, `"20+10"` or `"15/3x30"`, minutes first, then seconds.

    Raises:
        InvalidControl: it is none, or sets too much or nothing.
    """
    found = _CONTROL.fullmatch(text)
    if not found:
        raise InvalidControl(
            f"{quoted(text)} sets no clock: write 20 for minutes, 20+10 for 10 seconds added after "
            "each move, or 15/3x30 for three periods of 30 seconds"
        )
    added, periods, period = (int(found[name] or 0) for name in ("added", "periods", "period"))
    control = Control(
        round(float(found["minutes"]) * _MINUTE), added * _SECOND, periods, period * _SECOND
    )
    _check(control, with_periods=found["period"] is not None)
    return control


def _check(control: Control, *, with_periods: bool) -> None:
    if control.main > MOST_MINUTES * _MINUTE:
        raise InvalidControl(f"a clock has at most {MOST_MINUTES} minutes")
    if max(control.added, control.period) > MOST_SECONDS * _SECOND:
        raise InvalidControl(f"a move or a period has at most {MOST_SECONDS} seconds")
    if control.periods > MOST_PERIODS:
        raise InvalidControl(f"a clock has at most {MOST_PERIODS} periods")
    if with_periods and not (control.periods and control.period):
        raise InvalidControl("there is at least one period, of at least one second")
    if not (control.main or control.periods):
        raise InvalidControl("a clock has some time to begin with")

"""The clock of a battle: the time control, the time left, whose time runs.

All times are whole milliseconds. Nothing here waits; the time comes from the clock's source. There
are three kinds of time control: main time with an increment after each of one's own moves
(`"20+10"`); main time followed by periods, where only a move longer than a period uses one up
(`"15/3x30"`, after the byo-yomi of go and shogi); and days for each move (`"3d"`), stored as one
such period.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from time import monotonic
from typing import Final, NamedTuple, TypeAlias

from thud.rules.position import Side
from thud.text import quoted

MOST_MINUTES: Final = 600
MOST_SECONDS: Final = 600
MOST_PERIODS: Final = 20
MOST_DAYS: Final = 14

_CONTROL: Final = (
    r"(?a)(?P<minutes>\d{1,3}(\.\d{1,2})?)"
    r"(\+(?P<added>\d{1,3})|/(?P<periods>\d{1,2})x(?P<period>\d{1,3}))?"
)
_DAYS: Final = r"(?a)(\d{1,2})d"
_MINUTE: Final = 60_000
_SECOND: Final = 1_000
_DAY: Final = 24 * 60 * _MINUTE


class InvalidControl(ValueError):
    """An invalid time control; the message shows valid ones."""


class TimeLeft(NamedTuple):
    """A player's time: milliseconds in the current period, and the periods after it."""

    ms: int
    periods: int = 0

    @property
    def up(self) -> bool:
        """Whether no time is left."""
        return self.ms <= 0


class Control(NamedTuple):
    """A time control: main time, then periods or an increment."""

    main: int
    """Main time for the battle, in milliseconds."""
    added: int = 0
    """Increment after each of one's own moves, in milliseconds."""
    periods: int = 0
    period: int = 0
    """Length of each period, in milliseconds."""

    @property
    def full(self) -> TimeLeft:
        """Each player's initial time."""
        return self.spent(TimeLeft(self.main, self.periods), 0)

    def spent(self, left: TimeLeft, used: int) -> TimeLeft:
        """Return the time left after using some milliseconds, at least 0."""
        ms, periods = left.ms - used, left.periods
        while ms <= 0 and periods > 0:
            ms, periods = ms + self.period, periods - 1
        return TimeLeft(max(0, ms), periods)

    def moved(self, left: TimeLeft) -> TimeLeft:
        """Return a player's time after a move, given the time left at its end."""
        if left.up:
            return left
        if self.in_period(left):
            return TimeLeft(self.period, left.periods)
        return TimeLeft(left.ms + self.added, left.periods)

    def in_period(self, left: TimeLeft) -> bool:
        """Whether a period runs, no longer the main time."""
        return left.periods < self.periods

    def total_ms(self, left: TimeLeft) -> int:
        """Return the milliseconds until the time is up, including all further periods."""
        return left.ms + left.periods * self.period

    @property
    def days(self) -> int:
        """Days for each move; 0 for a clock not in days."""
        return self.period // _DAY

    def __str__(self) -> str:
        """Return the text for `parse_control`."""
        if self.days:
            return f"{self.days}d"
        minutes = f"{self.main / _MINUTE:g}"
        if self.periods:
            return f"{minutes}/{self.periods}x{self.period // _SECOND}"
        return f"{minutes}+{self.added // _SECOND}" if self.added else minutes


def parse_control(text: str) -> Control:
    """Parse a time control: `"20"`, `"20+10"`, `"15/3x30"` or `"3d"`.

    Main time is in minutes, increment and periods in seconds; or it is days for each move.

    Raises:
        InvalidControl: it is malformed, or a time is too long or zero.
    """
    if days := re.fullmatch(_DAYS, text):
        return _days(int(days[1]))
    found = re.fullmatch(_CONTROL, text)
    if not found:
        raise InvalidControl(
            f"{quoted(text)} is not a clock: write 20 for minutes, 20+10 for 10 seconds more after "
            "each move, 15/3x30 for three periods of 30 seconds, or 3d for 3 days for each move"
        )
    added, periods, period = (int(found[name] or 0) for name in ("added", "periods", "period"))
    control = Control(
        round(float(found["minutes"]) * _MINUTE), added * _SECOND, periods, period * _SECOND
    )
    _check(control, with_periods=found["period"] is not None)
    return control


def _days(days: int) -> Control:
    if not 1 <= days <= MOST_DAYS:
        raise InvalidControl(f"a clock has 1 to {MOST_DAYS} days for each move")
    return Control(0, 0, 1, days * _DAY)


def _check(control: Control, *, with_periods: bool) -> None:
    if control.main > MOST_MINUTES * _MINUTE:
        raise InvalidControl(f"a clock has at most {MOST_MINUTES} minutes")
    if max(control.added, control.period) > MOST_SECONDS * _SECOND:
        raise InvalidControl(f"a move or a period has at most {MOST_SECONDS} seconds")
    if control.periods > MOST_PERIODS:
        raise InvalidControl(f"a clock has at most {MOST_PERIODS} periods")
    if with_periods and not (control.periods and control.period):
        raise InvalidControl("a clock with periods has at least one, of at least one second")
    if not (control.main or control.periods):
        raise InvalidControl("a clock needs more than 0 minutes to start with")


Source: TypeAlias = Callable[[], float]
"""A monotonic clock, in seconds."""

LONGEST: Final = 2 * (MOST_MINUTES * 60 + MOST_SECONDS * 5000) * 1000
"""Bound on any player's time, in milliseconds."""

_SHARE: Final = 1 / 25
"""Share of the time left that a computer takes for a move."""

_OF_ADDED: Final = 0.8
"""Share of the increment or period that it takes on top."""

_LONGEST_THOUGHT: Final = 60.0
"""Most seconds that it takes with days for a move."""

_LEAST: Final = 0.01
"""Least seconds that it takes, if it has them."""


class Times(NamedTuple):
    """The state of a clock, as an immutable value."""

    dwarfs: TimeLeft
    """Time left to the dwarfs' player when the turn began."""
    trolls: TimeLeft
    turn: Side
    """The side to move."""
    used: int
    """Milliseconds of the turn used so far."""
    running: bool

    def at_turn(self, side: Side) -> TimeLeft:
        """Return a side's time left when the turn began."""
        return self.dwarfs if side is Side.DWARFS else self.trolls

    def left(self, control: Control, side: Side) -> TimeLeft:
        """Return a side's time left."""
        return control.spent(self.at_turn(side), self.used if side is self.turn else 0)


class Clock:
    """The clock of one battle.

    Args:
        control: the time control.
        times: the initial state; None for full time, and dwarfs to move.
        now: the source of time.

    Attributes:
        control: the time control.
    """

    def __init__(
        self, control: Control, times: Times | None = None, now: Source = monotonic
    ) -> None:
        self.control = control
        self._now = now
        self._times = times or Times(control.full, control.full, Side.DWARFS, 0, False)
        self._since = now()

    @property
    def times(self) -> Times:
        """Its current state."""
        if not self._times.running:
            return self._times
        passed = max(0, round((self._now() - self._since) * 1000))
        return self._times._replace(used=self._times.used + passed)

    @property
    def turn(self) -> Side:
        """The side to move, whose time runs if the clock does."""
        return self._times.turn

    @property
    def running(self) -> bool:
        """Whether it runs."""
        return self._times.running

    def left(self, side: Side) -> TimeLeft:
        """Return a side's time left now."""
        return self.times.left(self.control, side)

    def total_ms(self, side: Side) -> int:
        """Return a side's milliseconds left now, including all further periods."""
        return self.control.total_ms(self.left(side))

    @property
    def up(self) -> bool:
        """Whether it runs, and the time of the side to move is up."""
        return self.running and self.left(self.turn).up

    @property
    def seconds_left(self) -> float | None:
        """Seconds until the time of the side to move is up, None while stopped."""
        return self.total_ms(self.turn) / 1000 if self.running else None

    @property
    def after_move(self) -> TimeLeft:
        """Time left to the player to move after moving now.

        A move made while the clock is stopped costs no time, and adds none.
        """
        left = self.left(self.turn)
        return self.control.moved(left) if self.running else left

    def run(self, running: bool = True) -> None:
        """Start, or stop."""
        if running != self.running:
            times, self._since = self.times, self._now()
            self._times = times._replace(running=running)

    def press(self) -> TimeLeft:
        """End the turn, starting the other side's time; return the mover's time left."""
        left, times = self.after_move, self.times
        dwarfs, trolls = (
            left if side is times.turn else times.at_turn(side)
            for side in (Side.DWARFS, Side.TROLLS)
        )
        self.adopt(Times(dwarfs, trolls, times.turn.other, 0, True))
        return left

    def adopt(self, times: Times) -> None:
        """Take over the state of a clock elsewhere."""
        self._times, self._since = times, self._now()


def time_for_move(control: Control, left: TimeLeft) -> float:
    """Return the most seconds that a computer takes for a move, never more than are left."""
    mine = left.ms / 1000
    given = max(control.added, control.period) / 1000
    share = mine * _SHARE + given * _OF_ADDED
    most = _LONGEST_THOUGHT if control.days else mine
    return min(max(min(share, mine * _OF_ADDED, most), _LEAST), mine)

"""The clock of a battle: the control, the time left, whose time runs.

All times are whole milliseconds. Nothing here waits; the time comes from the source that a clock
is given. Three ways of setting one are known: so much for a battle, with something added after each
move of one's own (`"20+10"`); so much followed by periods, of which one is lost only by
whoever thinks longer than it lasts (`"15/3x30"`, after the byo-yomi of go and shogi); and so many
days for each move (`"3d"`), which is one such period.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from time import monotonic
from typing import Any, Final, TypeAlias

from thud.namedtuple import NamedTuple
from thud.rules.position import Side
from thud.rules.text import quoted

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
    """A text that is no time control; the message shows what one looks like."""


class TimeLeft(NamedTuple):
    """A player's time: milliseconds in the current period, and the periods after it."""

    ms: int
    periods: int = 0

    @property
    def up(self) -> bool:
        """Whether nothing is left."""
        return self.ms <= 0


class Control(NamedTuple):
    """A time control: main time, then periods or an increment."""

    main: int
    """Milliseconds for the battle."""
    added: int = 0
    """Milliseconds that each move of one's own adds."""
    periods: int = 0
    period: int = 0
    """Milliseconds of each of the periods that follow."""

    @property
    def full(self) -> TimeLeft:
        """Each player's time at first."""
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

    @property
    def days(self) -> int:
        """Days for each move; 0 for a clock that is not set in days."""
        return self.period // _DAY

    def __str__(self) -> str:
        """Return the text that `parse_control` reads."""
        if self.days:
            return f"{self.days}d"
        minutes = f"{self.main / _MINUTE:g}"
        if self.periods:
            return f"{minutes}/{self.periods}x{self.period // _SECOND}"
        return f"{minutes}+{self.added // _SECOND}" if self.added else minutes


def parse_control(text: str) -> Control:
    """Read what a clock is set to: `"20"`, `"20+10"`, `"15/3x30"` or `"3d"`.

    Minutes come first, then seconds; or it is days for each move.

    Raises:
        InvalidControl: it is none, or sets too much or nothing.
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
        raise InvalidControl("a clock starts with some time")


Source: TypeAlias = Callable[[], float]
"""Returns seconds that never go back, from any moment on."""

LONGEST: Final = 2 * (MOST_MINUTES * 60 + MOST_SECONDS * 5000) * 1000
"""No time that a player can have has more milliseconds."""

_SHARE: Final = 1 / 25
"""The part of what is left that a computer takes for a move."""

_OF_ADDED: Final = 0.8
"""The part of what the move adds, or what the period gives, that it takes besides."""

_LONGEST_THOUGHT: Final = 60.0
"""Seconds that it takes at most where there are days for a move."""

_LEAST: Final = 0.01
"""Seconds that it takes at least, if it has them."""


class InvalidTimes(ValueError):
    """Clock times from elsewhere that are impossible."""


class Times(NamedTuple):
    """The state of a clock, as a value to be sent."""

    dwarfs: TimeLeft
    """Time left to the dwarfs' player when the turn began."""
    trolls: TimeLeft
    turn: Side
    """The side to move."""
    used: int = 0
    """Milliseconds of the turn that have been used."""
    running: bool = False

    def at_turn(self, side: Side) -> TimeLeft:
        """Return what a side had left when the turn began."""
        return self.dwarfs if side is Side.DWARFS else self.trolls

    def left(self, control: Control, side: Side) -> TimeLeft:
        """Return what a side has left."""
        return control.spent(self.at_turn(side), self.used if side is self.turn else 0)

    def as_json(self) -> dict[str, Any]:
        """Return it as a value that JSON writes; times are whole milliseconds."""
        return {
            "dwarfs": list(self.dwarfs),
            "trolls": list(self.trolls),
            "turn": self.turn.plural,
            "used": self.used,
            "running": self.running,
        }

    @classmethod
    def from_json(cls, value: object) -> Times:
        """Read what `as_json` writes, from anybody.

        Raises:
            InvalidTimes: it is something else.
        """
        if not isinstance(value, Mapping):
            raise InvalidTimes("the times of a clock are an object")
        turn = next((side for side in Side if side.plural == value.get("turn")), None)
        running = value.get("running")
        if turn is None or not isinstance(running, bool):
            raise InvalidTimes("a clock says whose turn it is, and whether it runs")
        dwarfs, trolls = left_from_json(value.get("dwarfs")), left_from_json(value.get("trolls"))
        return cls(dwarfs, trolls, turn, _whole(value.get("used"), LONGEST), running)


def left_from_json(value: object) -> TimeLeft:
    """Read what one player has left, from anybody: a list of milliseconds and periods.

    Raises:
        InvalidTimes: it is something else.
    """
    if not isinstance(value, list | tuple) or len(value) != 2:
        raise InvalidTimes("what is left is milliseconds, and a number of periods")
    return TimeLeft(_whole(value[0], LONGEST), _whole(value[1], MOST_PERIODS))


def _whole(value: object, most: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= most:
        raise InvalidTimes(f"a time of a clock is a whole number from 0 to {most}")
    return value


class Clock:
    """The clock of one battle.

    Args:
        control: what it is set to.
        times: how it stands; without them nothing is used, and the dwarfs are to move.
        now: the source of time.

    Attributes:
        control: what it is set to.
    """

    def __init__(
        self, control: Control, times: Times | None = None, now: Source = monotonic
    ) -> None:
        self.control = control
        self._now = now
        self._times = times or Times(control.full, control.full, Side.DWARFS)
        self._since = now()

    @property
    def times(self) -> Times:
        """Its state now."""
        if not self._times.running:
            return self._times
        passed = max(0, round((self._now() - self._since) * 1000))
        return self._times._replace(used=self._times.used + passed)

    @property
    def turn(self) -> Side:
        """The side to move, whose time runs if any does."""
        return self._times.turn

    @property
    def running(self) -> bool:
        """Whether it runs."""
        return self._times.running

    def left(self, side: Side) -> TimeLeft:
        """Return what a side has left now."""
        return self.times.left(self.control, side)

    def whole(self, side: Side) -> int:
        """Return all milliseconds that a side has left now, with those of periods that follow."""
        return self.control.whole(self.left(side))

    @property
    def up(self) -> bool:
        """Whether it runs, and the time of the player to move is up."""
        return self.running and self.left(self.turn).up

    @property
    def falls_in(self) -> float | None:
        """Seconds until the time of the player to move is up, None while it stands still."""
        return self.whole(self.turn) / 1000 if self.running else None

    @property
    def after_move(self) -> TimeLeft:
        """Time left to the player to move if they move now.

        A move that is made while it stands still costs nothing, and adds nothing.
        """
        left = self.left(self.turn)
        return self.control.moved(left) if self.running else left

    def run(self, running: bool = True) -> None:
        """Run, or stand still."""
        if running != self.running:
            times, self._since = self.times, self._now()
            self._times = times._replace(running=running)

    def press(self) -> TimeLeft:
        """End the turn of the player to move: the other's time runs; return what is left."""
        left, times = self.after_move, self.times
        dwarfs, trolls = (
            left if side is times.turn else times.at_turn(side)
            for side in (Side.DWARFS, Side.TROLLS)
        )
        self.adopt(Times(dwarfs, trolls, times.turn.other, running=True))
        return left

    def adopt(self, times: Times) -> None:
        """Stand, or run, as a clock elsewhere did a moment ago."""
        self._times, self._since = times, self._now()


def time_for_move(control: Control, left: TimeLeft) -> float:
    """Return the seconds that a computer takes for a move at most: never more than are left."""
    mine = left.ms / 1000
    given = max(control.added, control.period) / 1000
    share = mine * _SHARE + given * _OF_ADDED
    most = _LONGEST_THOUGHT if control.days else mine
    return min(max(min(share, mine * _OF_ADDED, most), _LEAST), mine)

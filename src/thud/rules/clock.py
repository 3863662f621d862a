"""The clock of a battle: what both players have left, and whose time runs.

Nothing here waits, and nothing is asked for the time but the source that a clock is given.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from time import monotonic
from typing import Any, Final, NamedTuple, TypeAlias

from thud.rules.battle import Battle
from thud.rules.control import MOST_MINUTES, MOST_PERIODS, MOST_SECONDS, Control, TimeLeft
from thud.rules.position import Side

Source: TypeAlias = Callable[[], float]
"""Returns seconds that never go back, from any moment on."""

LONGEST: Final = 2 * (MOST_MINUTES * 60 + MOST_SECONDS * 5000) * 1000
"""No time that a player can have has more milliseconds."""

_SHARE: Final = 1 / 25
"""The part of what is left that a computer takes for a move."""

_OF_ADDED: Final = 0.8
"""The part of what the move adds, or what the period gives, that it takes besides."""

_LEAST: Final = 0.01
"""So many seconds it takes at least, if it has them."""


class InvalidTimes(ValueError):
    """Clock times from elsewhere that cannot be read."""


class Times(NamedTuple):
    """How the clock of a battle stands: a value that can be sent and taken up elsewhere."""

    dwarfs: TimeLeft
    """What the dwarfs' player had left when the turn began."""
    trolls: TimeLeft
    turn: Side
    """Who is to move."""
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


def times_of(battle: Battle, control: Control) -> Times:
    """Return how the clock of a battle stands by what was left after its moves; it is at rest."""
    left = dict.fromkeys(Side, control.full)
    for position, after in zip(battle.positions, battle.left, strict=False):
        left[position.to_move] = left[position.to_move] if after is None else after
    turn = battle.position.to_move
    if battle.timed_out:
        left[turn] = TimeLeft(0)
    return Times(left[Side.DWARFS], left[Side.TROLLS], turn, battle.used)


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
        """How it stands now."""
        if not self._times.running:
            return self._times
        passed = max(0, round((self._now() - self._since) * 1000))
        return self._times._replace(used=self._times.used + passed)

    @property
    def turn(self) -> Side:
        """Who is to move: whose time runs, if it runs."""
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
        """What the player to move has left if the move is made now.

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
    return min(max(min(share, mine * _OF_ADDED), _LEAST), mine)

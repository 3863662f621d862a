"""Keeps a session's clock in step with its match, and tells when time is up.

The clock runs for the player to move from the first move of a battle on.  It stands still while the
players are asked whether they leave, while computers that play alone are paused, while one has
failed, and while somebody at another place is waited for; whatever else people look at costs their
time.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from time import monotonic
from typing import Final

from thud.rules.battle import Battle
from thud.rules.clock import Clock, Control, Source, Times
from thud.rules.position import Side
from thud.session.events import ClockRuns, RunningOut
from thud.session.situation import Situation

LOW: Final = 30_000
"""Milliseconds left at which a player is warned, or a quarter of all where that is less."""

_LOOK: Final = 5.0
"""Seconds of one sleep at most: the machine may have slept meanwhile, too."""


class Timekeeper:
    """Keeps the clock of one session.

    Args:
        situation: the session.

    Attributes:
        now: the source of time.
    """

    def __init__(self, situation: Situation) -> None:
        self._situation = situation
        self.now: Source = monotonic
        self._known: tuple[Battle, int, Control] | None = None
        self._warned: tuple[Battle, set[Side]] | None = None
        self._over = False
        self._changed = asyncio.Event()

    def look(self) -> None:
        """Set the clock to the battle's state, running or stopped."""
        situation, control = self._situation, self._situation.match.control
        if control is None:
            situation.clock = self._known = None
        else:
            self._follow(control)
        self._changed.set()

    def _follow(self, control: Control) -> None:
        battle = self._situation.battle
        known = battle, battle.played, control
        clock = self._situation.clock
        # What has been used of a turn is known to nobody else.
        if clock is None or self._known != known:
            clock = self._situation.clock = Clock(control, battle.times(control), self.now)
            self._known = known
            clock.run(self._situation.clock_runs)
        elif clock.running is not (runs := self._situation.clock_runs):
            clock.run(runs)
            self._tell(clock)
        self._over = battle.outcome is not None

    def _tell(self, clock: Clock) -> None:
        """Tell that the clock runs on or stands still, unless that is by an end of the battle."""
        if not (self._over or self._situation.battle.outcome):
            self._situation.tell(ClockRuns(clock.running))

    def adopt(self, times: Times | None) -> None:
        """Set the clock, if there is one, to another's state of a moment ago, and run on."""
        self._adopt(times)
        self.look()
        # Another turn has another clock by now.
        self._adopt(times)

    def _adopt(self, times: Times | None) -> None:
        clock = self._situation.clock
        if times and clock:
            clock.adopt(times._replace(running=clock.running))

    @property
    def up(self) -> bool:
        """Whether the time of the player to move is up, and the battle has not ended yet."""
        return self._situation.clock is not None and self._situation.clock.up

    async def changed(self) -> None:
        """Wait until the clock has been looked at because something has changed."""
        self._changed.clear()
        await self._changed.wait()

    async def fall(self) -> None:
        """Wait until the time of the player to move is up, and warn players before theirs is."""
        while not self.up:
            self._changed.clear()
            self._warn()
            with suppress(TimeoutError):
                await asyncio.wait_for(self._changed.wait(), self._nap)

    @property
    def _nap(self) -> float | None:
        """Seconds until something happens, None if nothing will before a change."""
        clock = self._situation.clock
        if clock is None or clock.falls_in is None:
            return None
        warning = (clock.whole(clock.turn) - _low(clock)) / 1000
        return min(_LOOK, clock.falls_in, warning if warning > 0 else _LOOK)

    def _warn(self) -> None:
        clock, battle = self._situation.clock, self._situation.battle
        if clock is None or not clock.running or clock.whole(clock.turn) > _low(clock):
            return
        if self._warned is None or self._warned[0] is not battle:
            self._warned = battle, set()
        if clock.turn not in self._warned[1]:
            self._warned[1].add(clock.turn)
            self._situation.tell(RunningOut(clock.turn))

    def put_down(self) -> bool:
        """Note in the battle what was used of the turn; return False if that is nothing."""
        clock, battle = self._situation.clock, self._situation.battle
        if clock is None or battle.outcome or not battle.played:
            return False
        battle.used = clock.times.used
        return battle.used > 0


def _low(clock: Clock) -> int:
    return min(LOW, clock.control.whole(clock.control.full) // 4)

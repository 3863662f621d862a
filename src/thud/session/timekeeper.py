"""Keeps a session's clock in step with its match, and notices when time is up.

The clock runs for the player to move, after a battle's first move.  It is stopped while the players
are asked whether to leave, while computers that play each other are paused, while an engine has
failed, and while a remote player is awaited; anything else costs the player's time.
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
from thud.session.state import SessionState

LOW: Final = 30_000
"""Milliseconds left at which a player is warned; at most a quarter of the full time."""

_LONGEST_SLEEP: Final = 5.0
"""Longest sleep in seconds: the machine may be suspended meanwhile."""


class Timekeeper:
    """Keeps the clock of one session.

    Args:
        session: the session.

    Attributes:
        now: the source of time.
    """

    def __init__(self, session: SessionState) -> None:
        self._session = session
        self.now: Source = monotonic
        self._known: tuple[Battle, int, Control] | None = None
        self._warned: tuple[Battle, set[Side]] | None = None
        self._over = False
        self._changed = asyncio.Event()

    def sync(self) -> None:
        """Bring the clock in step with the battle, running or stopped."""
        session, battle, control = self._session, self._session.battle, self._session.match.control
        clock = session.clock
        if control is None:
            session.clock = self._known = None
        # Keep a clock of the same turn: only it knows the time used in that.
        elif clock is None or self._known != (battle, battle.played, control):
            self._known = battle, battle.played, control
            session.clock = Clock(control, battle.times(control), self.now)
            session.clock.run(session.clock_runs)
        elif clock.running is not (runs := session.clock_runs):
            clock.run(runs)
            if not (self._over or battle.outcome):  # at the end of a battle it goes without saying
                session.emit(ClockRuns(clock.running))
        self._over = battle.outcome is not None
        self._changed.set()

    def adopt(self, times: Times | None) -> None:
        """Set the clock, if any, to the host's times, and let it run."""
        self._adopt(times)
        self.sync()
        # In another turn, `sync` has replaced the clock.
        self._adopt(times)

    def _adopt(self, times: Times | None) -> None:
        clock = self._session.clock
        if times and clock:
            clock.adopt(times._replace(running=clock.running))

    @property
    def up(self) -> bool:
        """Whether the player to move is out of time, and the battle has not ended yet."""
        return self._session.clock is not None and self._session.clock.up

    async def changed(self) -> None:
        """Wait for the next `sync`."""
        self._changed.clear()
        await self._changed.wait()

    async def wait_until_up(self) -> None:
        """Wait until the player to move is out of time, warning them before."""
        while not self.up:
            self._changed.clear()
            self._warn()
            with suppress(TimeoutError):
                await asyncio.wait_for(self._changed.wait(), self._nap)

    @property
    def _nap(self) -> float | None:
        """Seconds until something is due, None if nothing is before a change."""
        clock = self._session.clock
        if clock is None or clock.seconds_left is None:
            return None
        warning = (clock.total_ms(clock.turn) - _low(clock)) / 1000
        return min(_LONGEST_SLEEP, clock.seconds_left, warning if warning > 0 else _LONGEST_SLEEP)

    def _warn(self) -> None:
        clock, battle = self._session.clock, self._session.battle
        if clock is None or not clock.running or clock.total_ms(clock.turn) > _low(clock):
            return
        if self._warned is None or self._warned[0] is not battle:
            self._warned = battle, set()
        if clock.turn not in self._warned[1]:
            self._warned[1].add(clock.turn)
            self._session.emit(RunningOut(clock.turn))

    def store_time_used(self) -> bool:
        """Store the time used in the current turn in the battle; return False if it is none."""
        clock, battle = self._session.clock, self._session.battle
        if clock is None or battle.outcome or not battle.played:
            return False
        battle.used = clock.times.used
        return battle.used > 0


def _low(clock: Clock) -> int:
    return min(LOW, clock.control.total_ms(clock.control.full) // 4)

"""The clock of a match that is played elsewhere: its host counts, and here it is shown."""

from __future__ import annotations

from thud.rules.clock import Times
from thud.session.timekeeper import Timekeeper


class RemoteClock(Timekeeper):
    """Lets the clock stand as it is told, and run on from there; it ends no battle.

    When a time is up here, that is the host's to say.
    """

    _told = False
    """Whether the clock runs, by what was told last."""

    def follow(self, times: Times | None) -> None:
        """Let the clock, if there is one, stand or run as the host's did a moment ago."""
        self._told = times is not None and times.running
        self._adopt(times)
        self.look()
        # Another turn has another clock by now.
        self._adopt(times)

    def _adopt(self, times: Times | None) -> None:
        clock = self._situation.clock
        if times and clock:
            clock.adopt(times._replace(running=clock.running))

    def stop(self) -> None:
        """Let it stand still until something is told again."""
        self._told = False
        self.look()

    @property
    def _runs(self) -> bool:
        return self._told and not (self._situation.left or self._situation.battle.outcome)

    @property
    def up(self) -> bool:
        """Whether a time is up by the word of this clock: never."""
        return False

    @property
    def _nap(self) -> float | None:
        clock = self._situation.clock
        return None if clock is None or clock.up else super()._nap

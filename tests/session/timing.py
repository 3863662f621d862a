"""Time that passes when it is told to."""

from __future__ import annotations

from thud.session.session import Session


class Hourglass:
    """A source of time."""

    def __init__(self) -> None:
        self._ms = 0

    def __call__(self) -> float:
        return self._ms / 1000

    def pass_ms(self, ms: int) -> None:
        """Let time pass."""
        self._ms += ms

    def put_at(self, session: Session) -> Hourglass:
        """Let the clock of a session run by this one from now on."""
        session.timekeeper.now = self
        session.clock = None
        session.timekeeper.look()
        return self

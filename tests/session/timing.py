"""A time source for clocks that only tests advance."""

from __future__ import annotations

import pytest

from thud.session.session import Session


class ManualClock:
    """A manual time source, in place of `monotonic`."""

    def __init__(self) -> None:
        self._ms = 0

    def __call__(self) -> float:
        return self._ms / 1000

    def pass_ms(self, ms: int) -> None:
        """Advance the time."""
        self._ms += ms

    def put_everywhere(self, monkeypatch: pytest.MonkeyPatch) -> ManualClock:
        """Make this the time source of all clocks and absences that begin from now on."""
        for name in ("participants", "state", "view"):
            monkeypatch.setattr(f"thud.session.{name}.monotonic", self)
        return self

    def put_at(self, session: Session) -> ManualClock:
        """Make this the time source of a session's clock."""
        session.timekeeper.now = self
        session.state.clock = None
        session.timekeeper.sync()
        return self

"""Fixtures: a meeting for each test, clocks and timeouts."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from net.meeting import Meeting
from session.timing import ManualClock


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lift the timeouts, for slow machines."""
    for name in (
        "host.HELLO_SECONDS",
        "host_connection.HELLO_SECONDS",
        "host_connection.ANSWER_SECONDS",
    ):
        monkeypatch.setattr(f"thud.net.{name}", 3600.0)
    # Connections break more often in tests than anywhere else.
    monkeypatch.setattr("thud.net.host.ARRIVALS", 10**6)


@pytest.fixture
def glass(monkeypatch: pytest.MonkeyPatch) -> ManualClock:
    """Replace the time source of clocks and absences by one that tests advance."""
    return ManualClock().put_everywhere(monkeypatch)


@pytest_asyncio.fixture
async def meeting(tmp_path: Path) -> AsyncIterator[Meeting]:
    meeting = Meeting(tmp_path)
    yield meeting
    await meeting.close()


@pytest.fixture
def mended_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make guests reconnect without delay when their connection breaks."""
    monkeypatch.setattr("thud.net.host_connection.PAUSES", (0.0,))

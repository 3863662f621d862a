"""A meeting for each test that asks for one."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from net.meeting import Meeting
from session.timing import Hourglass


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let nobody be late on a slow machine."""
    for name in (
        "host.HELLO_SECONDS",
        "host_connection.HELLO_SECONDS",
        "host_connection.ANSWER_SECONDS",
    ):
        monkeypatch.setattr(f"thud.net.{name}", 3600.0)
    # Lines break more often in tests than anywhere.
    monkeypatch.setattr("thud.net.host.ARRIVALS", 10**6)


@pytest.fixture
def glass(monkeypatch: pytest.MonkeyPatch) -> Hourglass:
    """Return the time of all clocks, everywhere; it passes when it is told to."""
    glass = Hourglass()
    monkeypatch.setattr("thud.session.timekeeper.monotonic", glass)
    return glass


@pytest_asyncio.fixture
async def meeting(tmp_path: Path) -> AsyncIterator[Meeting]:
    meeting = Meeting(tmp_path)
    yield meeting
    await meeting.close()


@pytest.fixture
def mended_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have a guest come back without a pause when its line breaks."""
    monkeypatch.setattr("thud.net.host_connection.PAUSES", (0.0,))

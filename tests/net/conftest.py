"""A meeting for each test that asks for one."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from net.meeting import Meeting


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let nobody be late on a slow machine."""
    for name in ("host.HELLO_SECONDS", "calling.HELLO_SECONDS", "line.ANSWER_SECONDS"):
        monkeypatch.setattr(f"thud.net.{name}", 3600.0)


@pytest_asyncio.fixture
async def meeting(tmp_path: Path) -> AsyncIterator[Meeting]:
    meeting = Meeting(tmp_path)
    yield meeting
    await meeting.close()

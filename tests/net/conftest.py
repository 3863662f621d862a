"""A meeting for each test that asks for one."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest_asyncio

from net.meeting import Meeting


@pytest_asyncio.fixture
async def meeting(tmp_path: Path) -> AsyncIterator[Meeting]:
    meeting = Meeting(tmp_path)
    yield meeting
    await meeting.close()

"""Gives every test its own directory for open matches, instead of the user's; opens one there."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from net.sshd import sshd
from net.transports.serving import ABOUT, Echo
from thud.net.transports import local
from thud.net.transports.local import OpenListing

__all__ = ["sshd"]


@pytest.fixture(autouse=True)
def meeting_place(tmp_path: Path, short_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the directory of open matches; it is created with the first match."""
    place = short_path / "run"
    monkeypatch.setenv("THUD_RUN_DIR", str(place))
    monkeypatch.setenv("THUD_DATA_DIR", str(tmp_path / "data"))
    return place


@pytest_asyncio.fixture
async def opened() -> AsyncIterator[OpenListing]:
    """Open a match at the remote end, which is this machine."""
    match = await local.listen("m1", ABOUT, Echo())
    yield match
    await match.close()

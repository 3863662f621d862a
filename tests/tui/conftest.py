"""Runs every test as in a truecolor terminal, and keeps notifications."""

from pathlib import Path

import pytest
from textual import constants
from textual.notifications import Notification


@pytest.fixture(autouse=True)
def all_colours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(constants, "COLOR_SYSTEM", "truecolor")


@pytest.fixture(autouse=True)
def notifications_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    """Never expire notifications during a test, however busy the machine is."""
    monkeypatch.setattr(Notification, "has_expired", False)


@pytest.fixture(autouse=True)
def own_data(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Keep what a test saves, such as answers and places, from all others."""
    monkeypatch.setenv("THUD_DATA_DIR", str(tmp_path / "data"))

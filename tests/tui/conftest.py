"""Runs every test as in a truecolor terminal, and keeps notifications."""

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

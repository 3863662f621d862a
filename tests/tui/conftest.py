"""Lets every test run as on a terminal with all colours, and keeps what is notified."""

import pytest
from textual import constants
from textual.notifications import Notification


@pytest.fixture(autouse=True)
def all_colours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(constants, "COLOR_SYSTEM", "truecolor")


@pytest.fixture(autouse=True)
def notifications_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep notifications for as long as a test takes, on a busy machine too."""
    monkeypatch.setattr(Notification, "has_expired", False)

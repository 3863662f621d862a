"""Lets every test run as on a terminal with all colours, whatever the one it is started from."""

import pytest
from textual import constants


@pytest.fixture(autouse=True)
def all_colours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(constants, "COLOR_SYSTEM", "truecolor")

"""Gives every test its own directory for open matches, instead of the user's."""

from pathlib import Path

import pytest

from net.sshd import sshd

__all__ = ["sshd"]


@pytest.fixture(autouse=True)
def meeting_place(tmp_path: Path, short_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the directory of open matches; it is created with the first match."""
    place = short_path / "run"
    monkeypatch.setenv("THUD_RUN_DIR", str(place))
    monkeypatch.setenv("THUD_DATA_DIR", str(tmp_path / "data"))
    return place

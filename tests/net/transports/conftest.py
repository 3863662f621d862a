"""A meeting place of its own for every test, in place of this user's."""

from pathlib import Path

import pytest

from net.sshd import sshd

__all__ = ["sshd"]


@pytest.fixture(autouse=True)
def meeting_place(tmp_path: Path, short_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return where matches are open: the directory is made when the first is."""
    place = short_path / "run"
    monkeypatch.setenv("THUD_RUN_DIR", str(place))
    monkeypatch.setenv("THUD_DATA_DIR", str(tmp_path / "data"))
    return place

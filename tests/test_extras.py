"""Error messages for missing extras."""

import sys
from importlib.metadata import PathDistribution
from pathlib import Path

import pytest

from thud.extras import how_to_get


def test_in_the_single_file_nothing_can_be_added(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert how_to_get("serve") == (
        "this single file does not have it: install Thud from source as '.[serve]'"
    )


def test_what_was_installed_by_its_name_is_installed_so_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("thud.extras.distribution", lambda _: PathDistribution(tmp_path))
    by_name = "install Thud as 'thud-game[serve]' instead of 'thud-game'"
    assert how_to_get("serve") == by_name
    (tmp_path / "direct_url.json").write_text('{"url": "file:///home/ann/thud"}')
    assert how_to_get("serve") == "install Thud as '.[serve]' instead of '.'"

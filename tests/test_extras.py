"""Error messages for missing extras."""

import sys

import pytest

from thud.extras import how_to_get


def test_in_the_single_file_nothing_can_be_added(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert how_to_get("serve") == (
        "this single file does not have it: install Thud from source as '.[serve]'"
    )

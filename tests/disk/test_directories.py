"""The directory where running programs find each other, in any environment."""

import os
from pathlib import Path

import pytest

from thud.disk.directories import run_directories

only_unix = pytest.mark.skipif(not hasattr(os, "getuid"), reason="users have no numbers here")


def test_there_is_one_place_where_it_is_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("THUD_RUN_DIR", "~/thud")
    assert run_directories() == (Path.home() / "thud",)


@only_unix
def test_the_system_s_place_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("THUD_RUN_DIR", raising=False)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    monkeypatch.setattr("tempfile.gettempdir", lambda: str(tmp_path / "temporary"))
    found = run_directories()
    assert found[0] == tmp_path / "thud"
    monkeypatch.delenv("XDG_RUNTIME_DIR")
    assert run_directories() == found[1:]
    assert found[1:][-3] == tmp_path / "temporary" / f"thud-{os.getuid()}"


@only_unix
@pytest.mark.parametrize("told", ["", "here", "/no/such/place"])
def test_a_place_that_is_none_is_passed_over(told: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("THUD_RUN_DIR", raising=False)
    monkeypatch.delenv("XDG_RUNTIME_DIR", raising=False)
    without = run_directories()
    monkeypatch.setenv("XDG_RUNTIME_DIR", told)
    assert run_directories() == without
    assert all(each.is_absolute() for each in without)

"""The directory where running programs find each other, in any environment."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from thud.disk.directories import SETTINGS_VARIABLE, data_directory, run_directories
from thud.settings.file import settings_path

only_unix = pytest.mark.skipif(not hasattr(os, "getuid"), reason="users have no numbers here")


CHOSEN: dict[str, Callable[[], Path]] = {
    "THUD_DATA_DIR": data_directory,
    "THUD_RUN_DIR": lambda: run_directories()[0],
    SETTINGS_VARIABLE: lambda: settings_path().parent,
}


@pytest.mark.parametrize(("variable", "found"), CHOSEN.items(), ids=CHOSEN)
def test_each_directory_can_be_chosen(
    variable: str, found: Callable[[], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(variable, "~/here")
    assert found() == Path.home() / "here"
    monkeypatch.delenv(variable)
    assert found().name.startswith("thud")


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

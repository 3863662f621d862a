"""Which search is used: a matching compiled core if installed, else the Python, and why."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from thud import __version__
from thud.ai import core
from thud.records.store import Store
from thud.rules.match import Match
from thud.rules.variants import VARIANTS
from thud.session.session import Session
from thud.tui.app import ThudApp
from thud.tui.deployment import HOME, WEB, Deployment
from thud.tui.start import Play
from waiting import until

ROOT = Path(__file__).parents[2]
LOADED = "from thud.cli.main import main; main({}); import sys; print('thud_core' in sys.modules)"
SEARCHED = """
import sys
from thud.ai.games import searcher_for
from thud.ai.player import Limits
from thud.rules.variants import VARIANTS

variant = VARIANTS["{}"]
searcher_for(variant, 1).search([variant.start], Limits(nodes=10))
print("thud.ai.valley.moves" in sys.modules)
"""
PACKAGE = (ROOT / "core/python/thud_core/__init__.py").read_text(encoding="utf-8")
ELF = b"\x7fELF\x02\x01\x01".ljust(54, b"\0")


@pytest.fixture(autouse=True)
def fresh(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Clear the cached core before and after each test."""
    monkeypatch.delenv(core.VARIABLE, raising=False)
    core._found.cache_clear()
    yield
    core._found.cache_clear()


@pytest.fixture
def nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Simulate that no core is installed."""
    monkeypatch.setitem(sys.modules, "thud_core", None)


def there_is(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Use a file as the core's library."""
    module = ModuleType("thud_core")
    vars(module).update(LIBRARY=path)
    monkeypatch.setitem(sys.modules, "thud_core", module)


@pytest.mark.usefixtures("nothing")
def test_where_there_is_none_the_python_plays_and_nobody_is_warned(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert core.compiled() is None
    core.warn()
    assert capsys.readouterr() == ("", "")
    added = "'pip install ./core' in a copy of the source adds the compiled core"
    assert core.told() == f"Python search; {added}"


@pytest.mark.usefixtures("nothing")
def test_one_that_is_required_has_to_be_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(core.VARIABLE, "required")
    with pytest.raises(ValueError, match="THUD_CORE is 'required', and there is only the Python"):
        core.compiled()
    assert core.told().startswith("THUD_CORE is 'required'")


@pytest.mark.parametrize("word", ["on", "OFF", "required ", "1"])
def test_another_word_is_refused(word: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(core.VARIABLE, word)
    with pytest.raises(ValueError, match="THUD_CORE is 'off', 'required' or not set, not"):
        core.compiled()


def test_nothing_is_looked_for_where_it_is_off(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    there_is(tmp_path / "none", monkeypatch)
    monkeypatch.setenv(core.VARIABLE, "off")
    assert core.compiled() is None
    assert core.told() == "Python search, because of THUD_CORE=off"


NO_LIBRARIES = {
    "missing": None,
    "empty": b"",
    "text": b"What would a library be?\n",
    "the beginning of one": ELF,
    "one without its end": ELF[:32] + bytes([64, *[0] * 21, 56, 0, 9, 0]) + bytes(100),
    "one that is larger than its file": ELF[:32]
    + bytes([64, *[0] * 21, 56, 0, 1, 0, *[0] * 6, 1, *[0] * 33, 1])
    + bytes(100),
}


@pytest.mark.parametrize("data", NO_LIBRARIES.values(), ids=NO_LIBRARIES)
def test_what_is_no_library_is_not_used_and_that_is_said_in_one_line(
    data: bytes | None,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    path = tmp_path / "libthud_core.so"
    if data is not None:
        path.write_bytes(data)
    there_is(path, monkeypatch)
    assert core.compiled() is None
    core.warn()
    told = capfd.readouterr().err
    assert told.count("\n") == 1
    assert told.startswith("thud: using the Python search; the compiled core cannot be loaded: ")
    monkeypatch.setenv(core.VARIABLE, "required")
    with pytest.raises(ValueError, match="cannot be loaded"):
        core.compiled()


def test_a_library_of_something_else_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    import _ctypes

    there_is(Path(_ctypes.__file__), monkeypatch)
    assert core.compiled() is None
    assert "the compiled core cannot be loaded" in core.told()


def test_one_of_another_version_is_not_used(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    if not core.compiled():
        pytest.skip(f"there is no core here: {core.told()}")
    core._found.cache_clear()
    monkeypatch.setattr(core, "__version__", "9.9.9")
    assert core.compiled() is None
    core.warn()
    said = f"the compiled core is version {__version__}, not 9.9.9"
    assert capsys.readouterr().err == f"thud: using the Python search; {said}\n"


def test_a_library_that_is_cut_off_anywhere_does_not_end_the_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not core.compiled():
        pytest.skip(f"there is no core here: {core.told()}")
    from thud_core import LIBRARY

    whole = LIBRARY.read_bytes()
    script = "from thud.ai.core import told; print(told())"
    package = tmp_path / "thud_core"
    package.mkdir()
    (package / "__init__.py").write_text(PACKAGE, encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    for part in 0.1, 0.5, 0.8:
        (package / LIBRARY.name).write_bytes(whole[: int(part * len(whole))])
        command = [sys.executable, "-c", script]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (0, "")
        assert "the compiled core cannot be loaded" in done.stdout


@pytest.mark.parametrize(
    "arguments", ["perft 2", "engine", "arena cpu:1 cpu:1 --variant football --matches 1"]
)
def test_commands_that_search_or_count_say_once_that_it_cannot_be_used(
    arguments: str, tmp_path: Path
) -> None:
    (tmp_path / "thud_core.py").write_text("from pathlib import Path\nLIBRARY = Path('none')\n")
    done = subprocess.run(
        [sys.executable, "-m", "thud", *arguments.split()],
        env={**os.environ, "PYTHONPATH": str(tmp_path), "THUD_DATA_DIR": str(tmp_path)},
        input="quit\n",
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr.count("\n") == done.stderr.count("thud: using the Python search") == 1


@pytest.mark.parametrize(
    ("arguments", "loads"),
    [("show", False), ("rules --plain", False), ("moves", False), ("perft 2", True)],
)
def test_only_commands_that_search_or_count_load_it(
    arguments: str, loads: bool, tmp_path: Path
) -> None:
    (tmp_path / "thud_core.py").write_text("from pathlib import Path\nLIBRARY = Path('none')\n")
    done = subprocess.run(
        [sys.executable, "-c", LOADED.format(arguments.split())],
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.endswith(f"{loads}\n")


@pytest.mark.parametrize(("name", "loads"), [("classic", False), ("koom", True)])
def test_only_a_game_of_the_valley_loads_its_tables(name: str, loads: bool) -> None:
    if not core.compiled():
        pytest.skip(f"there is no core here: {core.told()}")
    done = subprocess.run(
        [sys.executable, "-c", SEARCHED.format(name)], capture_output=True, text=True, check=True
    )
    assert done.stdout == f"{loads}\n"


def test_an_engine_that_has_to_have_one_says_what_is_wrong_and_ends(tmp_path: Path) -> None:
    (tmp_path / "thud_core.py").write_text("from pathlib import Path\nLIBRARY = Path('none')\n")
    told = "the compiled core cannot be loaded"
    for wanted, status, answer in ("", 0, "uciok"), ("required", 2, ""):
        done = subprocess.run(
            [sys.executable, "-m", "thud", "engine"],
            env={**os.environ, "PYTHONPATH": str(tmp_path), "THUD_CORE": wanted},
            input="uci\n",
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == status
        assert done.stdout.endswith(answer and f"{answer}\n")
        assert told in done.stderr
        assert done.stderr.count("\n") == 1


def test_play_in_lines_says_once_that_one_cannot_be_used(tmp_path: Path) -> None:
    (tmp_path / "thud_core.py").write_text("from pathlib import Path\nLIBRARY = Path('none')\n")
    folders = {f"THUD_{kind}_DIR": str(tmp_path / kind) for kind in ("DATA", "CONFIG")}
    for wanted, told in (
        ("", "Using the Python search; the compiled core cannot be loaded: "),
        ("required", "THUD_CORE is 'required', and there is only the Python search; "),
        ("off", ""),
    ):
        done = subprocess.run(
            [sys.executable, "-m", "thud", "play", "--plain", "--names", "Ann", "Bob"],
            env={**os.environ, **folders, "PYTHONPATH": str(tmp_path), "THUD_CORE": wanted},
            input="f1 f5\nquit\n",
            capture_output=True,
            text=True,
            check=True,
        )
        said = done.stdout.splitlines()
        assert [line for line in said if told and line.startswith(told)] == [
            line for line in said if "search" in line
        ]
        assert sum("search" in line for line in said) == bool(told)


@pytest.mark.parametrize("deployment", [HOME, WEB], ids=["home", "club"])
async def test_the_app_says_once_that_one_cannot_be_used(
    deployment: Deployment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    there_is(tmp_path / "none", monkeypatch)
    monkeypatch.setattr("thud.tui.app._AFTER_START", 0.001)
    session = Session(Match(VARIANTS["koom"], ("Ann", "Bob")))
    app = ThudApp(Play(session), store=Store(tmp_path, 1_000_000), deployment=deployment)
    async with app.run_test(notifications=True) as pilot:
        if deployment is HOME:
            await until(lambda: app._notifications)
        await pilot.pause(0.1)
        told = [each.message for each in app._notifications]
    begins = "Using the Python search; the compiled core cannot be loaded: "
    assert [each.startswith(begins) for each in told] == [True] * (deployment is HOME)


def test_all_that_name_the_version_name_the_same() -> None:
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    crate = tomllib.loads((ROOT / "core/Cargo.toml").read_text(encoding="utf-8"))["package"]
    assert crate["version"] == __version__
    assert project["optional-dependencies"]["fast"] == [f"thud-core=={__version__}"]

"""The distributions contain all they should, and start."""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path, PurePosixPath

import pytest

from shell_files import INSTALLED
from single_file import module_in

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src"
SHOWN = {
    "ai/core.wasm",
    "rulebook/rules.md",
    "exercises/lessons/lessons.toml",
    "tui/thud.tcss",
    "py.typed",
}
TOLD = {
    "perft 1": "perft 1 656",
    "show": "dwarfs",
    "rules": "Thudstone",
    "learn --plain": "dwarf",
    "puzzles --list": "classic-1",
    "history": "match",
    "completions zsh": "#compdef thud",
}
"""Commands whose data are in the package, and a part of what they print."""
OUTSIDE = """
import sys, thud
assert thud.__file__.startswith(sys.argv[1]), thud.__file__
from thud.cli.main import main
for command in sys.argv[2:]:
    print(end="\\0")
    assert main(command.split()) == 0, command
"""

pytestmark = pytest.mark.filterwarnings("default")


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a directory with a source archive, and a wheel built from it."""
    folder = tmp_path_factory.mktemp("dist")
    command = ["-m", "build", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    subprocess.run([sys.executable, *command], check=True, capture_output=True)
    return folder


def in_wheel(folder: Path) -> set[str]:
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


def in_source(folder: Path) -> set[str]:
    (archive,) = folder.glob("*.tar.gz")
    with tarfile.open(archive) as opened:
        return {str(PurePosixPath(*PurePosixPath(name).parts[1:])) for name in opened.getnames()}


def tracked() -> set[str]:
    """Return the tracked files of the repository; skip the test outside one."""
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    if listed.returncode:
        pytest.skip("this is no repository")
    return {name for name in listed.stdout.split("\0") if name and (ROOT / name).exists()}


@pytest.mark.slow
def test_a_wheel_has_the_package_the_documents_and_what_systems_look_for(built: Path) -> None:
    names = in_wheel(built)
    package = {
        f"thud/{path.relative_to(SOURCE / 'thud').as_posix()}"
        for path in (SOURCE / "thud").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert package <= names
    assert {f"thud/{name}" for name in SHOWN} <= names
    assert {f"thud/shell/{name}" for name in INSTALLED} <= names
    data = {name.partition(".data/data/")[2] for name in names}
    assert set(INSTALLED.values()) <= data
    assert {name.split("/")[0].split("-")[0] for name in names} == {"thud", "thud_game"}


@pytest.mark.slow
def test_a_source_archive_has_what_is_tracked_and_nothing_else(built: Path) -> None:
    names = in_source(built)
    assert tracked() <= names
    extra = {name for name in names - tracked() if not name.endswith("PKG-INFO")}
    assert not {
        name for name in extra if "__pycache__" in name or name.startswith((".venv", "build"))
    }


@pytest.mark.slow
def test_an_index_of_packages_would_take_both(built: Path) -> None:
    command = [sys.executable, "-m", "twine", "check", "--strict", *map(str, built.iterdir())]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("PASSED") == 2


@pytest.mark.slow
@pytest.mark.parametrize("unpacked", [True, False], ids=["unpacked", "zipped"])
def test_a_wheel_shows_what_it_has_also_as_the_zip_that_it_is(
    unpacked: bool, built: Path, tmp_path: Path
) -> None:
    (there,) = built.glob("*.whl")
    commands = [each for each in TOLD if unpacked or each != "completions zsh"]
    if unpacked:
        with zipfile.ZipFile(there) as archive:
            there = tmp_path / "there"
            archive.extractall(there)
    done = subprocess.run(
        [sys.executable, "-c", OUTSIDE, str(there), *commands],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(there), "THUD_DATA_DIR": str(tmp_path)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    for command, shown in zip(commands, done.stdout.split("\0")[1:], strict=True):
        assert TOLD[command] in shown


@pytest.mark.parametrize(
    ("arguments", "module"),
    [
        (["-P", "-m", "thud", "engine", "--level", "3"], "thud"),
        (["-P", "-m", "thud.exercises.puzzles.confirm"], "thud.exercises.puzzles.confirm"),
        (["-P", "-m", "os"], None),
        (["-P", "-m", "thudding"], None),
        (["-P", "-m"], None),
        (["-m", "thud"], None),
        (["play", "-P"], None),
        ([], None),
    ],
)
def test_a_single_file_is_the_python_of_its_own_computers_only(
    arguments: list[str], module: str | None
) -> None:
    assert module_in(arguments) == module

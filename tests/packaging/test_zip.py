"""The program in a zip on Python's path: what prints text works, with its data."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def zipped(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Put the package in a zip, with the rules as in a wheel."""
    path, source = tmp_path_factory.mktemp("zip") / "thud.zip", ROOT / "src"
    with ZipFile(path, "w") as archive:
        for each in sorted((source / "thud").rglob("*")):
            if each.is_file() and "__pycache__" not in each.parts:
                archive.write(each, each.relative_to(source))
        archive.write(ROOT / "docs" / "rules.md", "thud/rulebook/rules.md")
    return path


COMMANDS = """
from thud.cli.main import main
for command in ("rules", "show", "puzzles --list", "learn --plain", "history"):
    print(end="\\0")
    assert main(command.split()) == 0, command
"""


@pytest.mark.slow
def test_what_prints_text_works_from_a_zip(zipped: Path, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", COMMANDS],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(zipped), "THUD_DATA_DIR": str(tmp_path)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert all(done.stdout.split("\0")[1:])

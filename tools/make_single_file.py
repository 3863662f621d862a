"""Makes the program a single file that runs where there is no Python.

Usage: python tools/make_single_file.py [DIRECTORY]

The program is installed in an environment of its own, and PyInstaller puts that into one file,
with the Python that runs this and needs nothing but pip: `dist/thud`, or `thud.exe` on Windows.
The compiled core is in it if there is a Cargo to make it with.
The file runs on systems like the one it was made on, with a C library that is not older.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import venv
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
CORE: Final = ROOT / "core"
LOCK: Final = ROOT / "requirements" / "single-file.txt"
_INSTALL: Final = ("-m", "pip", "install", "--quiet")
_LOADED_BY_NAME: Final = ("thud", "textual")
_VERSIONS_TOLD: Final = ("textual", "rich")
_NEVER_USED: Final = (
    *("tkinter", "unittest", "pydoc", "doctest", "test", "distutils", "setuptools"),
    *("PIL._avif", "PIL._webp", "PIL._imagingcms"),
)
"""All of it would be unpacked whenever the program begins."""


def make(directory: Path) -> Path:
    """Make the file in a directory; return where it is."""
    with TemporaryDirectory() as scratch:
        place = Path(scratch)
        python = _environment(place / "python")
        _run(python, "-m", "PyInstaller", *_choices(place, directory))
    return directory / ("thud.exe" if sys.platform == "win32" else "thud")


def _environment(directory: Path) -> Path:
    """Return the Python of a new environment with the program and what packs it."""
    venv.create(directory, with_pip=True, symlinks=sys.platform != "win32")
    python = directory / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    _run(python, *_INSTALL, "--require-hashes", "-r", LOCK)
    for project in (ROOT, CORE) if _with_core() else (ROOT,):
        _run(python, *_INSTALL, "--no-deps", "--no-build-isolation", project)
    return python


def _with_core() -> bool:
    return shutil.which("cargo") is not None


def _choices(scratch: Path, directory: Path) -> Iterator[str | Path]:
    yield from ("--onefile", "--name", "thud", "--log-level", "WARN")
    yield from ("--workpath", scratch / "work", "--specpath", scratch, "--distpath", directory)
    if sys.platform == "linux":
        yield "--strip"
    for package in _LOADED_BY_NAME:
        yield from ("--collect-submodules", package, "--collect-data", package)
    for package in _VERSIONS_TOLD:
        yield from ("--copy-metadata", package)
    for module in _NEVER_USED:
        yield from ("--exclude-module", module)
    if _with_core():
        yield from ("--hidden-import", "thud_core", "--collect-binaries", "thud_core")
    else:
        print("There is no cargo: the file will have no compiled core.", file=sys.stderr)
    yield Path(__file__).with_name("single_file.py")


def _run(*command: str | Path) -> None:
    subprocess.run([str(each) for each in command], check=True, stdout=sys.stderr)


if __name__ == "__main__":
    made = make(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "dist")
    print(f"{made}: {made.stat().st_size / 2**20:.1f} MiB")

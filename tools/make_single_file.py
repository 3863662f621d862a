"""Makes a single executable file of the program, which runs without Python.

Usage: python tools/make_single_file.py [DIRECTORY]

Installs the program in a virtual environment and packs that with PyInstaller and the Python that
runs this script, which needs only pip: `dist/thud`, or `thud.exe` on Windows.  The file runs on the
same platform, with the same or a newer C library.
"""

from __future__ import annotations

import os
import subprocess
import sys
import venv
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
LOCK: Final = ROOT / "requirements" / "single-file.txt"
_INSTALL: Final = ("-m", "pip", "install", "--quiet")
_LOADED_BY_NAME: Final = ("thud", "textual")
_VERSIONS_TOLD: Final = ("textual", "rich", "wasmtime")
_NEVER_USED: Final = (
    *("tkinter", "unittest", "pydoc", "doctest", "test", "distutils", "setuptools"),
    *("PIL._avif", "PIL._webp", "PIL._imagingcms"),
)
"""Modules left out, since all would be unpacked at each start of the program."""


def make(directory: Path) -> Path:
    """Make the file in a directory; return its path."""
    with TemporaryDirectory() as scratch:
        place = Path(scratch)
        python = _environment(place / "python")
        _run(python, "-m", "PyInstaller", *_choices(place, directory))
    return directory / ("thud.exe" if sys.platform == "win32" else "thud")


def _environment(directory: Path) -> Path:
    """Create a virtual environment with the program and PyInstaller; return its Python."""
    venv.create(directory, with_pip=True, symlinks=sys.platform != "win32")
    python = directory / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    _run(python, *_INSTALL, "--require-hashes", "-r", LOCK)
    _run(python, *_INSTALL, "--no-deps", "--no-build-isolation", ROOT)
    return python


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
    # It is imported when it is needed, and loads its library by its path.
    yield from ("--hidden-import", "wasmtime")
    for library in scratch.glob("**/site-packages/wasmtime/*/*wasmtime.*"):
        yield from ("--add-binary", f"{library}{os.pathsep}wasmtime/{library.parent.name}")
    yield Path(__file__).with_name("single_file.py")


def _run(*command: str | Path) -> None:
    subprocess.run([str(each) for each in command], check=True, stdout=sys.stderr)


if __name__ == "__main__":
    made = make(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "dist")
    print(f"{made}: {made.stat().st_size / 2**20:.1f} MiB")

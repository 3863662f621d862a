"""The files of the saved matches in their directory, cleared of what a killed process has left."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from pathlib import Path
from typing import Final

from thud.disk.atomic import stands_in_for
from thud.disk.lock import Lock, Locked

SUFFIX: Final = ".tgn"
LOCK: Final = ".lock"

_ID: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}", re.ASCII)


def is_id(name: str) -> bool:
    """Say whether a name may be that of a saved match."""
    return _ID.fullmatch(name) is not None


def newest_first(directory: Path) -> list[Path]:
    """Return the files of the matches in a directory, the one saved last first.

    Raises:
        OSError: the directory cannot be read; that there is none is no error.
    """
    try:
        with os.scandir(directory) as entries:
            names = [entry.name for entry in entries]
    except FileNotFoundError:
        return []
    for name in names:
        _clear_away(directory, name)
    paths = [directory / name for name in names if name.endswith(SUFFIX)]
    return sorted(paths, key=lambda path: (_saved_at(path), path.name), reverse=True)


def fault_of(path: Path) -> str:
    """Return why a file can be no saved match, whatever is in it; nothing if it can.

    Raises:
        OSError: that cannot be told.
    """
    if not is_id(path.stem):
        return "its name is not that of a saved match"
    return "it is not a file" if path.exists() and not path.is_file() else ""


def _clear_away(directory: Path, name: str) -> None:
    """Delete a lock that nobody holds, or what was not written to its end; nothing else."""
    match = directory / (stands_in_for(name) or name)
    unfinished = match.name != name and match.suffix == SUFFIX
    if is_id(match.stem) and (unfinished or match.suffix == LOCK):
        with suppress(Locked, OSError):
            lock = Lock(match.with_suffix(LOCK))
            try:
                if unfinished:
                    (directory / name).unlink(missing_ok=True)
            finally:
                lock.release()


def _saved_at(path: Path) -> float:
    """Return the time of a file, to sort by."""
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0

"""Tidying up: matches go to an archive, and none does while the system's clock is in doubt."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from pathlib import Path
from typing import Final

from thud.disk.small import read_small, write_small
from thud.net.seat_registry import kept_for
from thud.net.transports.permissions import made_private
from thud.records.store import SUFFIX

MOST_ARCHIVED: Final = 1000
"""Most matches in the archive, the latest."""

STEADY_DAYS: Final = 7
"""Days that the system's clock must have run on before anything is tidied by it."""

DAY: Final = 24 * 3600.0
_MOST_BYTES: Final = 200


class SteadyClock:
    """Tells whether the system's clock has run on for a week without a jump, restarts included.

    A clock set wrong or set right again jumps.  A club that was closed for more than a day cannot
    tell the two apart, and waits as well.

    Args:
        path: file for the time of the last check, and that of the last jump.
    """

    def __init__(self, path: Path) -> None:
        self._path = path

    def check(self) -> bool:
        """Return whether the clock is steady; to be called more often than once a day."""
        now = time.time()
        values = read_small(self._path, _MOST_BYTES)
        seen, since = (
            float(value) if isinstance(value := values.get(name), int | float) else 0.0
            for name in ("seen", "since")
        )
        if abs(now - seen) > DAY:
            since = now
        with suppress(OSError):
            write_small(self._path, {"seen": now, "since": since})
            return now - since > STEADY_DAYS * DAY
        return False


class Archive:
    """Matches whose tables are closed, with their seats and notes, as the keeper had them.

    Args:
        directory: the keeper's directory, with the archive in it.
    """

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._archive = directory / "archive"

    def take(self, match: str, table: str = "") -> None:
        """Move a match to the archive; the latest `MOST_ARCHIVED` stay there.

        Args:
            match: its id.
            table: the id of its table, if that is closed with it.

        Raises:
            ValueError: the archive is open to others.
            OSError: the match cannot be moved.
        """
        made_private(self._archive)
        matches = self._directory / "matches"
        moved = [matches / f"{match}{SUFFIX}", kept_for(matches, match)]
        moved += [self._directory / "notes" / f"{table}.json"] if table else []
        for path in moved:
            goal = self._archive / path.relative_to(self._directory)
            goal.parent.mkdir(mode=0o700, exist_ok=True)
            with suppress(FileNotFoundError):
                os.replace(path, goal)
                os.utime(goal)  # the order in which they came, whatever the clock said before
        for each in ("matches", "hosted", "notes"):
            _keep_latest(self._archive / each)


def _keep_latest(directory: Path) -> None:
    with suppress(OSError):
        found = sorted(directory.iterdir(), key=lambda path: path.stat().st_mtime_ns)
        for path in found[:-MOST_ARCHIVED]:
            path.unlink(missing_ok=True)

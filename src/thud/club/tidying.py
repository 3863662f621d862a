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

STEADY_DAYS: Final = 7
"""Days that the system's clock must have run on before anything is tidied by it."""

DAY: Final = 24 * 3600.0
_MOST_BYTES: Final = 200


def is_clock_steady(path: Path) -> bool:
    """Whether the system's clock has run on for a week without a jump, restarts included.

    To be asked more often than once a day.  A clock set wrong or set right again jumps.  A club
    that was closed for more than a day cannot tell the two apart, and waits as well.

    Args:
        path: file for the time of the last check, and that of the last jump.
    """
    now = time.time()
    values = read_small(path, _MOST_BYTES)
    seen, since = (
        float(value) if isinstance(value := values.get(name), int | float) else 0.0
        for name in ("seen", "since")
    )
    if abs(now - seen) > DAY:
        since = now
    with suppress(OSError):
        write_small(path, {"seen": now, "since": since})
        return now - since > STEADY_DAYS * DAY
    return False


def archive(directory: Path, match: str, table: str, most: int) -> list[str]:
    """Move a match with its seats and notes to the archive, which keeps the latest.

    Args:
        directory: the keeper's, with the archive in it.
        match: the match's id.
        table: the id of its table, if that is closed with it, else empty.
        most: most matches kept.

    Returns:
        The ids of matches for which there was no more room.

    Raises:
        ValueError: the archive is open to others.
        OSError: the match cannot be moved.
    """
    goals = made_private(directory / "archive")
    matches = directory / "matches"
    moved = [matches / f"{match}{SUFFIX}", kept_for(matches, match)]
    moved += [directory / "notes" / f"{table}.json"] if table else []
    for path in moved:
        goal = goals / path.relative_to(directory)
        goal.parent.mkdir(mode=0o700, exist_ok=True)
        with suppress(FileNotFoundError):
            os.replace(path, goal)
            os.utime(goal)  # the order in which they came, whatever the clock said before
    gone = list[str]()
    for each in ("matches", "hosted", "notes"):
        with suppress(OSError):
            found = [path for path in (goals / each).iterdir() if not path.name.startswith(".")]
            if len(found) > most:
                found.sort(key=lambda path: path.stat().st_mtime_ns)
            for path in found[: max(0, len(found) - most)]:
                path.unlink(missing_ok=True)
                if path.suffix == SUFFIX:
                    gone.append(path.stem)
    return gone

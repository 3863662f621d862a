"""From when on the matches of a person count, where a rating was reset: a small file of its own.

The matches stay as they are.  Whoever deletes the file has the old ratings back.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from pathlib import Path
from typing import Final

from thud.disk.small import read_small, write_small

FILE_NAME: Final = "rating.json"
_MAX_BYTES: Final = 1 << 16


def load_resets(directory: Path) -> dict[str, datetime]:
    """Return when each person's rating was reset; what is not there or wrong is none."""
    since = read_small(directory / FILE_NAME, _MAX_BYTES).get("since")
    read = {name: _moment(each) for name, each in since.items()} if isinstance(since, dict) else {}
    return {name: moment for name, moment in read.items() if moment}


def reset(directory: Path, people: Iterable[str]) -> None:
    """Let the ratings of people begin anew, now.

    Raises:
        OSError: that cannot be kept.
    """
    resets = load_resets(directory) | dict.fromkeys(people, datetime.now())
    seconds = {name: moment.timestamp() for name, moment in resets.items()}
    write_small(directory / FILE_NAME, {"since": seconds})


def _moment(seconds: object) -> datetime | None:
    try:
        return datetime.fromtimestamp(seconds) if isinstance(seconds, int | float) else None
    except (ValueError, OverflowError, OSError):
        return None

"""From when on the matches of a person count, where a rating was reset: a small file of its own.

The matches stay as they are.  Whoever deletes the file has the old ratings back.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path
from typing import Final

from thud.disk.atomic import write_atomic

FILE_NAME: Final = "rating.json"
_MAX_BYTES: Final = 1 << 16


def load_resets(directory: Path) -> dict[str, datetime]:
    """Return when each person's rating was reset; what is not there or wrong is none."""
    try:
        with (directory / FILE_NAME).open("rb") as file:
            values = json.loads(file.read(_MAX_BYTES))
    except (OSError, ValueError, RecursionError):
        return {}
    since = values.get("since") if isinstance(values, dict) else None
    read = {name: _moment(each) for name, each in since.items()} if isinstance(since, dict) else {}
    return {name: moment for name, moment in read.items() if moment}


def reset(directory: Path, people: Iterable[str]) -> None:
    """Let the ratings of people begin anew, now.

    Raises:
        OSError: that cannot be kept.
    """
    resets = load_resets(directory) | dict.fromkeys(people, datetime.now())
    seconds = {name: moment.timestamp() for name, moment in resets.items()}
    directory.mkdir(parents=True, exist_ok=True)
    data = json.dumps({"since": seconds}, indent=1, ensure_ascii=False) + "\n"
    write_atomic(directory / FILE_NAME, data.encode())


def _moment(seconds: object) -> datetime | None:
    try:
        return datetime.fromtimestamp(seconds) if isinstance(seconds, int | float) else None
    except (ValueError, OverflowError, OSError):
        return None

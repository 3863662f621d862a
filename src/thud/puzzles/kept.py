"""The score in puzzles on the disk, in the data directory."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from thud.disk.atomic import write_atomic
from thud.drills.drill import Effort
from thud.puzzles.puzzle import BANDS
from thud.puzzles.score import Score, Solved

FILE_NAME: Final = "puzzles.json"
_MAX_BYTES: Final = 1 << 18
_MOST: Final = 10_000
"""No more misses or hints are believed."""


def load_score(directory: Path) -> Score:
    """Return the score in a data directory; what is not there or wrong counts as not done."""
    try:
        with (directory / FILE_NAME).open("rb") as file:
            values = json.loads(file.read(_MAX_BYTES))
    except (OSError, ValueError, RecursionError):
        return Score()
    listed = values.get("solved") if isinstance(values, dict) else None
    return Score(tuple(_read(listed))) if isinstance(listed, list) else Score()


def save_score(directory: Path, score: Score) -> None:
    """Keep a score in a data directory.

    Raises:
        OSError: that is not possible.
    """
    directory.mkdir(parents=True, exist_ok=True)
    lines = (json.dumps([each.id, each.band, *each.effort]) for each in score.solved)
    text = '{"solved": [\n ' + ",\n ".join(lines) + "\n]}\n"
    write_atomic(directory / FILE_NAME, text.encode())


def forget_score(directory: Path) -> None:
    """Remove a score from a data directory.

    Raises:
        OSError: that is not possible.
    """
    (directory / FILE_NAME).unlink(missing_ok=True)


def _read(listed: list[object]) -> Iterator[Solved]:
    seen = set[str]()
    for value in listed:
        match value:
            case [str(name), str(band), int(misses), int(hints)] if (
                band in BANDS and name not in seen and {misses, hints} <= _NUMBERS
            ):
                seen.add(name)
                yield Solved(name, band, Effort(misses, hints))


_NUMBERS: Final = frozenset(range(_MOST))

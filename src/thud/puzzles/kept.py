"""The score in puzzles on the disk, in the data directory."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from thud.disk.small import read_small, write_small
from thud.drills.drill import Effort
from thud.puzzles.puzzle import BANDS
from thud.puzzles.score import Score, Solved

FILE_NAME: Final = "puzzles.json"
_MAX_BYTES: Final = 1 << 18
_MOST: Final = 10_000
"""No more misses or hints are believed."""


def load_score(directory: Path) -> Score:
    """Return the score in a data directory; what is not there or wrong counts as not done."""
    listed = read_small(directory / FILE_NAME, _MAX_BYTES).get("solved")
    return Score(tuple(_read(listed))) if isinstance(listed, list) else Score()


def save_score(directory: Path, score: Score) -> None:
    """Keep a score in a data directory.

    Raises:
        OSError: that is not possible.
    """
    solved = [[each.id, each.band, *each.effort] for each in score.solved]
    write_small(directory / FILE_NAME, {"solved": solved})


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

"""Cache of the saved matches' summaries, one file beside the matches.

A long list would otherwise read every match again.  A summary counts only while its file's size and
times are the same, and the whole cache only if its header and its checksum are right; in any doubt
the matches are read.  Several processes may use it at once: each replaces the whole file, and the
last one wins.
"""

from __future__ import annotations

import json
import os
import time
import zlib
from collections.abc import Collection
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from thud import __version__
from thud.disk.atomic import write_atomic
from thud.disk.small import read_regular
from thud.records.summary import Stamp, Summary
from thud.rules.position import Position
from thud.rules.variants import VARIANTS

_FORMAT: Final = 2
"""Version of the rows: raised when files would be summarized differently."""

_HEADER: Final = f"thud summaries {_FORMAT} {__version__}"
_MAX_BYTES: Final = 1 << 28

_SETTLED: Final = 3_000_000_000
"""Nanoseconds after which a change of a file changes its times, on any file system."""

_FEW: Final = 4
"""Summaries, besides one for each 2,000 stored, that are not worth a new file."""

_USUAL: Final = "="
_BETWEEN: Final = "|"


class SummaryCache:
    """The cache of one directory of matches, read when it is made.

    Args:
        path: its file.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._known = _load(path)
        self._new = 0

    def get(self, name: str, stamp: Stamp) -> Summary | None:
        """Return the summary of the match with this id, None if it has to be read."""
        known = self._known.get(name)
        return known[1] if known and known[0] == stamp else None

    def add(self, stamp: Stamp, summary: Summary) -> None:
        """Add a summary, read after its file had this stamp."""
        # On Windows, the time of a change is the time of creation.
        modified, changed, _ = stamp
        if (changed if os.name == "posix" else modified) + _SETTLED < time.time_ns():
            self._known[summary.id] = stamp, summary
            self._new += 1

    def save(self, names: Collection[str]) -> None:
        """Write the cache if that is worth it; `names` are the ids of all matches there are.

        If it cannot be written, the next list takes longer.
        """
        gone = len(self._known.keys() - names)
        kept = len(self._known) - gone
        if self._new <= _FEW + kept // 2000 and gone <= max(_FEW, kept):
            return
        rows = [_row(*known) for name, known in self._known.items() if name in names]
        text = json.dumps([*zip(*rows, strict=True)], separators=(",", ":")).encode()
        with suppress(OSError):
            if self._path.exists() and not self._path.is_file():
                return  # opening a pipe would block
            write_atomic(self._path, f"{_HEADER} {zlib.crc32(text):08x}\n".encode() + text)


# The file has a column for each value, which is read fastest.


def _row(stamp: Stamp, summary: Summary) -> list[object]:
    starts = _BETWEEN.join(
        _USUAL if start == summary.variant.start else start.to_text() for start in summary.starts
    )
    return [
        *stamp,
        summary.id,
        summary.date,
        summary.variant.name,
        *summary.players,
        *summary.programs,
        summary.battle,
        summary.turn,
        *summary.tally,
        summary.over,
        starts,
        summary.moves,
        summary.looked_on,
        summary.guest,
    ]


def _load(path: Path) -> dict[str, tuple[Stamp, Summary]]:
    """Return the rows of a cache file by id; of one that is not sound or not ours, none."""
    header, _, text = read_regular(path, _MAX_BYTES).partition(b"\n")
    if header != f"{_HEADER} {zlib.crc32(text):08x}".encode():
        return {}
    try:
        return _read(json.loads(text))
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError):
        return {}


def _read(columns: list[list[Any]]) -> dict[str, tuple[Stamp, Summary]]:
    if len({*map(len, columns)}) > 1:
        raise ValueError("some rows are shorter than others")
    if not columns:
        return {}
    modified, changed, sizes, names, dates, variants, *columns = columns
    one, two, program, other, battles, turns, mine, yours, over, starts, *others = columns
    summaries = map(
        Summary,
        names,
        modified,
        dates,
        map(VARIANTS.__getitem__, variants),
        zip(one, two, strict=True),
        zip(program, other, strict=True),
        battles,
        turns,
        zip(mine, yours, strict=True),
        over,
        map(_starts, variants, starts),
        *others,
    )
    stamps = zip(modified, changed, sizes, strict=True)
    return dict(zip(names, zip(stamps, summaries, strict=True), strict=True))


@lru_cache(256)
def _starts(variant: str, texts: str) -> tuple[Position, ...]:
    game = VARIANTS[variant]
    return tuple(
        game.start if text == _USUAL else game.position(text)
        for text in texts.split(_BETWEEN)
        if text
    )

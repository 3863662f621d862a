"""Summaries of saved matches, for lists, and a cache of them beside the matches."""

from __future__ import annotations

import json
import os
import time
import zlib
from collections import Counter
from collections.abc import Collection, Iterable
from contextlib import suppress
from datetime import datetime
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias

from thud import __version__
from thud.disk.atomic import write_atomic
from thud.disk.small import read_regular
from thud.records.bounds import BadRecord, read_text
from thud.records.record import GUEST, LOOKED_ON
from thud.records.tgn.lexer import Draft, only_draft
from thud.records.tgn.reader import outline_of, read_draft
from thud.records.tgn.writer import GOES_ON
from thud.rules.match import BATTLES, Handicap, ahead, handicap_in, tally_of
from thud.rules.position import Position
from thud.rules.variant import Score, Variant
from thud.rules.variants import VARIANTS

Stamp: TypeAlias = tuple[int, int, int]
"""A file's times of modification and of change in nanoseconds, and its size; zeros if unknown."""


class Summary(NamedTuple):
    """A saved match in brief.

    `modified` is the time of its file in nanoseconds.  `battle` and `turn` are the numbers of the
    battle and of the turn to come, 0 if that battle is over, and `tally` both players' points in
    the finished battles.  `starts` are the battles' starts, empty if not recorded.
    """

    id: str
    modified: int
    date: str
    variant: Variant
    players: tuple[str, str]
    programs: tuple[str, str]
    battle: int
    turn: int
    tally: tuple[float, float]
    over: bool
    starts: tuple[Position, ...] = ()
    moves: int = 0
    """Number of moves in the current battle."""
    looked_on: bool = False
    """Whether its owner only watched."""
    guest: bool = False
    """Whether its owner played it as a guest, as reported by its host."""
    checksum: int = 0
    """Of a finished match's moves: a copy, reviewed or not, has the same."""

    @property
    def saved(self) -> datetime:
        """When it was saved."""
        return saved_at(self.modified)

    @property
    def place(self) -> str:
        """Where it goes on: `"battle 1, turn 12"`."""
        return f"battle {self.battle}{f', turn {self.turn}' if self.turn else ' over'}"

    @property
    def begun(self) -> bool:
        """Whether both sides have moved."""
        return self.battle > 1 or self.moves > 1

    @property
    def set_up(self) -> bool:
        """Whether a battle had an unusual start."""
        return any(start != self.variant.start for start in self.starts)

    @property
    def handicap(self) -> Handicap | None:
        """The match's handicap, None if it is none with a name."""
        return handicap_in(self.variant, self.starts)

    @property
    def winner(self) -> int | None:
        """The player with more points in a finished match, None if drawn."""
        return ahead(self.tally) if self.over else None


def goes_on(path: Path) -> bool:
    """Whether a match is unfinished, by its file's results; its moves are not checked.

    Raises:
        BadRecord: the file is no record of one match.
        OSError: the file cannot be read.
    """
    return not _is_over(only_draft(read_text(path)))


def summary_of(path: Path) -> Summary:
    """Return the summary of a saved match.

    The moves of a finished match are not checked, those of an unfinished one are.

    Raises:
        BadRecord: the file is no record of one match.
        OSError: the file cannot be read.
    """
    modified = path.stat().st_mtime_ns
    draft = only_draft(read_text(path))
    over = _is_over(draft)
    record = outline_of(draft) if over else read_draft(draft)
    known = path.stem, modified, record.date, record.variant, record.players, record.programs
    if not over:
        battle = record.battles[-1]
        return Summary(
            *known,
            len(record.battles),
            0 if battle.outcome else battle.turn(len(battle.moves)),
            record.tally,
            over=False,
            starts=record.starts,
            moves=len(battle.moves),
        )
    scores: list[Score] = []
    for *_, result in draft.battles:
        if result.text == GOES_ON:
            reason = "the second battle begins before the first is over: its result is *"
            raise BadRecord(result.line, reason)
        dwarfs, trolls = map(float, result.text.split("-"))
        scores.append(Score(dwarfs, trolls))
    played, deep = list[str](), 0
    moves = 0
    for tokens in draft.battles:
        moves = -len(played)
        for token in tokens:
            deep += (token.kind == "open") - (token.kind == "close")
            if token.kind == "word" and not deep:  # in no variation
                played.append(token.text)
        moves += len(played)
    return Summary(
        *known,
        BATTLES,
        1 + moves // 2,
        tally_of(scores),
        over=True,
        starts=record.starts if record.set_up else (),
        moves=moves,
        looked_on=LOOKED_ON in record.tags,
        guest=GUEST in record.tags,
        checksum=zlib.crc32(" ".join(played).encode(errors="replace")),
    )


def saved_at(nanoseconds: int) -> datetime:
    """Return a time of modification as a local date, clamped to the range of the calendar."""
    try:
        return datetime.fromtimestamp(nanoseconds / 1e9)
    except (ValueError, OverflowError, OSError):
        return datetime.max if nanoseconds > 0 else datetime.min


def _is_over(draft: Draft) -> bool:
    return len(draft.battles) == BATTLES and draft.battles[-1][-1].text != GOES_ON


class Totals(NamedTuple):
    """A player's finished matches, and the points in them for the player and against."""

    played: int = 0
    won: int = 0
    drawn: int = 0
    lost: int = 0
    points_for: float = 0
    points_against: float = 0


def filtered(
    summaries: Iterable[Summary], player: str | None = None, variant: Variant | None = None
) -> list[Summary]:
    """Return the matches of a player (case-insensitive) and of a variant."""
    wanted = None if player is None else name_key(player)
    return [
        summary
        for summary in summaries
        if (variant is None or summary.variant is variant)
        and (wanted is None or wanted in map(name_key, summary.players))
    ]


def totals(summaries: Iterable[Summary]) -> dict[str, Totals]:
    """Return every player's totals in finished matches, by name.

    Points of different variants cannot be compared: filter by variant first.
    """
    found: dict[str, tuple[str, list[float]]] = {}
    results = Counter((summary.players, summary.tally) for summary in summaries if summary.over)
    for (players, (one, other)), times in results.items():
        for name, own, against in zip(players, (one, other), (other, one), strict=True):
            _, sums = found.setdefault(name_key(name), (name, [0, 0, 0, 0, 0.0, 0.0]))
            sums[0] += times
            sums[1 if own > against else 2 if own == against else 3] += times
            sums[4] += own * times
            sums[5] += against * times
    return {name: Totals(*map(int, sums[:4]), *sums[4:]) for name, sums in sorted(found.values())}


@lru_cache(256)
def name_key(name: str) -> str:
    """Return a key that is the same for all spellings of a player's name."""
    return " ".join(name.split()).casefold()


# The cache

_FORMAT: Final = 4
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
    """The summaries of one directory of matches, read from a file when it is made.

    A long list would otherwise read every match again.  A summary counts only while its file's size
    and times are the same, and the whole cache only if its header and its checksum are right; in
    any doubt the matches are read.  Several processes may use it at once: each replaces the whole
    file, and the last one wins.

    Args:
        path: the file.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._known: dict[str, tuple[Stamp, Summary]] = {}
        self._new = 0
        header, _, text = read_regular(path, _MAX_BYTES).partition(b"\n")
        if header == f"{_HEADER} {zlib.crc32(text):08x}".encode():
            with suppress(ValueError, TypeError, LookupError, AttributeError, RecursionError):
                self._known = _read(json.loads(text))

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
        summary.checksum,
    ]


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

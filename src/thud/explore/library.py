"""The matches of some files: updates their index, and queries it."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from enum import Enum
from math import sqrt
from pathlib import Path
from threading import Event, Lock
from typing import Final, NamedTuple, TypeVar

from thud.explore.files import CORPUS, BattleLine, Content, Stamp, Where, content_of, stamps_in
from thud.explore.index import Counted, Index, is_damage, sensibly
from thud.explore.zobrist import key_of
from thud.rules.notation import move_text
from thud.rules.position import Move, Position
from thud.rules.variant import Variant
from thud.text import legible, why

_AT_ONCE: Final = 60_000
"""Plays per write: each write touches much of the index."""

MOST_SAMPLES: Final = 50
"""Most matches in a list."""
_TOLD_EVERY: Final = 10
"""Files between two reports of progress."""

_Answer = TypeVar("_Answer")


class CannotIndex(ValueError):
    """The index cannot be written or read, for an external reason."""


class ExploredMove(NamedTuple):
    """A move made in a position, and the results of the battles.

    Attributes:
        move: the move in the position asked about.
        number: number of battles.
        share: their share of all battles that went on from the position, 0 to 1.
        dwarfs: battles won by the dwarfs.
        drawn: drawn battles.
        trolls: battles won by the trolls; the rest is unfinished.
        mean: mean margin (dwarfs' points minus trolls') of the finished battles, None without any.
        error: the standard error of the mean, None with fewer than two finished battles.
        own: number of these battles that are not the computer's.
        own_mean: their mean margin, None without any that is finished.
    """

    move: Move
    number: int
    share: float
    dwarfs: int
    drawn: int
    trolls: int
    mean: float | None
    error: float | None
    own: int
    own_mean: float | None

    @property
    def over(self) -> int:
        """Number of finished battles."""
        return self.dwarfs + self.drawn + self.trolls

    @property
    def won(self) -> tuple[int, int, int]:
        """Wins of the dwarfs, wins of the trolls, draws."""
        return self.dwarfs, self.trolls, self.drawn

    @property
    def score(self) -> float | None:
        """The dwarfs' share of the finished battles, a draw counting half; None without any."""
        return (self.dwarfs + self.drawn / 2) / self.over if self.over else None


class Sample(NamedTuple):
    """A battle that reached a position: where, which one, and the dwarfs' margin."""

    path: Path
    where: Where
    battle: BattleLine
    margin: float | None


class IndexState(NamedTuple):
    """The progress of indexing: number of files in all, read, and faulty.

    Attributes:
        fault: the first faulty file, and why; empty if there is none.
        lasts: whether the index is persistent.
    """

    files: int = 0
    read: int = 0
    faulty: int = 0
    fault: str = ""
    lasts: bool = True


class Source(Enum):
    """Which matches are counted."""

    ALL = "all battles"
    OWN = "your battles"
    CORPUS = "the computer's battles"

    @property
    def next(self) -> Source:
        """The next one, after the last the first again."""
        known = list(Source)
        return known[(known.index(self) + 1) % len(known)]


def _error(row: Counted) -> float | None:
    """Return the standard error of a move's mean margin, None if it is unknown."""
    over = (row.dwarfs or 0) + (row.drawn or 0) + (row.trolls or 0)
    if over < 2 or row.mean is None or row.square is None:
        return None
    return sqrt(max(0.0, row.square - row.mean**2) / (over - 1))


class Library:
    """The matches in some files and directories; thread-safe.

    The index is opened on first use.

    Args:
        roots: the files and directories.
        cache: the index's directory.
        variant: the variant of files that do not name it.
        saved: the directory of the saved matches, None for none.

    Attributes:
        state: the progress of indexing.
    """

    def __init__(
        self,
        roots: Sequence[Path],
        cache: Path,
        variant: Variant | None = None,
        saved: Path | None = None,
    ) -> None:
        self._roots = roots
        self._saved = saved
        self._cache = cache
        self._variant = variant
        self._index: Index | None = None
        self._numbers: dict[Path, int] = {}
        self._faults: dict[Path, str] = {}
        self._changed = False
        self._source = Source.ALL
        self._closed = Event()
        self._one_update = Lock()
        self._one_question = Lock()
        self._opening = Lock()
        self.state = IndexState()

    # Updating

    def update(self, told: Callable[[IndexState], None] = lambda _: None) -> IndexState:
        """Read new and changed files, drop deleted ones.

        Args:
            told: called now and then with the progress.

        Raises:
            CannotIndex: the index cannot be written.
        """
        with _in_words(), self._one_update:
            try:
                self._update(told)
            except sqlite3.DatabaseError as error:
                self._recover(error)
                self._update(told)
        return self.state

    def close(self) -> None:
        """Close the index, waiting for its users.

        A running update stops early: what it has read is kept, the rest is read next time.
        """
        self._closed.set()
        with self._one_update, self._one_question:
            if self._index:
                self._index.close()
                self._index = None

    @property
    def counted(self) -> int:
        """Number of files counted by now; newly read files are added in batches."""
        return len(self._numbers)

    @property
    def _open(self) -> Index:
        """The index, opened once even by an update and a query at the same time."""
        with self._opening:
            self._index = self._index or Index(self._cache)
            return self._index

    def _update(self, told: Callable[[IndexState], None]) -> None:
        """Read files and add them in batches, until closed."""
        if self._closed.is_set():
            return
        stamps = stamps_in(self._roots, self._variant, self._closed.is_set, self._saved)
        if self._closed.is_set():
            return  # stopped early: missing files may exist
        known = self._open.known()
        same = {path: each for path, each in known.items() if stamps.get(path) == each.stamp}
        self._faults = {path: each.fault for path, each in same.items() if each.fault}
        self._choose({path: each.number for path, each in same.items()})
        gone = [path for path in known if path not in stamps and not path.exists()]
        self._open.drop([known[path].number for path in gone])
        told(self._count(len(stamps), len(same)))
        batch: dict[Path, tuple[Stamp, Content]] = {}
        plays = 0
        try:
            changed = (path for path in stamps if path not in same)
            for number, path in enumerate(changed, len(same) + 1):
                if self._closed.is_set():
                    break
                try:
                    content = content_of(path, self._variant)
                except OSError as error:
                    self._faults[path] = why(error)  # to be tried again next time
                else:
                    if content.fault:
                        self._faults[path] = content.fault
                    batch[path] = stamps[path], content
                    plays += len(content.plays)
                if plays >= _AT_ONCE:
                    self._add(batch)
                    batch, plays = {}, 0
                if number % _TOLD_EVERY == 0:
                    told(self._count(len(stamps), number))
        finally:
            self._add(batch)
        if not self._closed.is_set():
            told(self._count(len(stamps), len(stamps)))

    def _add(self, batch: dict[Path, tuple[Stamp, Content]]) -> None:
        if batch:
            added = self._open.add(batch)
            self._choose(self._numbers | dict(zip(batch, added, strict=True)))

    def _chosen(self) -> dict[Path, int]:
        """The files that are counted, with their numbers."""
        own, shipped = self._source is not Source.CORPUS, self._source is not Source.OWN
        numbers = self._numbers.items()
        return {p: number for p, number in numbers if (shipped if p.parent == CORPUS else own)}

    @property
    def paths(self) -> list[Path]:
        """The files that are counted, the computer's last."""
        return sorted(self._chosen(), key=lambda path: path.parent == CORPUS)

    @property
    def source(self) -> Source:
        """Which of the matches are counted."""
        return self._source

    @source.setter
    def source(self, source: Source) -> None:
        self._source, self._changed = source, True

    @property
    def compares(self) -> bool:
        """Whether people's battles and the computer's are counted side by side."""
        return self.has_corpus and self._source is Source.ALL

    @property
    def has_corpus(self) -> bool:
        """Whether there are battles of the computer, and others, to tell apart."""
        shipped = [path.parent == CORPUS for path in self._numbers]
        return any(shipped) and not all(shipped)

    def _choose(self, numbers: dict[Path, int]) -> None:
        self._numbers, self._changed = numbers, True

    def _count(self, files: int, read: int) -> IndexState:
        path, fault = next(iter(self._faults.items()), (Path(), ""))
        first = f"{shown_path(path)}: {fault}" if fault else ""
        self.state = IndexState(files, read, len(self._faults), first, self._open.lasts)
        return self.state

    def _recover(self, error: sqlite3.DatabaseError) -> None:
        """Rebuild a damaged index.

        Raises:
            sqlite3.DatabaseError: the error was of another kind.
        """
        if not is_damage(error):
            raise error
        with self._one_question:
            self._choose({})
            self._open.rebuild()

    # Queries

    def played(self, variant: Variant, position: Position) -> list[ExploredMove]:
        """Return the moves made in a position and its symmetric images, most frequent first.

        One of several symmetric moves stands for all.

        Raises:
            CannotIndex: the index cannot be read.
        """
        key = key_of(variant, position)
        rows = self._asked(
            lambda index: [(key.own(row.move), row) for row in index.counted(key.number)]
        )
        # Only what is legal counts, whatever was indexed.
        legal = set(variant.legal_moves(position)) if rows else set()
        whole = sum(row.number for move, row in rows if move in legal)
        moves = [
            ExploredMove(
                move,
                row.number,
                row.number / whole,
                row.dwarfs or 0,
                row.drawn or 0,
                row.trolls or 0,
                row.mean,
                _error(row),
                row.own,
                row.own_mean,
            )
            for move, row in rows
            if move in legal
        ]
        return sorted(moves, key=lambda each: (-each.number, move_text(position, each.move)))

    def samples(
        self, variant: Variant, position: Position, move: Move | None = None
    ) -> list[Sample]:
        """Return battles with a position, or with a move in it, newest first.

        Raises:
            CannotIndex: the index cannot be read.
        """
        key = key_of(variant, position)
        shared = key.shared(move) if move else None
        return self._asked(
            lambda index: [
                Sample(path, Where.unpacked(packed), line, margin)
                for path, packed, margin, line in index.samples(key.number, shared, MOST_SAMPLES)
            ]
        )

    def _asked(self, ask: Callable[[Index], _Answer]) -> _Answer:
        """Query the index; if it turns out to be damaged, rebuild it and ask again."""
        with _in_words():
            try:
                return self._answer(ask)
            except sqlite3.DatabaseError as error:
                with self._one_update:
                    self._recover(error)
            self.update()
            return self._answer(ask)

    def _answer(self, ask: Callable[[Index], _Answer]) -> _Answer:
        with self._one_question:
            if self._closed.is_set():
                raise CannotIndex("the index of the matches is closed")
            if self._changed:
                self._changed = False
                chosen = self._chosen().items()
                self._open.choose({number: path.parent != CORPUS for path, number in chosen})
            with sensibly():
                return ask(self._open)


def shown_path(path: Path) -> str:
    """Return a path as printable text, whatever bytes its name has."""
    return legible(os.fsencode(path).decode(errors="replace"))


@contextmanager
def _in_words() -> Iterator[None]:
    """Context manager: turn database errors into `CannotIndex`."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        raise CannotIndex(f"the index of the matches cannot be used: {error}") from error

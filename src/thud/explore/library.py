"""The matches of some files: keeps their index up to date, and queries it."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Lock
from typing import Final, NamedTuple, TypeVar

from thud.explore.files import Content, Stamp, Where, content_of, stamps_in
from thud.explore.index import Counted, Index, is_damage, sensibly
from thud.explore.zobrist import PositionKey, key_of
from thud.rules.notation import move_text
from thud.rules.position import Move, Position
from thud.rules.variant import Variant
from thud.wording.text import legible, why

_AT_ONCE: Final = 60_000
"""Plays written at once: each write walks over much of the index."""

_PER_MATCH: Final = Where(1, 1, 0).packed()
"""The step between the place numbers of two matches."""

_MOST_SAMPLES: Final = 50
_TOLD_EVERY: Final = 10
"""Files after which progress is told."""

_Answer = TypeVar("_Answer")


class CannotIndex(ValueError):
    """The index cannot be kept or read, for a reason outside it."""


class ExploredMove(NamedTuple):
    """A move made in a position, and the results of the battles.

    Attributes:
        move: as it is made in the position that was asked about.
        number: in how many battles.
        share: of all that went on from the position, 0 to 1.
        dwarfs: how many of them the dwarfs won.
        drawn: how many were drawn.
        trolls: how many the trolls won; whatever is left is not over.
        mean: the mean of the dwarfs' points less the trolls' in those that are over, if any is.
    """

    move: Move
    number: int
    share: float
    dwarfs: int
    drawn: int
    trolls: int
    mean: float | None

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
        """The dwarfs' share of the battles that are over, a draw half of one; None of none."""
        return (self.dwarfs + self.drawn / 2) / self.over if self.over else None


class Sample(NamedTuple):
    """A battle that reached a position: where, the players, and the dwarfs' margin."""

    path: Path
    where: Where
    players: str
    margin: float | None


class IndexState(NamedTuple):
    """The progress of indexing: files in all, read, and not wholly readable.

    Attributes:
        fault: the first file that could not be read wholly, and why; empty if there is none.
        lasts: whether the index will be there next time, too.
    """

    files: int = 0
    read: int = 0
    faulty: int = 0
    fault: str = ""
    lasts: bool = True


class Library:
    """The matches in some files and folders.

    Everything here may be called in any thread.  Nothing is opened before it is needed.

    Args:
        roots: the files and folders.
        cache: where the index is kept.
        variant: the game of the files that do not name it.

    Attributes:
        state: how far the index is.
    """

    def __init__(self, roots: Sequence[Path], cache: Path, variant: Variant | None = None) -> None:
        self._roots = roots
        self._cache = cache
        self._variant = variant
        self._index: Index | None = None
        self._numbers: dict[Path, int] = {}
        self._faults: dict[Path, str] = {}
        self._changed = False
        self._closed = Event()
        self._one_update = Lock()
        self._one_question = Lock()
        self._opening = Lock()
        self.state = IndexState()

    # Bringing it up to date

    def update(self, told: Callable[[IndexState], None] = lambda _: None) -> IndexState:
        """Read the files that are new or have changed, forget those that are gone.

        Args:
            told: is told now and then how far that is.

        Raises:
            CannotIndex: it cannot be written.
        """
        with _in_words(), self._one_update:
            try:
                self._update(told)
            except sqlite3.DatabaseError as error:
                self._recover(error)
                self._update(told)
        return self.state

    def close(self) -> None:
        """Close the index once nothing uses it any more.

        An update comes to its end soon: what was read is kept, the rest is read next time.
        """
        self._closed.set()
        with self._one_update, self._one_question:
            if self._index:
                self._index.close()
                self._index = None

    @property
    def counted(self) -> int:
        """How many files count by now: those that were read lately are added many at once."""
        return len(self._numbers)

    @property
    def _open(self) -> Index:
        """The index, which an update and a question that begin at the same time open once."""
        with self._opening:
            self._index = self._index or Index(self._cache)
            return self._index

    def _update(self, told: Callable[[IndexState], None]) -> None:
        if self._closed.is_set():
            return
        stamps = stamps_in(self._roots, self._variant, self._closed.is_set)
        if self._closed.is_set():
            return  # what was not looked for is not gone
        known = self._open.known()
        same = {path: each for path, each in known.items() if stamps.get(path) == each.stamp}
        self._faults = {path: each.fault for path, each in same.items() if each.fault}
        self._choose({path: each.number for path, each in same.items()})
        self._open.drop([each.number for path, each in known.items() if _is_gone(stamps, path)])
        told(self._count(len(stamps), len(same)))
        self._read([path for path in stamps if path not in same], stamps, told)

    def _read(
        self, paths: Sequence[Path], stamps: dict[Path, Stamp], told: Callable[[IndexState], None]
    ) -> None:
        """Read files and add them, many at once, until it is to be closed."""
        batch: dict[Path, tuple[Stamp, Content]] = {}
        plays, before = 0, len(stamps) - len(paths)
        try:
            for number, path in enumerate(paths, 1):
                if self._closed.is_set():
                    break
                if content := self._content(path):
                    batch[path] = stamps[path], content
                    plays += len(content.plays)
                if plays >= _AT_ONCE:
                    self._add(batch)
                    batch, plays = {}, 0
                if number % _TOLD_EVERY == 0:
                    told(self._count(len(stamps), before + number))
        finally:
            self._add(batch)
        if not self._closed.is_set():
            told(self._count(len(stamps), len(stamps)))

    def _content(self, path: Path) -> Content | None:
        """Return what is in a file, None if it cannot be read now, which may change unseen."""
        try:
            content = content_of(path, self._variant)
        except OSError as error:
            self._faults[path] = why(error)
            return None
        if content.fault:
            self._faults[path] = content.fault
        return content

    def _add(self, batch: dict[Path, tuple[Stamp, Content]]) -> None:
        if batch:
            added = self._open.add(batch)
            self._choose(self._numbers | dict(zip(batch, added, strict=True)))

    def _choose(self, numbers: dict[Path, int]) -> None:
        self._numbers, self._changed = numbers, True

    def _count(self, files: int, read: int) -> IndexState:
        path, fault = next(iter(self._faults.items()), (Path(), ""))
        first = f"{shown_path(path)}: {fault}" if fault else ""
        self.state = IndexState(files, read, len(self._faults), first, self._open.lasts)
        return self.state

    def _recover(self, error: sqlite3.DatabaseError) -> None:
        """Make a damaged index anew.

        Raises:
            sqlite3.DatabaseError: the error was of another kind.
        """
        if not is_damage(error):
            raise error
        with self._one_question:
            self._choose({})
            self._open.begin_anew()

    # Looking up

    def played(self, variant: Variant, position: Position) -> list[ExploredMove]:
        """Return the moves that were made in a position and in all that are alike.

        The most frequent comes first.  Of moves that are alike one stands for all.

        Raises:
            CannotIndex: the index cannot be read.
        """
        key = key_of(variant, position)
        rows = self._asked(lambda index: _owned(key, index.counted(key.number)))
        found = _legal(variant, position, rows)
        whole = sum(row.number for _, row in found)
        moves = [_played(move, row, whole) for move, row in found]
        return sorted(moves, key=lambda each: (-each.number, move_text(position, each.move)))

    def samples(
        self, variant: Variant, position: Position, move: Move | None = None
    ) -> list[Sample]:
        """Return battles in which a position was reached, or a move made there; the newest first.

        Raises:
            CannotIndex: the index cannot be read.
        """
        key = key_of(variant, position)
        shared = key.shared(move) if move else None
        return self._asked(
            lambda index: [
                Sample(path, Where.unpacked(packed), players or "", margin)
                for path, packed, margin, players in index.samples(
                    key.number, shared, _MOST_SAMPLES, _PER_MATCH
                )
            ]
        )

    def _asked(self, ask: Callable[[Index], _Answer]) -> _Answer:
        """Return what the index answers; one that turns out to be damaged is made anew before."""
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
                self._open.choose(self._numbers.values())
            with sensibly():
                return ask(self._open)


def shown_path(path: Path) -> str:
    """Return a path, whatever is in its name, as it can be shown and written."""
    return legible(os.fsencode(path).decode(errors="replace"))


def _is_gone(stamps: dict[Path, Stamp], path: Path) -> bool:
    return path not in stamps and not path.exists()


def _legal(
    variant: Variant, position: Position, rows: Sequence[tuple[Move, Counted]]
) -> list[tuple[Move, Counted]]:
    """Return the moves that are legal, whatever was indexed."""
    legal = set(variant.legal_moves(position)) if rows else set()
    return [(move, row) for move, row in rows if move in legal]


def _owned(key: PositionKey, rows: Sequence[Counted]) -> list[tuple[Move, Counted]]:
    """Return the moves as they are made in a position, and what came of them."""
    return [(key.own(row.move), row) for row in rows]


def _played(move: Move, row: Counted, whole: int) -> ExploredMove:
    dwarfs, drawn, trolls = (each or 0 for each in (row.dwarfs, row.drawn, row.trolls))
    return ExploredMove(move, row.number, row.number / whole, dwarfs, drawn, trolls, row.mean)


@contextmanager
def _in_words() -> Iterator[None]:
    """Tell in a sentence what the disk refuses."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        raise CannotIndex(f"the index of the matches cannot be used: {error}") from error

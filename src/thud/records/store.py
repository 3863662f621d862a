"""The saved matches: saved as they are played, listed, resumed, deleted.

Every match is a file of its own, `matches/ID.tgn` in the data directory, a record as people read
it.  A save writes the whole record anew and puts it in the old one's place (see `disk.atomic`).  To
append each move would take a third of the time, 0.1 against 0.4 milliseconds on the SSD where
both were measured, but moves taken back, results and the end of a battle are no additions, and an
append cut short leaves half a word.  A fresh copy of at most a few kilobytes is quick enough to
be on the disk before the next move, and the file that was there is never touched.

Who plays a match holds its lock (see `disk.lock`), so that no two processes write the same file.
"""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import datetime
from itertools import takewhile
from pathlib import Path
from stat import S_ISREG
from types import TracebackType
from typing import TYPE_CHECKING, Final, TypeAlias

from thud.disk.atomic import stands_in_for, write_atomic
from thud.disk.directories import data_directory
from thud.disk.lock import Lock, Locked
from thud.namedtuple import NamedTuple
from thud.records.bounds import BadRecord, InvalidRecord, read_text
from thud.rules.match import Match
from thud.wording.text import quoted, why

if TYPE_CHECKING:
    from thud.records.record import Record
    from thud.records.summary import Summary


SUFFIX: Final = ".tgn"
LOCK: Final = ".lock"

_ID: Final = r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}"
_MEGABYTE: Final = 1 << 20


class CannotSave(ValueError):
    """A match that cannot be saved; what was on the disk before is unchanged."""


class AlreadyKept(CannotSave):
    """A match is already saved under this name."""


class CannotResume(ValueError):
    """A saved match that cannot be found, read or resumed."""


class InUse(CannotResume):
    """A saved match that is being played elsewhere."""


class Saved:
    """A match being played and saved; closing it releases its lock.

    Attributes:
        id: the name by which the store knows it.
        path: its file.
        record: what was saved last.
    """

    def __init__(self, path: Path, record: Record, lock: Lock) -> None:
        self.id = path.stem
        self.path = path
        self.record = record
        self._lock = lock
        self._text = ""
        self._seen = _state(path)

    def write(self, record: Record) -> None:
        """Return when a record of this match is on the disk.

        Raises:
            CannotSave: it is not, and the file is as it was; the next time it may succeed.
        """
        from thud.records.tgn.writer import tgn_text

        try:
            text = tgn_text(record)
            if text != self._text:
                self.path.parent.mkdir(parents=True, exist_ok=True)
                self._make_sure()
                write_atomic(self.path, text.encode())
                self._seen = _state(self.path)
        except InvalidRecord as error:
            raise CannotSave(f"the match cannot be saved: {error}") from error
        except OSError as error:
            reason = f"the match cannot be saved in {self.path.parent}: {why(error)}"
            raise CannotSave(reason) from error
        self.record, self._text = record, text

    def annotate(self, record: Record) -> None:
        """Put a record with other comments on the disk; the match keeps its place among others.

        Which match was played last, and how strong its players are, goes by when it was saved.

        Raises:
            CannotSave: as `write`.
        """
        before = _stat(self.path)
        self.write(record)
        if before:
            with suppress(OSError):
                os.utime(self.path, ns=(before.st_atime_ns, before.st_mtime_ns))
            self._seen = _state(self.path)

    def _make_sure(self) -> None:
        """Pass if the match is still ours alone; somebody may have cleared its lock away.

        Raises:
            CannotSave: another process has it, or has changed it.
            OSError: the lock cannot be taken again.
        """
        try:
            if not self._lock.held:
                self._lock = Lock(self.path.with_suffix(LOCK))
                if _state(self.path) not in (None, self._seen):
                    self._lock.release()
                    raise Locked
        except Locked:
            taken = f"match {self.id} was resumed in another terminal"
            raise CannotSave(f"{taken}: moves played here are not saved") from None

    def restored(self) -> Match:
        """Return the match as it was saved last, with what was undone ready to be redone."""
        return self.record.match()

    def close(self, *, stays: bool = False) -> None:
        """Close the match; one without a move leaves no file, unless it is to stay."""
        if not stays and not self.record.battles[0].begun and self._lock.held:
            with suppress(OSError):
                self.path.unlink()
        self._lock.release()

    def __enter__(self) -> Saved:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


class Discarded(NamedTuple):
    """A match that was deleted."""

    id: str
    content: bytes
    saved: float
    """Time of saving, in seconds since the epoch."""


class Broken(NamedTuple):
    """A saved file that cannot be read, and why."""

    path: Path
    reason: str


class Listing(NamedTuple):
    """All saved matches, the latest saved first."""

    unfinished: list[Summary]
    finished: list[Summary]
    broken: list[Broken]


class Store:
    """The saved matches.

    Args:
        directory: the data directory, if not the usual one; it is created when it is needed.
        most: the most bytes in the data directory, whatever they are, with which another match
            may begin; None for no bound.
        way_back: how players get back to a match, where no command of theirs resumes it.

    Attributes:
        matches: the directory of their files.
        way_back: the same.
    """

    def __init__(
        self,
        directory: Path | None = None,
        most: int | None = None,
        way_back: str = "",
    ) -> None:
        self.way_back = way_back
        self._directory = data_directory() if directory is None else directory
        self.matches = self._directory / "matches"
        self._most = most

    def adopt(
        self, record: Record, name: str = "", prepare: Callable[[str], None] | None = None
    ) -> Saved:
        """Give a record that was read elsewhere a file here, its tags and comments included.

        Args:
            record: the match.
            name: the id that it has elsewhere, if it is to have no new one.
            prepare: is told the id before there is a file, to keep what belongs to it.

        Raises:
            AlreadyKept: there is a match of that name.
            CannotSave: that is not possible, or there is no room.
        """
        self.refuse_if_full()
        try:
            self.matches.mkdir(parents=True, exist_ok=True)
            path, lock = self._reserve(name)
        except OSError as error:
            reason = f"the match cannot be saved in {self.matches}: {why(error)}"
            raise CannotSave(reason) from error
        saved = Saved(path, record, lock)
        try:
            if prepare:
                prepare(saved.id)
            saved.write(record)
        except CannotSave:
            lock.release()
            raise
        return saved

    def refuse_if_full(self) -> None:
        """Pass where another match may begin.

        Raises:
            CannotSave: there is too much already.
        """
        if self._most is not None and sum(_sizes(self._directory)) > self._most:
            room = f"your saved matches take more than {self._most / _MEGABYTE:g} MB"
            raise CannotSave(f"{room}: delete some matches first")

    def resume(self, name: str) -> Saved:
        """Take up a match that was saved; `restored()` of what is returned is the match.

        Raises:
            CannotResume: there is no such match, it cannot be read, it is over, or it is open in
                another process or another window of this one.
        """
        saved = self.take(name)
        if saved.record.over:
            saved.close()
            raise CannotResume(f"match {name} is over")
        return saved

    def take(self, name: str) -> Saved:
        """Take a match that was saved, over or not, to write more about it.

        Raises:
            CannotResume: there is no such match, it cannot be read, or it is open in another
                process or another window of this one.
        """
        path = self._existing(name)
        lock = self._lock(path)
        try:
            return Saved(path, self.load(name), lock)
        except BaseException:
            lock.release()
            raise

    def load(self, name: str) -> Record:
        """Return the record of a saved match, to look at it or to export it.

        Raises:
            CannotResume: there is no such match, or it cannot be read.
        """
        # A new match is begun sooner without what reads the old ones.
        from thud.records.tgn.lexer import only_draft
        from thud.records.tgn.reader import read_draft

        path = self._existing(name)
        try:
            return read_draft(only_draft(read_text(path)))
        except BadRecord as error:
            raise CannotResume(f"match {name} cannot be read: {error}") from error
        except OSError as error:
            raise CannotResume(f"match {name} cannot be read: {why(error)}") from error

    def rewrite(self, name: str, before: Record, after: Record) -> None:
        """Put another record in the place of a saved match: the same match with more about it.

        Args:
            name: the match.
            before: what it is taken to be.
            after: what it is to be.

        Raises:
            CannotResume: there is no such match, it is being played, or it is another than before.
            CannotSave: it cannot be written; it is as it was.
        """
        path = self._existing(name)
        lock = self._lock(path)
        saved = Saved(path, before, lock)
        try:
            if not self._is(path, before):
                raise CannotResume(f"match {name} has moved on: open it again")
            saved.annotate(after)
        finally:
            lock.release()

    def id_of(self, path: Path, record: Record) -> str:
        """Return the id of the saved match that a file holds, nothing if it is none of these.

        Args:
            path: the file, without links on the way to it.
            record: what was read from it.
        """
        if path.parent == self.matches.resolve() and path.suffix == SUFFIX and is_id(path.stem):
            with suppress(CannotResume):
                return path.stem if self._is(path, record) else ""
        return ""

    def _is(self, path: Path, record: Record) -> bool:
        """Say whether a file holds a record, first by its text, which takes no time."""
        from thud.records.tgn.writer import tgn_text

        with suppress(ValueError, OSError):
            if read_text(path) == tgn_text(record):
                return True
        return self.load(path.stem) == record

    def discard(self, name: str) -> Discarded:
        """Delete a match because the player says so; return what it takes to put it back.

        Raises:
            CannotResume: there is no such match, it is being played, or it cannot be deleted.
        """
        path = self._existing(name)
        lock = self._lock(path)
        try:
            discarded = Discarded(name, path.read_bytes(), path.stat().st_mtime)
            path.unlink(missing_ok=True)
            return discarded
        except OSError as error:
            raise CannotResume(f"match {name} cannot be deleted: {why(error)}") from error
        finally:
            lock.release()

    def put_back(self, discarded: Discarded) -> None:
        """Put back a match that was deleted, as it was.

        Raises:
            CannotSave: it cannot be written, or something of its name is there.
        """
        path = self._path(discarded.id)
        if path.exists():
            raise CannotSave(f"there is another match {discarded.id} now")
        try:
            write_atomic(path, discarded.content)
            os.utime(path, (discarded.saved, discarded.saved))
        except OSError as error:
            raise CannotSave(f"match {discarded.id} cannot be put back: {why(error)}") from error

    def listing(self) -> Listing:
        """Look at every match once and sort out which can be played on, are over, or are broken.

        Raises:
            OSError: the directory cannot be read; that there is none is no error.
        """
        found = Listing([], [], [])
        for path in _newest_first(self.matches):
            with suppress(FileNotFoundError):
                entry = _summary_or_fault(path)
                if isinstance(entry, Broken):
                    found.broken.append(entry)
                else:
                    (found.finished if entry.over else found.unfinished).append(entry)
        return found

    def finished(self) -> list[Summary]:
        """List the matches that are over, the one saved last first.

        Raises:
            OSError: as `listing`.
        """
        return self.listing().finished

    def latest(self) -> Summary | None:
        """Return the unfinished match that was saved last, None if there is none.

        Raises:
            OSError: as `listing`.
        """
        return next(self._unfinished(), None)

    def waiting(self, *, since: datetime, but: str = "") -> Summary | None:
        """Return the match that waits to be gone on with: one both sides have moved in.

        Args:
            since: when it was saved at the earliest.
            but: the id of a match that is not meant.

        Raises:
            OSError: as `listing`.
        """
        recent = takewhile(lambda each: each.saved >= since, self._unfinished(but))
        return next((each for each in recent if each.begun), None)

    def _unfinished(self, but: str = "") -> Iterator[Summary]:
        """Yield the unfinished matches that can be read, the one saved last first."""
        for name in self._waiting():
            with suppress(FileNotFoundError):
                entry = None if name == but else _summary_or_fault(self._path(name))
                if entry and not isinstance(entry, Broken):
                    yield entry

    def resume_latest(self) -> Saved:
        """Take up the unfinished match that was saved last and is not open elsewhere.

        Raises:
            CannotResume: there is none.
            OSError: as `listing`.
        """
        refusal: CannotResume | None = None
        for name in self._waiting():
            try:
                return self.resume(name)
            except CannotResume as error:
                refusal = refusal or error
        raise refusal or CannotResume("no unfinished match")

    def _waiting(self) -> Iterator[str]:
        """Yield the ids of the unfinished matches, the one saved last first, by a look at each.

        Their moves are not played through: some of them may turn out to be broken.
        """
        from thud.records.summary import goes_on

        for path in _newest_first(self.matches):
            with suppress(BadRecord, OSError):
                if not _fault_of(path) and goes_on(path):
                    yield path.stem

    def _reserve(self, name: str = "") -> tuple[Path, Lock]:
        """Return a path that nothing else has, and its lock.

        Raises:
            AlreadyKept: something else has the name that it was to have.
        """
        while True:
            path = self._path(name or f"{datetime.now():%Y%m%d-%H%M%S}-{os.urandom(2).hex()}")
            with suppress(FileExistsError, Locked):
                lock = Lock(path.with_suffix(LOCK), new=True)
                if not path.exists():
                    return path, lock
                lock.release()
            if name:
                raise AlreadyKept(f"match {name} exists")

    def _existing(self, name: str) -> Path:
        path = self._path(name)
        try:
            if is_id(name) and S_ISREG(path.stat().st_mode):
                return path
        except FileNotFoundError:
            pass
        except OSError as error:
            raise CannotResume(f"match {name} cannot be read: {why(error)}") from error
        raise CannotResume(f"there is no saved match {quoted(name)}")

    def _path(self, name: str) -> Path:
        return self.matches / f"{name}{SUFFIX}"

    def _lock(self, path: Path) -> Lock:
        try:
            return Lock(path.with_suffix(LOCK))
        except Locked:
            reason = f"match {path.stem} is open in another terminal: close it there first"
            raise InUse(reason) from None
        except OSError as error:
            reason = f"match {path.stem} cannot be locked in {path.parent}: {why(error)}"
            raise CannotResume(reason) from error


# Replays


Rewrite: TypeAlias = "Callable[[Record, Record], None]"
"""Writes a record of a match in the place of another; raises CannotSave where it cannot."""


class Notebook:
    """Keeps the variations and comments of a replayed match.

    Changes are written one after the other, each as a whole, and only over what this has read or
    written itself: a match that has gone on elsewhere is not written over.

    Args:
        record: the match as it was opened.
        rewrite: puts the match in the place of what it was before, on the disk; None if the match
            is no saved one.
    """

    def __init__(self, record: Record, rewrite: Rewrite | None = None) -> None:
        self.record = record
        self._rewrite = rewrite
        self._kept = self._elsewhere = record
        self._turn = asyncio.Lock()

    @property
    def own(self) -> bool:
        """Whether the match is a saved one."""
        return self._rewrite is not None

    @property
    def behind(self) -> bool:
        """Whether something is not kept anywhere."""
        return self.record is not self._kept and self.record is not self._elsewhere

    def kept_elsewhere(self, record: Record) -> None:
        """Note that a record has been written to a file that people have named."""
        self._elsewhere = record

    async def keep(self, record: Record) -> None:
        """Note a change, and return when it is on the disk, if the match is a saved one.

        Raises:
            CannotSave: it is not; what is on the disk is as it was.
        """
        self.record = record
        async with self._turn:
            latest = self.record
            if self._rewrite and latest is not self._kept:
                await asyncio.to_thread(self._rewrite, self._kept, latest)
                self._kept = latest


def in_store(store: Store, name: str) -> Rewrite:
    """Return what puts a saved match in the place of what it was before."""

    def rewrite(before: Record, after: Record) -> None:
        try:
            store.rewrite(name, before, after)
        except CannotResume as error:
            raise CannotSave(str(error)) from error

    return rewrite


# The files in their directory


def is_id(name: str) -> bool:
    """Say whether a name may be that of a saved match."""
    return re.fullmatch(_ID, name) is not None


def _newest_first(directory: Path) -> list[Path]:
    """Return the files of the matches in a directory, the one saved last first.

    Raises:
        OSError: the directory cannot be read; that there is none is no error.
    """
    try:
        with os.scandir(directory) as entries:
            names = [entry.name for entry in entries]
    except FileNotFoundError:
        return []
    for name in names:
        _clear_away(directory, name)
    paths = [directory / name for name in names if name.endswith(SUFFIX)]
    return sorted(paths, key=lambda path: (_saved_at(path), path.name), reverse=True)


def _fault_of(path: Path) -> str:
    """Return why a file can be no saved match, whatever is in it; nothing if it can.

    Raises:
        OSError: that cannot be told.
    """
    if not is_id(path.stem):
        return "its name is not that of a saved match"
    return "it is not a file" if path.exists() and not path.is_file() else ""


def _clear_away(directory: Path, name: str) -> None:
    """Delete a lock that nobody holds, or what was not written to its end; nothing else."""
    match = directory / (stands_in_for(name) or name)
    unfinished = match.name != name and match.suffix == SUFFIX
    if is_id(match.stem) and (unfinished or match.suffix == LOCK):
        with suppress(Locked, OSError):
            lock = Lock(match.with_suffix(LOCK))
            try:
                if unfinished:
                    (directory / name).unlink(missing_ok=True)
            finally:
                lock.release()


def _saved_at(path: Path) -> float:
    """Return the time of a file, to sort by."""
    found = _stat(path)
    return found.st_mtime if found else 0.0


def _sizes(directory: Path) -> Iterator[int]:
    """Yield the bytes of every file below a directory, as far as they can be seen."""
    for above, _, names in os.walk(directory):
        for name in names:
            with suppress(OSError):
                yield os.lstat(os.path.join(above, name)).st_size


def _summary_or_fault(path: Path) -> Summary | Broken:
    """Return the summary of a saved match, or why there is none.

    Raises:
        FileNotFoundError: it has been deleted.
    """
    from thud.records.summary import summary_of

    try:
        fault = _fault_of(path)
        return Broken(path, fault) if fault else summary_of(path)
    except FileNotFoundError:
        raise
    except OSError as error:
        return Broken(path, why(error))
    except BadRecord as error:
        return Broken(path, str(error))


def _state(path: Path) -> tuple[int, ...] | None:
    """Return what tells a file from one written later, None if there is none."""
    found = _stat(path)
    return (found.st_ino, found.st_mtime_ns, found.st_size) if found else None


def _stat(path: Path) -> os.stat_result | None:
    """Return what is known of a file, None if there is none."""
    try:
        return path.stat()
    except OSError:
        return None

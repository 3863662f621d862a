"""The saved matches: saved as they are played, listed, resumed, deleted.

Every match is a file, `matches/ID.tgn` in the data directory, in the readable text format.  A save
writes the whole record to a new file that replaces the old one (see `disk.atomic`).  Appending each
move would take a third of the time (0.1 against 0.4 milliseconds, measured on an SSD), but moves
taken back, results and the end of a battle are not additions, and an append cut short leaves half a
word.  A new copy of a few kilobytes is on the disk before the next move, and the old file is never
modified.

The process that plays a match holds its lock (see `disk.lock`), so no two processes write the same
file.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Generator
from contextlib import closing, suppress
from datetime import datetime
from pathlib import Path
from stat import S_ISREG
from typing import TYPE_CHECKING, Final, NamedTuple, TypeGuard

from thud.disk.atomic import set_modified, target_of_temporary, write_atomic
from thud.disk.directories import data_directory
from thud.disk.small import open_regular
from thud.records.bounds import BadRecord, read_text
from thud.text import quoted, why

if TYPE_CHECKING:
    from thud.disk.lock import Lock
    from thud.records.record import Record
    from thud.records.summary import Stamp, Summary


SUFFIX: Final = ".tgn"
LOCK: Final = ".lock"
SUMMARIES: Final = ".summaries"
"""Name of the cache of the summaries, in the directory of the matches."""

ID: Final = r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}"
"""Pattern of ids."""

LAST: Final = "last"
"""What players call the match that was saved last."""

_MEGABYTE: Final = 1 << 20


class CannotSave(ValueError):
    """A match cannot be saved; the disk is unchanged."""


class AlreadyKept(CannotSave):
    """A match is already saved under this name."""


class CannotResume(ValueError):
    """A saved match cannot be found, read or resumed."""


class Damaged(CannotResume):
    """A saved match cannot be read in full; `formats.salvage` reads what is left of it.

    Attributes:
        name: its id.
    """

    def __init__(self, name: str, fault: BadRecord) -> None:
        super().__init__(f"match {name} cannot be read: {fault}")
        self.name = name


class InUse(CannotResume):
    """A saved match is open elsewhere."""


class Saved:
    """A match being played and saved; closing it releases its lock.

    Attributes:
        id: its id in the store.
        path: its file.
        record: the record last saved.
    """

    def __init__(self, path: Path, record: Record, lock: Lock) -> None:
        self.id = path.stem
        self.path = path
        self.record = record
        self._lock = lock
        self._text = ""
        self._seen = _state(path)

    @property
    def soft(self) -> bool:
        """Whether only other processes of this machine are kept out for certain."""
        return self._lock.soft

    def write(self, record: Record) -> None:
        """Save a record of this match; return when it is on the disk.

        Raises:
            CannotSave: it cannot be saved; the file is unchanged, and a retry may succeed.
        """
        from thud.disk.lock import Lock, Locked
        from thud.records.record import InvalidRecord
        from thud.records.tgn.writer import tgn_text

        try:
            text = tgn_text(record)
            if text != self._text:
                self.path.parent.mkdir(parents=True, exist_ok=True)
                if not self._lock.held:  # its file is gone, or another's
                    self._lock = Lock(self.path.with_suffix(LOCK))
                    if _state(self.path) not in (None, self._seen):
                        self._lock.release()
                        raise Locked
                write_atomic(self.path, text.encode())
                self._seen = _state(self.path)
        except InvalidRecord as error:
            raise CannotSave(f"the match cannot be saved: {error}") from error
        except Locked:
            taken = f"match {self.id} was resumed in another terminal"
            raise CannotSave(f"{taken}: moves played here are not saved") from None
        except OSError as error:
            reason = f"the match cannot be saved in {self.path.parent}: {why(error)}"
            raise CannotSave(reason) from error
        self.record, self._text = record, text

    def annotate(self, record: Record) -> None:
        """Save a record with other comments, keeping the file's modification time.

        The order of matches, and the players' ratings, depend on that time.

        Raises:
            CannotSave: as `write`.
        """
        before = _stat(self.path)
        self.write(record)
        if before:
            with suppress(OSError):
                set_modified(self.path, before.st_mtime_ns)
            self._seen = _state(self.path)

    def close(self, *, keep_empty: bool = False) -> None:
        """Close the match; the file of an empty match is deleted unless `keep_empty`."""
        if not keep_empty and not self.record.battles[0].begun and self._lock.held:
            with suppress(OSError):
                self.path.unlink()
        self._lock.release()

    def __enter__(self) -> Saved:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Discarded(NamedTuple):
    """A match that was deleted."""

    id: str
    content: bytes
    saved: float
    """When it was saved, in seconds since the epoch."""


class UnreadableFile(NamedTuple):
    """A saved file that cannot be read, and why."""

    path: Path
    reason: str


class Listing(NamedTuple):
    """All saved matches, last saved first."""

    unfinished: list[Summary]
    finished: list[Summary]
    broken: list[UnreadableFile]


class Store:
    """The saved matches.

    Args:
        directory: the data directory, created when needed; None for the default.
        most: bytes in the data directory above which no new match may begin; None for no limit.
        way_back: how players get back to a match, if not by a command.

    Attributes:
        matches: the directory of the matches' files.
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
        """Save a record in a new file, with its tags and comments.

        Args:
            record: the match.
            name: its id; empty for a new one.
            prepare: called with the id before the file is written, to save related files.

        Raises:
            AlreadyKept: there is a match with this id.
            CannotSave: it cannot be saved, or there is no room.
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
        except BaseException:
            lock.release()
            raise
        return saved

    def refuse_if_full(self) -> None:
        """Check that there is room for another match.

        Raises:
            CannotSave: there is none.
        """
        if self._most is None:
            return
        size = 0
        for above, _, names in os.walk(self._directory):
            for name in names:
                with suppress(OSError):
                    size += os.lstat(os.path.join(above, name)).st_size
        if size > self._most:
            room = f"your saved matches take more than {self._most / _MEGABYTE:g} MB"
            raise CannotSave(f"{room}: delete some matches first")

    def resume(self, name: str) -> Saved:
        """Lock an unfinished match to play it on, with `record.match()` of the returned value.

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
        """Lock a match, finished or not, to save it again.

        Raises:
            CannotResume: there is no such match, it cannot be read, or it is open in another
                process or another window of this one.
        """
        path = self.existing(name)
        lock = self._lock(path)
        try:
            return Saved(path, self.load(name), lock)
        except BaseException:
            lock.release()
            raise

    def load(self, name: str) -> Record:
        """Return the record of a saved match, without locking it.

        Raises:
            CannotResume: there is no such match, or it cannot be read; `Damaged` for its content.
        """
        # Not imported when a new match begins, which is quicker.
        from thud.records.tgn.lexer import only_draft
        from thud.records.tgn.reader import read_draft

        path = self.existing(name)
        try:
            return read_draft(only_draft(read_text(path)))
        except BadRecord as error:
            raise Damaged(name, error) from error
        except OSError as error:
            raise CannotResume(f"match {name} cannot be read: {why(error)}") from error

    def rewrite(self, name: str, before: Record, after: Record) -> None:
        """Replace the record of a saved match, if it is unchanged (compare and swap).

        Args:
            name: the match's id.
            before: the record expected on the disk.
            after: the new record.

        Raises:
            CannotResume: there is no such match, it is being played, or it has changed.
            CannotSave: it cannot be written; it is unchanged.
        """
        path = self.existing(name)
        lock = self._lock(path)
        saved = Saved(path, before, lock)
        try:
            if not self._is(path, before):
                raise CannotResume(f"match {name} has moved on: open it again")
            saved.annotate(after)
        finally:
            lock.release()

    def id_of(self, path: Path, record: Record) -> str:
        """Return the id of the saved match in a file, empty if it is none of the store's.

        Args:
            path: the file, with links resolved.
            record: the record read from it.
        """
        if path.parent == self.matches.resolve() and path.suffix == SUFFIX and is_id(path.stem):
            with suppress(CannotResume):
                return path.stem if self._is(path, record) else ""
        return ""

    def _is(self, path: Path, record: Record) -> bool:
        """Whether a file holds a record; its text is compared first, which is quick."""
        from thud.records.tgn.writer import tgn_text

        with suppress(ValueError, OSError):
            if read_text(path) == tgn_text(record):
                return True
        return self.load(path.stem) == record

    def discard(self, name: str) -> Discarded:
        """Delete a match; return a copy for `put_back`.

        Raises:
            CannotResume: there is no such match, it is being played, or it cannot be deleted.
        """
        path = self.existing(name)
        lock = self._lock(path)
        try:
            discarded = _discarded(name, path)
            path.unlink(missing_ok=True)
            return discarded
        except OSError as error:
            raise CannotResume(f"match {name} cannot be deleted: {why(error)}") from error
        finally:
            lock.release()

    def put_back(self, discarded: Discarded) -> None:
        """Restore a deleted match.

        Raises:
            CannotSave: it cannot be written, or its id is taken now.
        """
        path = self._path(discarded.id)
        if path.exists():
            raise CannotSave(f"there is another match {discarded.id} now")
        try:
            write_atomic(path, discarded.content)
            set_modified(path, round(discarded.saved * 1e9))
        except OSError as error:
            raise CannotSave(f"match {discarded.id} cannot be put back: {why(error)}") from error

    def listing(self, told: Callable[[int, int], None] = lambda done, of: None) -> Listing:
        """List all matches: unfinished, finished and broken ones.

        Args:
            told: called before a match has to be read, with the number done, and of all.

        Raises:
            OSError: the directory cannot be read; a missing one is no error.
        """
        found = Listing([], [], [])
        for entry in self._entries(told=told):
            if isinstance(entry, UnreadableFile):
                found.broken.append(entry)
            else:
                (found.finished if entry.over else found.unfinished).append(entry)
        return found

    def finished(self) -> list[Summary]:
        """List the finished matches, last saved first.

        Raises:
            OSError: as `listing`.
        """
        return self.listing().finished

    def latest(self) -> Summary | None:
        """Return the last saved unfinished match, None if there is none.

        Raises:
            OSError: as `listing`.
        """
        with closing(self._entries()) as entries:
            return next((each for each in entries if _is_unfinished(each)), None)

    def waiting(self, *, since: datetime, but: str = "") -> Summary | None:
        """Return the latest unfinished match in which both sides have moved.

        Args:
            since: earliest time of saving.
            but: the id of a match to skip.

        Raises:
            OSError: as `listing`.
        """
        with closing(self._entries(since.timestamp() * 1e9)) as entries:
            unfinished = (each for each in entries if _is_unfinished(each))
            return next((each for each in unfinished if each.begun and each.id != but), None)

    def resume_latest(self) -> Saved:
        """Resume the last saved unfinished match that is not open elsewhere.

        Raises:
            CannotResume: there is none.
            OSError: as `listing`.
        """
        from thud.records.summary import SummaryCache, goes_on

        refusal: CannotResume | None = None
        known = SummaryCache(self.matches / SUMMARIES)
        for _, name, stamp in _newest_first(self.matches):
            summary, path = known.get(name, stamp), self._path(name)
            try:
                # The moves of a match that is not known are checked when it is resumed.
                over = summary.over if summary else _fault_of(path) or not goes_on(path)
                if not over:
                    return self.resume(name)
            except CannotResume as error:
                refusal = refusal or error
            except (BadRecord, OSError):
                pass
        raise refusal or CannotResume("no unfinished match")

    def _entries(
        self,
        since: float = float("-inf"),
        told: Callable[[int, int], None] = lambda done, of: None,
    ) -> Generator[Summary | UnreadableFile, None, None]:
        """Yield every match, last saved first, read again only if its file has changed.

        Args:
            since: nanoseconds since the epoch before which files are left out.
            told: as for `listing`.

        Raises:
            OSError: the directory cannot be read; a missing one is no error.
        """
        from thud.records.summary import SummaryCache, summary_of

        files = _newest_first(self.matches)
        known = SummaryCache(self.matches / SUMMARIES)
        try:
            for done, (modified, name, stamp) in enumerate(files):
                if modified < since:
                    return
                if summary := known.get(name, stamp):
                    yield summary
                    continue
                told(done, len(files))
                path = self._path(name)
                entry: Summary | UnreadableFile
                try:
                    if fault := _fault_of(path):
                        entry = UnreadableFile(path, fault)
                    else:
                        entry = summary_of(path)
                        known.add(stamp, entry)
                except FileNotFoundError:
                    continue
                except (OSError, BadRecord) as error:
                    entry = UnreadableFile(path, why(error))
                yield entry
        finally:
            known.save({name for _, name, _ in files})

    def _reserve(self, name: str = "") -> tuple[Path, Lock]:
        """Return an unused path, and its lock.

        Raises:
            AlreadyKept: the given id is taken.
        """
        from thud.disk.lock import Lock, Locked

        while True:
            path = self._path(name or f"{datetime.now():%Y%m%d-%H%M%S}-{os.urandom(2).hex()}")
            with suppress(FileExistsError, Locked):
                # Of a given id there may be the lock of one who died while writing the file.
                lock = Lock(path.with_suffix(LOCK), new=not name)
                if not path.exists():
                    return path, lock
                lock.release()
            if name:
                raise AlreadyKept(f"match {name} exists")

    def version(self, name: str) -> tuple[int, ...]:
        """Return what differs between the versions of a saved match's file; empty if it is gone."""
        return _state(self._path(name)) or ()

    def named(self, text: str) -> str:
        """Return the id of the match that a player names: its id, the beginning of it, or `last`.

        Raises:
            CannotResume: there is no such match, or there are several.
            OSError: the directory cannot be read.
        """
        if is_id(text) and self._path(text).exists():
            return text
        known = [name for _, name, _ in _newest_first(self.matches)]
        alike = [each for each in known if text and each.startswith(text)]
        found = known[:1] if text == LAST else alike
        if len(found) == 1:
            return found[0]
        if text == LAST:
            raise CannotResume("no match is saved yet: start one with 'thud play'")
        listed = "'thud resume --list' and 'thud history' list them"
        if not found:
            raise CannotResume(f"there is no saved match {quoted(text)}: {listed}")
        raise CannotResume(f"{len(found)} saved matches begin with {quoted(text)}: {listed}")

    def existing(self, name: str) -> Path:
        """Return the file of a saved match.

        Raises:
            CannotResume: there is no such match, or it cannot be read.
        """
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
        from thud.disk.lock import Lock, Locked

        try:
            return Lock(path.with_suffix(LOCK))
        except Locked:
            reason = f"match {path.stem} is open in another terminal: close it there first"
            raise InUse(reason) from None
        except OSError as error:
            reason = f"match {path.stem} cannot be locked in {path.parent}: {why(error)}"
            raise CannotResume(reason) from error


# The files in their directory


def is_id(name: str) -> bool:
    """Whether a name can be a saved match's id."""
    return re.fullmatch(ID, name) is not None


def _newest_first(directory: Path) -> list[tuple[int, str, Stamp]]:
    """Return the times, ids and stamps of the matches' files, last saved first.

    What an interrupted save left is cleared away.

    Raises:
        OSError: the directory cannot be read; a missing one is no error.
    """
    found: list[tuple[int, str, Stamp]] = []
    others: list[str] = []
    try:
        with os.scandir(directory) as entries:
            for entry in entries:
                name = entry.name
                if name.endswith(SUFFIX):
                    stamp = 0, 0, 0
                    with suppress(OSError):
                        status = entry.stat()
                        stamp = status.st_mtime_ns, status.st_ctime_ns, status.st_size
                    found.append((stamp[0], name[: -len(SUFFIX)], stamp))
                else:
                    others.append(name)
    except FileNotFoundError:
        return []
    for name in others:
        _clear_away(directory, name)
    found.sort(reverse=True)
    return found


def _fault_of(path: Path) -> str:
    """Return why a file cannot be a saved match, regardless of its content; empty if it can.

    Raises:
        OSError: it cannot be checked.
    """
    if not is_id(path.stem):
        return "its name is not that of a saved match"
    return "not a file" if path.exists() and not path.is_file() else ""


def _discarded(name: str, path: Path) -> Discarded:
    with open_regular(path) as file:
        return Discarded(name, file.read(), os.fstat(file.fileno()).st_mtime)


def _clear_away(directory: Path, name: str) -> None:
    """Delete an unused lock file, or an unfinished temporary file of ours; nothing else."""
    from thud.disk.lock import Lock, Locked

    match = directory / (target_of_temporary(name) or name)
    if match.name == SUMMARIES != name:
        with suppress(OSError):  # at worst, another process cannot write its cache
            (directory / name).unlink(missing_ok=True)
    unfinished = match.name != name and match.suffix == SUFFIX
    if is_id(match.stem) and (unfinished or match.suffix == LOCK):
        with suppress(Locked, OSError):
            lock = Lock(match.with_suffix(LOCK))
            try:
                if unfinished:
                    (directory / name).unlink(missing_ok=True)
            finally:
                lock.release()


def _is_unfinished(entry: Summary | UnreadableFile) -> TypeGuard[Summary]:
    return not isinstance(entry, UnreadableFile) and not entry.over


def _state(path: Path) -> tuple[int, ...] | None:
    """Return a fingerprint of a file's version, None if there is no file."""
    found = _stat(path)
    return (found.st_ino, found.st_mtime_ns, found.st_size) if found else None


def _stat(path: Path) -> os.stat_result | None:
    """Return a file's status, None if there is no file."""
    try:
        return path.stat()
    except OSError:
        return None

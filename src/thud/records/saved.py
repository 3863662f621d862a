"""A match that is being played, and is on the disk after every change."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from types import TracebackType

from thud.disk.atomic import write_atomic
from thud.disk.lock import Lock, Locked
from thud.records.bounds import InvalidRecord
from thud.records.record import Record
from thud.records.shelf import LOCK
from thud.records.tgn_writer import tgn_text
from thud.rules.match import Match


class CannotSave(ValueError):
    """A match that cannot be put on the disk; what was there before is as it was."""


class AlreadyKept(CannotSave):
    """A match that is there already, under the name that it was to have."""


class Saved:
    """A match that is being played and saved; close it to let others have it.

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

    def save(self, match: Match, programs: tuple[str, str] = ("", "")) -> None:
        """Return when the match as it is now is on the disk.

        Args:
            match: the match.
            programs: what plays for its players now, empty where nothing new does.

        Raises:
            CannotSave: it is not, and the file is as it was; the next save may succeed.
        """
        from thud.records.going_on import updated

        self.write(updated(self.record, match, programs))

    def write(self, record: Record) -> None:
        """Return when a record of this match is on the disk.

        Raises:
            CannotSave: as `save`.
        """
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
            CannotSave: as `save`.
        """
        times = self._times()
        self.write(record)
        if times is not None:
            with contextlib.suppress(OSError):
                os.utime(self.path, ns=times)
            self._seen = _state(self.path)

    def _times(self) -> tuple[int, int] | None:
        try:
            found = self.path.stat()
        except OSError:
            return None
        return found.st_atime_ns, found.st_mtime_ns

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
            taken = f"match {self.id} was taken up in another terminal"
            raise CannotSave(f"{taken}: what is played here is not saved") from None

    def restored(self) -> Match:
        """Return the match as it was saved last, with what was undone ready to be redone."""
        return self.record.match()

    def close(self, *, stays: bool = False) -> None:
        """Let the match go; one in which no move was ever made leaves no file, unless it stays."""
        if not stays and not self.record.battles[0].begun and self._lock.held:
            with contextlib.suppress(OSError):
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


def _state(path: Path) -> tuple[int, ...] | None:
    """Return what tells a file from one written later, None if there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_ino, found.st_mtime_ns, found.st_size


def why(error: OSError) -> str:
    """Return what went wrong without the number and the path that an error carries."""
    return error.strerror or str(error)

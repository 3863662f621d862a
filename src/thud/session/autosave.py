"""Autosave of the match being played."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from datetime import date, datetime, timedelta
from threading import Lock
from typing import TYPE_CHECKING, Final

from thud.disk.small import read_small, write_small
from thud.records.store import AlreadyKept, CannotSave, Saved, Store
from thud.rules.match import Match

if TYPE_CHECKING:
    from thud.records.record import Record

RECENT: Final = timedelta(days=14)
"""Age up to which an unfinished match is mentioned."""

_MAX_BYTES: Final = 1000
"""Longest file with the date of the last mention of an unfinished match."""


class Autosave:
    """Saves a match after each change, in a file created at the first one.

    What could not be saved is saved by the next change, by `retry`, or at last by `close`.

    Args:
        store: where to save; None saves nothing.
        saved: the saved match to continue, if any.
        record: a record from elsewhere to continue, with its tags and comments.
        keep_empty: whether a match is saved before its first move, and kept without any.
        report_every_failure: whether every failure to save is reported, not only the first.

    Attributes:
        keeps_empty: whether a match is saved before its first move.
        complaint: why the last changes could not be saved, empty if they were.
        id: the id with which the match can be resumed, empty if it is not saved.
        prepare: called with the id of each new match, in a thread, before it is saved.
    """

    def __init__(
        self,
        store: Store | None,
        saved: Saved | None = None,
        record: Record | None = None,
        *,
        keep_empty: bool = False,
        report_every_failure: bool = False,
    ) -> None:
        self.store = store
        self.prepare: Callable[[str], None] | None = None
        self.keeps_empty = keep_empty
        self._report_every_failure = report_every_failure
        self._saved = saved
        self._record = saved.record if saved else record
        self.complaint = ""
        self._over = False
        self._empty = saved is None
        self.id = saved.id if saved else ""
        self._name = ""
        self._writing = Lock()
        self._notices: list[str] = []
        self._cautioned = False

    @property
    def has_unsaved(self) -> bool:
        """Whether changes could not be saved."""
        return bool(self.complaint)

    @property
    def aside(self) -> str:
        """Notice when moves are taken back in a finished match, empty in any other."""
        if self.store is None or self._record is None or not self._record.over:
            return ""
        return "The match is saved as it was played; what you play now is a variation."

    def rating_change(self) -> str:
        """Say how the finished match has changed a person's rating; empty if it does not count."""
        from thud.strength.people import change_by

        with suppress(OSError):
            return change_by(self.store, self.id) if self.store and self.id else ""
        return ""

    def farewell(self, how: str = "") -> str:
        """Return what happens to the match once it is left, empty if there is nothing to say.

        Args:
            how: options to resume or replay it with.
        """
        if self.has_unsaved and not self.id:
            return "The match is not saved."
        if not self.id or (self._empty and not self.has_unsaved):
            return ""
        told = "The last moves are not saved." if self.has_unsaved else "Saved."
        over = self._over and not self.has_unsaved
        if self.store and self.store.way_back:
            return told if over else f"{told} {self.store.way_back}"
        if over:
            return f"{told} Replay with: {_command('replay', how, self.id)}"
        return f"{told} Resume with: {_command('resume', how, self.id)}"

    def outlook(self, way_back: str = "") -> str:
        """Return what happens to the match if the players leave in the middle of it.

        Args:
            way_back: how they get back to it, if not by a command.
        """
        if self.has_unsaved and self.id:
            return "The last moves could not be saved."
        if self.store is None or not self.id:
            return "The match is not saved."
        return self.store.way_back or f"Saved. {way_back or 'Resume with: thud resume'}"

    def record(self, match: Match, programs: tuple[str, str]) -> Record:
        """Return the match's current record, with the tags and comments it came with."""
        if self._record is None:
            from thud.records.record import Record

            return Record.of(match, date=date.today().isoformat(), programs=programs)
        if self._record.over:
            from thud.records.editing import varied

            return varied(self._record, match)
        return self._record.updated(match, programs)

    async def keep(self, record: Record, name: str = "") -> str:
        """Save the match; return why that failed, if it is to be reported.

        Args:
            record: the current record.
            name: the id that the match has elsewhere; a saved match with that id is this one.
        """
        if self.store is None:
            return ""
        return await asyncio.to_thread(self._keep, record, name)

    def set_record(self, record: Record) -> None:
        """Set the current record without saving it: it is saved elsewhere."""
        self._record, self._over = record, False

    async def switch_to(self, record: Record | None = None) -> None:
        """Close the match and switch to another: a record's, or a new one."""
        await asyncio.to_thread(self.close)
        self._record, self.id, self.complaint, self._over = record, "", "", False

    def _keep(self, record: Record, name: str) -> str:
        with self._writing:
            self._over = record.over
            self._empty = not any(each.begun for each in record.battles)
            self._record, self._name = record, name
            told = self.has_unsaved and not self._report_every_failure
            self._write(record)
            return "" if told else self.complaint

    def _write(self, record: Record) -> None:
        """Save a record, or note why that failed; once closed, the match is not saved any more."""
        assert self.store is not None
        if self.id and not self._saved:
            return
        try:
            if self._saved:
                self._saved.write(record)
            else:
                self._saved = self.store.adopt(record, self._name, self.prepare)
                self.id = self._saved.id
        except AlreadyKept:
            # The host is on this machine, or the match was joined before.
            self.id = self._name
        except CannotSave as error:
            self.complaint = str(error)
            return
        self.complaint = ""
        if self._saved and self._saved.soft and not self._cautioned:
            self._cautioned = True
            self._notices.append(
                f"Files cannot be locked in {self.store.matches}:"
                " do not play this match on two computers at once."
            )

    def retry(self) -> None:
        """Try again to save what could not be saved, if anything."""
        with self._writing:
            if self.has_unsaved:
                self._write_what_is_unsaved()
                if not self.has_unsaved:
                    self._notices.append("The match is saved again.")

    def _write_what_is_unsaved(self) -> None:
        if self.has_unsaved and self._record:
            self._write(self._record)

    def take_notices(self) -> list[str]:
        """Return what there is to say about saving, once."""
        notices, self._notices = self._notices, []
        return notices

    def annotate(self, before: Record, after: Record) -> None:
        """Save comments and variations of the match, whose moves are unchanged.

        Raises:
            CannotSave: it cannot be saved, or the match has changed.
        """
        with self._writing:
            if self._record not in (None, before):
                raise CannotSave("the match has moved on")
            self._record = after
            if self._saved:
                self._saved.annotate(after)

    def mention(self, how: str = "") -> str:
        """Return how to resume another match, empty if none waits or one was mentioned today.

        Both sides must have moved in it, and it must have been played within `RECENT`.

        Args:
            how: options to resume it with.
        """
        if self.store is None:
            return ""
        try:
            latest = self.store.waiting(since=datetime.now() - RECENT, but=self.id)
        except OSError:
            # The cause is reported when a match cannot be saved.
            return ""
        path, today = self.store.matches.with_name("mentioned.json"), date.today().isoformat()
        if latest is None or read_small(path, _MAX_BYTES).get("on") == today:
            return ""
        with suppress(OSError):
            write_small(path, {"on": today})
        return f"Another match is unfinished: {_command('resume', how, latest.id)}"

    def close(self) -> None:
        """Close the match so that it can be resumed elsewhere; a complaint stays."""
        with self._writing:
            self._write_what_is_unsaved()
            if self._saved:
                self._saved.close(keep_empty=self.keeps_empty)
            self._saved = None


def _command(verb: str, how: str, match: str) -> str:
    return " ".join(filter(None, ("thud", verb, how, match)))

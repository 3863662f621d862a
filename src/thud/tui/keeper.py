"""Keeps the match that is played on the disk."""

from __future__ import annotations

import asyncio
from datetime import date
from typing import TYPE_CHECKING

from thud.rules.match import Match

if TYPE_CHECKING:
    from collections.abc import Callable

    from thud.records.record import Record
    from thud.records.saved import Saved
    from thud.records.store import Store


class Keeper:
    """Saves a match after each change, in a file of its own from the first change on.

    Args:
        store: where to; None keeps nothing.
        saved: the match that is gone on with, if it has been saved before.
    """

    def __init__(self, store: Store | None, saved: Saved | None = None) -> None:
        self._store = store
        self.programs = ("", "")
        """What plays for the two players, empty for a person."""
        self._saved = saved
        self._behind = False
        self._over = False
        self._busy = asyncio.Lock()

    @property
    def id(self) -> str | None:
        """The name by which the match can be resumed, None if it is not saved."""
        return self._saved.id if self._saved else None

    @property
    def outlook(self) -> str:
        """What becomes of the match if the players leave now."""
        if self._saved is None:
            return "The match is not kept."
        if self._behind:
            return "The last moves could not be kept."
        return "“thud resume” goes on with the match."

    @property
    def farewell(self) -> str:
        """What there is to say to players who have left, empty if there is nothing."""
        if self._saved is None:
            return ""
        if self._behind:
            return f"The last moves are not kept. 'thud resume {self.id}' has those before."
        if self._over:
            return f"The match is kept: 'thud replay {self.id}' shows it again."
        return f"The match is kept: 'thud resume {self.id}' goes on with it."

    def record(self, match: Match) -> Record:
        """Return the record of the match as it is now, with the tags and comments it came with."""
        from thud.records.record import Record

        if self._saved:
            return self._saved.record.updated(match, self.programs)
        return Record.of(match, date=date.today().isoformat(), programs=self.programs)

    async def keep(self, change: Callable[[], Match | None]) -> str:
        """Make a change that returns the match, and return when the match is on the disk.

        A change that returns None keeps nothing.

        Nothing else is changed or saved meanwhile.  Returns why the match is not on the disk, the
        first time that is so, and else nothing.
        """
        async with self._busy:
            match = change()
            return await asyncio.to_thread(self._keep, match) if match else ""

    async def turn_to(self, record: Record | None = None) -> str:
        """Let the match go and keep another: a record read elsewhere, or what comes.

        Tags and comments of the record are kept, too.  Returns the same as `keep`.
        """
        async with self._busy:
            return await asyncio.to_thread(self._turn_to, record)

    def _keep(self, match: Match) -> str:
        if self._store is None:
            return ""
        self._over = match.over
        store, saved = self._store, self._saved
        if saved is None:
            return self._try(lambda: store.begin(match, programs=self.programs))
        return self._try(lambda: saved.save(match, self.programs))

    def _turn_to(self, record: Record | None) -> str:
        self.close()
        store = self._store
        if store is None or record is None:
            return ""
        return self._try(lambda: store.adopt(record))

    def _try(self, save: Callable[[], Saved | None]) -> str:
        from thud.records.saved import CannotSave

        try:
            self._saved = save() or self._saved
        except CannotSave as error:
            complaint = "" if self._behind else str(error)
            self._behind = True
            return complaint
        self._behind = False
        return ""

    def unfinished(self) -> str:
        """Return the id of the latest unfinished match but this, empty if there is none."""
        try:
            latest = self._store.latest(but=self.id or "") if self._store else None
        except OSError:
            # What keeps the store from being read is told when a match cannot be saved.
            return ""
        return latest.id if latest else ""

    def close(self) -> None:
        """Let the match go, so that it can be resumed."""
        if self._saved:
            self._saved.close()
        self._saved = None
        self._behind = self._over = False

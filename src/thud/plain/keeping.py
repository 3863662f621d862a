"""Keeps the match that is played on the disk, and says what becomes of it."""

from __future__ import annotations

from datetime import date

from thud.records.record import Record
from thud.records.saved import CannotSave, Saved
from thud.records.store import Store
from thud.rules.match import Match


class Keeping:
    """Saves a match after each change, in a file of its own from the first change on.

    Args:
        store: where to.
        saved: the match that is gone on with, if it has been saved before.
    """

    def __init__(self, store: Store, saved: Saved | None = None) -> None:
        self.store = store
        self.programs = ("", "")
        """What plays for the two players, empty for a person."""
        self._saved = saved
        self._behind = False

    def keep(self, match: Match) -> str:
        """Return when the match is on the disk; or why it is not, the first time that is so."""
        try:
            if self._saved:
                self._saved.save(match, self.programs)
            else:
                self._saved = self.store.begin(match, programs=self.programs)
        except CannotSave as error:
            complaint = "" if self._behind else str(error)
            self._behind = True
            return complaint
        self._behind = False
        return ""

    def turn_to(self, record: Record | None = None) -> str:
        """Let the match go and keep another: a record read elsewhere, or what comes.

        Returns the same as `keep`.
        """
        self.close()
        if record is None:
            return ""
        try:
            self._saved = self.store.adopt(record)
        except CannotSave as error:
            return str(error)
        return ""

    def record(self, match: Match) -> Record:
        """Return the record of the match as it is now, with the tags and comments it came with."""
        if self._saved:
            return self._saved.record.updated(match, self.programs)
        return Record.of(match, date=date.today().isoformat(), programs=self.programs)

    def farewell(self, match: Match) -> str:
        """Return what becomes of a match that is left, empty if there is nothing to say."""
        if self._saved is None:
            return "The match is not kept." if self._behind else ""
        name = self._saved.id
        if self._behind:
            return f"The last moves are not kept. 'thud resume {name}' has those before."
        if match.over:
            return f"The match is kept: 'thud replay {name}' shows it again."
        if not self._saved.record.battles[0].moves:
            return ""
        return f"The match is kept: 'thud resume --plain {name}' goes on with it."

    def unfinished(self) -> str:
        """Return the id of the latest unfinished match but this, empty if there is none."""
        try:
            latest = self.store.latest(but=self._saved.id if self._saved else "")
        except OSError:
            # What keeps the store from being read is told when a match cannot be saved.
            return ""
        return latest.id if latest else ""

    def close(self) -> None:
        """Let the match go, so that it can be resumed."""
        if self._saved:
            self._saved.close()
        self._saved = None
        self._behind = False

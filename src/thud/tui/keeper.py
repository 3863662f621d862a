"""Keeps the match that is played on the disk."""

from __future__ import annotations

from typing import TYPE_CHECKING

from thud.rules.match import Match

if TYPE_CHECKING:
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
        self._saved = saved
        self._complained = False
        self._over = False

    @property
    def resumable(self) -> str:
        """The id of the match if it can be gone on with later, else empty."""
        return self._saved.id if self._saved and not self._over else ""

    @property
    def id(self) -> str | None:
        """The name by which the match can be resumed, None if it is not saved."""
        return self._saved.id if self._saved else None

    def keep(self, match: Match) -> str:
        """Return when a match is on the disk, or else, the first time, say why it is not."""
        if self._store is None:
            return ""
        from thud.records.saved import CannotSave

        self._over = match.over
        try:
            if self._saved is None:
                self._saved = self._store.begin(match)
            else:
                self._saved.save(match)
        except CannotSave as error:
            complaint = "" if self._complained else str(error)
            self._complained = True
            return complaint
        self._complained = False
        return ""

    def unfinished(self) -> str:
        """Return the id of the latest unfinished match but this, empty if there is none."""
        found = self._store.unfinished() if self._store else []
        return next((summary.id for summary in found if summary.id != self.id), "")

    def close(self) -> None:
        """Let the match go, so that it can be resumed, or another begun."""
        if self._saved:
            self._saved.close()
        self._saved = None

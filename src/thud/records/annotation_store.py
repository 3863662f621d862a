"""Saves the variations and comments of a replayed match."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TypeAlias

from thud.records.questions import is_model
from thud.records.record import Record
from thud.records.store import CannotResume, CannotSave, Store

Rewrite: TypeAlias = Callable[[Record, Record], None]
"""Replaces a match's record by another; raises CannotSave if it cannot."""


class AnnotationStore:
    """Saves the variations and comments of a replayed match.

    Changes are written one at a time, and only over what was read or written here: a match played
    on elsewhere is not overwritten.

    Args:
        record: the match as opened.
        rewrite: replaces the match's record on the disk; None if it is no saved match.

    Attributes:
        record: the record as it is now.
        is_model: whether it is a model battle: moves tried in one need not be saved.
    """

    def __init__(self, record: Record, rewrite: Rewrite | None = None) -> None:
        self.record = record
        self.is_model = is_model(record)
        self._rewrite = rewrite
        self._kept = self._elsewhere = record
        self._turn = asyncio.Lock()

    @property
    def own(self) -> bool:
        """Whether it is a saved match."""
        return self._rewrite is not None

    @property
    def behind(self) -> bool:
        """Whether there are unsaved changes."""
        return self.record not in (self._kept, self._elsewhere)

    def kept_elsewhere(self, record: Record) -> None:
        """Note that a record was written to a file chosen by the user."""
        self._elsewhere = record

    async def keep(self, record: Record, *, tried: bool = False) -> None:
        """Note a change; for a saved match, return when it is on the disk.

        Args:
            record: the changed record.
            tried: whether moves were only tried or judged, which can be done again at any time.

        Raises:
            CannotSave: it cannot be saved; the disk is unchanged.
        """
        if tried and self.is_model and not self.behind:
            self._elsewhere = record
        self.record = record
        async with self._turn:
            latest = self.record
            if self._rewrite and latest is not self._kept:
                await asyncio.to_thread(self._rewrite, self._kept, latest)
                self._kept = latest


def in_store(store: Store, name: str) -> Rewrite:
    """Return the `Rewrite` of a saved match."""

    def rewrite(before: Record, after: Record) -> None:
        try:
            store.rewrite(name, before, after)
        except CannotResume as error:
            raise CannotSave(str(error)) from error

    return rewrite

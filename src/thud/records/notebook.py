"""Saves variations and comments made in a replay, if the match is a saved one."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TypeAlias

from thud.records.record import Record
from thud.records.store import CannotResume, CannotSave, Store

Rewrite: TypeAlias = Callable[[Record, Record], None]
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

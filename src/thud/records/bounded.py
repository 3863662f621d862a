"""Matches that are kept as long as there is room for them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

from thud.records.record import Record
from thud.records.saved import CannotSave, Saved
from thud.records.store import Store

_MEGABYTE: Final = 1 << 20


class BoundedStore(Store):
    """Takes no new match where there is too much already.

    Args:
        directory: the data directory; all that is in it counts.
        most: the most bytes in it with which another match may begin.
    """

    way_back = "It waits for you in the lobby."

    def __init__(self, directory: Path, most: int) -> None:
        super().__init__(directory)
        self._directory = directory
        self._most = most

    def refuse_if_full(self) -> None:
        """Pass where another match may begin.

        Raises:
            CannotSave: there is too much already.
        """
        if sum(_sizes(self._directory)) > self._most:
            room = f"what is kept of you takes more than {self._most / _MEGABYTE:g} MB"
            raise CannotSave(f"{room}: delete some matches first")

    def adopt(
        self, record: Record, name: str = "", prepare: Callable[[str], None] | None = None
    ) -> Saved:
        """Give a record a file here, as any store does, as long as there is room."""
        self.refuse_if_full()
        return super().adopt(record, name, prepare)


def _sizes(directory: Path) -> Iterator[int]:
    """Yield the bytes of every file below a directory, as far as they can be seen."""
    for above, _, names in os.walk(directory):
        for name in names:
            with suppress(OSError):
                yield os.lstat(os.path.join(above, name)).st_size

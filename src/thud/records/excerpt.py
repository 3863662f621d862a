"""Which part of a match is meant, for formats that cannot hold all of it and for looking at it."""

from __future__ import annotations

from typing import Final, NamedTuple

from thud.records.cursor import Cursor
from thud.records.record import Record


class Excerpt(NamedTuple):
    """What of a match is written: which battle, as far as which move, and seen from which end.

    Without a battle it is the last, without a ply all of its moves; `flipped` turns the board of
    a picture round, rank 15 at the top.
    """

    battle: int | None = None
    ply: int | None = None
    flipped: bool = False

    def of(self, record: Record) -> Cursor:
        """Return where that is in a record.

        Raises:
            InvalidRecord: the record has no such place.
        """
        return Cursor.at(record, self.battle, self.ply)


WHOLE: Final = Excerpt()
"""All that a format can hold."""

"""Which part of a match is meant, for formats that cannot hold all of it and for looking at it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from thud.records.cursor import Cursor
from thud.records.record import Record
from thud.rules.position import Move

if TYPE_CHECKING:
    from thud.pictures.design import Design


class Excerpt(NamedTuple):
    """What of a match is written: which battle, as far as which move, and seen from which end.

    Without a battle it is the last, without a ply all of its moves; `flipped` turns the board of
    a picture round, rank 15 at the top.  Without a design it looks as pictures do.
    """

    battle: int | None = None
    ply: int | None = None
    flipped: bool = False
    design: Design | None = None
    arrow: bool = False
    """Whether a picture has an arrow for the move that led there."""
    advised: Move | None = None
    """A move from there that a picture advises with an arrow."""

    def of(self, record: Record) -> Cursor:
        """Return where that is in a record.

        Raises:
            InvalidRecord: the record has no such place.
        """
        return Cursor.at(record, self.battle, self.ply)


WHOLE: Final = Excerpt()
"""All that a format can hold."""

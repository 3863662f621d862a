"""Who was ahead when, on the lines of a record."""

from __future__ import annotations

from collections.abc import Sequence

from thud.records.cursor import Cursor
from thud.rules.variant import Variant


class Leads:
    """Works out how far the dwarfs are ahead in each position of a line, once.

    Args:
        variant: the game, which says who leads.
    """

    def __init__(self, variant: Variant) -> None:
        self._variant = variant
        self._known: dict[object, Sequence[float]] = {}

    def known(self, cursor: Cursor) -> Sequence[float] | None:
        """Return the leads on the line of a place if they have been worked out."""
        return self._known.get(_line_of(cursor))

    def of(self, cursor: Cursor) -> Sequence[float]:
        """Return the leads in each position from where the battle begins to the line's end."""
        left = cursor.left
        before = self.of(left)[: cursor.begins + 1] if left else ()
        rest = cursor.positions[len(before) :]
        leads = self._known.get(_line_of(cursor)) or (*before, *map(self._variant.lead, rest))
        self._known[_line_of(cursor)] = leads
        return leads


def _line_of(cursor: Cursor) -> object:
    """Return what tells a line from all others, also from the same one when it has changed."""
    return cursor.number, cursor.moves

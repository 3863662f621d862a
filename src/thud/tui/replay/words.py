"""What a replay shows of a place: its text, its board, and the leads."""

from __future__ import annotations

from collections.abc import Sequence

from thud.records.tree import Cursor
from thud.rules.match import Match
from thud.rules.variant import Variant
from thud.wording.clocks import left_then
from thud.wording.moves import told_short
from thud.wording.outcomes import result_of
from thud.wording.text import capitalised


class Leads:
    """The dwarfs' lead in each position of a line, computed once.

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


def at_board(cursor: Cursor) -> Match:
    """Return a match that stands as it does at a place, its last move made: to pick moves in."""
    before = cursor.position if cursor.before is None else cursor.before
    match = Match(cursor.record.variant, cursor.commanders, before)
    if cursor.move:
        match.battle.play(cursor.move)
    return match


def told_of(people: Match, cursor: Cursor) -> list[str]:
    """Return what led to a place, what it means, and what is written there, line by line.

    Args:
        people: the match, for its names.
        cursor: the place.
    """
    lines = []
    if cursor.before and cursor.move:
        told = told_short(people, cursor.before, cursor.move, cursor.number)
        lines.append(told + left_then(cursor.time_left, cursor.record.control))
    if cursor.left:
        lines.append("In a variation.")
    if cursor.outcome:
        ending = result_of(people, cursor.outcome, cursor.number)
        lines.append(f"{capitalised(cursor.outcome.because)}. {ending}.")
    return [*lines, *cursor.words]

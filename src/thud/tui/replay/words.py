"""What there is to say of a place in a record, and the match that is at the board there."""

from __future__ import annotations

from thud.records.cursor import Cursor
from thud.rules.match import Match
from thud.wording.clocks import left_then
from thud.wording.moves import told_short
from thud.wording.outcomes import result_of
from thud.wording.text import capitalised


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

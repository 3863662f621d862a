"""A place in a replay: where keys lead from it, its description, and the board there."""

from __future__ import annotations

from thud.records.tree import Cursor
from thud.rules.match import Match
from thud.text import capitalised
from thud.wording.clocks import left_then
from thud.wording.moves import told_short
from thud.wording.outcomes import result_of, why_over


def destination(here: Cursor, way: str) -> Cursor:
    """Return the place that a key leads to, or the same one if it leads nowhere.

    Args:
        here: the current place.
        way: one of "next", "back", "first", "last", "battle", "into", "out" and "across".
    """
    there = here
    match way:
        case "next":
            there = here.to(here.ply + 1)
        case "back":
            there = here.to(here.ply - 1)
        case "first":
            there = here.to(0)
        case "last":
            there = here.to(here.last)
        case "battle":
            there = here.to_battle(here.number + 1)
        case "into":
            there = here.into(here.varied[0]) if here.varied else here.to_next_alternative()
        case "out":
            there = here.out()
        case "across":
            alternative = here.to_next_alternative()
            there = here.to_next_variation() if alternative == here else alternative
    return there


def one_on(before: Cursor, after: Cursor) -> bool:
    """Whether a place is a single move after another one."""
    return after.number == before.number and after.ply == before.ply + 1


def at_board(cursor: Cursor, commanders: tuple[str, str]) -> Match:
    """Return a match with a place's position and last move, to pick moves in.

    Args:
        cursor: the place.
        commanders: the names of the dwarfs' and the trolls' player.
    """
    before = cursor.position if cursor.before is None else cursor.before
    match = Match(cursor.record.variant, commanders, before)
    if cursor.move:
        match.battle.play(cursor.move)
    return match


def told_of(people: Match, cursor: Cursor) -> list[str]:
    """Return lines on the move that led to a place, its outcome and its comments.

    Args:
        people: the match, for the players' names.
        cursor: the place.
    """
    lines = []
    if cursor.before and cursor.move:
        told = told_short(people, cursor.before, cursor.move, cursor.number)
        lines.append(told + left_then(cursor.time_left, cursor.record.control))
    if cursor.parent:
        lines.append("In a variation.")
    if cursor.outcome:
        ending = result_of(people, cursor.outcome, cursor.number)
        lines.append(f"{capitalised(why_over(people, cursor.outcome, cursor.number))}. {ending}.")
    return [*lines, *cursor.words]

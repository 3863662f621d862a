"""Ways through a record, from place to place, and the board at a place."""

from __future__ import annotations

from thud.records.tree import Cursor
from thud.rules.match import Match


def destination(here: Cursor, way: str) -> Cursor:
    """Return the place that a way leads to, or the same one if it leads nowhere.

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
            there = here.into(0) if here.node.variations else here.to_next_alternative()
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

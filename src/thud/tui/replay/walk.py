"""Navigation in a replay: the cursor that each key leads to."""

from __future__ import annotations

from thud.records.tree import Cursor


def destination(here: Cursor, key: str, by: int = 0) -> Cursor | None:
    """Return the place that a key leads to: the same one where it leads no further.

    Args:
        here: where it is pressed.
        key: what it does, by the name of the action.
        by: how many moves on it goes, below 0 back.

    Returns:
        None if the key does not lead anywhere at all.
    """
    there = None
    match key:
        case "go":
            there = here.to(here.ply + by)
        case "first":
            there = here.to(0)
        case "last":
            there = here.to(here.last)
        case "battle":
            there = here.to_battle(here.number + 1)
        case "into":
            there = here.into(here.varied[0]) if here.varied else here.across()
        case "out":
            there = here.out()
        case "across":
            across = here.across()
            there = here.to_next_variation() if across == here else across
    return there


def one_on(before: Cursor, after: Cursor) -> bool:
    """Say whether a place is a single move after another one."""
    return after.number == before.number and after.ply == before.ply + 1

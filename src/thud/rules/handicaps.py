"""Handicaps: the stronger player begins both battles with fewer pieces.

Each variant defines which pieces are left out, so a handicap is just a player and a number of
steps.  The steps were measured: benchmarks/results/handicaps.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final, NamedTuple

from thud.rules.geometry import Mask, mask_of, parse_square
from thud.rules.match import BATTLES, side_of
from thud.rules.position import Position, Side
from thud.rules.variant import Variant
from thud.text import quoted

MOST: Final = 4
"""Most steps of a handicap."""


class Handicap(NamedTuple):
    """The player who begins with fewer pieces, and by how many steps."""

    player: int
    """0 or 1."""
    steps: int
    """From 1 to `MOST`."""


def missing(variant: Variant, side: Side, steps: int) -> Mask:
    """Return the squares left empty by a side that gives a number of steps.

    Raises:
        ValueError: the variant has no handicaps, or not this one.
    """
    if not variant.handicaps:
        raise ValueError(f"{variant.title} has no handicaps: fewer pieces change little in it")
    if not 1 <= steps <= MOST:
        raise ValueError(f"a handicap has 1 to {MOST} steps, not {steps}")
    gone = variant.handicaps[side]
    return mask_of(*map(parse_square, gone.squares.split()[: gone.at_step[steps - 1]]))


def start_without(variant: Variant, side: Side, steps: int) -> Position:
    """Return the start for a side that gives a number of steps.

    Raises:
        ValueError: as `missing`.
    """
    gone, start = missing(variant, side, steps), variant.start
    if side is Side.DWARFS:
        return start._replace(dwarfs=start.dwarfs & ~gone)
    return start._replace(trolls=start.trolls & ~gone)


@cache
def starts_at(variant: Variant, handicap: Handicap) -> tuple[Position, Position]:
    """Return the starts of both battles at a handicap.

    Raises:
        ValueError: as `missing`.
    """
    player, steps = handicap
    first, second = (
        start_without(variant, side_of(player, number), steps) for number in range(1, BATTLES + 1)
    )
    return first, second


def handicap_in(variant: Variant, starts: Sequence[Position]) -> Handicap | None:
    """Return the handicap of given starts, None if there is none."""
    if not variant.handicaps or all(start == variant.start for start in starts):
        return None
    for player in range(BATTLES):
        for steps in range(1, MOST + 1):
            handicap = Handicap(player, steps)
            if starts_at(variant, handicap) == tuple(starts):
                return handicap
    return None


def parse_handicap(text: str, players: tuple[str, str]) -> Handicap:
    """Parse a handicap: `"Ann:2"`, or `"1:2"` for the first player.

    `"1"` and `"2"` always mean the first and the second player, even if a player has that name.

    Raises:
        ValueError: there is no such player, or no such number of steps.
    """
    who, _, number = (part.strip() for part in text.rpartition(":"))
    names = {name.casefold(): player for player, name in enumerate(players)}
    player = {"1": 0, "2": 1}.get(who, names.get(who.casefold()))
    if player is None:
        wrong = f"there is no player {quoted(who)}" if who else "write it like 1:2 or NAME:2"
        raise ValueError(f"a handicap: {wrong}; {' or '.join(players)} can give one")
    if number not in map(str, range(1, MOST + 1)):
        raise ValueError(f"a handicap has 1 to {MOST} steps, not {quoted(number)}")
    return Handicap(player, int(number))

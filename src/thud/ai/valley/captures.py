"""Who captures whom in Koom Valley: dwarfs trap trolls, trolls trample dwarfs.

A trample is a move with the mask of its dwarfs above its squares, from `VICTIMS` on.  What a dwarf
traps is not in its move: it always takes every troll that it can.
"""

from __future__ import annotations

from typing import Final

from thud.ai.bits import NEAR, between, facing, squares_in
from thud.ai.valley.slides import Move
from thud.rules.geometry import Mask, Square, bit
from thud.rules.moves import HOPS

VICTIMS: Final = 16
"""The lowest bit of a trample's captures in its move."""

MOST_TRAMPLES: Final = 300
"""So many tramples of one troll are listed; only crowds of dwarfs that no battle sees have more."""


def _jumps() -> list[tuple[tuple[Mask, Mask, Square], ...]]:
    jumps: list[tuple[tuple[Mask, Mask, Square], ...]] = [() for _ in range(256)]
    for square, hops in HOPS.items():
        jumps[square] = tuple((bit(over), bit(beyond), beyond) for over, beyond in hops)
    return jumps


JUMPS: Final = _jumps()
"""For each square what lies next to it and straight beyond, as masks, and the latter's square."""


def trapped(dwarfs: Mask, trolls: Mask, square: Square) -> Mask:
    """Return the trolls that a dwarf arriving on a square traps against another dwarf."""
    traps = 0
    if trolls & NEAR[square]:
        for between, beyond, _ in JUMPS[square]:
            if between & trolls and beyond & dwarfs:
                traps |= between
    return traps


def trap_squares(dwarfs: Mask, trolls: Mask, empty: Mask) -> Mask:
    """Return the empty squares on which an arriving dwarf traps at least one troll."""
    return facing(trolls, dwarfs) & empty


def tramples(dwarfs: Mask, trolls: Mask, empty: Mask) -> list[Move]:
    """List the tramples of all trolls, with every square at which they can stop."""
    moves: list[Move] = []
    for origin in squares_in(tramplers(dwarfs, trolls, empty)):
        moves += _tramples_of(origin, dwarfs, empty)
    return moves


def tramplers(dwarfs: Mask, trolls: Mask, empty: Mask) -> Mask:
    """Return the trolls that can trample."""
    return facing(dwarfs, empty) & trolls


def hanging(dwarfs: Mask, trolls: Mask, empty: Mask) -> Mask:
    """Return the dwarfs that a troll can trample."""
    return between(trolls, empty) & dwarfs


def _tramples_of(origin: Square, dwarfs: Mask, empty: Mask) -> list[Move]:
    """List the tramples of one troll, those that take most last."""
    empty |= 1 << origin
    seen: dict[tuple[Square, Mask], None] = {(origin, 0): None}
    frontier = list(seen)
    for square, taken in frontier:
        left, free = dwarfs & ~taken, empty | taken
        for over, beyond, landing in JUMPS[square]:
            if over & left and beyond & free and (state := (landing, taken | over)) not in seen:
                seen[state] = None
                frontier.append(state)
        if len(frontier) > MOST_TRAMPLES:
            break
    return [origin | end << 8 | taken << VICTIMS for end, taken in frontier[1:]]

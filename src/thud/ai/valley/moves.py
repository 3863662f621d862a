"""Move generation for Koom Valley and Football, moves as ints.

A piece's slides along a ray depend only on the first occupied square there.  They are precomputed
for each, so that a state's moves are concatenated from tuples.
"""

from __future__ import annotations

from typing import Final, NamedTuple, TypeAlias

from thud.ai.bitboards import NEAR, between, facing, squares_in
from thud.rules.geometry import BOARD, EDGE, RAYS, SIZE, SQUARES, Mask, Square, bit, mask_of
from thud.rules.moves import HOPS
from thud.rules.valley import TROLL_REACH

Move: TypeAlias = int
"""A search move: `origin | destination << 8`."""

_Ray: TypeAlias = tuple[Mask, dict[int, tuple[Move, ...]]]


class Rays(NamedTuple):
    """Precomputed slides of a kind of piece, by square; each ray is keyed by its first blocker.

    Towards higher squares the key is the blocker's bit, towards lower ones its bit length, which an
    int yields quickly.  0 is an open ray.
    """

    up: list[tuple[_Ray, ...]]
    down: list[tuple[_Ray, ...]]


def _ray(origin: Square, squares: tuple[Square, ...], stops: Mask, up: bool) -> _Ray:
    moves = [origin | s << 8 for s in squares]
    kept = [tuple(m for m in moves[:n] if stops >> (m >> 8) & 1) for n in range(len(moves) + 1)]
    table = {bit(s) if up else s + 1: kept[n] for n, s in enumerate(squares)}
    return mask_of(*squares), table | {0: kept[-1]}


def _rays(reach: int, stops: Mask = BOARD) -> Rays:
    """Return the slides of pieces with a reach, ending only on `stops`."""
    tables = Rays([() for _ in range(256)], [() for _ in range(256)])
    for origin in SQUARES:
        for side, up in ((tables.up, True), (tables.down, False)):
            side[origin] = tuple(
                _ray(origin, ray[:reach], stops, up)
                for step, ray in RAYS[origin].items()
                if (step > 0) is up
            )
    return tables


QUEEN: Final = _rays(SIZE)
"""Moves of the dwarfs, and of the ball."""

KING: Final = _rays(1)
"""Moves of the rock."""

TROLL: Final = _rays(TROLL_REACH)
FOOTBALL_TROLL: Final = _rays(TROLL_REACH, BOARD & ~EDGE)


def slides(rays: Rays, origins: Mask, occupied: Mask) -> list[Move]:
    """List the slides of pieces."""
    up, down = rays
    moves: list[Move] = []
    while origins:
        origin = origins.bit_length() - 1
        origins ^= 1 << origin
        for ray, by_blocker in up[origin]:
            blockers = occupied & ray
            moves += by_blocker[blockers & -blockers]
        for ray, by_blocker in down[origin]:
            moves += by_blocker[(occupied & ray).bit_length()]
    return moves


def slides_to(rays: Rays, square: Square, pieces: Mask, occupied: Mask) -> list[Move]:
    """List the slides of pieces to an empty square, which must be one they may end on."""
    moves = []
    for ray, _ in rays.up[square]:
        blockers = occupied & ray
        blocker = blockers & -blockers
        if blocker & pieces:
            moves.append(blocker.bit_length() - 1 | square << 8)
    for ray, _ in rays.down[square]:
        end = (occupied & ray).bit_length()
        if end and pieces >> end - 1 & 1:
            moves.append(end - 1 | square << 8)
    return moves


VICTIMS: Final = 16
"""Lowest bit of a trample's captures in its move."""

MOST_TRAMPLES: Final = 300
"""Most tramples listed for one troll; no battle comes near it."""


def _jumps() -> list[tuple[tuple[Mask, Mask, Square], ...]]:
    jumps: list[tuple[tuple[Mask, Mask, Square], ...]] = [() for _ in range(256)]
    for square, hops in HOPS.items():
        jumps[square] = tuple((bit(over), bit(beyond), beyond) for over, beyond in hops)
    return jumps


JUMPS: Final = _jumps()
"""For each square, by direction: the masks of two squares in line, and the second one's number."""


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
    """List the tramples of all trolls, with every square where they can stop."""
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
    """List one troll's tramples, those that take most last."""
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

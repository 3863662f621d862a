"""Move generation shared by the variants: slide, hurl, step, shove, trample, roll.

Generators take masks of origins and of destinations, so that asking about one piece or one move
costs only its own work; the `count_` functions count the same moves on whole masks without listing
them.
"""

from __future__ import annotations

from functools import cache, lru_cache
from itertools import takewhile
from typing import NamedTuple

from thud.rules.geometry import (
    ADJACENT,
    BOARD,
    RAYS,
    SIZE,
    STEPS,
    Mask,
    Square,
    Step,
    bit,
    mask_of,
    shift,
    squares_of,
)
from thud.rules.position import Move, Position


@cache
def hops_from(square: Square) -> tuple[tuple[Square, ...], ...]:
    """Return the next two squares in each direction: victim and landing of a trample."""
    return tuple([ray[:2] for ray in RAYS[square].values() if len(ray) > 1])


@lru_cache(1 << 15)
def _rays(origin: Square, destinations: Mask) -> tuple[tuple[Step, tuple[Square, ...]], ...]:
    """Return a square's rays, with their directions, that reach any of the destinations."""
    rays = RAYS[origin].items()
    return tuple([(step, ray) for step, ray in rays if mask_of(*ray) & destinations])


class Way(NamedTuple):
    """A straight way between two squares: its direction, and its squares but the first."""

    step: Step
    distance: int
    squares: Mask


@lru_cache(1 << 15)
def way_between(origin: Square, destination: Square) -> Way | None:
    """Return the straight way from one square to another, None if there is none."""
    for step, ray in RAYS.get(origin, {}).items():
        if destination in ray:
            distance = ray.index(destination) + 1
            return Way(step, distance, mask_of(*ray[:distance]))
    return None


def line_length(pieces: Mask, square: Square, step: Step) -> int:
    """Return the length of the unbroken line of pieces that ends at a square.

    The line points along `step`: it is counted backwards, including the square.
    """
    length = 1
    for behind in RAYS[square].get(-step, ()):
        if not pieces >> behind & 1:
            break
        length += 1
    return length


def longest_line(pieces: Mask, square: Square) -> Mask:
    """Return the longest unbroken line of pieces through a square, which it includes."""
    lines = []
    for step in STEPS[: len(STEPS) // 2]:
        line = bit(square)
        for way in (step, -step):
            line |= mask_of(*takewhile(lambda s: pieces >> s & 1, RAYS[square].get(way, ())))
        lines.append(line)
    return max(lines, key=int.bit_count)


def slides(origins: Mask, occupied: Mask, reach: int = SIZE, stops: Mask = BOARD) -> list[Move]:
    """List the moves in straight lines over empty squares, up to `reach` squares.

    A slide may pass over any empty square but ends only on one of `stops`.
    """
    moves = []
    for origin in squares_of(origins):
        for _, ray in _rays(origin, stops):
            for destination in ray[:reach]:
                if occupied >> destination & 1:
                    break
                moves.append(Move(origin, destination))
    if stops != BOARD:
        return [move for move in moves if stops >> move.destination & 1]
    return moves


def count_slides(origins: Mask, occupied: Mask, reach: int = SIZE, stops: Mask = BOARD) -> int:
    """Count the moves of `slides`."""
    empty = BOARD & ~occupied
    count = 0
    for step in STEPS:
        front = origins
        for _ in range(reach):
            front = (front << step if step > 0 else front >> -step) & empty
            if not front:
                break
            count += (front & stops).bit_count()
    return count


def sliders_to(square: Square, sliders: Mask, occupied: Mask) -> Mask:
    """Return which of the sliders can slide to a square."""
    found = 0
    for ray in RAYS[square].values():
        for origin in ray:
            if occupied >> origin & 1:
                found |= bit(origin) & sliders
                break
    return found


def hurls(position: Position, origins: Mask, destinations: Mask = BOARD) -> list[Move]:
    """List the hurls: a line of N dwarfs hurls its front dwarf 1 to N squares onto a troll."""
    moves = []
    occupied = position.occupied
    for troll in squares_of(position.trolls & destinations):
        for away, ray in RAYS[troll].items():
            for distance, origin in enumerate(ray, 1):
                if not occupied >> origin & 1:
                    continue
                if origins >> origin & 1 and (
                    line_length(position.dwarfs, origin, -away) >= distance
                ):
                    moves.append(Move(origin, troll, bit(troll)))
                break
    return moves


def count_hurls(position: Position) -> int:
    """Count the moves of `hurls` for all dwarfs."""
    dwarfs, trolls = position.dwarfs, position.trolls
    empty = BOARD & ~position.occupied
    count = 0
    for step in STEPS:
        aiming = shift(trolls, -step)
        lines = dwarfs
        while aiming and lines:
            count += (aiming & lines).bit_count()
            aiming = shift(aiming & empty, -step)
            lines = shift(lines, step) & dwarfs
    return count


class Landing(NamedTuple):
    """A square a troll can step or be shoved to, and the dwarfs adjacent to it."""

    origin: Square
    destination: Square
    distance: int
    line: int
    victims: Mask


def landings(position: Position, origins: Mask, destinations: Mask = BOARD) -> list[Landing]:
    """List the landings of steps, and of shoves that can capture.

    A line of N trolls may shove its front troll 1 to N squares; a landing one square away is a
    step, and also a shove if the line has two trolls or more.
    """
    found = []
    dwarfs, trolls = position.dwarfs, position.trolls
    occupied = position.occupied
    for origin in squares_of(trolls & origins):
        for step, ray in _rays(origin, destinations):
            if occupied >> ray[0] & 1:
                continue
            line = line_length(trolls, origin, step)
            for distance, destination in enumerate(ray[:line], 1):
                if occupied >> destination & 1:
                    break
                victims = ADJACENT[destination] & dwarfs
                if destinations >> destination & 1 and (victims or distance == 1):
                    found.append(Landing(origin, destination, distance, line, victims))
    return found


def tramples(position: Position, origin: Square) -> list[Move]:
    """List one troll's tramples: hops over adjacent dwarfs, each removed at once.

    Routes with the same end and the same captures are one move.
    """
    blocked = position.occupied & ~position.dwarfs & ~bit(origin)
    seen: dict[tuple[Square, Mask], None] = {}
    frontier = [(origin, 0)]
    while frontier:
        square, captured = frontier.pop()
        dwarfs = position.dwarfs & ~captured
        for victim, landing in hops_from(square):
            if dwarfs >> victim & 1 and not (blocked | dwarfs) >> landing & 1:
                state = landing, captured | bit(victim)
                if state not in seen:
                    seen[state] = None
                    frontier.append(state)
    return [Move(origin, landing, captured) for landing, captured in seen]


def hopped_over(position: Position, move: Move) -> tuple[Square, ...]:
    """Return a trample's captures in the order of its hops: any one of several orders.

    Raises:
        ValueError: no hops lead from its origin to its destination.
    """
    blocked = position.occupied & ~move.captures & ~bit(move.origin)
    routes: list[tuple[Square, tuple[Square, ...]]] = [(move.origin, ())]
    while routes:
        square, taken = routes.pop()
        left = move.captures & ~mask_of(*taken)
        if not left and square == move.destination:
            return taken
        for victim, landing in hops_from(square):
            if left >> victim & 1 and not (blocked | left) >> landing & 1:
                routes.append((landing, (*taken, victim)))
    raise ValueError("no hops lead there")


def rolls(position: Position, reach: int = SIZE, destinations: Mask = BOARD) -> list[Move]:
    """List the moves of the stone: a dwarf stands beside it before and after."""
    stone, dwarfs = position.stone, position.dwarfs
    if not ADJACENT[stone] & dwarfs:
        return []
    along = slides(bit(stone), position.occupied, reach, destinations)
    return [move for move in along if ADJACENT[move.destination] & dwarfs]


def can_roll(position: Position, way: Way, destination: Square, reach: int = SIZE) -> bool:
    """Whether the stone can move along a clear way from where it is."""
    dwarfs = position.dwarfs
    near = ADJACENT[position.stone] & dwarfs and ADJACENT[destination] & dwarfs
    return bool(near) and way.distance <= reach


def trapped(position: Position, square: Square) -> Mask:
    """Return the trolls that a dwarf arriving on a square traps against another dwarf."""
    dwarfs, trolls = position.dwarfs, position.trolls
    traps = 0
    for between, beyond in hops_from(square):
        if trolls >> between & 1 and dwarfs >> beyond & 1:
            traps |= bit(between)
    return traps


def trap_squares(position: Position) -> Mask:
    """Return the empty squares on which an arriving dwarf traps at least one troll."""
    squares = 0
    for step in STEPS:
        squares |= shift(shift(position.dwarfs, step) & position.trolls, step)
    return squares & ~position.occupied

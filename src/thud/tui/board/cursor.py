"""Cursor movement: eight directions, their keys, and jumps between stops."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Final

from thud.rules.geometry import (
    EAST,
    NORTH,
    NORTH_EAST,
    NORTH_WEST,
    RAYS,
    SOUTH,
    SOUTH_EAST,
    SOUTH_WEST,
    WEST,
    Square,
    Step,
    file_of,
    rank_of,
    step_between,
)
from thud.tui.actions import DIRECTION_KEYS

_STEPS: Final = {
    "north_west": NORTH_WEST,
    "north": NORTH,
    "north_east": NORTH_EAST,
    "west": WEST,
    "east": EAST,
    "south_west": SOUTH_WEST,
    "south": SOUTH,
    "south_east": SOUTH_EAST,
}
DIRECTIONS: Final[dict[str, tuple[Step, str]]] = {
    name: (step, DIRECTION_KEYS[name]) for name, step in _STEPS.items()
}
"""The eight directions by name, each with its step and its keys, the numpad's digit first."""

_ASIDE: Final = 2
"""Distance that a square to the side counts, relative to one ahead."""


def direction_keys(origin: Square, neighbour: Square, *, flipped: bool = False) -> tuple[str, ...]:
    """Return the keys that point from a square to its neighbour, the digit first."""
    ends = (neighbour, origin) if flipped else (origin, neighbour)
    towards = step_between(*ends)
    return next(
        tuple(keys.split(",")) for step, keys in DIRECTIONS.values() if (step, 1) == towards
    )


def stepped(square: Square, direction: str, *, flipped: bool = False) -> Square:
    """Return the next square in a screen direction, or at the edge the square itself."""
    step = DIRECTIONS[direction][0]
    ray = RAYS[square].get(-step if flipped else step)
    return ray[0] if ray else square


def jumped(square: Square, direction: str, stops: Iterable[Square], *, flipped: bool) -> Square:
    """Return the nearest stop up, down, left or right of a square, else the square itself.

    Stops that are farther to the side than ahead come last.
    """
    step = DIRECTIONS[direction][0]
    found = []
    for stop in stops:
        ahead, aside = _apart(square, stop, -step if flipped else step)
        if ahead > 0:
            found.append((aside > ahead, ahead + _ASIDE * aside, stop))
    return min(found)[-1] if found else square


def nearest(square: Square, stops: Iterable[Square]) -> Square:
    """Return the stop that is the fewest steps from a square; itself if there is none."""

    def steps(stop: Square) -> tuple[int, int, Square]:
        across, down = _apart(square, stop, EAST)
        return max(abs(across), down), abs(across) + down, stop

    return min(stops, key=steps, default=square)


def _apart(origin: Square, target: Square, step: Step) -> tuple[int, int]:
    """Return a square's distance ahead in an orthogonal direction, and to the side."""
    across, down = file_of(target) - file_of(origin), rank_of(target) - rank_of(origin)
    if step in (EAST, WEST):
        return (across if step == EAST else -across), abs(down)
    return (down if step == SOUTH else -down), abs(across)


def cycled(
    square: Square, stops: Collection[Square], by: int, first: Collection[Square] = ()
) -> Square:
    """Return the next or previous stop in reading order, wrapping around.

    Args:
        square: where the cursor is.
        stops: the stops.
        by: 1 for the next one, -1 for the previous one.
        first: stops that come before all others, also if the cursor is at none.
    """
    order = sorted(stops, key=lambda stop: (stop not in first, stop))
    if square not in order and not first:
        order = sorted([*order, square])
    if square not in order:
        return order[0] if by > 0 else order[-1]
    return order[(order.index(square) + by) % len(order)]

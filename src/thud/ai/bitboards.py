"""Operations on whole bitboards, shared by the searches of all games.

A mask is an int with a bit for each square, in rows of sixteen (see `thud.rules.geometry`); a shift
moves all its pieces at once.  Bits shifted beyond the edge land off the board, on the guard column
or beside the octagon: mask the result with squares of the board, such as the empty ones.  The
ideas come from chess programming:
https://www.chessprogramming.org/Bitboards
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeVar

from thud.rules.geometry import ADJACENT, Mask, Square

AXES: Final = (1, 15, 16, 17)
"""The four axes as shifts; the opposite direction shifts the other way."""

BITS: Final[tuple[Mask, ...]] = tuple(1 << square for square in range(256))
"""The mask of each square: a lookup is quicker than a shift."""

NEAR: Final[tuple[Mask, ...]] = tuple(ADJACENT.get(square, 0) for square in range(256))
"""The squares adjacent to each square, none for a square off the board."""


def squares_in(mask: Mask) -> list[Square]:
    """List the squares of a mask in reading order, quicker than `squares_of` yields them."""
    found = []
    while mask:
        low = mask & -mask
        found.append(low.bit_length() - 1)
        mask ^= low
    return found


def spread(mask: Mask) -> Mask:
    """Return the squares of a mask and their neighbours, some off the board."""
    mask |= mask << 1 | mask >> 1
    return mask | mask << 16 | mask >> 16


def between(one: Mask, other: Mask) -> Mask:
    """Return the squares in line between a square of each mask, adjacent to both."""
    found = 0
    for axis in AXES:
        found |= one << axis & other >> axis | one >> axis & other << axis
    return found


def facing(near: Mask, beyond: Mask) -> Mask:
    """Return the squares adjacent to one of `near` with one of `beyond` in line behind it."""
    found = 0
    for axis in AXES:
        found |= (beyond << axis & near) << axis | (beyond >> axis & near) >> axis
    return found


def seen(targets: Mask, empty: Mask) -> Mask:
    """Return the empty squares with an open line to a target."""
    found = 0
    for axis in AXES:
        ahead = targets << axis & empty
        while ahead:
            found |= ahead
            ahead = ahead << axis & empty
        back = targets >> axis & empty
        while back:
            found |= back
            back = back >> axis & empty
    return found


def reaching(targets: Mask, empty: Mask, reach: int) -> Mask:
    """Return the squares from which a piece can slide to a target, at most `reach` far."""
    found = 0
    for axis in AXES:
        ahead = back = targets
        for _ in range(reach):
            ahead <<= axis
            back >>= axis
            found |= ahead | back
            ahead &= empty
            back &= empty
    return found


_Value = TypeVar("_Value")


class SquareTable(dict[Square, _Value]):
    """A value for each square, computed on first access.

    Args:
        work_out: computes a square's value.
    """

    def __init__(self, work_out: Callable[[Square], _Value]) -> None:
        super().__init__()
        self._work_out = work_out

    def __missing__(self, square: Square) -> _Value:
        self[square] = value = self._work_out(square)
        return value

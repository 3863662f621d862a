"""The octagonal board: squares, their names, masks of squares, steps and rays.

A square is a small int, and a set of squares is an int with one bit for each ("mask").  Both use
rows of sixteen: fifteen files and a guard column that is never on the board, so that a shift by a
step cannot wrap around from one edge to the other.  Only this module knows that; the rest of the
program uses the names, tables and functions below.
"""

from __future__ import annotations

from typing import Final, TypeAlias

from thud.text import joined, quoted

Square: TypeAlias = int
"""A square of the board, one of `SQUARES`."""

Mask: TypeAlias = int
"""A set of squares."""

Step: TypeAlias = int
"""One of the eight `STEPS`: the difference between a square and its neighbour."""

FILES: Final = "ABCDEFGHJKLMNOP"
"""File letters, from left to right."""

SIZE: Final = 15
"""Number of files, and of ranks."""

_ROW: Final = 16
CENTRE: Final = 8
"""Number of the middle file and the middle rank."""
_REACH: Final = 9

NORTH_WEST, NORTH, NORTH_EAST, WEST = -_ROW - 1, -_ROW, -_ROW + 1, -1
EAST, SOUTH_WEST, SOUTH, SOUTH_EAST = 1, _ROW - 1, _ROW, _ROW + 1
STEPS: Final[tuple[Step, ...]] = (
    NORTH_WEST,
    NORTH,
    NORTH_EAST,
    WEST,
    EAST,
    SOUTH_WEST,
    SOUTH,
    SOUTH_EAST,
)
"""The eight directions; north is towards rank 1, which is drawn at the top."""


class InvalidSquare(ValueError):
    """A text names no square of the board."""


def square_at(file: int, rank: int) -> Square | None:
    """Return the square at 1-based file and rank numbers, or None off the octagon."""
    if abs(file - CENTRE) + abs(rank - CENTRE) > _REACH:
        return None
    if not (1 <= file <= SIZE and 1 <= rank <= SIZE):
        return None
    return (rank - 1) * _ROW + file - 1


def file_of(square: Square) -> int:
    """Return the 1-based number of a square's file."""
    return square % _ROW + 1


def rank_of(square: Square) -> int:
    """Return the 1-based number of a square's rank; rank 1 is at the top."""
    return square // _ROW + 1


RANKS: Final[tuple[tuple[Square, ...], ...]] = tuple(
    tuple(square for file in range(1, SIZE + 1) if (square := square_at(file, rank)) is not None)
    for rank in range(1, SIZE + 1)
)
"""The squares of each rank from left to right, rank 1 first."""

SQUARES: Final[tuple[Square, ...]] = tuple(square for rank in RANKS for square in rank)
"""All 165 squares in reading order."""


def bit(square: Square) -> Mask:
    """Return the mask of one square."""
    return 1 << square


def mask_of(*squares: Square) -> Mask:
    """Return the mask of squares."""
    mask = 0
    for square in squares:
        mask |= 1 << square
    return mask


def squares_of(mask: Mask) -> list[Square]:
    """Return the squares of a mask in reading order."""
    squares = []
    while mask:
        lowest = mask & -mask
        squares.append(lowest.bit_length() - 1)
        mask ^= lowest
    return squares


BOARD: Final[Mask] = mask_of(*SQUARES)
"""Every square of the octagon."""


def shift(mask: Mask, step: Step) -> Mask:
    """Shift a mask by one step; squares that would leave the octagon are dropped."""
    return (mask << step if step > 0 else mask >> -step) & BOARD


def subsets_of(mask: Mask) -> list[Mask]:
    """Return every subset of a mask, the empty set first and the whole mask last."""
    subsets = [0]
    while subsets[-1] != mask:
        subsets.append((subsets[-1] - mask) & mask)
    return subsets


def _rays() -> dict[Square, dict[Step, tuple[Square, ...]]]:
    rays: dict[Square, dict[Step, tuple[Square, ...]]] = {square: {} for square in SQUARES}
    for step in STEPS:
        # Each ray is the next square followed by that square's ray.
        for square in SQUARES if step < 0 else reversed(SQUARES):
            beyond = rays.get(square + step)
            if beyond is not None:
                rays[square][step] = (square + step, *beyond.get(step, ()))
    return rays


RAYS: Final = _rays()
"""For each square and direction the squares up to the edge, nearest first."""

NEIGHBOURS: Final = {
    square: tuple([ray[0] for ray in rays.values()]) for square, rays in RAYS.items()
}
"""The up to eight squares adjacent to each square."""

ADJACENT: Final = {square: mask_of(*near) for square, near in NEIGHBOURS.items()}
"""The same as masks."""

EDGE: Final[Mask] = mask_of(
    *[s for s, rays in RAYS.items() if not rays.keys() >= {NORTH, WEST, EAST, SOUTH}]
)
"""The 36 squares with an orthogonal neighbour off the board."""


def distance(one: Square, other: Square) -> int:
    """Return the number of single steps from one square to another."""
    across, down = file_of(one) - file_of(other), rank_of(one) - rank_of(other)
    return max(abs(across), abs(down))


def step_between(origin: Square, target: Square) -> tuple[Step, int] | None:
    """Return direction and distance from one square to another, None if not in line."""
    across = file_of(target) - file_of(origin)
    down = rank_of(target) - rank_of(origin)
    length = distance(origin, target)
    if not length or (across and down and abs(across) != abs(down)):
        return None
    return down // length * _ROW + across // length, length


_NAMES: Final = {square: f"{FILES[file_of(square) - 1]}{rank_of(square)}" for square in SQUARES}
_NAMED: Final = {name: square for square, name in _NAMES.items()}
_RANK_NAMES: Final = [str(rank) for rank in range(1, SIZE + 1)]


def square_name(square: Square) -> str:
    """Return the name of a square, such as `"H8"`."""
    return _NAMES[square]


def parse_square(text: str) -> Square:
    """Return a square by name, case-insensitive.

    Raises:
        InvalidSquare: the text is not a file letter and a rank number, or lies off the octagon.
    """
    name = text.upper() if text.isascii() else ""
    if name in _NAMED:
        return _NAMED[name]
    if name[:1] in FILES and name[1:] in _RANK_NAMES:
        raise InvalidSquare(f"{name} is off the board")
    raise InvalidSquare(
        f"{quoted(text)} is not a square: files are A to P without I, ranks 1 to 15"
    )


def in_file_order(mask: Mask) -> list[Square]:
    """Return the squares of a mask sorted by file, then by rank."""
    return sorted(squares_of(mask), key=lambda square: (file_of(square), square))


def listed(mask: Mask, last: str = "and") -> str:
    """Return the names of a mask's squares in words: `"C4, C5 and D6"`."""
    return joined(map(square_name, in_file_order(mask)), last)

"""The line around the octagon, with the files' letters in it and the ranks' numbers beside it."""

from __future__ import annotations

from functools import cache
from typing import Final, NamedTuple

from thud.rules.geometry import FILES, RANKS, SIZE, file_of
from thud.tui.board.layout import Cell, left_margin

_ASCII: Final = str.maketrans("┌┐└┘─│", "++++-|")
_LAST_NARROWING: Final = 5
"""So many ranks at the top and at the bottom are shorter than the one next to them."""


class Edge(NamedTuple):
    """What is left and right of the squares in one line of the screen."""

    left: str
    right: str


@cache
def outline(cell: Cell, *, flipped: bool = False, ascii_only: bool = False) -> tuple[Edge, ...]:
    """Return the edges of every line of the board, the line above the first rank first.

    The left edge begins where the numbers do; in the first and the last line it is the whole line.
    """
    lines = [
        _around(row, line, cell, flipped) for row in range(SIZE) for line in range(cell.height)
    ]
    edges = [_lid("┌┐", cell, flipped), *lines, _lid("└┘", cell, flipped)]
    if ascii_only:
        return tuple(Edge(*(text.translate(_ASCII) for text in edge)) for edge in edges)
    return tuple(edges)


def _files(flipped: bool) -> str:
    return FILES[::-1] if flipped else FILES


def _missing(row: int) -> int:
    """Return how many squares are cut off at each end of a row."""
    return file_of(RANKS[row][0]) - 1


def _lid(corners: str, cell: Cell, flipped: bool) -> Edge:
    """Return the line above the first rank, or the one below the last."""
    cut = _missing(0)
    letters = "".join(letter.center(cell.width, "─") for letter in _files(flipped)[cut:-cut])
    indent = " " * (left_margin(cell) - 1 + cut * cell.width)
    return Edge(f"{indent}{corners[0]}{letters}{corners[1]}", "")


def _around(row: int, line: int, cell: Cell, flipped: bool) -> Edge:
    """Return what stands beside the squares in one line of a row."""
    first, last = line == 0, line == cell.height - 1
    left = right = "│"
    if row < _LAST_NARROWING and last:
        left, right = _step(row + 1, "┌┘", "└┐", cell, flipped)
    elif row >= SIZE - _LAST_NARROWING and first:
        left, right = _step(row - 1, "└┐", "┌┘", cell, flipped)
    number = SIZE - row if flipped else row + 1
    label = f"{number}" if line == (cell.height - 1) // 2 else ""
    room = left_margin(cell) + _missing(row) * cell.width
    if len(label) + len(left) > room:
        left = left[1:]
    return Edge(f"{label}{left}".rjust(room), right)


def _step(longer: int, left: str, right: str, cell: Cell, flipped: bool) -> tuple[str, str]:
    """Return the line from the end of a row to that of its longer neighbour, with its letter."""
    cut = _missing(longer)
    letters = _files(flipped)
    one, other = (letters[place].center(cell.width, "─") for place in (cut, -1 - cut))
    return f"{left[0]}{one[:-1]}{left[1]}", f"{right[0]}{other[1:]}{right[1]}"

"""The layout of the squares on the screen, and the outline around them."""

from __future__ import annotations

from functools import cache
from typing import Final, NamedTuple

from textual.geometry import Offset, Region, Size

from thud.rules.geometry import FILES, RANKS, SIZE, Square, file_of, rank_of, square_at
from thud.terminal.cells import CELLS, EDGE, Cell, largest_within, left_margin, size_needed

__all__ = ["CELLS", "Cell", "Layout", "largest_cell", "left_margin", "size_needed"]


def largest_cell(room: Size, limit: Cell | None = None) -> Cell:
    """Return the largest cell size with which the board fits, else the smallest there is."""
    return largest_within(room.width, room.height, limit)


class Layout(NamedTuple):
    """A board of one cell size, placed in a widget."""

    cell: Cell
    left: int
    """The column where the first file begins."""
    top: int
    """The row where the first rank begins."""
    flipped: bool = False

    @classmethod
    def within(cls, room: Size, cell: Cell, *, flipped: bool = False) -> Layout:
        """Centre the board in a size; if it does not fit, start at the corner."""
        width, height = size_needed(cell)
        left, top = max(0, room.width - width) // 2, max(0, room.height - height) // 2
        return cls(cell, left + left_margin(cell), top + EDGE, flipped)

    def turned(self, number: int) -> int:
        """Convert a file or rank to a screen column or row, or back."""
        return SIZE + 1 - number if self.flipped else number

    def region_of(self, square: Square) -> Region:
        """Return the region of a square."""
        column, row = self.turned(file_of(square)), self.turned(rank_of(square))
        width, height = self.cell
        x, y = self.left + (column - 1) * width, self.top + (row - 1) * height
        return Region(x, y, width, height)

    def square_under(self, offset: Offset) -> Square | None:
        """Return the square drawn at an offset."""
        column, row = (offset.x - self.left) // self.cell.width, self.row_of(offset.y)[0]
        return square_at(self.turned(column + 1), self.turned(row + 1))

    def row_of(self, y: int) -> tuple[int, int]:
        """Return the row of squares that a screen line crosses, and the line within it."""
        return divmod(y - self.top, self.cell.height)

    def squares_in(self, row: int) -> tuple[Square, ...]:
        """Return the squares of a row as they are drawn, from left to right."""
        squares = RANKS[self.turned(row + 1) - 1]
        return squares[::-1] if self.flipped else squares


_ASCII: Final = str.maketrans("┌┐└┘─│", "++++-|")
_LAST_NARROWING: Final = 5
"""Ranks at the top and at the bottom that are shorter than the next one inwards."""


class Edge(NamedTuple):
    """The outline left and right of one screen line's squares."""

    left: str
    right: str


@cache
def outline(cell: Cell, *, flipped: bool = False, ascii_only: bool = False) -> tuple[Edge, ...]:
    """Return the edges of every line of the board, from the line above the first rank.

    The left edge starts at the rank numbers; in the first and last lines it is the whole line.
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
    """Return the outline and rank number beside one line of a row."""
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
    """Return the steps from a row's ends to its longer neighbour's, with their file letters."""
    cut = _missing(longer)
    letters = _files(flipped)
    one, other = (letters[place].center(cell.width, "─") for place in (cut, -1 - cut))
    return f"{left[0]}{one[:-1]}{left[1]}", f"{right[0]}{other[1:]}{right[1]}"

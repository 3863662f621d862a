"""Where the squares of the board lie on the screen."""

from __future__ import annotations

from typing import NamedTuple

from textual.geometry import Offset, Region, Size

from thud.rules.geometry import RANKS, SIZE, Square, file_of, rank_of, square_at
from thud.terminal.cells import CELLS, EDGE, Cell, largest_within, left_margin, size_needed

__all__ = ["CELLS", "Cell", "Layout", "largest_cell", "left_margin", "size_needed"]


def largest_cell(room: Size, limit: Cell | None = None) -> Cell:
    """Return the largest cell size with which the board fits, or else the smallest of all."""
    return largest_within(room.width, room.height, limit)


class Layout(NamedTuple):
    """A board of some cell size in the middle of a widget."""

    cell: Cell
    left: int
    """The column where the first file begins."""
    top: int
    """The row where the first rank begins."""
    flipped: bool = False

    @classmethod
    def within(cls, room: Size, cell: Cell, *, flipped: bool = False) -> Layout:
        """Return the layout in the middle of some room, or from its corner if it is too small."""
        width, height = size_needed(cell)
        left, top = max(0, room.width - width) // 2, max(0, room.height - height) // 2
        return cls(cell, left + left_margin(cell), top + EDGE, flipped)

    def turned(self, number: int) -> int:
        """Return the column or row of a file or rank, and the other way round."""
        return SIZE + 1 - number if self.flipped else number

    def region_of(self, square: Square) -> Region:
        """Return where a square is drawn."""
        column, row = self.turned(file_of(square)), self.turned(rank_of(square))
        width, height = self.cell
        x, y = self.left + (column - 1) * width, self.top + (row - 1) * height
        return Region(x, y, width, height)

    def square_under(self, offset: Offset) -> Square | None:
        """Return the square that is drawn at a place."""
        column, row = (offset.x - self.left) // self.cell.width, self.row_of(offset.y)[0]
        return square_at(self.turned(column + 1), self.turned(row + 1))

    def row_of(self, y: int) -> tuple[int, int]:
        """Return which row of squares a line of the screen crosses, and which line of it."""
        return divmod(y - self.top, self.cell.height)

    def squares_in(self, row: int) -> tuple[Square, ...]:
        """Return the squares of a row as they are drawn, from left to right."""
        squares = RANKS[self.turned(row + 1) - 1]
        return squares[::-1] if self.flipped else squares

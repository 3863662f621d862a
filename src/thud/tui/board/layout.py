"""The layout of the squares on the screen, and the outline around them."""

from __future__ import annotations

from functools import cache
from typing import Final, NamedTuple

from textual.geometry import Offset, Region, Size

from thud.rules.geometry import FILES, RANKS, SIZE, SQUARES, Square, file_of, rank_of
from thud.terminal.cells import EDGE, Cell, left_margin, size_needed

_ROWS: Final = (RANKS, tuple([rank[::-1] for rank in reversed(RANKS)]))
"""The squares of each row from left to right, as drawn usually and flipped."""
_PLACES: Final = tuple(
    {square: (abs(turned - file_of(square)), abs(turned - rank_of(square))) for square in SQUARES}
    for turned in (1, SIZE)
)
"""Each square's column and row, counted from 0, as drawn usually and flipped."""
_SQUARES: Final = tuple({place: square for square, place in places.items()} for places in _PLACES)


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

    def region_of(self, square: Square) -> Region:
        """Return the region of a square."""
        column, row = _PLACES[self.flipped][square]
        width, height = self.cell
        return Region(self.left + column * width, self.top + row * height, width, height)

    def square_under(self, offset: Offset) -> Square | None:
        """Return the square drawn at an offset."""
        place = (offset.x - self.left) // self.cell.width, self.row_of(offset.y)[0]
        return _SQUARES[self.flipped].get(place)

    def row_of(self, y: int) -> tuple[int, int]:
        """Return the row of squares that a screen line crosses, and the line within it."""
        return divmod(y - self.top, self.cell.height)

    def squares_in(self, row: int) -> tuple[Square, ...]:
        """Return the squares of a row as they are drawn, from left to right."""
        return _ROWS[self.flipped][row]


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

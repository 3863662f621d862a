"""Sizes of a square on the screen, and the room for the board."""

from __future__ import annotations

from typing import Final

from thud.namedtuple import NamedTuple
from thud.rules.geometry import SIZE


class Cell(NamedTuple):
    """The size of a square, in columns and rows."""

    width: int
    height: int


CELLS: Final = (Cell(13, 6), Cell(11, 5), Cell(9, 4), Cell(7, 3), Cell(5, 2), Cell(3, 1))
"""The sizes that a square can have, the largest first."""

EDGE: Final = 1
"""Columns or rows of the outline, with the letters of the files in it, on each side."""

SMALLEST: Final = (79, 23)
"""The columns and rows below which the panel cannot stand beside the board."""

SMALLEST_UPRIGHT: Final = (48, 34)
"""The columns and rows below which it cannot stand below the board."""

WIDE: Final = 117
"""The columns from which the panel is wider, and the message beneath the board lower."""

PANEL: Final = 31
"""The columns of the panel beside the board, its border included."""

WIDE_PANEL: Final = 38
"""The same from `WIDE` on."""

_MESSAGE, _WIDE_MESSAGE = 4, 2
_FOOTER: Final = 1
_UNDER: Final = 12
"""The fewest rows of a panel that is below the board, and not beside it."""


def left_margin(cell: Cell) -> int:
    """Return the columns left of the first file: the number of a rank and the outline.

    Beside the smallest squares a number of two digits interrupts the outline.
    """
    return 2 if cell == CELLS[-1] else 3


def size_needed(cell: Cell) -> tuple[int, int]:
    """Return the columns and rows of a board with its outline and labels in some cell size."""
    return left_margin(cell) + SIZE * cell.width + EDGE, SIZE * cell.height + 2 * EDGE


def largest_within(columns: int, rows: int, limit: Cell | None = None) -> Cell:
    """Return the largest cell size with which the board fits, or else the smallest of all."""
    for cell in CELLS:
        width, height = size_needed(cell)
        if width <= columns and height <= rows and (not limit or cell <= limit):
            return cell
    return CELLS[-1]


def cell_at(columns: int, rows: int, limit: Cell | None = None) -> Cell | None:
    """Return the size of the squares in a terminal, None where the game has no room.

    The board shares the terminal with the bar and the panel beside it, or the panel below it, and
    with the message and the footer.
    """
    if not has_room(columns, rows):
        return None
    upright = is_upright(columns, rows)
    return (_above if upright else _beside)(columns, rows, limit)


def has_room(columns: int, rows: int) -> bool:
    """Say whether a terminal has room for the board and the panel, whichever way."""
    return any(
        columns >= width and rows >= height for width, height in (SMALLEST, SMALLEST_UPRIGHT)
    )


def is_upright(columns: int, rows: int) -> bool:
    """Say whether the panel has no room beside the board, or leaves it less than below it."""
    return columns < SMALLEST[0] or _above(columns, rows) > _beside(columns, rows)


def rows_above(columns: int, rows: int, limit: Cell | None = None) -> int:
    """Return the rows of a board above the panel, which takes what is left."""
    return size_needed(_above(columns, rows, limit))[1]


def _beside(columns: int, rows: int, limit: Cell | None = None) -> Cell:
    panel = WIDE_PANEL if columns >= WIDE else PANEL
    return largest_within(columns - panel, rows - _message(columns) - _FOOTER, limit)


def _above(columns: int, rows: int, limit: Cell | None = None) -> Cell:
    return largest_within(columns, rows - _UNDER - _message(columns) - _FOOTER, limit)


def _message(columns: int) -> int:
    return _WIDE_MESSAGE if columns >= WIDE else _MESSAGE

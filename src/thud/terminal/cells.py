"""Sizes of a square on the screen, and the layout of board and panel."""

from __future__ import annotations

from typing import Final, NamedTuple

from thud.rules.geometry import SIZE


class Cell(NamedTuple):
    """The size of a square, in columns and rows."""

    width: int
    height: int


CELLS: Final = (Cell(13, 6), Cell(11, 5), Cell(9, 4), Cell(7, 3), Cell(5, 2), Cell(3, 1))
"""Sizes of a square, largest first."""

EDGE: Final = 1
"""Columns or rows of the outline on each side; it contains the file letters."""

SMALLEST: Final = (79, 23)
"""Least columns and rows for the panel beside the board."""

SMALLEST_UPRIGHT: Final = (48, 34)
"""Least columns and rows for the panel below the board."""

LARGEST: Final = (500, 200)
"""Most columns and lines of a visitor's terminal to draw on."""

WIDE: Final = 117
"""Columns from which the panel is wider, and the message under the board less high."""

PANEL: Final = 31
"""Columns of the panel beside the board, including its border."""

WIDE_PANEL: Final = 38
"""The same from `WIDE` on."""

_MESSAGE, _WIDE_MESSAGE = 4, 2
_FOOTER: Final = 1
_UNDER: Final = 12
"""Least rows of the panel below the board."""


def left_margin(cell: Cell) -> int:
    """Return the columns left of the first file, for rank numbers and the outline.

    With the smallest squares a two-digit number interrupts the outline.
    """
    return 2 if cell == CELLS[-1] else 3


def size_needed(cell: Cell) -> tuple[int, int]:
    """Return the columns and rows of a board with outline and labels, in a cell size."""
    return left_margin(cell) + SIZE * cell.width + EDGE, SIZE * cell.height + 2 * EDGE


def largest_within(columns: int, rows: int, limit: Cell | None = None) -> Cell:
    """Return the largest cell size with which the board fits, else the smallest of all."""
    for cell in CELLS:
        width, height = size_needed(cell)
        if width <= columns and height <= rows and (not limit or cell <= limit):
            return cell
    return CELLS[-1]


def cell_at(columns: int, rows: int, limit: Cell | None = None) -> Cell | None:
    """Return the cell size in a terminal, None if the game does not fit.

    The board shares the terminal with the bar and the panel beside it, or the panel below it, and
    with the message and the footer.
    """
    if not has_room(columns, rows):
        return None
    upright = is_upright(columns, rows)
    return (_above if upright else _beside)(columns, rows, limit)


def has_room(columns: int, rows: int) -> bool:
    """Whether a terminal has room for board and panel, in either layout."""
    return any(
        columns >= width and rows >= height for width, height in (SMALLEST, SMALLEST_UPRIGHT)
    )


def is_upright(columns: int, rows: int) -> bool:
    """Whether the panel belongs below the board: no room beside it, or a smaller board."""
    return columns < SMALLEST[0] or _above(columns, rows) > _beside(columns, rows)


def rows_above(columns: int, rows: int, limit: Cell | None = None) -> int:
    """Return the rows of a board above the panel, which takes the rest."""
    return size_needed(_above(columns, rows, limit))[1]


def _beside(columns: int, rows: int, limit: Cell | None = None) -> Cell:
    panel = WIDE_PANEL if columns >= WIDE else PANEL
    return largest_within(columns - panel, rows - _message(columns) - _FOOTER, limit)


def _above(columns: int, rows: int, limit: Cell | None = None) -> Cell:
    return largest_within(columns, rows - _UNDER - _message(columns) - _FOOTER, limit)


def _message(columns: int) -> int:
    return _WIDE_MESSAGE if columns >= WIDE else _MESSAGE

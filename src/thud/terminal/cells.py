"""The sizes of a square on the screen, and the room that the board has; nothing here draws."""

from __future__ import annotations

from typing import Final, NamedTuple

from thud.rules.geometry import SIZE


class Cell(NamedTuple):
    """The size of a square on the screen, in columns and rows."""

    width: int
    height: int


CELLS: Final = (Cell(13, 6), Cell(11, 5), Cell(9, 4), Cell(7, 3), Cell(5, 2), Cell(3, 1))
"""The sizes that a square can have, the largest first."""

EDGE: Final = 1
"""Columns or rows of the outline, with the letters of the files in it, on each side."""

SMALLEST: Final = (79, 23)
"""The columns and rows below which the game cannot be played."""

WIDE: Final = 117
"""The columns from which the panel is wider, and the message beneath the board lower."""

_PANEL, _WIDE_PANEL = 31, 38
_MESSAGE, _WIDE_MESSAGE = 4, 2
_FOOTER: Final = 1
UNDER: Final = 22
"""The rows of a panel that is below the board, and not beside it."""


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
    if columns < SMALLEST[0] or rows < SMALLEST[1]:
        return None
    upright = is_upright(columns, rows)
    return (_above if upright else _beside)(columns, rows, limit)


def is_upright(columns: int, rows: int) -> bool:
    """Say whether the board is larger above the panel than beside it, as on a phone."""
    return _above(columns, rows) > _beside(columns, rows)


def _beside(columns: int, rows: int, limit: Cell | None = None) -> Cell:
    wide = columns >= WIDE
    panel, below = (_WIDE_PANEL, _WIDE_MESSAGE) if wide else (_PANEL, _MESSAGE)
    return largest_within(columns - panel, rows - below - _FOOTER, limit)


def _above(columns: int, rows: int, limit: Cell | None = None) -> Cell:
    below = _WIDE_MESSAGE if columns >= WIDE else _MESSAGE
    return largest_within(columns, rows - UNDER - below - _FOOTER, limit)

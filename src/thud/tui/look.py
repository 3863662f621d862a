"""How a square looks: what is on it, its mark, and the characters of its cell.

Every mark has a shape of its own, so that the board can be read without colour.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Final, NamedTuple

from thud.rules.geometry import SQUARES, Mask, Square
from thud.rules.position import Position


class Mark(Enum):
    """What there is to say of a square; the value is the board's component class for it."""

    HELD = "board--held"
    DESTINATION = "board--destination"
    CAPTURE = "board--capture"
    VICTIM = "board--victim"
    SPARED = "board--spared"
    LAST = "board--last"


class View(NamedTuple):
    """All that the board is told to draw, except the cursor, which is its own."""

    position: Position
    marks: Mapping[Square, Mark] = {}
    labels: Mapping[Square, str] = {}
    """One more character for some squares: the key that stands for them."""
    previews: Mapping[Square, Mask] = {}
    """For a destination the pieces to mark as victims while the cursor is on it."""
    stops: tuple[Square, ...] = ()
    """The squares that Tab goes through, in reading order."""
    goals: Mask = 0
    """The squares where the stone is wanted."""


class Look(NamedTuple):
    """What is drawn on one square."""

    letter: str | None = None
    mark: Mark | None = None
    label: str = ""
    goal: bool = False
    cursor: bool = False


class Cell(NamedTuple):
    """The size of a square on the screen, in columns and rows."""

    width: int
    height: int


_AROUND_PIECE: Final[dict[Mark | None, str]] = {
    Mark.HELD: "‹›",
    Mark.CAPTURE: "›‹",
    Mark.VICTIM: "××",
    Mark.SPARED: "()",
    Mark.LAST: "--",
}
_ON_EMPTY: Final[dict[Mark | None, str]] = {
    Mark.DESTINATION: "·",
    Mark.CAPTURE: "×",
    Mark.LAST: "-",
}
_GOAL: Final = "^"
_AROUND_CURSOR: Final[dict[Mark | None, str]] = {
    Mark.HELD: "«»",
    Mark.CAPTURE: "»«",
    Mark.VICTIM: "»«",
}


def looks(view: View, cursor: Square | None) -> dict[Square, Look]:
    """Return the look of every square, with the cursor on one of them or on none."""
    victims = view.previews.get(cursor, 0) if cursor is not None else 0
    return {
        square: Look(
            view.position.letter_at(square),
            Mark.VICTIM if victims >> square & 1 else view.marks.get(square),
            view.labels.get(square, ""),
            bool(view.goals >> square & 1),
            square == cursor,
        )
        for square in SQUARES
    }


def cell_rows(look: Look, cell: Cell) -> list[tuple[str, str, str]]:
    """Return the rows of a cell, each as the text left of the piece, the piece, and right of it.

    The rows above and below the piece have all their text at the left.
    """
    left, centre, right = _middle(look, brackets=cell.height == 1)
    side = (cell.width - 1) // 2
    rows = [(" " * cell.width, "", "")] * cell.height
    rows[(cell.height - 1) // 2] = (left.rjust(side), centre, right.ljust(cell.width - side - 1))
    if look.cursor and cell.height > 1:
        rows[0] = _framed(rows[0], "┌", "┐")
        rows[-1] = _framed(rows[-1], "└", "┘")
    return rows


def _middle(look: Look, brackets: bool) -> tuple[str, str, str]:
    """Return the three characters that say what a square holds and how it is marked."""
    sides = _AROUND_PIECE.get(look.mark, "  ") if look.letter else "  "
    if look.cursor and brackets:
        sides = _AROUND_CURSOR.get(look.mark, "[]") if look.letter else "[]"
    empty = _ON_EMPTY.get(look.mark, _GOAL if look.goal else " ")
    return sides[0], look.letter or empty, look.label or sides[1]


def _framed(row: tuple[str, str, str], left: str, right: str) -> tuple[str, str, str]:
    first, piece, last = row
    if not last:
        return left + first[1:-1] + right, "", ""
    return left + first[1:], piece, last[:-1] + right

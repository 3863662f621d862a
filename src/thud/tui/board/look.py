"""The look of a square, and the view of a whole board."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Final

from msgspec import Struct

from thud.rules.geometry import (
    EAST,
    SOUTH,
    SOUTH_EAST,
    SOUTH_WEST,
    SQUARES,
    Mask,
    Square,
    file_of,
    rank_of,
)
from thud.rules.position import Move, Position

THUDSTONE: Final = "Thudstone"


class SquareMark(Enum):
    """A mark on a square; the value is its tone."""

    HELD = "held"
    DESTINATION = "destination"
    CAPTURE = "capture"
    VICTIM = "victim"
    SPARED = "spared"
    LAST = "last"
    ADVISED = "advised"
    NOTED = "noted"


class Stroke(Enum):
    """A line of threat across a square.

    It ends in a landing, where a piece would go to capture from there, or in a covered one, where
    that piece could be captured in return.
    """

    ACROSS = "─"
    DOWN = "│"
    RISING = "╱"
    FALLING = "╲"
    CROSSING = "┼"
    LANDING = "o"
    COVERED = "#"


STROKES: Final = {
    EAST: Stroke.ACROSS,
    SOUTH: Stroke.DOWN,
    SOUTH_EAST: Stroke.FALLING,
    SOUTH_WEST: Stroke.RISING,
}
"""The four directions of a line, by their steps down the board."""

HEADS: Final = {
    **{EAST: "→", SOUTH: "↓", SOUTH_EAST: "↘", SOUTH_WEST: "↙"},
    **{-EAST: "←", -SOUTH: "↑", -SOUTH_EAST: "↖", -SOUTH_WEST: "↗"},
}
"""The heads of arrows, by their steps."""


class View(Struct, frozen=True):
    """Everything that the board draws, except its own cursor."""

    position: Position
    marks: Mapping[Square, SquareMark] = {}
    labels: Mapping[Square, str] = {}
    """An extra character for some squares: the key that stands for them."""
    previews: Mapping[Square, Mask] = {}
    """The pieces to mark as victims while the cursor is on a destination."""
    stops: tuple[Square, ...] = ()
    """The squares that Tab cycles through, in reading order."""
    goals: Mask = 0
    """The squares that the stone is to reach."""
    stone: str = THUDSTONE
    """The stone's name, which decides how it is drawn."""
    threatened: Mask = 0
    """The pieces to mark as in danger."""
    strokes: Mapping[Square, Stroke] = {}
    """The squares crossed by lines: of threats, or of the last move."""
    past: bool = False
    """Whether the lines are of the last move, which threatens nothing."""
    thud: bool = False
    """Whether the name of the game stands across the board."""


class Look(Struct, frozen=True):
    """Everything drawn on one square."""

    letter: str | None = None
    mark: SquareMark | None = None
    label: str = ""
    goal: bool = False
    cursor: bool = False
    dark: bool = False
    threatened: bool = False
    stroke: Stroke | None = None
    past: bool = False


def last_marks(last: Move | None) -> dict[Square, SquareMark]:
    """Return the marks of the last move, if there was one."""
    return dict.fromkeys((last.origin, last.destination), SquareMark.LAST) if last else {}


def looks(view: View, cursor: Square | None) -> dict[Square, Look]:
    """Return the look of every square, with or without a cursor."""
    victims = view.previews.get(cursor, 0) if cursor is not None else 0
    letters, marks, labels = view.position.letters, view.marks, view.labels
    return {
        square: Look(
            letters.get(square),
            SquareMark.VICTIM if victims >> square & 1 else marks.get(square),
            labels.get(square, ""),
            bool(view.goals >> square & 1),
            square == cursor,
            square in _DARK,
            bool(view.threatened >> square & 1),
            view.strokes.get(square),
            view.past,
        )
        for square in SQUARES
    }


_DARK = {square for square in SQUARES if file_of(square) + rank_of(square) & 1}

"""The octagonal board as one widget, drawn line by line."""

from __future__ import annotations

from typing import ClassVar, Final

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Offset, Region, Size
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from thud.rules.geometry import (
    EAST,
    FILES,
    NORTH,
    NORTH_EAST,
    NORTH_WEST,
    RANKS,
    RAYS,
    SIZE,
    SOUTH,
    SOUTH_EAST,
    SOUTH_WEST,
    WEST,
    Square,
    Step,
    file_of,
    parse_square,
    rank_of,
    square_at,
    step_between,
)
from thud.rules.position import Position
from thud.tui.look import Cell, Look, Mark, View, cell_rows, looks

CELLS: Final = (Cell(9, 4), Cell(7, 3), Cell(5, 2), Cell(3, 1))
"""The sizes that a square can have, the largest first."""

LABEL_WIDTH: Final = 3
LABEL_HEIGHT: Final = 1

DIRECTIONS: Final[dict[str, tuple[Step, str]]] = {
    "north_west": (NORTH_WEST, "7,home"),
    "north": (NORTH, "8,up,k"),
    "north_east": (NORTH_EAST, "9,pageup"),
    "west": (WEST, "4,left,h"),
    "east": (EAST, "6,right,l"),
    "south_west": (SOUTH_WEST, "1,end"),
    "south": (SOUTH, "2,down,j"),
    "south_east": (SOUTH_EAST, "3,pagedown"),
}
"""The eight directions by name, each with its step and its keys, the numpad's digit first."""


def direction_keys(origin: Square, neighbour: Square, *, flipped: bool = False) -> tuple[str, ...]:
    """Return the keys that point from a square to its neighbour, the digit first."""
    ends = (neighbour, origin) if flipped else (origin, neighbour)
    towards = step_between(*ends)
    return next(
        tuple(keys.split(",")) for step, keys in DIRECTIONS.values() if (step, 1) == towards
    )


def size_needed(cell: Cell) -> tuple[int, int]:
    """Return the columns and rows of a board with labels in some cell size."""
    return SIZE * cell.width + LABEL_WIDTH, SIZE * cell.height + 2 * LABEL_HEIGHT


def largest_cell(room: Size) -> Cell:
    """Return the largest cell size with which the board fits, or else the smallest of all."""
    for cell in CELLS:
        width, height = size_needed(cell)
        if width <= room.width and height <= room.height:
            return cell
    return CELLS[-1]


class Board(Widget, can_focus=True):
    """Draws what it is told, moves its cursor, and reports clicks.

    Its keys are actions that are done when they return, without a message in between, so that
    what is typed faster than it is handled keeps its order.  The key that chooses a square is
    therefore an action of the screen.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        *(
            Binding(keys, f"step('{name}')", name.replace("_", " "), show=False, id=f"board.{name}")
            for name, (_, keys) in DIRECTIONS.items()
        ),
        Binding("enter,space,5,kp_begin", "screen.choose", "Choose", id="board.choose"),
        Binding("tab", "cycle(1)", "Next", id="board.next"),
        Binding("shift+tab", "cycle(-1)", "Previous", show=False, id="board.previous"),
        Binding("x", "cycle_captures", "Next capture", show=False, id="board.next_capture"),
    ]

    DEFAULT_CSS = """
    Board {
        width: 1fr;
        height: 1fr;
        & > .board--light { background: $board-light; }
        & > .board--dark { background: $board-dark; }
        & > .board--goal { background: $board-goal; color: $board-label; }
        & > .board--dwarf { color: $board-dwarf; text-style: bold; }
        & > .board--troll { color: $board-troll; text-style: bold; }
        & > .board--stone { color: $board-stone; text-style: bold reverse; }
        & > .board--frame { color: $board-label; }
        & > .board--destination { color: $board-destination; text-style: bold; }
        & > .board--capture { color: $board-capture; text-style: bold; }
        & > .board--victim {
            background: $board-victim;
            color: $board-victim-text;
            text-style: bold;
        }
        & > .board--spared { text-style: underline; }
        & > .board--held { background: $board-held; color: $board-held-text; text-style: bold; }
        & > .board--last { background: $board-last; }
        & > .board--cursor {
            background: $board-cursor;
            color: $board-cursor-text;
            text-style: bold;
        }
    }
    """

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "board--light",
        "board--dark",
        "board--goal",
        "board--dwarf",
        "board--troll",
        "board--stone",
        "board--frame",
        "board--cursor",
        *(mark.value for mark in Mark),
    }

    ALLOW_SELECT = False
    FOCUS_ON_CLICK = False

    class Clicked(Message):
        """A square was clicked."""

        def __init__(self, board: Board, square: Square) -> None:
            super().__init__()
            self.board = board
            self.square = square

        @property
        def control(self) -> Board:
            """The board."""
            return self.board

    class CursorMoved(Message):
        """The cursor is on another square."""

    class Missed(Message):
        """Something beside the board was clicked."""

    def __init__(self, position: Position, *, has_cursor: bool = True) -> None:
        super().__init__()
        self.can_focus = self._has_cursor = has_cursor
        self.auto_links = False
        self.cursor = parse_square("H8")
        self.cell = CELLS[-1]
        self.flipped = False
        self._view = View(position)
        self._looks = self._look_again()
        self._strips: dict[tuple[Look, bool], list[list[Segment]]] = {}

    @property
    def view(self) -> View:
        """What is drawn now."""
        return self._view

    def show(self, view: View) -> None:
        """Draw something else; only the squares that look different are painted anew."""
        self._view = view
        self._repaint()

    def flip(self) -> None:
        """Turn the board round, so that rank 15 is at the top, or back."""
        self.flipped = not self.flipped
        self.refresh()

    def move_cursor(self, square: Square) -> None:
        """Put the cursor on a square."""
        if square != self.cursor:
            self.cursor = square
            self._repaint()
            self.post_message(self.CursorMoved())

    def _repaint(self) -> None:
        before, self._looks = self._looks, self._look_again()
        changed = [s for s, look in self._looks.items() if look != before[s]]
        if changed:
            self.refresh(*map(self.region_of, changed))

    def _look_again(self) -> dict[Square, Look]:
        return looks(self._view, self.cursor if self._has_cursor else None)

    @property
    def _corner(self) -> Offset:
        """Where the square in the first file and rank would begin."""
        width, height = size_needed(self.cell)
        left, top = (self.size.width - width) // 2, (self.size.height - height) // 2
        return Offset(max(0, left) + LABEL_WIDTH, max(0, top) + LABEL_HEIGHT)

    def region_of(self, square: Square) -> Region:
        """Return where a square is drawn, in the widget's content."""
        left, top = self._corner
        column, row = self._turned(file_of(square)), self._turned(rank_of(square))
        x, y = left + (column - 1) * self.cell.width, top + (row - 1) * self.cell.height
        return Region(x, y, *self.cell)

    def _turned(self, number: int) -> int:
        """Return the column or row of a file or rank, and the other way round."""
        return SIZE + 1 - number if self.flipped else number

    def square_under(self, offset: Offset) -> Square | None:
        """Return the square that is drawn at a place of the widget's content."""
        x, y = offset - self._corner
        column, row = x // self.cell.width + 1, y // self.cell.height + 1
        return square_at(self._turned(column), self._turned(row))

    def render_line(self, y: int) -> Strip:
        """Draw one line of the screen."""
        left, top = self._corner
        base = self.rich_style
        place, row = divmod(y - top, self.cell.height)
        if 0 <= place < SIZE:
            rank = self._turned(place + 1)
            segments = [*self._rank_label(rank, row, left), *self._rank_row(rank, row)]
        elif y in (top - 1, top + SIZE * self.cell.height):
            files = FILES[::-1] if self.flipped else FILES
            letters = "".join(letter.center(self.cell.width) for letter in files)
            segments = [Segment(" " * left + letters, base + self._part("board--frame"))]
        else:
            segments = []
        return Strip(segments).adjust_cell_length(self.size.width, base)

    def _rank_label(self, rank: int, row: int, left: int) -> list[Segment]:
        text = f"{rank:>2} " if row == (self.cell.height - 1) // 2 else ""
        first = (file_of(RANKS[rank - 1][0]) - 1) * self.cell.width
        style = self.rich_style + self._part("board--frame")
        return [Segment(text.rjust(left), style), Segment(" " * first, self.rich_style)]

    def _rank_row(self, rank: int, row: int) -> list[Segment]:
        segments: list[Segment] = []
        squares = RANKS[rank - 1]
        for square in reversed(squares) if self.flipped else squares:
            dark = bool(file_of(square) + rank & 1)
            segments += self._cell(self._looks[square], dark)[row]
        return segments

    def _cell(self, look: Look, dark: bool) -> list[list[Segment]]:
        """Return the rows of a square, from the cache if it was drawn before."""
        key = look, dark
        if key not in self._strips:
            ground, piece = self._styles(look, dark)
            self._strips[key] = [
                [Segment(left, ground), Segment(centre, piece), Segment(right, ground)]
                for left, centre, right in cell_rows(look, self.cell)
            ]
        return self._strips[key]

    def _styles(self, look: Look, dark: bool) -> tuple[Style, Style]:
        """Return the styles of a square and of the piece on it."""
        piece = Style.null()
        if look.letter:
            names = {"d": "board--dwarf", "T": "board--troll", "R": "board--stone"}
            piece = self._part(names[look.letter])
        ground = self.rich_style + self._part("board--dark" if dark else "board--light")
        if look.goal:
            ground += self._part("board--goal")
        mark = self._part(look.mark.value) if look.mark else Style.null()
        cursor = self._part("board--cursor") if look.cursor else Style.null()
        return ground + mark + cursor, ground + piece + mark + cursor

    def _part(self, name: str) -> Style:
        return self.get_component_rich_style(name, partial=True)

    def notify_style_update(self) -> None:
        """Forget what was drawn in the former colours."""
        super().notify_style_update()
        self._strips.clear()

    def on_resize(self, event: events.Resize) -> None:
        """Take the largest cells that fit."""
        self.cell = largest_cell(event.size)
        self._strips.clear()
        self.refresh()

    def on_click(self, event: events.Click) -> None:
        """Report the square that was clicked."""
        event.stop()
        offset = event.get_content_offset(self)
        square = self.square_under(offset) if offset is not None else None
        if square is None or event.button != 1:
            self.post_message(self.Missed())
            return
        self.move_cursor(square)
        self.post_message(self.Clicked(self, square))

    def action_step(self, direction: str) -> None:
        """Move the cursor one square; at the edge of the octagon it stays."""
        step = DIRECTIONS[direction][0]
        ray = RAYS[self.cursor].get(-step if self.flipped else step)
        if ray:
            self.move_cursor(ray[0])

    def action_cycle(self, by: int) -> None:
        """Move the cursor to the next stop, or back to the one before."""
        self._cycle(self._view.stops, by)

    def action_cycle_captures(self) -> None:
        """Move the cursor to the next destination that captures."""
        marks = self._view.marks
        self._cycle([s for s in self._view.stops if marks.get(s) is Mark.CAPTURE], 1)

    def _cycle(self, stops: list[Square] | tuple[Square, ...], by: int) -> None:
        ahead = [s for s in stops if (s > self.cursor if by > 0 else s < self.cursor)]
        if stops:
            ring = ahead or stops
            self.move_cursor(ring[0] if by > 0 else ring[-1])

"""The octagonal board as one widget, drawn line by line, and the layout of its squares."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cache
from time import monotonic
from typing import ClassVar, Final

from msgspec import Struct
from msgspec.structs import replace
from rich.segment import Segment
from textual import events
from textual.binding import BindingType
from textual.geometry import Offset, Region, Size
from textual.message import Message
from textual.reactive import reactive
from textual.strip import Strip
from textual.timer import Timer

from thud.rules.geometry import FILES, RANKS, SIZE, SQUARES, Square, file_of, parse_square, rank_of
from thud.rules.position import Move, Position, Side
from thud.terminal.cells import (
    CELLS,
    EDGE,
    Cell,
    largest_within,
    left_margin,
    rows_above,
    size_needed,
)
from thud.tui.actions import bindings
from thud.tui.board import animation
from thud.tui.board.animation import TITLE, Ending
from thud.tui.board.cursor import cycled, jumped, stepped
from thud.tui.board.drawing import Painter, Surface
from thud.tui.board.look import Look, SquareMark, View, looks

_RIGHT: Final = 3
"""The number of the right mouse button."""
_REACH: Final = 1.4
"""How far a finger may miss a square, from its middle, in squares."""

_LETTERS: Final = TITLE.splitlines()


class Board(Surface, can_focus=True):
    """The board: draws a view, moves its cursor, reports the mouse.

    Its keys' actions are complete when they return, without posting messages, so that fast typing
    keeps its order.  The key that chooses a square is therefore an action of the screen.
    """

    BINDINGS: ClassVar[list[BindingType]] = bindings("board")

    DEFAULT_CSS = "Board { width: 1fr; height: 1fr; }"

    FOCUS_ON_CLICK = False

    cursor: reactive[Square] = reactive(parse_square("H8"), repaint=False)
    """The cursor's square; set with `move_cursor`, which repaints only what changes."""

    animated: bool = True
    """Whether moves are animated, unless the app's animation level is none."""

    class Pointed(Message):
        """The mouse did something on a square."""

        def __init__(self, board: Board, square: Square) -> None:
            super().__init__()
            self.board = board
            self.square = square

        @property
        def control(self) -> Board:
            """The board."""
            return self.board

    class Clicked(Pointed):
        """A square was clicked."""

    class Grabbed(Pointed):
        """A piece is being dragged away; `Dropped` follows."""

    class Dropped(Pointed):
        """A dragged piece was dropped on a square, or off the board (None)."""

        def __init__(self, board: Board, origin: Square, square: Square | None) -> None:
            super().__init__(board, origin)
            self.origin = origin
            self.destination = square

    class Drawn(Pointed):
        """The right button was dragged from a square to another, or clicked on it."""

        def __init__(self, board: Board, square: Square, end: Square) -> None:
            super().__init__(board, square)
            self.end = end

    class Hovered(Message):
        """The mouse has moved to another square or to none."""

        def __init__(self, square: Square | None) -> None:
            super().__init__()
            self.square = square

    class Missed(Message):
        """A click beside the squares, or with another button."""

    class NoCapture(Message):
        """There is no capture to step to."""

    def __init__(
        self, position: Position, *, has_cursor: bool = True, cursor: Square | None = None
    ) -> None:
        super().__init__()
        if cursor is not None:
            self.set_reactive(Board.cursor, cursor)
        self.can_focus = self._has_cursor = has_cursor
        self._plan = Layout(CELLS[-1], 0, 0)
        self._view = View(position)
        self._frames: list[animation.AnimationFrame] = []
        self._begun = 0.0
        self._thud = False
        self._timer: Timer | None = None
        self._looks = self._look_again()
        self._painter: Painter | None = None
        self._edges: Sequence[Edge] = ()
        self._indent = Segment("")
        self._over: Square | None = None
        """The square under the mouse."""
        self._pressed: Square | None = None
        self._dragged: Square | None = None
        """The square being dragged from."""
        self._dropped = False
        self._draws_from: Square | None = None
        self._turn: Side | None = None
        self.asked_for: Collection[Square] = ()
        """The squares that a lesson asks for, to which Tab goes first."""
        self.captures_first = True
        """Whether Tab goes to captures before other squares, where that gives no answer away."""

    @property
    def view(self) -> View:
        """The view that is drawn now, or at the end of the running animation."""
        return self._view

    @property
    def cell(self) -> Cell:
        """The size of the squares."""
        return self._plan.cell

    @property
    def flipped(self) -> bool:
        """Whether rank 15 is at the top."""
        return self._plan.flipped

    # Showing

    def show(self, view: View, *, move: Move | None = None, ending: Ending | None = None) -> None:
        """Draw a view, repainting only the squares that look different.

        Args:
            view: the view to draw.
            move: the move that led there, to be animated first.
            ending: the end of the battle, to be animated, too.
        """
        self._stop_frames()
        self._view = view
        self.stone = view.stone
        moving = self.animated and self.is_running and self.app.animation_level != "none"
        if moving and (move or ending):
            self._frames, self._begun = animation.frames(view, move, ending), monotonic()
        self._show_frame()

    @property
    def moving(self) -> bool:
        """Whether an animation is running."""
        return bool(self._frames)

    def settle(self) -> None:
        """Skip the rest of the animation."""
        if self._frames:
            self._stop_frames()
            self._repaint()

    def _stop_frames(self) -> None:
        self._frames = []
        if self._timer:
            self._timer.stop()

    def _show_frame(self) -> None:
        """Show the current frame, and schedule the next."""
        passed = monotonic() - self._begun
        self._frames = [frame for frame in self._frames if frame.until > passed]
        self._repaint()
        if self._frames:
            self._timer = self.set_timer(self._frames[0].until - passed, self._show_frame)

    @property
    def turn(self) -> Side | None:
        """The side whose turn the outline shows by its colour, if any."""
        return self._turn

    @turn.setter
    def turn(self, turn: Side | None) -> None:
        if turn is not self._turn:
            self._turn = turn
            self.refresh()

    def flip(self) -> None:
        """Flip the board, with rank 15 at the top or back at the bottom."""
        self.settle()
        self._plan = replace(self._plan, flipped=not self.flipped)
        self._painter = None
        self.refresh()

    def move_cursor(self, square: Square) -> None:
        """Put the cursor on a square."""
        if square != self.cursor:
            self._stop_frames()
            self.cursor = square
            self._repaint()

    def let_point(self, pointing: bool) -> None:
        """Turn the cursor and its keys on or off."""
        self.can_focus = self._has_cursor = pointing
        if self.is_attached:
            self._repaint()

    def _repaint(self) -> None:
        if self._shown.thud is not self._thud:
            self._thud = self._shown.thud
            self.refresh(self._thud_region)
        before, self._looks = self._looks, self._look_again()
        changed = [s for s, look in self._looks.items() if look != before[s]]
        if changed:
            self.refresh(*map(self._plan.region_of, changed))

    @property
    def _shown(self) -> View:
        """The view of the current frame."""
        return self._frames[0].view if self._frames else self._view

    def _look_again(self) -> dict[Square, Look]:
        return looks(self._shown, self.cursor if self._has_cursor else None)

    @property
    def caret(self) -> Offset:
        """The middle of the cursor's square, or without a cursor of the piece that moved last."""
        square = self.cursor
        if not self._has_cursor:
            occupied = self._view.position.occupied
            moved = (at for at, mark in self._view.marks.items() if mark is SquareMark.LAST)
            square = next((at for at in moved if occupied >> at & 1), square)
        region = self._plan.region_of(square)
        return region.offset + Offset(region.width // 2, region.height // 2)

    # Drawing

    def region_of(self, square: Square) -> Region:
        """Return a square's region in the widget's content."""
        return self._plan.region_of(square)

    def square_under(self, offset: Offset) -> Square | None:
        """Return the square at an offset in the widget's content."""
        return self._plan.square_under(offset)

    def render_line(self, y: int) -> Strip:
        """Draw one line of the screen."""
        plan, painter = self._plan, self._painter
        if painter is None:
            painter = self._painter = self._new_painter(plan.cell, flipped=plan.flipped)
            self._edges = outline(plan.cell, flipped=plan.flipped, ascii_only=self.ascii_only)
            self._indent = Segment(" " * (plan.left - left_margin(plan.cell)), painter.base)
        line = y - plan.top + 1
        if not 0 <= line < len(self._edges):
            return Strip.blank(self.size.width, painter.base)
        row, row_of_square = plan.row_of(y)
        edge = self._edges[line]
        segments = [self._indent, *painter.edge(edge.left, self._turn)]
        if 0 <= row < SIZE:
            for square in plan.squares_in(row):
                segments += painter[self._looks[square]][row_of_square]
        segments += painter.edge(edge.right, self._turn)
        strip = Strip(segments).adjust_cell_length(self.size.width, painter.base)
        if not self._thud or not (region := self._thud_region).y <= y < region.bottom:
            return strip
        letters = dict(enumerate(_LETTERS, region.y + 1)).get(y, "")
        letters = f"  {letters}".ljust(region.width)
        if self.ascii_only:
            letters = letters.replace("█", "#")
        name = Strip([Segment(letters, painter.thud)])
        return Strip.join([strip.crop(0, region.x), name, strip.crop(region.right)])

    @property
    def _thud_region(self) -> Region:
        """Where the name of the game is shown: around the middle of the board."""
        width, height = max(map(len, _LETTERS)) + 4, len(_LETTERS) + 2
        middle = self._plan.region_of(parse_square("H8"))
        left, top = middle.x + middle.width // 2 - width // 2, middle.y + middle.height // 2
        return Region(left, top - height // 2, width, height)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """Return the rows that the board needs above a panel."""
        return rows_above(*viewport, self.largest)

    def _draw_anew(self) -> None:
        """Redraw with the largest squares that fit."""
        cell = largest_within(*self.size, self.largest)
        self._plan = Layout.within(self.size, cell, flipped=self.flipped)
        self._painter = None
        self.refresh()

    def notify_style_update(self) -> None:
        """Drop the painter cached in the old colours."""
        super().notify_style_update()
        self._painter = None

    def on_resize(self) -> None:
        """Fit the squares to the new size."""
        self.settle()
        self._draw_anew()

    # The mouse

    def _square_at(self, event: events.MouseEvent) -> Square | None:
        offset = event.get_content_offset(self)
        return self.square_under(offset) if offset is not None else None

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Report the square under the mouse, and drag the pressed piece."""
        square = self._square_at(event)
        if event.button == 1:
            self._drag(square)
        elif self._dragged is not None:
            self._drop(None)
        self._hover(square)

    def on_leave(self) -> None:
        """Report that the mouse is over no square."""
        self._hover(None)

    def _hover(self, square: Square | None) -> None:
        if square != self._over:
            self._over = square
            self.post_message(self.Hovered(square))

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """Remember where the mouse was pressed."""
        square = self._square_at(event)
        self._pressed = square if event.button == 1 else None
        self._dragged, self._dropped = None, False
        self._draws_from = square if event.button == _RIGHT else None

    def on_mouse_up(self, event: events.MouseUp) -> None:
        """Drop the dragged piece, even if the terminal reports no mouse movement."""
        square = self._square_at(event)
        if event.button == 1:
            self._drag(square)
        elif event.button == _RIGHT and square is not None and self._draws_from is not None:
            self.post_message(self.Drawn(self, self._draws_from, square))
        self._drop(square)

    def _drag(self, square: Square | None) -> None:
        """Drag the pressed piece once the mouse has left its square."""
        if self._pressed is not None and self._dragged is None and square != self._pressed:
            self._dragged = self._pressed
            self.capture_mouse()
            self.post_message(self.Grabbed(self, self._dragged))
        if self._dragged is not None and square is not None:
            self.move_cursor(square)

    def _drop(self, square: Square | None) -> None:
        """Drop the dragged piece, if any; the click that follows is none."""
        origin, self._dragged, self._pressed = self._dragged, None, None
        self._dropped = origin is not None
        if origin is not None:
            self.release_mouse()
            self.post_message(self.Dropped(self, origin, square))

    @property
    def touched(self) -> bool:
        """Whether the app is on a touch screen."""
        return getattr(self.app, "touched", False)

    def _nearest_stop(self, offset: Offset) -> Square | None:
        """Return the square under a finger, or else the nearest one beside it that can be chosen.

        A square with a piece of one's own is meant: it is told why it cannot move.
        """
        under = self.square_under(offset)
        position, stops = self._view.position, self._view.stops
        own = position.pieces(position.to_move)
        if under in stops or (under is not None and own >> under & 1):
            return under
        width, height = self._plan.cell
        middle = Offset(width // 2, height // 2)
        middles = {stop: self._plan.region_of(stop).offset + middle for stop in stops}

        def away(stop: Square) -> tuple[float, float]:
            across, down = middles[stop] - offset
            return abs(across) / width, abs(down) / height

        near = [stop for stop in stops if max(away(stop)) < _REACH]
        return min(near, key=lambda stop: sum(part**2 for part in away(stop)), default=under)

    def on_click(self, event: events.Click) -> None:
        """Report the clicked square."""
        event.stop()
        dropped, self._dropped = self._dropped, False
        if dropped:
            return
        square, offset = self._square_at(event), event.get_content_offset(self)
        if self.touched and offset is not None:
            square = self._nearest_stop(offset)
        if square is None or event.button != 1:
            self.post_message(self.Missed())
            return
        self.move_cursor(square)
        self.post_message(self.Clicked(self, square))

    # The keys

    def action_step(self, direction: str) -> None:
        """Move the cursor one square, unless it is at the edge."""
        self.move_cursor(stepped(self.cursor, direction, flipped=self.flipped))

    def action_jump(self, direction: str) -> None:
        """Move the cursor to the nearest stop in a direction."""
        stops = self._view.stops
        self.move_cursor(jumped(self.cursor, direction, stops, flipped=self.flipped))

    def action_cycle(self, by: int) -> None:
        """Move the cursor to the next or previous stop, perhaps to some of them first."""
        stops = self._view.stops
        first = [each for each in stops if each in self.asked_for]
        if self.captures_first:
            first = first or self.captures
        self.move_cursor(cycled(self.cursor, stops, by, first))

    @property
    def captures(self) -> list[Square]:
        """The destinations that capture."""
        marks = self._view.marks
        return [stop for stop in self._view.stops if marks.get(stop) is SquareMark.CAPTURE]

    def action_cycle_captures(self) -> None:
        """Move the cursor to the next destination that captures."""
        if captures := self.captures:
            self.move_cursor(cycled(self.cursor, captures, 1))
        else:
            self.post_message(self.NoCapture())


# Where the squares are, and the outline around them


_ROWS: Final = (RANKS, tuple([rank[::-1] for rank in reversed(RANKS)]))
"""The squares of each row from left to right, as drawn usually and flipped."""
_PLACES: Final = tuple(
    {square: (abs(turned - file_of(square)), abs(turned - rank_of(square))) for square in SQUARES}
    for turned in (1, SIZE)
)
"""Each square's column and row, counted from 0, as drawn usually and flipped."""
_SQUARES: Final = tuple({place: square for square, place in places.items()} for places in _PLACES)


class Layout(Struct, frozen=True):
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


class Edge(Struct, frozen=True):
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
        edges = [Edge(each.left.translate(_ASCII), each.right.translate(_ASCII)) for each in edges]
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

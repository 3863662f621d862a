"""A chapter of the rules as widgets, with diagrams drawn like the board."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rich.console import Console, ConsoleOptions, RenderResult
from rich.segment import Segment
from rich.text import Text
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.geometry import Size
from textual.strip import Strip
from textual.widget import Widget
from textual.widgets import Static

from thud.rulebook.chapters import (
    Bullets,
    CellTable,
    Chapter,
    Drawing,
    Emphasis,
    Paragraph,
    Spans,
    plain_text,
)
from thud.rulebook.diagrams import GAP, BoardPart, Diagram, in_rows
from thud.rulebook.printed import table_lines
from thud.rules.geometry import FILES, squares_of
from thud.settings.values import Settings
from thud.terminal.cells import CELLS, Cell
from thud.tui.board.drawing import Painter, Surface
from thud.tui.board.look import SquareMark, View, last_marks, looks
from thud.tui.widgets.appearance import dress_surface

_MARGIN = 3
"""Columns left of the squares, for the number of a rank and a space."""
_AROUND = 5
"""Rows of the help screen around its text."""


class DiagramView(Surface):
    """The parts of a diagram side by side, in the largest squares that fit.

    If even the smallest do not fit, the parts wrap onto more rows.
    """

    DEFAULT_CSS = "DiagramView { height: auto; margin-bottom: 1; }"

    def __init__(self, diagram: Diagram) -> None:
        super().__init__()
        self._diagram = diagram
        if diagram:
            self.set_reactive(Surface.stone, diagram[0].variant.stone)
        self._strips: list[Strip] = []

    def show(self, diagram: Diagram) -> None:
        """Show another diagram."""
        self._diagram, self._strips = diagram, []
        self.set_reactive(Surface.stone, diagram[0].variant.stone)
        self.refresh(layout=True)

    def get_content_width(self, container: Size, viewport: Size) -> int:
        """Return the full width."""
        return container.width

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """Return the height of the diagram at a width."""
        cell = self._cell(width, viewport.height)
        rows = in_rows([_width(part, cell) for part in self._diagram], width)
        return sum(_height(self._diagram[row[0]], cell) + 1 for row in rows) - 1

    def _cell(self, width: int, screen_height: int) -> Cell:
        """Return the largest cell size with which all parts fit side by side."""
        for cell in CELLS:
            columns = sum(_width(part, cell) + GAP for part in self._diagram) - GAP
            rows = max(_height(part, cell) for part in self._diagram)
            wanted = not self.largest or cell <= self.largest
            # The smallest squares have no pictures, so the next larger ones may fill the page.
            most = screen_height - _AROUND if cell == CELLS[-2] else screen_height * 2 // 3
            if wanted and columns <= width and rows <= most:
                return cell
        return CELLS[-1]

    def render_line(self, y: int) -> Strip:
        """Draw one line of the screen."""
        width, base = self.size.width, self.rich_style
        if not self._strips:
            cell = self._cell(width, self.app.size.height)
            painter = self._new_painter(cell)
            widths = [_width(part, cell) for part in self._diagram]
            for row in in_rows(widths, width):
                parts = [_painted(self._diagram[n], painter, cell, widths[n] + GAP) for n in row]
                self._strips += [Strip([])] if self._strips else []
                self._strips += [Strip.join(line) for line in zip(*parts, strict=True)]
        strip = self._strips[y] if y < len(self._strips) else Strip([])
        return strip.adjust_cell_length(width, base)

    def _draw_anew(self) -> None:
        self._strips = []
        super()._draw_anew()

    def notify_style_update(self) -> None:
        """Drop the lines cached in the old colours."""
        super().notify_style_update()
        self._strips = []

    def on_resize(self) -> None:
        """Drop the lines cached for the old width."""
        self._strips = []


def _width(part: BoardPart, cell: Cell) -> int:
    return _MARGIN + max(len(part.caption), len(part.files) * cell.width)


def _height(part: BoardPart, cell: Cell) -> int:
    return bool(part.caption) + 1 + len(part.ranks) * cell.height


def _painted(part: BoardPart, painter: Painter, cell: Cell, width: int) -> list[Strip]:
    """Return the lines of one part: its caption, the letters of the files, and the ranks."""
    # The following move is shown as if in hand.
    marks = last_marks(part.last)
    if move := part.following:
        marks[move.origin] = SquareMark.HELD
        marks[move.destination] = SquareMark.CAPTURE if move.captures else SquareMark.DESTINATION
        marks |= dict.fromkeys(squares_of(move.captures), SquareMark.VICTIM)
    seen = looks(View(part.position, marks, goals=part.variant.goals), None)
    indent, base, label = " " * _MARGIN, painter.base, painter.label
    letters = "".join(FILES[file - 1].center(cell.width) for file in part.files)
    lines = [[Segment(indent + part.caption, base)]] if part.caption else []
    lines.append([Segment(indent + letters, label)])
    middle, off_board = (cell.height - 1) // 2, Segment(" " * cell.width, base)
    for rank, squares in part.rows():
        for y in range(cell.height):
            line = [Segment(f"{rank if y == middle else '':>2} ", label)]
            for square in squares:
                line += [off_board] if square is None else painter[seen[square]][y]
            lines.append(line)
    return [Strip(line).adjust_cell_length(width, base) for line in lines]


_STYLES: Final = {
    Emphasis.PLAIN: "",
    Emphasis.STRONG: "bold",
    Emphasis.STRESSED: "italic",
    Emphasis.LITERAL: "$text-accent",
}


class TableLines:
    """A table that fits the width available."""

    def __init__(self, table: CellTable) -> None:
        self._rows = [[plain_text(cell) for cell in row] for row in table.rows]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Yield its lines."""
        for line in table_lines(self._rows, options.max_width):
            yield Text(line, no_wrap=True)


def page_of(chapter: Chapter, settings: Settings) -> Iterator[Widget]:
    """Yield the widgets of a chapter, without its title."""
    for block in chapter.blocks:
        if isinstance(block, Paragraph):
            yield Static(_worded(block.spans))
        elif isinstance(block, Bullets):
            points = [(Static("•", classes="bullet"), Static(_worded(p))) for p in block.points]
            yield Vertical(*(Horizontal(*point) for point in points), classes="points")
        elif isinstance(block, Drawing):
            view = DiagramView(block.diagram)
            dress_surface(view, settings)
            yield view
        else:
            yield Static(TableLines(block))


def _worded(spans: Spans) -> Content:
    return Content.assemble(*((span.text, _STYLES[span.tone]) for span in spans))

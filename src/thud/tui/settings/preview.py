"""Some squares beside the settings: what the pieces and the colours look like."""

from __future__ import annotations

from typing import Final

from textual.geometry import Size
from textual.strip import Strip

from thud.tui.board.layout import CELLS, Cell
from thud.tui.board.look import Look, Mark
from thud.tui.board.surface import Surface

_LOOKS: Final = (
    Look("d"),
    Look("T", dark=True),
    Look("R"),
    Look("d", Mark.VICTIM, dark=True),
)
_LARGEST: Final = Cell(9, 4)


class Preview(Surface):
    """Draws a dwarf, a troll, the stone and a victim, as large as there is room for."""

    DEFAULT_CSS = "Preview { height: auto; margin: 0 1 1 1; }"

    def get_content_width(self, container: Size, viewport: Size) -> int:
        """Take all the width there is."""
        return container.width

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """Return the lines of a square."""
        return self._cell(width).height

    def _cell(self, width: int) -> Cell:
        limit = min(self.largest or _LARGEST, _LARGEST)
        fits = (cell for cell in CELLS if cell <= limit and len(_LOOKS) * cell.width <= width)
        return next(fits, CELLS[-1])

    def render_line(self, y: int) -> Strip:
        """Draw one line of the squares."""
        width, base = self.size.width, self.rich_style
        cell = self._cell(width)
        if y >= cell.height:
            return Strip.blank(width, base)
        painter = self._new_painter(cell)
        line = [segment for look in _LOOKS for segment in painter.square(look)[y]]
        return Strip(line).adjust_cell_length(width, base)

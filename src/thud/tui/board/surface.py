"""What squares are drawn on: the board itself, and parts of it elsewhere."""

from __future__ import annotations

from typing import ClassVar

from rich.style import Style
from textual.reactive import reactive
from textual.widget import Widget

from thud.tui.board.drawing import Pen
from thud.tui.board.layout import Cell
from thud.tui.board.painter import COMPONENTS, STYLES, Painter
from thud.tui.looks.themes import tones_merge


class Surface(Widget):
    """Has the colours of the board and its pieces, and paints squares in them."""

    DEFAULT_CSS = STYLES

    COMPONENT_CLASSES: ClassVar[set[str]] = COMPONENTS

    ALLOW_SELECT = False

    piece_set: reactive[str] = reactive("unicode")
    """One of `pieces.PIECE_SETS`."""

    ascii_only: reactive[bool] = reactive(False)
    """Whether everything is drawn in plain ASCII."""

    largest: reactive[Cell | None] = reactive(None)
    """The largest size of squares to take even where larger ones would fit."""

    def __init__(self) -> None:
        super().__init__()
        self.auto_links = False

    def _new_painter(self, cell: Cell, *, flipped: bool = False) -> Painter:
        def style_of(name: str) -> Style:
            return self.get_component_rich_style(name, partial=True)

        pen = Pen(self.piece_set, self.ascii_only, tones_merge(self.app), flipped)
        return Painter(style_of, self.rich_style, cell, pen)

    def _draw_anew(self) -> None:
        """Forget what was drawn."""
        self.refresh(layout=True)

    def watch_piece_set(self) -> None:
        """Draw the pieces of the other set."""
        self._draw_anew()

    def watch_ascii_only(self) -> None:
        """Draw in the other characters."""
        self._draw_anew()

    def watch_largest(self) -> None:
        """Take the largest squares that are wanted."""
        self._draw_anew()

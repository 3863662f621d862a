"""What squares are drawn on: the board itself, and parts of it elsewhere."""

from __future__ import annotations

from rich.color import Color
from rich.style import Style
from textual.reactive import reactive
from textual.widget import Widget

from thud.tui.board.drawing import Pen
from thud.tui.board.layout import Cell
from thud.tui.board.look import THUDSTONE
from thud.tui.board.painter import Painter
from thud.tui.board.pieces import drawable
from thud.tui.board.sprites import colours
from thud.tui.board.tones import Tones
from thud.tui.looks.themes import GROUNDS, paints, tones_merge


class Surface(Widget):
    """Has the colours of the board and its pieces, and paints squares in them."""

    ALLOW_SELECT = False

    piece_set: reactive[str] = reactive("unicode")
    """One of `pieces.PIECE_SETS`."""

    ascii_only: reactive[bool] = reactive(False)
    """Whether everything is drawn in plain ASCII."""

    stone: reactive[str] = reactive(THUDSTONE)
    """What the stone is called, which says how it is drawn."""

    largest: reactive[Cell | None] = reactive(None)
    """The largest size of squares to take even where larger ones would fit."""

    def __init__(self) -> None:
        super().__init__()
        self.auto_links = False

    def _new_painter(self, cell: Cell, *, flipped: bool = False) -> Painter:
        merged = tones_merge(self.app)
        pieces = drawable(self.piece_set, few_colours=merged)
        pen = Pen(pieces, self.ascii_only, merged, flipped, self.stone)
        tones = Tones(self.app.theme_variables)
        if not pen.paints:
            return Painter(tones.style_of, self.rich_style, cell, pen, {})
        there = paints(self.app.current_theme)
        letters = {letter: Color.parse(there[name]) for letter, name in colours(pieces).items()}
        grounds = {
            name: Style(color=there[f"{name}-text"], bgcolor=there[name]) for name in GROUNDS
        }

        def style_of(name: str) -> Style:
            style = tones.style_of(name)
            return style + grounds[name] if name in grounds else style

        return Painter(style_of, self.rich_style, cell, pen, letters)

    def _draw_anew(self) -> None:
        """Forget what was drawn."""
        self.refresh(layout=True)

    def watch_piece_set(self) -> None:
        """Draw the pieces of the other set."""
        self._draw_anew()

    def watch_ascii_only(self) -> None:
        """Draw in the other characters."""
        self._draw_anew()

    def watch_stone(self) -> None:
        """Draw the other stone."""
        self._draw_anew()

    def watch_largest(self) -> None:
        """Take the largest squares that are wanted."""
        self._draw_anew()

"""The board's colours, and a painter of squares."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import groupby
from typing import Final, NamedTuple

from rich.color import Color
from rich.segment import Segment
from rich.style import Style
from textual.color import Color as Tint
from textual.reactive import reactive
from textual.widget import Widget

from thud.terminal.cells import Cell
from thud.tui.board.drawing import Part, Pen, cell_rows
from thud.tui.board.look import THUDSTONE, Look, SquareMark
from thud.tui.board.pieces import drawable
from thud.tui.board.sprites import CLEAR, Paint, colours
from thud.tui.deployment import deployment_of
from thud.tui.looks.themes import GROUNDS, paints, tones_merge


class Tone(NamedTuple):
    """A named colour of the board: CSS variables, without their `board-` prefix."""

    ink: str = ""
    ground: str = ""
    bold: bool = False


TONES: Final[Mapping[str, Tone]] = {
    "light": Tone(ground="light"),
    "dark": Tone(ground="dark"),
    "texture": Tone("texture"),
    "goal": Tone("goal-text", "goal"),
    "goal-dark": Tone("goal-text", "goal-dark"),
    "dwarf": Tone("dwarf", bold=True),
    "beard": Tone("beard", bold=True),
    "troll": Tone("troll", bold=True),
    "stone": Tone("stone", bold=True),
    "stone-shade": Tone("stone-shade", bold=True),
    "outline": Tone("outline"),
    "label": Tone("label"),
    "destination": Tone("destination", "destination-ground", bold=True),
    "destination-dark": Tone(ground="destination-dark"),
    "capture": Tone("capture", "capture-ground", bold=True),
    "capture-dark": Tone(ground="capture-dark"),
    "victim": Tone("victim-text", "victim", bold=True),
    "held": Tone("held-text", "held", bold=True),
    "spared": Tone(),
    "last": Tone(ground="last"),
    "advised": Tone(ground="advised"),
    "noted": Tone("noted", bold=True),
    "threat": Tone("threat", bold=True),
    "danger": Tone(ground="danger"),
    "aim": Tone("aim"),
    "cursor": Tone("cursor-text", "cursor", bold=True),
}
"""The tones of everything on the board, by name."""


_PIECES: Final = {
    "d": ("dwarf", "beard"),
    "T": ("troll", "troll"),
    "R": ("stone", "stone-shade"),
}
"""The tones of each piece's two colours."""

_TINTS: Final = (SquareMark.DESTINATION, SquareMark.CAPTURE)
"""Marks with another ground on dark squares."""


class Painter(dict[Look, list[list[Segment]]]):
    """Turns looks into segments: the rows of a square, by its look.

    Component classes would do for its styles as well, but each is matched against every CSS rule
    whenever the board is styled, which took a tenth of the time to the first frame.

    Args:
        variables: a theme's colours by name, `board-light` and so on.
        theme: the colours of sprites by name.
        base: the style below everything.
        cell: the size of the squares.
        pen: the options of drawing.
    """

    def __init__(
        self,
        variables: Mapping[str, str],
        theme: Mapping[str, str],
        base: Style,
        cell: Cell,
        pen: Pen,
    ) -> None:
        super().__init__()
        self._variables = variables
        self._theme = theme
        self._inks = {
            letter: Color.parse(theme[name])
            for letter, name in (colours(pen.piece_set) if pen.paints else {}).items()
        }
        self._cell = cell
        self._pen = pen
        self._styles: dict[str, Style] = {}
        self._edges: dict[str, list[Segment]] = {}
        self.base = base
        self.outline = base + self.style_of("outline")
        self.label = base + self.style_of("label")
        self.thud = base + self.style_of("held")

    def style_of(self, name: str) -> Style:
        """Return the style of a square, a piece, a mark or the edge; none without a name."""
        if name not in self._styles:
            tone = TONES[name] if name else Tone()
            ink, ground = (
                Tint.parse(self._variables[f"board-{each}"]).rich_color if each else None
                for each in (tone.ink, tone.ground)
            )
            style = Style(color=ink, bgcolor=ground, bold=tone.bold or None)
            if self._theme and name in GROUNDS:
                style += Style(color=self._theme[f"{name}-text"], bgcolor=self._theme[name])
            self._styles[name] = style
        return self._styles[name]

    def __missing__(self, look: Look) -> list[list[Segment]]:
        """Draw a square for the first time."""
        style_of = self.style_of
        ground = self.base + style_of("dark" if look.dark else "light")
        if look.goal:
            ground += style_of("goal-dark" if look.dark else "goal")
        if look.threatened and look.letter:
            ground += style_of("danger")
        over = style_of(look.mark.value if look.mark else "")
        if look.mark in _TINTS and look.dark:
            over += style_of(f"{look.mark.value}-dark")
        if look.cursor:
            over += style_of("cursor")
        first, second = _PIECES.get(look.letter or "", ("", ""))
        styles = {
            Part.GROUND: ground + over,
            Part.FIRST: ground + style_of(first) + over,
            Part.SECOND: ground + style_of(second) + over,
            # The texture belongs to the square, whatever is marked on it.
            Part.TEXTURE: ground + over + style_of("texture"),
            Part.AIM: ground + style_of("aim") + over,
            Part.THREAT: ground + style_of("threat") + over,
        }

        def style(part: Part | Paint) -> Style:
            if isinstance(part, Part):
                return styles[part]
            clear = styles[Part.GROUND].bgcolor
            ink, paper = (clear if each == CLEAR else self._inks[each] for each in part)
            return Style(color=ink, bgcolor=paper)

        self[look] = [
            [Segment(text, style(part)) for text, part in row]
            for row in cell_rows(look, self._cell, self._pen)
        ]
        return self[look]

    def edge(self, text: str) -> list[Segment]:
        """Return a part of the outline, with its labels in their own colour."""
        if text not in self._edges:
            self._edges[text] = [
                Segment("".join(part), self.label if is_label else self.outline)
                for is_label, part in groupby(text, str.isalnum)
            ]
        return self._edges[text]


class Surface(Widget):
    """Base of widgets that paint squares in the board's colours."""

    ALLOW_SELECT = False

    piece_set: reactive[str] = reactive("unicode")
    """One of `pieces.PIECE_SETS`."""

    ascii_only: reactive[bool] = reactive(False)
    """Whether everything is drawn in plain ASCII."""

    stone: reactive[str] = reactive(THUDSTONE)
    """The stone's name, which decides how it is drawn."""

    largest: reactive[Cell | None] = reactive(None)
    """The upper limit of the square size, if any."""

    def __init__(self) -> None:
        super().__init__()
        self.auto_links = False

    def _new_painter(self, cell: Cell, *, flipped: bool = False) -> Painter:
        app, merged = self.app, tones_merge(self.app)
        pieces = drawable(self.piece_set, few_colours=merged)
        pictured = deployment_of(app).draws_pieces
        pen = Pen(pieces, self.ascii_only, merged, flipped, self.stone, pictured)
        theme = paints(app.current_theme) if pen.paints else {}
        return Painter(app.theme_variables, theme, self.rich_style, cell, pen)

    def _draw_anew(self) -> None:
        """Redraw with a new layout."""
        self.refresh(layout=True)

    def watch_piece_set(self) -> None:
        """Redraw with the new pieces."""
        self._draw_anew()

    def watch_ascii_only(self) -> None:
        """Redraw with the other characters."""
        self._draw_anew()

    def watch_stone(self) -> None:
        """Redraw with the new stone."""
        self._draw_anew()

    def watch_largest(self) -> None:
        """Redraw with the new limit."""
        self._draw_anew()

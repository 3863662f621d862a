"""The board's colours, and a painter of squares."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

from rich.color import Color
from rich.segment import Segment
from rich.style import Style
from textual.color import Color as Tint
from textual.reactive import reactive
from textual.widget import Widget

from thud.tui.board.drawing import Part, Pen, cell_rows
from thud.tui.board.layout import Cell
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


def _piece(ink: str) -> Tone:
    return Tone(ink, bold=True)


TONES: Final[Mapping[str, Tone]] = {
    "light": Tone(ground="light"),
    "dark": Tone(ground="dark"),
    "texture": Tone("texture"),
    "goal": Tone("goal-text", "goal"),
    "goal-dark": Tone("goal-text", "goal-dark"),
    "dwarf": _piece("dwarf"),
    "beard": _piece("beard"),
    "troll": _piece("troll"),
    "stone": _piece("stone"),
    "stone-shade": _piece("stone-shade"),
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


class Tones:
    """Cached Rich styles of the tones.

    Component classes would do as well, but each is matched against every CSS rule whenever the
    board is styled, which took a tenth of the time to the first frame.

    Args:
        variables: a theme's colours by name, `board-light` and so on.
    """

    def __init__(self, variables: Mapping[str, str]) -> None:
        self._variables = variables
        self._known: dict[str, Style] = {}

    def style_of(self, name: str) -> Style:
        """Return the style of a square, a piece, a mark or the edge."""
        if name not in self._known:
            ink, ground, bold = TONES[name]
            self._known[name] = Style(
                color=self._colour(ink), bgcolor=self._colour(ground), bold=bold or None
            )
        return self._known[name]

    def _colour(self, name: str) -> Color | None:
        return Tint.parse(self._variables[f"board-{name}"]).rich_color if name else None


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

    Args:
        style_of: returns the style of a tone.
        base: the style below everything.
        cell: the size of the squares.
        pen: the options of drawing.
        paints: the colours of sprites, by letter.
    """

    def __init__(
        self,
        style_of: Callable[[str], Style],
        base: Style,
        cell: Cell,
        pen: Pen,
        paints: Mapping[str, Color],
    ) -> None:
        super().__init__()
        self._paints = paints
        self._style_of = style_of
        self.base = base
        self.outline = base + style_of("outline")
        self.label = base + style_of("label")
        self.thud = base + style_of("held")
        self._cell = cell
        self._pen = pen
        self._edges: dict[str, list[Segment]] = {}

    def __missing__(self, look: Look) -> list[list[Segment]]:
        """Draw a square for the first time."""
        styles = self._styles(look)
        ground = styles[Part.GROUND]
        self[look] = [
            [
                Segment(text, styles[p] if isinstance(p, Part) else self._painted(p, ground))
                for text, p in row
            ]
            for row in cell_rows(look, self._cell, self._pen)
        ]
        return self[look]

    def _painted(self, paint: Paint, ground: Style) -> Style:
        """Return the style of a sprite's character on a ground."""
        ink, paper = (
            ground.bgcolor if letter == CLEAR else self._paints[letter] for letter in paint
        )
        return Style(color=ink, bgcolor=paper)

    def _styles(self, look: Look) -> dict[Part, Style]:
        """Return the style of each part of a square."""
        style_of = self._style_of
        ground = self.base + style_of("dark" if look.dark else "light")
        if look.goal:
            ground += style_of("goal-dark" if look.dark else "goal")
        if look.threatened and look.letter:
            ground += style_of("danger")
        over = style_of(look.mark.value) if look.mark else Style.null()
        if look.mark in _TINTS and look.dark:
            over += style_of(f"{look.mark.value}-dark")
        if look.cursor:
            over += style_of("cursor")
        first, second = _PIECES.get(look.letter or "", ("", ""))
        names = {
            Part.GROUND: "",
            Part.FIRST: first,
            Part.SECOND: second,
            Part.TEXTURE: "",
            Part.AIM: "aim",
            Part.THREAT: "threat",
        }
        styles = {
            part: ground + (style_of(name) if name else Style.null()) + over
            for part, name in names.items()
        }
        # The texture belongs to the square, whatever is marked on it.
        styles[Part.TEXTURE] += style_of("texture")
        return styles

    def edge(self, text: str) -> list[Segment]:
        """Return a part of the outline, with its labels in their own colour."""
        if text not in self._edges:
            self._edges[text] = self._edge(text)
        return self._edges[text]

    def _edge(self, text: str) -> list[Segment]:
        segments: list[Segment] = []
        start = 0
        for end in range(1, len(text) + 1):
            if end == len(text) or text[end].isalnum() != text[start].isalnum():
                style = self.label if text[start].isalnum() else self.outline
                segments.append(Segment(text[start:end], style))
                start = end
        return segments


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
        merged = tones_merge(self.app)
        pieces = drawable(self.piece_set, few_colours=merged)
        pictured = deployment_of(self.app).draws_pieces
        pen = Pen(pieces, self.ascii_only, merged, flipped, self.stone, pictured)
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

"""Squares in colour, each drawn once and kept."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from rich.color import Color
from rich.segment import Segment
from rich.style import Style

from thud.tui.board.drawing import Part, Pen, cell_rows
from thud.tui.board.layout import Cell
from thud.tui.board.look import Look, Mark
from thud.tui.board.sprites import CLEAR, Paint

_PIECES: Final = {
    "d": ("dwarf", "beard"),
    "T": ("troll", "troll"),
    "R": ("stone", "stone-shade"),
}
"""The tones of the two colours of each piece."""

_TINTS: Final = (Mark.DESTINATION, Mark.CAPTURE)
"""What tints a dark square otherwise than a light one."""


class Painter:
    """Turns looks into segments.

    Args:
        style_of: gives the style of a tone.
        base: the style beneath everything.
        paints: the colours of sprites, by their letters.
    """

    def __init__(
        self,
        style_of: Callable[[str], Style],
        base: Style,
        cell: Cell,
        pen: Pen,
        paints: Mapping[str, Color],
    ) -> None:
        self._paints = paints
        self._style_of = style_of
        self.base = base
        self.outline = base + style_of("outline")
        self.label = base + style_of("label")
        self._cell = cell
        self._pen = pen
        self._drawn: dict[Look, list[list[Segment]]] = {}
        self._edges: dict[str, list[Segment]] = {}

    def square(self, look: Look) -> list[list[Segment]]:
        """Return the rows of a square."""
        if look not in self._drawn:
            styles = self._styles(look)
            ground = styles[Part.GROUND]
            self._drawn[look] = [
                [
                    Segment(text, styles[p] if isinstance(p, Part) else self._painted(p, ground))
                    for text, p in row
                ]
                for row in cell_rows(look, self._cell, self._pen)
            ]
        return self._drawn[look]

    def _painted(self, paint: Paint, ground: Style) -> Style:
        """Return the style of a character of a sprite on some ground."""
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
        # The texture is the square's, whatever is marked on it.
        styles[Part.TEXTURE] += style_of("texture")
        return styles

    def edge(self, text: str) -> list[Segment]:
        """Return a part of the outline, with the labels in it in their own colour."""
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

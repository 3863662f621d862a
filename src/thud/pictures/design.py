"""How a picture looks: in which colours, with which pieces."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from thud.pictures.drawings import DRAWINGS, Layer
from thud.pictures.shapes import Drawing

PIECES: Final = (Layer.DWARF, Layer.TROLL, Layer.STONE)
"""What a design can have drawn in its own way."""


class Design(NamedTuple):
    """Colours in place of those of `palette`, and drawings of pieces in place of the usual ones."""

    colours: Mapping[str, str] = {}
    pieces: Mapping[Layer, Drawing] = {}

    def colour(self, usual: str) -> str:
        """Return what is painted in place of a colour of the palette."""
        return self.colours.get(usual, usual)

    def painted(self, drawing: Drawing) -> Drawing:
        """Return a drawing in the colours of the design."""
        return tuple(
            shape._replace(fill=self.colour(shape.fill), line=self.colour(shape.line))
            for shape in drawing
        )

    def of(self, layer: Layer) -> Drawing:
        """Return what lies on a square; pieces keep the colours that they have."""
        if layer in PIECES:
            return self.pieces.get(layer, DRAWINGS[layer])
        return self.painted(DRAWINGS[layer])


USUAL: Final = Design()
"""Slate and parchment, and pieces that are carved."""

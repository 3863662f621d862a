"""Drawings of pieces and squares, in a box of 100 by 100; alternative designs."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Final, NamedTuple

from thud.pictures import palette
from thud.pictures.shapes import Drawing, Shape, ellipse


class Layer(Enum):
    """Layers of a square, from bottom to top."""

    LIGHT = "light"
    DARK = "dark"
    GOAL = "goal"
    ORIGIN = "origin"
    DESTINATION = "destination"
    CROSS = "cross"
    DWARF = "dwarf"
    TROLL = "troll"
    STONE = "stone"
    SMALL_CROSS = "small-cross"


_FACE: Final = "M1 1 99 1 99 99 1 99Z"
_FRAME: Final = "M4 4 96 4 96 96 4 96Z"


def _tile(colour: str, edge: str) -> Drawing:
    """Draw a flagstone: a face with a lit edge; the joint around it stays open."""
    return (
        Shape(_FACE, colour),
        Shape("M1 99 1 1 99 1 95 5 5 5 5 95Z", edge),
    )


def _cross(left: float, top: float, right: float, bottom: float, width: float) -> Drawing:
    path = f"M{left} {top} {right} {bottom}M{left} {bottom} {right} {top}"
    return (
        Shape(path, line=palette.CROSS_EDGE, width=width * 1.7),
        Shape(path, line=palette.CROSS, width=width),
    )


def _inked(path: str, colour: str, width: float) -> Shape:
    return Shape(path, colour, line=palette.INK, width=width)


def _shadow(across: float) -> Shape:
    return Shape(ellipse(50, 90, across, 7), palette.SHADOW, 0.33)


_DWARF: Final = (
    _shadow(37),
    _inked("M17 91C13 70 22 55 50 53C78 55 87 70 83 91Z", palette.TUNIC, 3),
    _inked("M24 36C9 37 3 24 8 7C12 20 18 24 29 23Z", palette.HORN, 3),
    _inked("M76 36C91 37 97 24 92 7C88 20 82 24 71 23Z", palette.HORN, 3),
    Shape("M26 42 74 42 72 64 28 64Z", palette.SKIN),
    _inked(
        "M24 44C19 64 24 84 42 92C46 94 47 96 50 96C53 96 54 94 58 92C76 84 81 64 76 44"
        "C74 52 70 57 64 58C58 56 54 57 50 60C46 57 42 56 36 58C30 57 26 52 24 44Z",
        palette.BEARD,
        3,
    ),
    Shape("M27 54C26 68 30 80 41 87C35 78 33 70 34 60Z", palette.BEARD_LIGHT),
    Shape("M44 70C43 78 45 86 49 92C50 86 50 78 48 70Z", palette.BEARD_LIGHT),
    Shape("M73 54C74 68 70 80 59 87C65 78 67 70 66 60Z", palette.BEARD_DARK),
    Shape(
        "M50 62C44 57 34 58 26 68C36 66 45 71 50 66C55 71 64 66 74 68C66 58 56 57 50 62Z",
        palette.BEARD_LIGHT,
        line=palette.BEARD_DARK,
        width=1.5,
    ),
    Shape(ellipse(37, 50.5, 3.4, 3.8), palette.INK),
    Shape(ellipse(63, 50.5, 3.4, 3.8), palette.INK),
    _inked("M21 40C21 18 34 7 50 7C66 7 79 18 79 40Z", palette.IRON, 3),
    Shape("M26 36C27 21 36 13 45 11C38 18 35 26 34 36Z", palette.IRON_LIGHT),
    Shape("M75 37C75 22 67 14 60 11C65 18 67 27 67 37Z", palette.IRON_DARK, 0.6),
    Shape("M45 8 55 8 56 38 44 38Z", palette.BRASS),
    _inked("M18 37 82 37 82 45 55 45 50 51 45 45 18 45Z", palette.IRON_DARK, 2.5),
    _inked(ellipse(50, 56, 7.5, 6.5), palette.SKIN_DARK, 1.5),
    Shape(ellipse(47.5, 54, 2.6, 2), palette.SKIN),
    *(Shape(ellipse(x, 41, 2.2, 2.2), palette.BRASS) for x in (26, 37, 50, 63, 74)),
)

_TROLL: Final = (
    _shadow(45),
    _inked(
        "M7 88 4 66 8 46 18 33 32 27 36 12 47 6 58 7 66 14 68 27 83 33 93 47 96 66 93 88"
        " 76 91 72 80 66 92 36 92 29 80 24 91Z",
        palette.GRANITE,
        3.5,
    ),
    Shape("M10 84 8 66 11 48 20 36 32 31 27 47 20 58 22 84Z", palette.GRANITE_LIGHT),
    Shape("M90 84 92 66 90 50 82 37 70 31 74 47 80 58 78 84Z", palette.GRANITE_DARK),
    Shape("M33 60 50 54 67 60 70 78 64 88 38 88 31 78Z", palette.GRANITE_DARK),
    Shape("M36 61 50 57 52 70 40 82 34 76Z", palette.GRANITE),
    Shape("M22 84 20 58 29 50 32 66 28 78Z", palette.GRANITE_DEEP, 0.7),
    Shape("M78 84 80 58 71 50 68 66 72 78Z", palette.GRANITE_DEEP),
    _inked("M32 44 33 22 38 13 48 8 58 9 65 16 68 26 68 44 60 56 40 56Z", palette.GRANITE, 2.5),
    Shape("M35 42 36 23 40 15 48 11 45 24 40 30Z", palette.GRANITE_LIGHT),
    Shape("M66 27 66 43 59 53 54 54 60 40Z", palette.GRANITE_DARK),
    Shape("M33 24 49 29 51 29 67 24 66 36 53 38 50 34 47 38 34 36Z", palette.GRANITE_DEEP),
    Shape("M36 28 47 31 46 37 38 36Z", palette.EYE),
    Shape("M64 28 53 31 54 37 62 36Z", palette.EYE),
    Shape("M37 43 63 43 59 53 41 53Z", palette.INK),
    Shape("M38 53 41.5 39 47.5 53Z", palette.TOOTH),
    Shape("M62 53 58.5 39 52.5 53Z", palette.TOOTH),
    Shape("M11 47 20 35 33 30 29 37 24 38 21 45 16 45Z", palette.MOSS),
    Shape("M40 14 48 8 58 9 62 13 55 15 51 13 46 17Z", palette.MOSS),
    Shape("M76 34 82 36 88 45 82 43Z", palette.MOSS),
    Shape("M8 80 14 78M9 73 13 72M86 78 92 80M87 72 91 73", line=palette.GRANITE_DEEP, width=2),
)

_THUDSTONE: Final = (
    _shadow(40),
    _inked("M12 84 9 58 22 26 42 9 64 10 82 28 91 60 87 84 72 92 28 92Z", palette.STONE, 3.5),
    Shape("M14 80 12 58 24 29 42 13 34 36 26 62Z", palette.STONE_LIGHT),
    Shape("M42 13 62 13 66 34 34 36Z", palette.STONE_LIGHT, 0.6),
    Shape("M64 12 80 30 88 60 85 82 74 62 66 34Z", palette.STONE_DARK),
    Shape("M85 82 71 90 29 90 14 80 26 62 40 76 62 76 74 62Z", palette.STONE_DARK, 0.7),
    Shape("M42 26 42 80M42 38 62 50 42 63", line=palette.RUNE, width=7),
)

_ROCK: Final = (
    _shadow(44),
    _inked(
        "M7 84C5 68 10 54 22 46C28 34 40 26 54 27C70 26 82 38 86 52C95 62 96 76 92 87"
        "C76 95 24 95 7 84Z",
        palette.ROCK,
        3.5,
    ),
    Shape(
        "M12 78C11 66 16 56 27 50C33 39 43 32 55 33C45 41 40 49 36 60C28 66 22 72 12 78Z",
        palette.ROCK_LIGHT,
    ),
    Shape("M84 54C92 65 92 77 89 84C76 90 58 91 44 89C60 84 74 72 84 54Z", palette.ROCK_DARK, 0.8),
    Shape(
        "M36 60C44 62 50 68 53 76M62 44C66 49 67 55 65 61M24 76C28 80 33 82 38 82",
        line=palette.ROCK_DARK,
        width=3,
    ),
)

_BALL: Final = (
    _shadow(34),
    _inked(ellipse(50, 51, 38, 38), palette.BALL, 3.5),
    Shape("M84 36C92 60 78 86 52 87C34 88 22 79 17 68C34 82 72 80 84 36Z", palette.BALL_SHADE),
    _inked("M50 37 63 46.5 58 62 42 62 37 46.5Z", palette.INK, 1.5),
    *(
        _inked(patch, palette.INK, 1)
        for patch in (
            "M43 14.5C47 13.5 53 13.5 57 14.5L55 22 45 22Z",
            "M83 35C86 41 87 46 86.5 51L79 47 78 39Z",
            "M17 35C14 41 13 46 13.5 51L21 47 22 39Z",
            "M76 78C72 82 68 85 64 86.5L64 78 71 73Z",
            "M24 78C28 82 32 85 36 86.5L36 78 29 73Z",
        )
    ),
    Shape(
        "M50 37 50 22M63 46.5 78 42M58 62 66 75M42 62 34 75M37 46.5 22 42",
        line=palette.INK,
        width=2,
    ),
)

STONES: Final[Mapping[str, Drawing]] = {"Thudstone": _THUDSTONE, "Rock": _ROCK, "Ball": _BALL}
"""Drawings of the stones, by name."""

DRAWINGS: Final[Mapping[Layer, Drawing]] = {
    Layer.LIGHT: _tile(palette.LIGHT, palette.LIGHT_EDGE),
    Layer.DARK: _tile(palette.DARK, palette.DARK_EDGE),
    Layer.GOAL: (Shape(_FACE, palette.GOAL, 0.45),),
    Layer.ORIGIN: (
        Shape(_FACE, palette.LAST, 0.35),
        Shape(ellipse(50, 50, 13, 13), line=palette.LAST_EDGE, width=6),
    ),
    Layer.DESTINATION: (
        Shape(_FACE, palette.LAST, 0.6),
        Shape(_FRAME, line=palette.LAST_EDGE, width=6),
    ),
    Layer.CROSS: _cross(27, 27, 73, 73, 12),
    Layer.DWARF: _DWARF,
    Layer.TROLL: _TROLL,
    Layer.STONE: _THUDSTONE,
    Layer.SMALL_CROSS: _cross(75, 10, 90, 25, 7),
}
"""Drawings by layer, in order."""


PIECES: Final = (Layer.DWARF, Layer.TROLL, Layer.STONE)
"""Layers that a design can replace."""


class Design(NamedTuple):
    """Replacements for colours and drawings of pieces."""

    colours: Mapping[str, str] = {}
    pieces: Mapping[Layer, Drawing] = {}

    def colour(self, usual: str) -> str:
        """Return the replacement of a palette colour, or the colour itself."""
        return self.colours.get(usual, usual)

    def painted(self, drawing: Drawing) -> Drawing:
        """Return a drawing in the design's colours."""
        return tuple(
            shape._replace(fill=self.colour(shape.fill), line=self.colour(shape.line))
            for shape in drawing
        )

    def of(self, layer: Layer) -> Drawing:
        """Return a layer's drawing; pieces keep their own colours."""
        if layer in PIECES:
            return self.pieces.get(layer, DRAWINGS[layer])
        return self.painted(DRAWINGS[layer])


USUAL: Final = Design()
"""The default: slate and parchment, carved pieces and the Thudstone."""


def carved(stone: str) -> Design:
    """Return the default design with a stone by name; the Thudstone if it has no drawing."""
    return Design(pieces={Layer.STONE: STONES[stone]} if stone in STONES else {})

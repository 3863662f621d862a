"""Drawing in pixels with Pillow; import it lazily.

Squares are drawn `_FINE` times as large and scaled down, for antialiasing, and cached.  All frames
share one palette, computed from the possible squares and marks.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from functools import cached_property, lru_cache
from math import ceil
from typing import Final, TypeAlias

from PIL import Image, ImageDraw, ImageFont

from thud.pictures import palette
from thud.pictures.drawings import USUAL, Design, Layer
from thud.pictures.layout import (
    CAPTION_SIZE,
    CELL,
    LABEL_SIZE,
    WIDTH,
    Arrow,
    Label,
    arrow_drawing,
    caption_labels,
    corner,
    height,
    labels,
    table,
)
from thud.pictures.shapes import Drawing, polygons
from thud.rules.geometry import Square

HALF: Final = 2
"""Layout units per pixel in an animated picture."""
WHOLE: Final = 1
"""The same in a still one."""

_FINE: Final = 6
_OVER: Final = 3
"""Antialiasing factor of arrows, which are drawn over the whole board."""
_ROOM: Final = 0.94
"""Share of the width available to a text."""

_COLOURS: Final = 255
"""Most colours: one less than a GIF can have, for the transparent one."""


class Raster:
    """Draws the frames of one picture, animated or still.

    Args:
        captions: the lines of every frame's caption.
        flipped: turn the board round.
        unit: layout units per pixel.
        design: the design.
    """

    def __init__(
        self,
        captions: Sequence[Sequence[str]],
        flipped: bool = False,
        unit: int = HALF,
        design: Design = USUAL,
    ) -> None:
        self._flipped = flipped
        self._unit = unit
        self._design = design
        self._squares: dict[tuple[Layer, ...], Image.Image] = {}
        self._lettering = Lettering("".join(map("".join, captions)))
        self._board = _board(max(map(len, captions)), flipped, unit, design)

    def frame(
        self,
        on_squares: dict[Square, tuple[Layer, ...]],
        lines: Sequence[str],
        arrows: Sequence[Arrow] = (),
    ) -> Image.Image:
        """Draw one frame in the shared palette."""
        image = self.drawn(on_squares, lines, arrows)
        return image.quantize(palette=self._palette, dither=Image.Dither.NONE)

    @cached_property
    def _palette(self) -> Image.Image:
        """The palette of the board and of every piece and mark on light and dark squares."""
        grounds = (Layer.LIGHT, Layer.DARK)
        marks = ((), (Layer.GOAL,), (Layer.ORIGIN,), (Layer.DESTINATION,))
        pieces = ((), (Layer.DWARF,), (Layer.TROLL,), (Layer.STONE,), (Layer.CROSS,))
        squares = [self._square((g, *m, *p)) for g in grounds for m in marks for p in pieces]
        board, side = self._board, squares[0].width
        in_row = board.width // side
        size = (board.width, board.height + side * ceil(len(squares) / in_row))
        sheet = Image.new("RGB", size, self._design.colour(palette.CAPTION))
        sheet.paste(board)
        for place, square in enumerate(squares):
            down, across = divmod(place, in_row)
            sheet.paste(square, (across * side, board.height + down * side))
        return sheet.quantize(_COLOURS, dither=Image.Dither.NONE)

    def drawn(
        self,
        on_squares: dict[Square, tuple[Layer, ...]],
        lines: Sequence[str],
        arrows: Sequence[Arrow] = (),
    ) -> Image.Image:
        """Draw a picture in full colour."""
        image, unit = self._board.copy(), self._unit
        for square, layers in on_squares.items():
            x, y = corner(square, self._flipped)
            image.paste(self._square(layers), (x // unit, y // unit))
        for arrow in arrows:
            large = Image.new("RGBA", (image.width * _OVER, image.height * _OVER))
            paint(large, arrow_drawing(arrow, self._flipped), _OVER / unit)
            small = large.reduce(_OVER)
            image.paste(small, mask=small)
        texts, colour = caption_labels(lines), self._design.colour(palette.CAPTION)
        _write(image, texts, CAPTION_SIZE / unit, colour, self._lettering, unit=unit)
        return image

    def _square(self, layers: tuple[Layer, ...]) -> Image.Image:
        """Draw one square with its layers."""
        if layers not in self._squares:
            drawings = tuple(map(self._design.of, layers))
            ground = self._design.colour(palette.GROUT)
            self._squares[layers] = _square(drawings, ground, self._unit)
        return self._squares[layers]


@lru_cache(maxsize=256)
def _square(drawings: tuple[Drawing, ...], ground: str, unit: int) -> Image.Image:
    """Draw a square with its layers, cached for all rasters."""
    side = CELL // unit * _FINE
    image = Image.new("RGB", (side, side), ground)
    for drawing in drawings:
        paint(image, drawing, side / 100)
    return image.reduce(_FINE)


def _board(lines: int, flipped: bool, unit: int, design: Design) -> Image.Image:
    """Draw the board without its squares."""
    size = (WIDTH // unit, ceil(height(lines) / unit))
    image = Image.new("RGB", (size[0] * _FINE, size[1] * _FINE))
    paint(image, design.painted(table(lines)), _FINE / unit)
    image, colour = image.reduce(_FINE), design.colour(palette.LABEL)
    _write(image, labels(flipped), LABEL_SIZE / unit, colour, Lettering(""), unit=unit)
    return image


def paint(image: Image.Image, drawing: Drawing, scale: float) -> None:
    """Draw shapes on an RGB or RGBA image; `scale` is in pixels per unit."""
    draw = ImageDraw.Draw(image, "RGBA")
    for shape in drawing:
        alpha = f"{round(shape.opacity * 255):02x}"
        for points, closed in polygons(shape.path):
            scaled = [(x * scale, y * scale) for x, y in points]
            if shape.fill:
                draw.polygon(scaled, fill=shape.fill + alpha)
            if shape.line:  # with round joints and ends
                width, along = shape.width * scale, scaled + scaled[:2] * closed
                draw.line(along, fill=shape.line, width=max(1, round(width)), joint="curve")
                for point in along:
                    draw.circle(point, width / 2, fill=shape.line)


def _write(
    image: Image.Image,
    texts: Iterable[Label],
    size: float,
    colour: str,
    lettering: Lettering,
    *,
    unit: int,
) -> None:
    """Draw texts, smaller if wider than estimated."""
    draw = ImageDraw.Draw(image)
    for text, x, y in texts:
        letters, font = lettering.readable(text), lettering.font(size)
        room = image.width * _ROOM
        if (length := draw.textlength(letters, font)) > room:
            font = lettering.font(size * room / length)
        draw.text((x / unit, y / unit), letters, colour, font, anchor="ms")


# Letters


Font: TypeAlias = ImageFont.FreeTypeFont | ImageFont.ImageFont

_SYSTEM_FONTS: Final = (
    "DejaVuSans.ttf",
    "NotoSans-Regular.ttf",
    "LiberationSans-Regular.ttf",
    "Arial.ttf",
    "arial.ttf",
    "Helvetica.ttc",
)
"""Fonts shipped with Linux, macOS and Windows; Pillow knows their directories."""

_PLAIN: Final = str.maketrans(
    {"×": "x", "→": "->", "—": "-", "–": "-", "−": "-", "’": "'", "‘": "'", "“": '"', "”": '"'}
)


class Lettering:
    """One font for all texts of a picture.

    Pillow's own font has only ASCII letters.  For other texts a system font is used; if there is
    none, they are drawn without accents.

    Args:
        texts: all texts of the picture.
    """

    def __init__(self, texts: str) -> None:
        self._name = "" if texts.isascii() else _system_font()

    def font(self, size: float) -> Font:
        """Return the font in a size, in pixels."""
        return _font(self._name, size)

    def readable(self, text: str) -> str:
        """Return a text in characters that the font has."""
        if self._name or text.isascii():
            return text
        parts = unicodedata.normalize("NFKD", text.translate(_PLAIN))
        letters = "".join(part for part in parts if not unicodedata.combining(part))
        return letters.encode("ascii", "replace").decode()


@lru_cache(maxsize=64)
def _font(name: str, size: float) -> Font:
    return ImageFont.truetype(name, size) if name else ImageFont.load_default(size)


@lru_cache(maxsize=1)
def _system_font() -> str:
    """Return the file name of the first font found, empty if there is none."""
    for name in _SYSTEM_FONTS:
        try:
            ImageFont.truetype(name, 12)
        except OSError:
            continue
        return name
    return ""

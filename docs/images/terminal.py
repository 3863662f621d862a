"""What an app's screen shows as pixels, drawn cell by cell as a terminal does it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PIL import Image, ImageDraw, ImageFont
from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from rich.terminal_theme import MONOKAI

from thud.pictures.gif import write_frames

if TYPE_CHECKING:
    from textual.app import App

_FACES: Final = ("DejaVuSansMono.ttf", "DejaVuSansMono-Bold.ttf")
_WHOLE: Final = 1.0
_EIGHTHS: Final = "▁▂▃▄▅▆▇█"
_ACROSS: Final = "▏▎▍▌▋▊▉"
_QUADRANTS: Final = {
    character: tuple(bool(bits >> place & 1) for place in range(4))
    for character, bits in zip(
        "▘▝▖▗▀▄▌▐▚▞▛▜▙▟", (1, 2, 4, 8, 3, 12, 5, 10, 9, 6, 7, 11, 13, 14), strict=True
    )
}
"""Which of the quarters of a cell are drawn: upper left, upper right, lower left, lower right."""

Box = tuple[float, float, float, float]
"""A part of a cell: left, top, right and bottom, from 0 to 1."""


def film(path: Path, frames: Sequence[tuple[Image.Image, int]]) -> None:
    """Write frames, each with its milliseconds, as a moving picture of one palette."""
    last, _ = frames[-1]
    palette = last.quantize(255, dither=Image.Dither.NONE)
    with path.open("wb") as file:
        write_frames(
            file,
            (
                (image.quantize(palette=palette, dither=Image.Dither.NONE), ms)
                for image, ms in frames
            ),
        )


class Terminal:
    """Draws screens in one size.

    Args:
        height: the pixels of a row of text; a column has half as many.
    """

    def __init__(self, height: int = 20) -> None:
        self._across, self._down = height // 2, height
        size = round(height * 0.8)
        self._fonts = [ImageFont.truetype(face, size) for face in _FACES]
        self._base = (
            self._fonts[0].getmetrics()[0] + (height - sum(self._fonts[0].getmetrics())) // 2
        )

    def picture(self, app: App[object]) -> Image.Image:
        """Return what an app shows now."""
        lines = app.screen._compositor.render_strips()
        columns = app.size.width
        image = Image.new("RGB", (columns * self._across, len(lines) * self._down))
        draw = ImageDraw.Draw(image)
        for row, line in enumerate(lines):
            for column, text, style in _cells(line):
                self._draw(draw, column, row, text, style)
        return image

    def _draw(
        self, draw: ImageDraw.ImageDraw, column: int, row: int, text: str, style: Style
    ) -> None:
        ink, ground = _colours(style)
        left, top = column * self._across, row * self._down
        right = left + self._across * cell_len(text)
        draw.rectangle((left, top, right - 1, top + self._down - 1), ground)
        if (boxes := list(_boxes(text))) or text.isspace():
            for box in boxes:
                self._fill(draw, left, top, box, ink)
        else:
            font = self._fonts[bool(style.bold)]
            draw.text((left + self._across / 2, top + self._base), text, ink, font, anchor="ms")
        if style.underline:
            draw.line((left, top + self._base + 2, right - 1, top + self._base + 2), ink)

    def _fill(self, draw: ImageDraw.ImageDraw, left: int, top: int, box: Box, ink: Colour) -> None:
        x0, y0, x1, y1 = box
        draw.rectangle(
            (
                left + round(x0 * self._across),
                top + round(y0 * self._down),
                left + round(x1 * self._across) - 1,
                top + round(y1 * self._down) - 1,
            ),
            ink,
        )


Colour = tuple[int, int, int]


def _cells(line: list[Segment]) -> Iterator[tuple[int, str, Style]]:
    """Yield each character of a line with its column and its style."""
    column = 0
    for text, style, control in line:
        if control:
            continue
        for character in text:
            yield column, character, style or Style.null()
            column += cell_len(character)


def _colours(style: Style) -> tuple[Colour, Colour]:
    """Return the colours of a character and of what is behind it."""
    ink = style.color.get_truecolor(MONOKAI) if style.color else (217, 214, 207)
    ground = style.bgcolor.get_truecolor(MONOKAI, False) if style.bgcolor else (12, 12, 12)
    if style.reverse:
        ink, ground = ground, ink
    if style.dim:
        ink = tuple(round(a * 0.6 + b * 0.4) for a, b in zip(ink, ground, strict=True))
    return tuple(ink), tuple(ground)


def _boxes(text: str) -> Iterator[Box]:
    """Yield the parts of a cell that a block character fills; nothing for any other."""
    if text in _EIGHTHS:
        yield 0, 1 - (_EIGHTHS.index(text) + 1) / 8, 1, 1
    elif text in _ACROSS:
        yield 0, 0, (_ACROSS.index(text) + 1) / 8, 1
    elif text == "▔":
        yield 0, 0, 1, 1 / 8
    elif text == "▕":
        yield 7 / 8, 0, 1, 1
    elif text in _QUADRANTS:
        for place, drawn in enumerate(_QUADRANTS[text]):
            if drawn:
                down, across = divmod(place, 2)
                yield across / 2, down / 2, (across + 1) / 2, (down + 1) / 2
    elif "\U0001fb00" <= text <= "\U0001fb3b":
        yield from _sextant(ord(text) - 0x1FB00 + 1)


def _sextant(number: int) -> Iterator[Box]:
    # The two halves of a cell have characters of their own, and no number here.
    bits = number + (number > 20) + (number > 40)
    for place in range(6):
        if bits >> place & 1:
            down, across = divmod(place, 2)
            yield across / 2, down / 3, (across + 1) / 2, (down + 1) / 3

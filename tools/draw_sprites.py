"""Draws the pieces of the exported pictures as draft sprites, to be touched up by hand.

Usage: python tools/draw_sprites.py SIZE...       sizes of squares, such as 7x3

The output fits a sprite sheet such as `src/thud/tui/board/sheets/sprites.txt`, whose header
explains the format.  The pictures have only one stone, which is used for all three.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from itertools import product
from typing import Final, NamedTuple

from PIL import Image

from thud.pictures import palette
from thud.pictures.drawings import DRAWINGS, Layer
from thud.pictures.raster import paint
from thud.pictures.shapes import Drawing
from thud.terminal.cells import Cell
from thud.tui.board.sprites import ACROSS, CLEAR, DOWN, GLYPHS

PIECES: Final = {
    "dwarf": Layer.DWARF,
    "troll": Layer.TROLL,
    "thudstone": Layer.STONE,
    "rock": Layer.STONE,
    "ball": Layer.STONE,
}
LETTERS: Final = {
    palette.TUNIC: "B",
    palette.HORN: "h",
    palette.SKIN: "f",
    palette.SKIN_DARK: "F",
    palette.BEARD: "b",
    palette.BEARD_LIGHT: "b",
    palette.BEARD_DARK: "B",
    palette.IRON: "i",
    palette.IRON_LIGHT: "i",
    palette.IRON_DARK: "I",
    palette.BRASS: "y",
    palette.INK: "k",
    palette.GRANITE: "g",
    palette.GRANITE_LIGHT: "g",
    palette.GRANITE_DARK: "G",
    palette.GRANITE_DEEP: "k",
    palette.MOSS: "m",
    palette.EYE: "e",
    palette.TOOTH: "t",
    palette.STONE: "s",
    palette.STONE_LIGHT: "s",
    palette.STONE_DARK: "S",
    palette.RUNE: "r",
}
"""The sheet's letters for the colours of the pictures."""

FINE: Final = 12
"""Pixels of the picture per pixel of a sprite, in each direction."""

Pixels = list[list[Counter[str]]]
"""For each pixel of a sprite, by rows, how many picture pixels of each letter it covers."""


class Fit(NamedTuple):
    """How many picture pixels a cell shows correctly, and the letters of its pixels."""

    shown: int
    letters: str


def main() -> None:
    """Print a block of a sheet for each size."""
    for size in sys.argv[1:] or ["5x2"]:
        cell = Cell(*map(int, size.split("x")))
        print("size", size, *PIECES)
        for rows in zip(*(drawn(layer, cell) for layer in PIECES.values()), strict=True):
            print("  ".join(rows))


def drawn(layer: Layer, cell: Cell) -> list[str]:
    """Return a piece's sprite as rows of letters."""
    pixels = beneath(without_lines(DRAWINGS[layer]), cell)
    rows = [[""] * cell.width for _ in range(cell.height * DOWN)]
    for x, y in product(range(cell.width), range(cell.height)):
        letters = best(pixels, x * ACROSS, y * DOWN)
        for line in range(DOWN):
            rows[y * DOWN + line][x] = letters[line * ACROSS : (line + 1) * ACROSS]
    return ["".join(row) for row in rows]


def without_lines(drawing: Drawing) -> Drawing:
    """Return a drawing without its shadow and lines too thin to see."""
    return tuple(
        shape._replace(line=shape.line if shape.width > 5 else "", opacity=1.0)
        for shape in drawing
        if shape.fill in LETTERS or shape.width > 5
    )


def beneath(drawing: Drawing, cell: Cell) -> Pixels:
    """Draw a piece enlarged, centred with a margin below; count the letters under each pixel."""
    across, down = cell.width * ACROSS, cell.height * DOWN
    side = min(across - ACROSS, down - 1) * FINE
    image = Image.new("RGB", (side, side))
    paint(image, drawing, side / 100)
    sheet = Image.new("RGB", (across * FINE, down * FINE))
    sheet.paste(image, ((sheet.width - side) // 2, 0))
    seen = {rgb(colour): letter for colour, letter in LETTERS.items()}
    colours = sheet.tobytes()
    return [
        [
            Counter(
                seen.get(colours[place : place + 3], CLEAR)
                for dx, dy in product(range(FINE), range(FINE))
                for place in [3 * ((y * FINE + dy) * sheet.width + x * FINE + dx)]
            )
            for x in range(across)
        ]
        for y in range(down)
    ]


def rgb(colour: str) -> bytes:
    """Return the three bytes of a colour written as #rrggbb."""
    return bytes.fromhex(colour[1:])


def best(pixels: Pixels, left: int, top: int) -> str:
    """Return the letters of a cell, at most two, that fit the picture best."""
    counts = [pixels[top + y][left + x] for y in range(DOWN) for x in range(ACROSS)]
    return max(fits(counts), key=lambda fit: fit.shown).letters


def fits(counts: list[Counter[str]]) -> Iterator[Fit]:
    """Yield the best fit of a cell for each glyph."""
    for shape in GLYPHS:
        sums = [Counter[str](), Counter[str]()]
        for inked, count in zip(shape, counts, strict=True):
            sums[inked == "#"] += count
        two = [count.most_common(1)[0] if count else (CLEAR, 0) for count in sums]
        letters = "".join(two[inked == "#"][0] for inked in shape)
        yield Fit(two[0][1] + two[1][1], letters)


if __name__ == "__main__":
    main()

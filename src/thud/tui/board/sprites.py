"""Sprites: pieces as small pictures in several colours, read from a sheet.

A sheet is a text file that anybody can draw: `sheets/sprites.txt` is one, and says how.  Only the
part for the size of the squares is read.  A column and a row of the terminal hold `ACROSS` times
`DOWN` pixels, which a block character draws in two colours; `GLYPHS` has all that there are.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from itertools import pairwise, permutations
from pathlib import Path
from typing import Final, TypeAlias

from thud.namedtuple import NamedTuple
from thud.tui.board.layout import Cell

SHEETS: Final = ("sprites",)
"""The names of the sheets, which are those of their files."""

ACROSS, DOWN = 2, 4
"""Pixels in a column and a row of the terminal; they are nearly square."""

CLEAR: Final = "."
"""The letter of what is not painted."""

GLYPHS: Final = {
    "........": " ",
    "#.#.....": "▘",
    ".#.#....": "▝",
    "....#.#.": "▖",
    ".....#.#": "▗",
    "####....": "▀",
    "....####": "▄",
    "#.#.#.#.": "▌",
    ".#.#.#.#": "▐",
    "#.#..#.#": "▚",
    ".#.##.#.": "▞",
    "#####.#.": "▛",
    "####.#.#": "▜",
    "#.#.####": "▙",
    ".#.#####": "▟",
    "########": "█",
    "......##": "▂",
    "..######": "▆",
}
"""For the pixels of a cell, row by row, the character that inks those marked with `#`.

The square is never inked: not every font fills the cells, and a line of a sprite's colour would
show around it.
"""


class Paint(NamedTuple):
    """The letters of two colours; that of the square is `CLEAR`."""

    ink: str
    paper: str


_FULL: Final = GLYPHS["#" * (ACROSS * DOWN)]


Dab: TypeAlias = tuple[str, Paint]
"""A character of a sprite, and its colours."""

Sprite: TypeAlias = tuple[tuple[Dab | None, ...], ...]
"""The rows of a square; nothing where it is not painted."""


@cache
def sprites(sheet: str, cell: Cell) -> Mapping[str, Sprite]:
    """Return the largest sprites of a sheet that fit on squares of some size, by their names.

    There are none where the squares are smaller than the smallest sprites.
    """
    blocks = _text(sheet).split("\nsize ")[1:]
    fitting = [block for block in blocks if _size(block) <= cell]
    return dict(parsed(max(fitting, key=_size))) if fitting else {}


@cache
def colours(sheet: str) -> Mapping[str, str]:
    """Return the names of the colours of a sheet, by the letters that stand for them."""
    head = _text(sheet).partition("\nsize ")[0].splitlines()
    words = (line.split() for line in head if line.startswith("colour "))
    return {letter: name for _, letter, name in words}


def _text(sheet: str) -> str:
    return Path(__file__).with_name("sheets").joinpath(f"{sheet}.txt").read_text("utf-8")


def _size(block: str) -> Cell:
    width, height = block.split(maxsplit=1)[0].split("x")
    return Cell(int(width), int(height))


def parsed(block: str) -> Iterator[tuple[str, Sprite]]:
    """Yield the sprites of a block, whose columns they are, with their names.

    Raises:
        ValueError: no character of the terminal draws some of the pixels.
    """
    head, *lines = block.splitlines()
    rows = [line.split() for line in lines if line and not line.startswith("#")]
    for name, pixels in zip(head.split()[1:], zip(*rows, strict=True), strict=True):
        bands = (pixels[top : top + DOWN] for top in range(0, len(pixels), DOWN))
        yield name, tuple(map(_row, bands))


def _row(band: tuple[str, ...]) -> tuple[Dab | None, ...]:
    """Return the characters of a row of the terminal, from so many rows of pixels."""
    lefts = range(0, len(band[0]), ACROSS)
    return _alike([_dab("".join(line[left : left + ACROSS] for line in band)) for left in lefts])


def _alike(dabs: list[Dab | None]) -> tuple[Dab | None, ...]:
    """Return a row with cells of one colour painted as a cell beside them, where that is the same.

    What has the same colours is sent to the terminal with them once.
    """
    row = list(dabs)
    for here, beside in (*pairwise(range(len(row))), *pairwise(range(len(row) - 1, -1, -1))):
        one, other = row[beside], row[here]
        if one and other and one[0] == _FULL and one[1].paper == CLEAR:
            colour, paint = one[1].ink, other[1]
            if colour == paint.ink:
                row[beside] = (_FULL, paint)
            elif colour == paint.paper:
                row[beside] = (" ", paint)
    return tuple(row)


@cache
def _dab(pixels: str) -> Dab | None:
    """Return the character that draws the pixels of a cell.

    Raises:
        ValueError: there is none, or they have more than two colours.
    """
    painted = sorted({*pixels} - {CLEAR}, key=lambda letter: (pixels.count(letter), letter))
    if not painted:
        return None
    for ink, paper in permutations([*painted, CLEAR][:2]):
        shape = "".join("#" if pixel == ink else CLEAR for pixel in pixels)
        if ink != CLEAR and {*pixels} <= {ink, paper} and shape in GLYPHS:
            return GLYPHS[shape], Paint(ink, paper)
    raise ValueError(f"no character draws {pixels}")

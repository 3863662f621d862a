"""Sprites: pieces as small pictures in several colours, read from a sheet.

A sheet is a text file that anybody can draw: `sheets/sprites.txt` is one, and explains how.  Only
the part for the size of the squares is parsed.  A terminal cell holds `ACROSS` by `DOWN` pixels,
drawn by a block character in two colours; `GLYPHS` lists those available.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from itertools import pairwise, permutations
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

from thud.terminal.cells import Cell

SHEETS: Final = ("sprites",)
"""The names of the sheets, which are their file names."""

ACROSS, DOWN = 2, 4
"""Columns and rows of pixels in a terminal cell; pixels are nearly square."""

CLEAR: Final = "."
"""The letter of a transparent pixel."""

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
"""The character that inks the `#` among a cell's pixels, listed row by row.

The square's own colour is never ink: not every font fills its cells, and a line of the sprite's
colour would show around it.
"""


class Paint(NamedTuple):
    """The letters of two colours; `CLEAR` is the square's own."""

    ink: str
    paper: str


_FULL: Final = GLYPHS["#" * (ACROSS * DOWN)]


Dab: TypeAlias = tuple[str, Paint]
"""A character of a sprite, and its colours."""

Sprite: TypeAlias = tuple[tuple[Dab | None, ...], ...]
"""The rows of a sprite's cells; None is transparent."""


@cache
def sprites(sheet: str, cell: Cell) -> Mapping[str, Sprite]:
    """Return the sheet's largest sprites that fit a cell size, by name; empty if none does."""
    blocks = _text(sheet).split("\nsize ")[1:]
    fitting = [block for block in blocks if _size(block) <= cell]
    return dict(parsed(max(fitting, key=_size))) if fitting else {}


@cache
def heads(sheet: str) -> Mapping[str, Sprite]:
    """Return a sheet's heads of captured pieces by name, a row each."""
    return dict(parsed(_text(sheet).partition("\ntray ")[2].partition("\nsize ")[0]))


@cache
def pixels(sheet: str) -> Mapping[str, tuple[str, ...]]:
    """Return the sheet's largest sprites by name, as rows of a colour's letter for each pixel."""
    return dict(_columns(max(_text(sheet).split("\nsize ")[1:], key=_size)))


@cache
def colours(sheet: str) -> Mapping[str, str]:
    """Return the names of a sheet's colours, by letter."""
    head = _text(sheet).partition("\nsize ")[0].splitlines()
    words = (line.split() for line in head if line.startswith("colour "))
    return {letter: name for _, letter, name in words}


def _text(sheet: str) -> str:
    return Path(__file__).with_name("sheets").joinpath(f"{sheet}.txt").read_text("utf-8")


def _size(block: str) -> Cell:
    width, height = block.split(maxsplit=1)[0].split("x")
    return Cell(int(width), int(height))


def parsed(block: str) -> Iterator[tuple[str, Sprite]]:
    """Yield the name and sprite of each column of a block.

    Raises:
        ValueError: some pixels cannot be drawn by any character.
    """
    for name, rows in _columns(block):
        bands = (rows[top : top + DOWN] for top in range(0, len(rows), DOWN))
        yield name, tuple(map(_row, bands))


def _columns(block: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the name and the rows of pixels of each column of a block."""
    head, *lines = block.splitlines()
    rows = [line.split() for line in lines if line and not line.startswith("#")]
    return zip(head.split()[1:], zip(*rows, strict=True), strict=True)


def _row(band: tuple[str, ...]) -> tuple[Dab | None, ...]:
    """Return one terminal row of a sprite, from `DOWN` rows of pixels.

    Cells of one colour are painted with a neighbour's two colours, if they include it: neighbours
    of the same colours are sent to the terminal as one run.
    """
    lefts = range(0, len(band[0]), ACROSS)
    row = [_dab("".join(line[left : left + ACROSS] for line in band)) for left in lefts]
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
    """Return the character and colours that draw a cell's pixels; None if it is transparent.

    Raises:
        ValueError: no character draws them, or they have more than two colours.
    """
    painted = sorted({*pixels} - {CLEAR}, key=lambda letter: (pixels.count(letter), letter))
    if not painted:
        return None
    for ink, paper in permutations([*painted, CLEAR][:2]):
        shape = "".join("#" if pixel == ink else CLEAR for pixel in pixels)
        if ink != CLEAR and {*pixels} <= {ink, paper} and shape in GLYPHS:
            return GLYPHS[shape], Paint(ink, paper)
    raise ValueError(f"no character draws {pixels}")

"""The diagrams of the rules as pictures, for the documentation site.

docs/rules.md has text diagrams of parts of the board, below comments that give their positions;
tests check that the two agree.  Here they are parsed as by the program's help.
"""

import re
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Final

from thud.pictures.layout import CELL, MARGIN, WIDTH
from thud.pictures.svg import board_svg
from thud.rulebook.diagrams import BoardPart, Diagram, Example, read_diagram, read_example
from thud.rules.geometry import FILES, SIZE

_PARTS: Final = re.compile(r"(?ms)^#+ [^\n]*$|^<!-- example.*?-->$|^```text\n.*?^```$")
"""Matches headings, example comments and text diagrams."""

_ROOM: Final = 34
"""Margin for the letters and numbers beside a part of the board, in picture units."""
_LABEL: Final = "#8a6a34"
_SHOWN: Final = 0.5
"""Displayed pixels per picture unit."""


def with_pictures(text: str, directory: Path, place: str) -> str:
    """Return the rules with pictures in place of text diagrams.

    Args:
        text: the document.
        directory: the directory to write pictures to.
        place: that directory relative to the document.
    """
    example: Example | None = None
    diagrams = 0

    def replaced(found: re.Match[str]) -> str:
        nonlocal example, diagrams
        part = found[0]
        if part.startswith("<!--"):
            example = read_example(part)
        elif part.startswith("#"):
            example = None
        elif example:
            diagrams += 1
            diagram = read_diagram(example, part.splitlines()[1:-1])
            return _row(diagram, directory, place, f"rules-{diagrams:02}")
        return part

    return _PARTS.sub(replaced, text)


def _row(diagram: Diagram, directory: Path, place: str, name: str) -> str:
    """Write the pictures of a diagram; return them side by side, as HTML."""
    figures = []
    for number, excerpt in enumerate(diagram, 1):
        file = f"{name}-{number}.svg"
        directory.joinpath(file).write_text(part_svg(excerpt))
        figures.append(_figure(excerpt, f"{place}/{file}"))
    return f'<div class="boards">{"".join(figures)}</div>\n'


def _figure(excerpt: BoardPart, source: str) -> str:
    word, *moves = excerpt.caption.split() or [""]
    told = " ".join([word, *(f"<code>{escape(move)}</code>" for move in moves)])
    caption = f"<figcaption>{told}</figcaption>" if excerpt.caption else ""
    across, down = (size * _SHOWN for size in _size(excerpt))
    what = escape(f"Part of the board: {_told(excerpt)}")
    return (
        f'<figure><img src="{source}" alt="{what}" width="{across:g}" height="{down:g}">'
        f"{caption}</figure>"
    )


def _told(excerpt: BoardPart) -> str:
    """List the pieces and their squares, for the alternative text."""
    on = (
        f"{excerpt.position.letter_at(square)}{FILES[file - 1]}{rank}"
        for rank, squares in excerpt.rows()
        for file, square in zip(excerpt.files, squares, strict=True)
        if square is not None and excerpt.position.letter_at(square)
    )
    return " ".join(on)


def part_svg(excerpt: BoardPart) -> str:
    """Draw a part of the board as SVG, with the letters and numbers of its files and ranks."""
    if len(excerpt.files) == len(excerpt.ranks) == SIZE:
        return board_svg(excerpt.position, last=excerpt.last, goals=excerpt.variant.goals)
    across, down = _size(excerpt)
    board = board_svg(excerpt.position, last=excerpt.last, goals=excerpt.variant.goals)
    inside = board[board.index("\n") + 1 :]
    left, top = (MARGIN + CELL * (each.start - 1) for each in (excerpt.files, excerpt.ranks))
    width, height = across - _ROOM, down - _ROOM
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {across} {down}" width="{across}"'
        f' height="{down}" font-family="sans-serif" text-anchor="middle" font-size="22"'
        f' stroke-linejoin="round" stroke-linecap="round">\n<g fill="{_LABEL}">'
        + "".join(_labels(excerpt))
        + f'</g>\n<svg x="{_ROOM}" y="{_ROOM}" width="{width}" height="{height}"'
        f' viewBox="{left} {top} {width} {height}">\n{inside}</svg>\n'
    )


def _size(excerpt: BoardPart) -> tuple[int, int]:
    """Return the width and height of a picture in units."""
    if len(excerpt.files) == len(excerpt.ranks) == SIZE:
        return WIDTH, WIDTH
    return _ROOM + CELL * len(excerpt.files), _ROOM + CELL * len(excerpt.ranks)


def _labels(excerpt: BoardPart) -> Iterator[str]:
    for place, file in enumerate(excerpt.files):
        yield f'<text x="{_ROOM + CELL * (place + 0.5):g}" y="24">{FILES[file - 1]}</text>'
    for place, rank in enumerate(excerpt.ranks):
        yield f'<text x="15" y="{_ROOM + CELL * (place + 0.5) + 8:g}">{rank}</text>'

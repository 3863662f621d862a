"""Chapters of the rules as lines of text."""

from __future__ import annotations

from textwrap import wrap

from thud.rulebook.chapters import Block, Bullets, Chapter, Drawing, Paragraph
from thud.rulebook.excerpts import drawn
from thud.rulebook.tables import table_lines
from thud.rulebook.wording import Wording, said


def printed(chapter: Chapter, width: int) -> list[str]:
    """Return a chapter as lines, its heading underlined, with empty lines between the blocks."""
    lines = [chapter.title, ("=" if chapter.heads else "-") * len(chapter.title)]
    for block in chapter.blocks:
        lines += ["", *block_lines(block, width)]
    return lines


def block_lines(block: Block, width: int) -> list[str]:
    """Return a block as lines."""
    if isinstance(block, Paragraph):
        return _wrapped(block.wording, width)
    if isinstance(block, Bullets):
        return [line for point in block.points for line in _wrapped(point, width, "- ")]
    if isinstance(block, Drawing):
        return drawn(block.diagram, width)
    return table_lines([[said(cell) for cell in row] for row in block.rows], width)


def _wrapped(wording: Wording, width: int, indent: str = "") -> list[str]:
    return wrap(
        said(wording),
        width,
        initial_indent=indent,
        subsequent_indent=" " * len(indent),
        break_on_hyphens=False,
        break_long_words=False,
    )

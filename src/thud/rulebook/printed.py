"""Chapters of the rules as lines of text."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from textwrap import wrap
from typing import Final

from thud.rulebook.chapters import Block, Bullets, Chapter, Drawing, Paragraph, Spans, plain_text
from thud.rulebook.diagrams import drawn


def printed(chapter: Chapter, width: int) -> list[str]:
    """Return a chapter as lines, its heading underlined, with empty lines between the blocks."""
    lines = [chapter.title, ("=" if chapter.heads else "-") * len(chapter.title)]
    for block in chapter.blocks:
        lines += ["", *block_lines(block, width)]
    return lines


def block_lines(block: Block, width: int) -> list[str]:
    """Return a block as lines."""
    if isinstance(block, Paragraph):
        return _wrapped(block.spans, width)
    if isinstance(block, Bullets):
        return [line for point in block.points for line in _wrapped(point, width, "- ")]
    if isinstance(block, Drawing):
        return drawn(block.diagram, width)
    return table_lines([[plain_text(cell) for cell in row] for row in block.rows], width)


def _wrapped(spans: Spans, width: int, indent: str = "") -> list[str]:
    return wrap(
        plain_text(spans),
        width,
        initial_indent=indent,
        subsequent_indent=" " * len(indent),
        break_on_hyphens=False,
        break_long_words=False,
    )


_GAP: Final = 2

Rows = Sequence[Sequence[str]]
"""The cells of a table; the first row is the heading."""


def table_lines(rows: Rows, width: int) -> list[str]:
    r"""Return the lines of a table: in columns, or cell by cell where a word would not fit.

    >>> print(*table_lines([["", "A"], ["one", "two words"]], 10), sep="\n")
         A
    ---  -----
    one  two
         words
    """
    lines: list[str] = []
    if widths := _widths(rows, width):
        heading, *others = (_row(row, widths) for row in rows)
        lines += [*heading, (" " * _GAP).join("-" * each for each in widths)]
        spaced = any(len(row) > 1 for row in others)
        for number, row in enumerate(others):
            lines += ["", *row] if spaced and number else row
        return lines
    (_, *columns), *below = rows
    for label, *cells in below:
        lines += ["", label] if lines else [label]
        for column, cell in zip(columns, cells, strict=True):
            told = f"{column}: {cell}"
            lines += wrap(told, width, initial_indent="  ", subsequent_indent="    ")
    return lines


def _widths(rows: Rows, width: int) -> list[int]:
    """Return the columns' widths, empty if there is not enough room."""
    columns = list(zip(*rows, strict=True))
    wanted = [max(map(len, column)) for column in columns]
    widths = [max(len(word) for cell in column for word in cell.split()) for column in columns]
    spare = width - _GAP * (len(columns) - 1) - sum(widths)
    if spare < 0:
        return []
    for _ in range(min(spare, sum(wanted) - sum(widths))):
        narrowest = max(range(len(widths)), key=lambda n: wanted[n] / widths[n])
        widths[narrowest] += 1
    return widths


def _row(cells: Sequence[str], widths: Sequence[int]) -> list[str]:
    wrapped = (wrap(c, w, break_on_hyphens=False) for c, w in zip(cells, widths, strict=True))
    return [
        (" " * _GAP).join(text.ljust(w) for text, w in zip(line, widths, strict=True)).rstrip()
        for line in zip_longest(*wrapped, fillvalue="")
    ]

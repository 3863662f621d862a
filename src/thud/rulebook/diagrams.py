"""The diagrams of the rules: parts of the board, before and after a move."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple, TypeAlias

from thud.rules.geometry import FILES, Square, square_at
from thud.rules.notation import parse_move
from thud.rules.position import Move, Position
from thud.rules.variant import Variant
from thud.rules.variants import VARIANTS

_FILE_LETTERS: Final = re.compile(r"[A-HJ-P](?: [A-HJ-P])*(?= {2}|$)")
_MARGIN: Final = 3
"""Columns left of the squares: a rank number and a space."""
GAP: Final = 3
"""Columns between diagrams side by side."""


class BoardPart(NamedTuple):
    """A rectangle of the board."""

    caption: str
    variant: Variant
    position: Position
    files: range
    ranks: range
    last: Move | None = None
    """The move that led here, if its caption names one."""
    following: Move | None = None
    """The move that leads to the next part."""

    def rows(self) -> Iterator[tuple[int, list[Square | None]]]:
        """Yield the ranks from the top, each with its squares, None off the board."""
        for rank in self.ranks:
            yield rank, [square_at(file, rank) for file in self.files]


Diagram: TypeAlias = tuple[BoardPart, ...]
"""Parts of the board shown together."""


class Example(NamedTuple):
    """The position from which the following diagrams start."""

    variant: Variant
    position: Position


def read_example(comment: str) -> Example:
    """Parse the comment above diagrams: `<!-- example: variant=V`, and a line for the position."""
    fields = dict(re.findall(r"\b(variant|position)(?:=|: )(.+)", comment))
    variant = VARIANTS[fields["variant"]]
    text = fields["position"]
    return Example(variant, variant.start if text == "start" else variant.position(text))


def read_diagram(example: Example, lines: Sequence[str]) -> Diagram:
    """Parse a drawing's lines: the parts of the board it shows, and after which moves."""
    captions, *rows = lines if re.search("[a-z]", lines[0]) else ("", *lines)
    found = list(_FILE_LETTERS.finditer(rows[0]))
    columns = [each.start() - _MARGIN for each in found]
    ranks = range(int(rows[1][:2]), int(rows[-1][:2]) + 1)
    variant, shown = example
    parts: list[BoardPart] = []
    for each, column, end in zip(found, columns, [*columns[1:], None], strict=True):
        caption, first = captions[column:end].strip(), FILES.index(each[0][0]) + 1
        word, *moves = caption.split() or ("before",)
        before = shown if word == "then" else example.position
        move = parse_move(variant, before, moves[0]) if moves else None
        shown = before.after(move) if move else before
        if move and parts and parts[-1].position.after(move) == shown:
            parts[-1] = parts[-1]._replace(following=move)
        files = range(first, first + len(each[0].split()))
        parts.append(BoardPart(caption, variant, shown, files, ranks, move))
    return tuple(parts)


def in_rows(widths: Sequence[int], room: int) -> list[list[int]]:
    """Arrange items of given widths in rows; return each row's indices.

    >>> in_rows([15, 15, 20], 40)
    [[0, 1], [2]]
    """
    rows: list[list[int]] = []
    left = 0
    for number, width in enumerate(widths):
        if rows and width + GAP <= left:
            rows[-1].append(number)
            left -= width + GAP
        else:
            rows.append([number])
            left = room - width
    return rows


def drawn(diagram: Diagram, width: int) -> list[str]:
    """Draw a diagram in letters, its parts side by side as far as the width allows."""
    blocks = [_drawn(part) for part in diagram]
    widths = [max(map(len, block)) for block in blocks]
    lines: list[str] = []
    for row in in_rows(widths, width):
        lines += [""] if lines else []
        for across in zip(*(blocks[number] for number in row), strict=True):
            cells = (text.ljust(widths[n]) for n, text in zip(row, across, strict=True))
            lines.append((" " * GAP).join(cells).rstrip())
    return lines


def _drawn(part: BoardPart) -> list[str]:
    indent, letters = " " * _MARGIN, (FILES[file - 1] for file in part.files)
    captions = [indent + part.caption] if part.caption else []
    ranks = [
        f"{rank:>2} "
        + " ".join(
            " " if square is None else part.position.letter_at(square) or "." for square in squares
        )
        for rank, squares in part.rows()
    ]
    return [*captions, indent + " ".join(letters), *ranks]

"""Where squares lie, and the line around them."""

import re
from itertools import product

from textual.geometry import Offset, Size

from thud.rules.geometry import FILES, SIZE, SQUARES, file_of, rank_of
from thud.terminal.cells import CELLS, Cell, largest_within, left_margin, size_needed
from thud.tui.board.widget import Layout, outline


def plan_of(cell: Cell, *, flipped: bool) -> Layout:
    return Layout.within(Size(*size_needed(cell)), cell, flipped=flipped)


def picture(cell: Cell, *, flipped: bool, ascii_only: bool = False) -> list[str]:
    """Return the lines of an empty board, its squares full of dots."""
    plan = plan_of(cell, flipped=flipped)
    lines = []
    for y, edge in enumerate(outline(cell, flipped=flipped, ascii_only=ascii_only)):
        row = plan.row_of(y)[0]
        width = len(plan.squares_in(row)) * cell.width if 0 <= row < SIZE else 0
        lines.append(edge.left + "." * width + edge.right)
    return lines


def test_the_picture_has_the_size_that_is_said_to_be_needed() -> None:
    for cell, flipped in product(CELLS, (False, True)):
        lines = picture(cell, flipped=flipped)
        assert (max(map(len, lines)), len(lines)) == size_needed(cell)


def test_squares_begin_where_the_layout_says() -> None:
    for cell, flipped in product(CELLS, (False, True)):
        plan, lines = plan_of(cell, flipped=flipped), picture(cell, flipped=flipped)
        covered = set()
        for square in SQUARES:
            region = plan.region_of(square)
            for x, y in product(range(region.x, region.right), range(region.y, region.bottom)):
                assert lines[y][x] == "."
                assert plan.square_under(Offset(x, y)) == square
                covered.add((x, y))
        assert len(covered) == sum(line.count(".") for line in lines)


def test_labels_stand_at_their_files_and_ranks() -> None:
    for cell, flipped in product(CELLS, (False, True)):
        plan, lines = plan_of(cell, flipped=flipped), picture(cell, flipped=flipped)
        seen = []
        for y, line in enumerate(lines):
            for x, character in enumerate(line):
                if character in FILES:
                    squares = [plan.square_under(Offset(x, near)) for near in (y - 1, y + 1)]
                    square = next(s for s in squares if s is not None)
                    assert FILES[file_of(square) - 1] == character
                    seen.append(character)
            for number in re.findall(r"\d+", line):
                first = plan.squares_in(plan.row_of(y)[0])[0]
                assert rank_of(first) == int(number)
                seen.append(number)
        ranks = [str(rank) for rank in range(1, SIZE + 1)]
        assert sorted(seen) == sorted([*ranks, *FILES, *FILES])


def test_the_outline_in_ascii() -> None:
    for cell, flipped in product(CELLS, (False, True)):
        plain = picture(cell, flipped=flipped, ascii_only=True)
        assert "".join(plain).isascii()
        for line, other in zip(plain, picture(cell, flipped=flipped), strict=True):
            assert re.sub(r"[-|+]", "#", line) == re.sub("[┌┐└┘─│]", "#", other)


def test_the_board_is_in_the_middle() -> None:
    for cell in CELLS:
        width, height = size_needed(cell)
        plan = Layout.within(Size(width + 10, height + 6), cell)
        assert (plan.left, plan.top) == (5 + left_margin(cell), 3 + 1)
        assert plan.square_under(Offset(0, 0)) is None


def test_the_largest_squares_that_fit_are_taken() -> None:
    for cell in CELLS:
        width, height = size_needed(cell)
        assert largest_within(width, height) == cell
        for smaller in ((width - 1, height), (width, height - 1)):
            assert largest_within(*smaller) < cell or cell == CELLS[-1]
        assert largest_within(467, 145) == CELLS[0]
        assert largest_within(467, 145, cell) == cell
        assert largest_within(1, 1, cell) == CELLS[-1]

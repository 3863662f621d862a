"""A threatened piece that is marked has a sign beside the mark, where squares have room."""

import pytest

from thud.terminal.cells import CELLS, Cell
from thud.tui.board.drawing import Pen, cell_rows
from thud.tui.board.look import Look, SquareMark


@pytest.mark.parametrize("cell", [each for each in CELLS if each.height > 2])
def test_a_sign_stands_in_every_row_between_the_first_and_the_last(cell: Cell) -> None:
    drawn = cell_rows(Look("d", SquareMark.HELD, threatened=True), cell, Pen("letters", False))
    signs = ["".join(text for text, _ in row)[-1] == "!" for row in drawn]
    assert signs == [False, *[True] * (cell.height - 2), False]

"""The characters of the squares: their width, the shapes of the marks, plain ASCII."""

from itertools import combinations, product

import pytest
from msgspec.structs import replace
from rich.cells import cell_len

from thud.rules.variants import VARIANTS
from thud.terminal.cells import CELLS, Cell
from thud.tui.board.drawing import Part, Pen, cell_rows
from thud.tui.board.look import Look, SquareMark, Stroke
from thud.tui.board.pieces import PIECE_SETS
from thud.tui.board.sprites import ACROSS, CLEAR, DOWN, GLYPHS

PENS = [Pen(piece_set, plain) for piece_set in PIECE_SETS for plain in (False, True)]
ON_PIECES = (
    None,
    SquareMark.HELD,
    SquareMark.CAPTURE,
    SquareMark.VICTIM,
    SquareMark.SPARED,
    SquareMark.LAST,
    SquareMark.ADVISED,
)
ON_EMPTY = (None, SquareMark.DESTINATION, SquareMark.CAPTURE, SquareMark.LAST, SquareMark.ADVISED)

STONES = ("Thudstone", "Rock", "Ball")
PIXELS = {glyph: pixels for pixels, glyph in GLYPHS.items()}

STRIDE = 37
"""From look to look of a sample; it divides no number of choices, so that all of them come up."""


def drawn(look: Look, cell: Cell, pen: Pen) -> tuple[str, ...]:
    return tuple("".join(text for text, _ in row) for row in cell_rows(look, cell, pen))


def pixels(letter: str, cell: Cell, pen: Pen) -> list[str]:
    """Return the rows of pixels of a piece, a space where the square shows."""
    rows = []
    for row in cell_rows(Look(letter), cell, pen):
        lines = [""] * DOWN
        for text, part in row:
            for character in text:
                shape = PIXELS[character] if part is not Part.GROUND else CLEAR * ACROSS * DOWN
                ink, paper = ("#", CLEAR) if isinstance(part, Part) else part
                for y in range(DOWN):
                    dots = shape[y * ACROSS : (y + 1) * ACROSS]
                    lines[y] += "".join(
                        " " if (ink if dot == "#" else paper) == CLEAR else "#" for dot in dots
                    )
        rows += lines
    return rows


def every_look() -> list[Look]:
    pieces, marks, labels = (None, "d", "T", "R"), (None, *SquareMark), ("", "7")
    no_or_yes = [(False, True)] * 4
    return [Look(*each) for each in product(pieces, marks, labels, *no_or_yes, (None, *Stroke))]


@pytest.mark.slow
@pytest.mark.parametrize("cell", CELLS)
def test_squares_fill_their_size_with_characters_of_one_column(cell: Cell, full: bool) -> None:
    for pen in (*PENS, Pen(textured=True), Pen("unicode", True, True, True)):
        characters = set()
        for look in every_look()[:: 1 if full else STRIDE]:
            rows = drawn(look, cell, pen)
            assert [len(row) for row in rows] == [cell.width] * cell.height
            characters |= set("".join(rows))
        assert all(cell_len(character) == 1 for character in characters)
        if pen.ascii_only:
            assert "".join(characters).isascii()


def test_pieces_and_stones_differ_in_shape() -> None:
    assert {variant.stone for variant in VARIANTS.values()} >= {*STONES}
    for cell, pen in product(CELLS, PENS):
        pieces = [(letter, pen) for letter in ("d", "T", None)]
        stones = [("R", replace(pen, stone=stone)) for stone in STONES]
        shapes = {
            tuple(map(tuple, cell_rows(Look(letter), cell, each)))
            for letter, each in (*pieces, *stones)
        }
        assert len(shapes) == 3 + len(STONES)


def test_what_starts_beside_or_above_something_does_not_touch_it() -> None:
    for (pair, stone), cell, piece_set in product(
        (("TT", ""), ("Rd", "Rock"), ("Rd", "Ball")),
        [each for each in CELLS if each.height > 1],
        {*PIECE_SETS} - {"letters"},
    ):
        one, other = (pixels(letter, cell, Pen(piece_set, stone=stone)) for letter in pair)
        assert ("#", "#") not in zip(one[-1], other[0], strict=True)
        beside = zip(one, other, strict=True)
        assert not [1 for left, right in beside if left[-1] == right[0] == "#"]


@pytest.mark.parametrize("cell", CELLS)
def test_every_mark_has_a_shape_of_its_own(cell: Cell) -> None:
    for pen, letter in product(PENS, ("d", "T", "R", None)):
        # On the smallest squares three characters cannot say three things beside a piece.
        most = 3 if cell.height > 1 else 2
        looks = [
            Look(letter, mark, cursor=cursor, threatened=threatened)
            for mark in (ON_PIECES if letter else ON_EMPTY)
            for cursor in (False, True)
            for threatened in ((False, True) if letter else (False,))
            if bool(mark) + cursor + threatened <= most
        ]
        looks += [Look(letter, stroke=Stroke.DOWN), Look(letter, stroke=Stroke.DOWN, cursor=True)]
        shapes = {look: drawn(look, cell, pen) for look in looks}
        same = [pair for pair in combinations(looks, 2) if shapes[pair[0]] == shapes[pair[1]]]
        assert not same


def test_lines_that_aim_differ_by_their_direction() -> None:
    for cell, pen in product(CELLS, PENS):
        looks = [
            *(Look(stroke=stroke) for stroke in Stroke),
            *(Look(mark=mark) for mark in ON_EMPTY),
        ]
        assert len({drawn(look, cell, pen) for look in looks}) == len(looks)


def test_where_tones_merge_dark_squares_have_a_texture() -> None:
    for cell, plain in product(CELLS, (False, True)):
        pen = Pen("unicode", plain, textured=True)
        light, dark = (drawn(Look(dark=dark), cell, pen) for dark in (False, True))
        assert not "".join(light).strip()
        assert "".join(dark).strip()
        for mark in ON_EMPTY:
            assert drawn(Look(mark=mark), cell, pen) != dark


def test_goals_are_marked_until_something_can_be_done_there() -> None:
    for cell in CELLS:
        pen = Pen("unicode")
        above, below, none = (
            drawn(Look(goal=goal), cell, replace(pen, flipped=flipped))
            for goal, flipped in ((True, False), (True, True), (False, False))
        )
        assert len({above, below, none}) == 3
        there = Look(mark=SquareMark.DESTINATION)
        assert drawn(replace(there, goal=True), cell, pen) == drawn(there, cell, pen)


def test_a_label_stands_beside_its_victim() -> None:
    assert drawn(Look("d", SquareMark.VICTIM, "7"), Cell(3, 1), Pen()) == ("×d7",)
    for cell, pen in product(CELLS, PENS):
        assert "7" in "".join(drawn(Look("d", SquareMark.SPARED, "7", cursor=True), cell, pen))

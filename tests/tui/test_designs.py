"""Pictures look as the terminal does, in every theme and with every set of pieces."""

from __future__ import annotations

from io import BytesIO
from itertools import product

import pytest
from textual.color import Color

from thud.cli.export import _THEME
from thud.pictures import palette
from thud.pictures.drawings import DRAWINGS, PIECES, Layer
from thud.pictures.pixels import Frame, write_png
from thud.pictures.shapes import polygons
from thud.pictures.svg import board_svg
from thud.rules.variants import VARIANTS
from thud.settings.values import CARVED, PICTURED
from thud.tui.board.designs import design_named, known_themes
from thud.tui.board.pieces import PIECE_SETS
from thud.tui.looks.contrast import MARK, contrast
from thud.tui.looks.themes import THEMES, board_colours

STONES = sorted({variant.stone for variant in VARIANTS.values()})


def test_all_sets_of_the_board_can_be_drawn() -> None:
    assert set(PICTURED) == {CARVED, *PIECE_SETS}


def test_each_piece_is_drawn_in_its_own_way_and_stays_on_its_square() -> None:
    for pieces, stone in product(PIECE_SETS, STONES):
        design = design_named("koom-valley", pieces, stone)
        drawn = [design.of(layer) for layer in PIECES]
        assert len(set(drawn)) == len(PIECES)
        assert not {*drawn} & {DRAWINGS[layer] for layer in PIECES}
        for shape in (shape for drawing in drawn for shape in drawing):
            points = [point for part, _ in polygons(shape.path) for point in part]
            assert all(-1 <= place <= 101 for point in points for place in point)


def test_every_theme_has_a_design_whose_captions_can_be_read() -> None:
    for theme in known_themes():
        design = design_named(theme, CARVED, "Rock")
        assert set(design.pieces) == {Layer.STONE}
        page, caption = (
            Color.parse(design.colour(each)) for each in (palette.PAGE, palette.CAPTION)
        )
        assert contrast(caption, page) > MARK
        light, dark = (design.of(layer)[0].fill for layer in (Layer.LIGHT, Layer.DARK))
        assert light != dark


def test_an_unknown_theme_is_refused_with_those_that_there_are() -> None:
    with pytest.raises(ValueError, match="there is no theme 'mud': use koom-valley, "):
        design_named("mud", CARVED, "Rock")


@pytest.mark.usefixtures("rough")
def test_a_design_is_drawn_in_vectors_and_in_pixels() -> None:
    variant = VARIANTS["football"]
    design = design_named("ankh-morpork", "sprites", variant.stone)
    svg = board_svg(variant.start, goals=variant.goals, design=design)
    assert svg != board_svg(variant.start, goals=variant.goals)
    plain, other = BytesIO(), BytesIO()
    write_png(plain, Frame(variant.start))
    write_png(other, Frame(variant.start), design=design)
    assert plain.getvalue() != other.getvalue()


def test_pieces_without_a_theme_stand_out_from_the_board_of_pictures() -> None:
    painted = board_colours(next(theme for theme in THEMES if theme.name == _THEME))
    for name in ("board-dwarf", "board-troll", "board-stone"):
        for square in (palette.LIGHT, palette.DARK):
            assert contrast(Color.parse(painted[name]), Color.parse(square)) >= 2.5, name

"""The sprites: sheets that can be drawn, colours that stand out, and where they are drawn."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product
from pathlib import Path

import pytest
from msgspec.structs import replace

from thud.rules.geometry import parse_square
from thud.rules.position import Side
from thud.settings.preferences import Preferences
from thud.settings.values import Settings
from thud.terminal.cells import CELLS, Cell
from thud.tui.app import ThudApp
from thud.tui.board.drawing import Pen, cell_rows
from thud.tui.board.look import Look, SquareMark
from thud.tui.board.pieces import PIECE_SETS, next_set
from thud.tui.board.sprites import (
    ACROSS,
    CLEAR,
    DOWN,
    GLYPHS,
    SHEETS,
    Dab,
    Paint,
    Sprite,
    colours,
    heads,
    parsed,
    sprites,
)
from thud.tui.board.widget import Board
from thud.tui.looks.themes import GROUNDS, board_colours, paints
from tui.driver import Player, beginning, playing
from tui.test_themes import EVERY, contrast
from tui.test_themes import GROUNDS as TINTS
from variants import TOLD

COLOURFUL = {name: theme for name, theme in EVERY.items() if not theme.ansi}
SIZES = CELLS[:-1]
SMALLEST = SIZES[-1]
PIXELS = {glyph: pixels for pixels, glyph in GLYPHS.items()}
NAMES = {"dwarf", "troll", *(variant.stone.lower() for variant in TOLD.values())}

BODIES = ("helmet", "beard", "troll", "slab", "rock", "ball")
"""What a piece is known by, also from afar."""

SHADES = ("troll-shade", "slab-shade", "rock-shade", "rock-light")
FEATURES = (
    ("skin", "pupil", 4.5),
    ("troll-shade", "tooth", 3),
    ("mouth", "tooth", 4.5),
    ("troll", "eye", 1.5),
    ("slab", "rune", 1.15),
    ("ball", "patch", 2.5),
    ("beard", "moustache", 1.5),
)


def letters_of(sprite: Sprite) -> set[str]:
    return {letter for row in sprite for dab in row if dab for letter in dab[1]}


def test_a_sheet_has_every_piece_in_every_size() -> None:
    for sheet, cell in product(SHEETS, SIZES):
        there = sprites(sheet, cell)
        assert there.keys() == NAMES
        for name, sprite in there.items():
            assert [len(row) for row in sprite] == [cell.width] * cell.height, name
            assert all(any(row) for row in sprite[1:]), name
            assert CLEAR in letters_of(sprite) | {CLEAR if None in row else "" for row in sprite}
        assert all(one != other for one, other in combinations(there.values(), 2))


def test_a_sheet_has_heads_of_captured_pieces() -> None:
    for sheet in SHEETS:
        there = heads(sheet)
        assert there.keys() == {side.singular for side in Side}
        for sprite in there.values():
            (row,) = sprite
            assert all(row), "nothing is transparent: there is no square below it"
        assert letters_of(there["dwarf"]) | letters_of(there["troll"]) <= colours(sheet).keys()


def test_the_smallest_squares_have_none_and_others_the_largest_that_fit() -> None:
    for sheet in SHEETS:
        assert sprites(sheet, CELLS[-1]) == {}
        assert sprites(sheet, Cell(17, 8)) == sprites(sheet, CELLS[0])


def test_every_letter_is_a_colour_and_every_colour_is_used() -> None:
    for sheet in SHEETS:
        drawn = [sprite for cell in SIZES for sprite in sprites(sheet, cell).values()]
        assert set[str]().union(*map(letters_of, drawn)) - {CLEAR} == colours(sheet).keys()
        for theme in EVERY.values():
            assert set(colours(sheet).values()) <= paints(theme).keys()


def test_the_square_is_never_inked() -> None:
    for sheet, cell in product(SHEETS, SIZES):
        for sprite in sprites(sheet, cell).values():
            for dab in (dab for row in sprite for dab in row if dab):
                assert dab[0] in GLYPHS.values()
                assert dab[1].ink != CLEAR


def test_a_line_parts_dwarfs_above_one_another_on_small_squares() -> None:
    for sheet in SHEETS:
        upper, lower = sprites(sheet, SMALLEST)["dwarf"]
        assert not {*painted_columns(upper, 0)} & {*painted_columns(lower, DOWN - 1)}


def painted_columns(row: tuple[Dab | None, ...], line: int) -> Iterator[int]:
    """Yield the columns of pixels that are painted on one line of a row."""
    for x, dab in enumerate(row):
        if dab:
            glyph, paint = dab
            for column in range(ACROSS):
                pixel = PIXELS[glyph][line * ACROSS + column]
                if (paint.ink if pixel == "#" else paint.paper) != CLEAR:
                    yield x * ACROSS + column


def block(*pixels: str) -> str:
    return "\n".join(["1x1 dwarf", *pixels])


def test_a_character_is_found_for_its_pixels() -> None:
    for shape, glyph in GLYPHS.items():
        if "#" in shape:
            pixels = shape.replace("#", "a")
            rows = [pixels[at : at + 2] for at in range(0, 8, 2)]
            assert dict(parsed(block(*rows))) == {"dwarf": (((glyph, Paint("a", CLEAR)),),)}
    two = dict(parsed(block("ab", "ab", "aa", "aa")))
    assert two == {"dwarf": ((("▝", Paint("b", "a")),),)}
    assert dict(parsed(block(*[".."] * 4))) == {"dwarf": ((None,),)}


@pytest.mark.parametrize(
    "pixels",
    [("ab", "ab", "c.", "c."), ("ab", "aa", "aa", "aa"), ("aa", "..", "..", ".."), ("aa",) * 3],
)
def test_what_no_character_draws_is_refused(pixels: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match="no character draws"):
        dict(parsed(block(*pixels)))


def test_sprites_stand_out() -> None:
    for theme in COLOURFUL.values():
        there = paints(theme)
        board = {
            name.removeprefix("board-"): colour for name, colour in board_colours(theme).items()
        }
        grounds = {name: board[name] for name in TINTS}
        grounds |= {name: there[name] for name in GROUNDS}
        for name, ground in grounds.items():
            for body in BODIES:
                assert contrast(there[body], ground) >= 3, (body, name)
            for shade in SHADES:
                assert contrast(there[shade], ground) >= 1.8, (shade, name)
        for ground in GROUNDS:
            assert contrast(there[f"{ground}-text"], there[ground]) >= 4.5, ground


def test_faces_and_signs_can_be_seen() -> None:
    for theme in COLOURFUL.values():
        there = paints(theme)
        for one, other, least in FEATURES:
            assert contrast(there[one], there[other]) >= least, (one, other)


def test_only_sprites_are_painted() -> None:
    for piece_set, cell in product(PIECE_SETS, CELLS):
        for letter, mark, plain in product("dTR", (None, SquareMark.HELD), (False, True)):
            rows = cell_rows(Look(letter, mark), cell, Pen(piece_set, plain))
            painted = any(isinstance(part, Paint) for row in rows for _, part in row)
            assert painted is (piece_set in SHEETS and not plain and cell != CELLS[-1])


def test_a_stone_that_has_no_sprite_is_drawn_as_the_thudstone() -> None:
    pen = Pen("sprites")
    hill, thudstone = (
        cell_rows(Look("R"), Cell(5, 2), replace(pen, stone=name)) for name in ("Hill", "Thudstone")
    )
    assert hill == thudstone


def test_where_colours_are_few_the_sets_that_need_more_are_passed_over() -> None:
    passed = [next_set("sprites", few_colours=True)]
    while len(passed) < len(PIECE_SETS):
        passed.append(next_set(passed[-1], few_colours=True))
    assert not {*passed} & {*SHEETS}
    assert passed[0] == next_set("unicode")


def painted(player: Player, square: str) -> set[str]:
    """Return the colours in which a square is painted."""
    board = player.board
    region = board.region_of(parse_square(square))
    strips = [board.render_line(y).crop(region.x, region.right) for y in range(*region.line_span)]
    styles = [segment.style for strip in strips for segment in strip if segment.style]
    both = [colour for style in styles for colour in (style.color, style.bgcolor) if colour]
    return {colour.get_truecolor().hex for colour in both}


async def test_sprites_keep_their_colours_whatever_is_marked() -> None:
    async with playing(size=(120, 40)) as player:
        player.board.piece_set = "sprites"
        for theme in ("koom-valley", "ankh-morpork", "nord"):
            player.app.theme = theme
            await player.pilot.pause()
            there = paints(EVERY[theme])
            await player.go_to(parse_square("F1"))
            assert painted(player, "F1") > {there["helmet"], there["beard"], there["cursor"]}
            await player.press("enter", "right", "right")
            assert painted(player, "F1") > {there["helmet"], there["beard"], there["held"]}
            assert there["cursor"] in painted(player, "H1")
            await player.press("escape")


async def test_with_few_colours_symbols_stand_in(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = {}
    for few in (False, True):
        if few:
            monkeypatch.setenv("NO_COLOR", "1")
        async with playing(size=(120, 40)) as player:
            for piece_set in ("sprites", "unicode"):
                player.board.piece_set = piece_set
                drawn[few, piece_set] = player.drawn("F1")
    assert drawn[True, "sprites"] == drawn[True, "unicode"] == drawn[False, "unicode"]
    assert drawn[False, "sprites"] != drawn[False, "unicode"]


async def test_every_game_shows_its_stone() -> None:
    async with playing("koom", size=(120, 40)) as player:
        player.board.piece_set = "sprites"
        there, shown = paints(EVERY[player.app.theme]), painted(player, "H8")
        assert {body for body in ("slab", "rock", "ball") if there[body] in shown} == {"rock"}


async def test_the_key_goes_through_the_sets(tmp_path: Path) -> None:
    preferences = Preferences(tmp_path / "settings.toml", Settings(pieces="sprites"))
    app = ThudApp(beginning(), preferences=preferences)
    async with app.run_test(size=(120, 40)) as pilot:
        seen = [app.screen.query_one(Board).piece_set]
        for _ in PIECE_SETS[1:]:
            await pilot.press("p")
            seen.append(app.screen.query_one(Board).piece_set)
            assert f"Pieces: {seen[-1]}." in Player(app, pilot).message
    assert seen == list(PIECE_SETS)

"""Designs of exported pictures, from the terminal's theme and pieces."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from textual.app import App
from textual.color import Color
from textual.theme import BUILTIN_THEMES, Theme

from thud.pictures import palette
from thud.pictures.drawings import Design, Layer, carved
from thud.pictures.shapes import Drawing, Shape
from thud.terminal.cells import CELLS, Cell
from thud.text import meant, quoted
from thud.tui.board.pieces import PIECE_SETS, named, picture
from thud.tui.board.sprites import ACROSS, CLEAR, DOWN, GLYPHS, SHEETS, colours, sprites
from thud.tui.looks.contrast import drawn
from thud.tui.looks.themes import THEMES, board_colours, paints

_CELL: Final[Cell] = max(CELLS)
_SEAM: Final = 0.25
"""Overlap of a sprite's parts, which hides seams between them."""
_LETTERS: Final = {"d": Layer.DWARF, "T": Layer.TROLL, "R": Layer.STONE}
_INKS: Final = {
    "d": ("board-dwarf", "board-beard"),
    "T": ("board-troll", "board-troll"),
    "R": ("board-stone", "board-stone-shade"),
}
"""The theme variables of the two colours of each piece that is not a sprite."""
_PIXELS: Final = {glyph: pixels for pixels, glyph in GLYPHS.items()}
_STROKES: Final = {
    "d": "M67 19 67 81M67 63C67 52 59 45 50 45C40 45 33 53 33 63C33 73 40 81 50 81"
    "C59 81 67 74 67 63",
    "T": "M25 21 75 21M50 21 50 79",
    "S": "M69 31C66 24 59 20 50 20C39 20 32 26 32 35C32 45 40 48 50 50C61 52 69 55 69 65"
    "C69 75 60 80 50 80C40 80 33 76 31 68",
    "R": "M31 80 31 20 49 20C63 20 68 28 68 36C68 45 61 51 49 51L31 51M51 51 69 80",
    "B": "M32 20 32 80 50 80C62 80 68 73 68 65C68 56 61 50 50 50L32 50M32 20 49 20"
    "C60 20 66 27 66 35C66 43 60 50 49 50",
}
"""SVG paths of the letters' lines, each centred in its square."""


def known_themes() -> dict[str, Theme]:
    """Return every theme independent of the terminal's colours, by name, Thud's first."""
    own = {theme.name: theme for theme in THEMES}
    others = {name: theme for name, theme in sorted(BUILTIN_THEMES.items()) if not theme.ansi}
    return own | others


def design_named(theme: str, pieces: str, stone: str) -> Design:
    """Return the design of the named theme.

    Raises:
        ValueError: there is no such theme; the message says which there are.
    """
    themes = known_themes()
    if theme not in themes:
        then = meant(theme, themes, f"use {', '.join(themes)}")
        raise ValueError(f"there is no theme {quoted(theme)}{then}")
    return design_of(themes[theme], pieces, stone)


def design_shown(app: App[Any], pieces: str, stone: str) -> Design:
    """Return the board's design in an app; if it uses the terminal's colours, the closest."""
    theme = app.current_theme
    if theme.ansi:
        theme = THEMES[0] if theme.dark else THEMES[1]
    return design_of(theme, pieces, stone)


def design_of(theme: Theme, pieces: str, stone: str) -> Design:
    """Return the design of pictures in a theme.

    Args:
        theme: gives the colours of page and squares.
        pieces: one of `pieces.PIECE_SETS`; any other word means carved pieces.
        stone: the stone's name, which decides how it is drawn.
    """
    board = board_colours(theme)
    if pieces not in PIECE_SETS:
        return carved(stone)._replace(colours=_colours(theme, board))
    return Design(_colours(theme, board), _pieces(theme, board, pieces, stone))


def _colours(theme: Theme, board: Mapping[str, str]) -> dict[str, str]:
    """Return the replacements for the palette's colours of page and board."""
    variables = theme.to_color_system().generate()
    light, dark, rim = (
        _plain(board[f"board-{name}"], variables) for name in ("light", "dark", "outline")
    )
    page, text = (_plain(variables[name], variables) for name in ("background", "foreground"))
    return {
        palette.PAGE: page.hex,
        palette.PAGE_EDGE: _plain(variables["panel"], variables).hex,
        palette.LABEL: _plain(board["board-label"], variables).hex,
        palette.CAPTION: text.hex,
        palette.RIM: rim.blend(page, 0.4).hex,
        palette.RIM_LIGHT: rim.hex,
        palette.RIM_DARK: rim.blend(page, 0.7).hex,
        palette.GROUT: dark.blend(page, 0.5).hex,
        palette.LIGHT: light.hex,
        palette.LIGHT_EDGE: light.lighten(0.03).hex,
        palette.DARK: dark.hex,
        palette.DARK_EDGE: dark.lighten(0.03).hex,
        palette.GOAL: _plain(board["board-goal-text"], variables).hex,
        palette.LAST: _plain(board["board-last"], variables).hex,
        palette.LAST_EDGE: _plain(board["board-turn"], variables).hex,
    }


def _plain(text: str, variables: Mapping[str, str]) -> Color:
    """Return a theme's colour made opaque on the background."""
    ground = Color.parse(variables["background"])
    return ground + drawn(text, ground)


def _pieces(
    theme: Theme, board: Mapping[str, str], pieces: str, stone: str
) -> dict[Layer, Drawing]:
    """Return drawings of the terminal's pieces."""
    if pieces in SHEETS:
        inks = {letter: paints(theme)[name] for letter, name in colours(pieces).items()}
        return {layer: _sprite(letter, pieces, stone, inks) for letter, layer in _LETTERS.items()}
    if pieces == "letters":
        # The letters that the terminal shows.
        shown = {each: picture(each, _CELL, "letters", stone=stone).rows[0] for each in _LETTERS}
        return {
            layer: (Shape(_STROKES[shown[letter]], line=board[_INKS[letter][0]], width=11),)
            for letter, layer in _LETTERS.items()
        }
    return {
        layer: _blocks(letter, pieces, stone, tuple(board[name] for name in _INKS[letter]))
        for letter, layer in _LETTERS.items()
    }


def _sprite(letter: str, sheet: str, stone: str, inks: Mapping[str, str]) -> Drawing:
    rows = named(sprites(sheet, _CELL), letter, stone) or ()
    boxes: dict[str, list[str]] = {}
    for y, row in enumerate(rows):
        for x, dab in enumerate(row):
            if dab:
                character, paint = dab
                for left, top, inked in _pixels(character):
                    colour = paint.ink if inked else paint.paper
                    if colour != CLEAR:
                        boxes.setdefault(inks[colour], []).append(
                            _box(x * ACROSS + left, y * DOWN + top)
                        )
    return tuple(Shape("".join(paths), colour) for colour, paths in boxes.items())


def _blocks(letter: str, pieces: str, stone: str, inks: tuple[str, ...]) -> Drawing:
    shape = picture(letter, _CELL, pieces, stone=stone)
    first_row = (_CELL.height - len(shape.rows)) // 2
    boxes: dict[str, list[str]] = {}
    for y, row in enumerate(shape.rows):
        first_column = (_CELL.width - len(row)) // 2
        for x, character in enumerate(row, first_column):
            for left, top, inked in _pixels(character):
                if inked:
                    ink = inks[0] if y < shape.first else inks[1]
                    place = _box(x * ACROSS + left, (first_row + y) * DOWN + top)
                    boxes.setdefault(ink, []).append(place)
    return tuple(Shape("".join(paths), colour) for colour, paths in boxes.items())


def _pixels(character: str) -> Iterator[tuple[int, int, bool]]:
    """Yield each pixel of a cell: column, row and whether it is inked."""
    for place, pixel in enumerate(_PIXELS[character]):
        top, left = divmod(place, ACROSS)
        yield left, top, pixel == "#"


def _box(x: int, y: int) -> str:
    """Return the SVG path of a pixel, on a square of 100 by 100."""
    across, down = 100 / (_CELL.width * ACROSS), 100 / (_CELL.height * DOWN)
    left, top = x * across - _SEAM, y * down - _SEAM
    right, bottom = (x + 1) * across + _SEAM, (y + 1) * down + _SEAM
    return (
        f"M{left:.2f} {top:.2f} {right:.2f} {top:.2f} "
        f"{right:.2f} {bottom:.2f} {left:.2f} {bottom:.2f}Z"
    )

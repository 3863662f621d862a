"""Designs of exported pictures, from the terminal's theme and pieces."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from textual.app import App
from textual.color import Color
from textual.theme import BUILTIN_THEMES, Theme

from thud.pictures import palette
from thud.pictures.drawings import Design, Layer
from thud.pictures.shapes import Drawing, Shape
from thud.tui.board.layout import CELLS, Cell
from thud.tui.board.pieces import PIECE_SETS, picture
from thud.tui.board.sprites import ACROSS, CLEAR, DOWN, GLYPHS, SHEETS, colours, sprites
from thud.tui.looks.contrast import drawn
from thud.tui.looks.themes import THEMES, board_colours, paints
from thud.wording.text import quoted

_CELL: Final[Cell] = max(CELLS)
_SEAM: Final = 0.25
"""By how much parts of a sprite overlap, lest a line is seen between them."""
_LETTERS: Final = {"d": Layer.DWARF, "T": Layer.TROLL, "R": Layer.STONE}
_INKS: Final = {
    "d": ("board-dwarf", "board-beard"),
    "T": ("board-troll", "board-troll"),
    "R": ("board-stone", "board-stone-shade"),
}
"""The variables of the two colours of each piece that is no sprite."""
_NAMES: Final = {"d": "dwarf", "T": "troll"}
_PIXELS: Final = {glyph: pixels for pixels, glyph in GLYPHS.items()}
_STROKES: Final = {
    "d": "M66 18 66 80M66 62C66 51 58 44 49 44C39 44 32 52 32 62C32 72 39 80 49 80"
    "C58 80 66 73 66 62",
    "T": "M24 22 76 22M50 22 50 80",
    "R": "M34 80 34 22 52 22C66 22 70 30 70 37C70 46 64 52 52 52L34 52M54 52 72 80",
}
"""The letters as lines."""


def known_themes() -> dict[str, Theme]:
    """Return every theme that needs no terminal's own colours, by its name, ours first."""
    own = {theme.name: theme for theme in THEMES}
    others = {name: theme for name, theme in sorted(BUILTIN_THEMES.items()) if not theme.ansi}
    return own | others


def design_named(theme: str, pieces: str, stone: str) -> Design:
    """Return the design of a theme that a player has named.

    Raises:
        ValueError: there is no such theme; the message lists those that there are.
    """
    themes = known_themes()
    if theme not in themes:
        raise ValueError(f"there is no theme {quoted(theme)}; there are {', '.join(themes)}")
    return design_of(themes[theme], pieces, stone)


def design_shown(app: App[Any], pieces: str, stone: str) -> Design:
    """Return how the board looks in an application; where its terminal has few colours, nearly."""
    theme = app.current_theme
    if theme.ansi:
        theme = THEMES[0] if theme.dark else THEMES[1]
    return design_of(theme, pieces, stone)


def design_of(theme: Theme, pieces: str, stone: str) -> Design:
    """Return how pictures look in a theme, with a set of pieces, or those that are carved.

    Args:
        theme: whose colours the page and the squares have.
        pieces: one of `pieces.PIECE_SETS`; any other word leaves those that are carved.
        stone: what the stone is called, which says how it is drawn.
    """
    board = board_colours(theme)
    drawings = _pieces(theme, board, pieces, stone) if pieces in PIECE_SETS else {}
    return Design(_colours(theme, board), drawings)


def _colours(theme: Theme, board: Mapping[str, str]) -> dict[str, str]:
    """Return what is painted in place of the colours of page and board."""
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
    """Return a colour of a theme without what shines through it."""
    ground = Color.parse(variables["background"])
    return ground + drawn(text, ground)


def _pieces(
    theme: Theme, board: Mapping[str, str], pieces: str, stone: str
) -> dict[Layer, Drawing]:
    """Return the drawings of the pieces as the terminal has them."""
    if pieces in SHEETS:
        inks = {letter: paints(theme)[name] for letter, name in colours(pieces).items()}
        return {layer: _sprite(letter, pieces, stone, inks) for letter, layer in _LETTERS.items()}
    if pieces == "letters":
        return {
            layer: (Shape(_STROKES[letter], line=board[_INKS[letter][0]], width=11),)
            for letter, layer in _LETTERS.items()
        }
    return {
        layer: _blocks(letter, pieces, tuple(board[name] for name in _INKS[letter]))
        for letter, layer in _LETTERS.items()
    }


def _sprite(letter: str, sheet: str, stone: str, inks: Mapping[str, str]) -> Drawing:
    there = sprites(sheet, _CELL)
    rows = there.get(_NAMES.get(letter, stone.lower())) or there["thudstone"]
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


def _blocks(letter: str, pieces: str, inks: tuple[str, ...]) -> Drawing:
    shape = picture(letter, _CELL, pieces)
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
    """Yield the pixels of a cell, each with its column and its row and whether it is inked."""
    for place, pixel in enumerate(_PIXELS[character]):
        top, left = divmod(place, ACROSS)
        yield left, top, pixel == "#"


def _box(x: int, y: int) -> str:
    """Return the path of a pixel of a piece, on a square of 100 by 100."""
    across, down = 100 / (_CELL.width * ACROSS), 100 / (_CELL.height * DOWN)
    left, top = x * across - _SEAM, y * down - _SEAM
    right, bottom = (x + 1) * across + _SEAM, (y + 1) * down + _SEAM
    return (
        f"M{left:.2f} {top:.2f} {right:.2f} {top:.2f} "
        f"{right:.2f} {bottom:.2f} {left:.2f} {bottom:.2f}Z"
    )

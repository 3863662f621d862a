"""The pieces as pictures of block characters, as glyphs and as letters.

Besides the sprites of `sprites`, there are three sets, each with a picture of every piece for every
size of square:

- `unicode`: quarter blocks on squares of five columns or more, simple shapes on smaller ones;
- `blocks`: half blocks only, which even the Linux console and code page 437 have;
- `letters`: d, T, and S, R or B for Thudstone, Rock or Ball, at any size.

In plain ASCII the first two become drawings of lines and letters.  All characters are one column
wide.  Those of the first two sets are of ambiguous width in East Asian fonts: `glyphs_in_doubt` in
`thud.terminal.environment` tells where letters are safer.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, TypeAlias, TypeVar

from msgspec import Struct

from thud.terminal.cells import Cell
from thud.tui.board.look import THUDSTONE
from thud.tui.board.sprites import SHEETS

PIECE_SETS: Final = (*SHEETS, "unicode", "letters", "blocks")
"""The names of the piece sets, in the order of cycling through them."""


class Picture(Struct, frozen=True):
    """A piece's rows of equal width, and how many of them have its first colour.

    The others have the second: a dwarf's beard below the helmet, the stone's shade.
    """

    rows: tuple[str, ...]
    first: int = 9


_Pictures: TypeAlias = dict[int, dict[str, Picture]]
"""The picture of each piece, by the smallest square width and by the piece's name."""

_NAMES: Final = {"d": "dwarf", "T": "troll"}
_DRAWN = TypeVar("_DRAWN")

_UNICODE: Final[_Pictures] = {
    3: {
        "dwarf": Picture(("▲",)),
        "troll": Picture(("■",)),
        "thudstone": Picture(("◆",)),
        "rock": Picture(("●",)),
        "ball": Picture(("○",)),
    },
    5: {
        "dwarf": Picture(("▟█▙", "▝█▘"), 1),
        "troll": Picture(("▗▄▄▄▖", "▐█▀█▌")),
        "thudstone": Picture(("▗█▖", "▝▀▘"), 1),
        "rock": Picture(("▗▄▖ ", "▀▀▀▀"), 1),
        "ball": Picture(("▞▀▚", "▝▀▘")),
    },
    7: {
        "dwarf": Picture((" ▄█▄ ", "▝▛▀▜▘", " ▜█▛ "), 2),
        "troll": Picture((" ▛█▜ ", "█████", "▀▝▀▘▀")),
        "thudstone": Picture((" ▟█▙ ", " ███ ", " ▀▀▀ "), 1),
        "rock": Picture((" ▗▄▖ ", "▟███▙", "▝▀▀▀▘"), 1),
        "ball": Picture(("▗▄▄▄▖", "█████", "▝▀▀▀▘"), 2),
    },
    9: {
        "dwarf": Picture(("  ▄█▄  ", " ▟███▙ ", " ▐▄█▄▌ ", "  ▀█▀  "), 2),
        "troll": Picture(("  ▛█▜  ", "▟█████▙", "█▌███▐█", " ▝▀ ▀▘ ")),
        "thudstone": Picture(("  ▄▄▄  ", " ▐███▌ ", " ▐███▌ ", " ▝▀▀▀▘ "), 2),
        "rock": Picture(("  ▗▄▄  ", " ▟███▙ ", "▐█████▌", "▝▀▀▀▀▀▘"), 2),
        "ball": Picture(("  ▄▄▄  ", " █████ ", " █████ ", "  ▀▀▀  "), 2),
    },
    11: {
        "dwarf": Picture(
            (
                "   ▄█▄   ",
                "  █████  ",
                " ▀█▜█▛█▀ ",
                "  ██▄██  ",
                "  ▝▜█▛▘  ",
            ),
            3,
        ),
        "troll": Picture(
            (
                "  ▗███▖  ",
                " ▄▟▄█▄▙▄ ",
                "▐███████▌",
                "▐█▌███▐█▌",
                " ▀▝▀ ▀▘▀ ",
            )
        ),
        "thudstone": Picture(
            (
                "  ▗▄▄▄▖  ",
                "  ▟███▙  ",
                "  █████  ",
                "  █████  ",
                "  ▀▀▀▀▀  ",
            ),
            2,
        ),
        "rock": Picture(
            (
                "         ",
                "  ▗▄▄▖   ",
                " ▟████▙▖ ",
                "▐███████▌",
                "▝▀▀▀▀▀▀▀▘",
            ),
            3,
        ),
        "ball": Picture(
            (
                "  ▗▄▄▄▖  ",
                " ▟█████▙ ",
                " ███████ ",
                " ▜█████▛ ",
                "  ▝▀▀▀▘  ",
            ),
            3,
        ),
    },
    13: {
        "dwarf": Picture(
            (
                "    ▄█▄    ",
                "  ▗█████▖  ",
                " ▗▟█████▙▖ ",
                "  ▐▙▟█▙▟▌  ",
                "  ▝█▙▄▟█▘  ",
                "   ▝▜█▛▘   ",
            ),
            3,
        ),
        "troll": Picture(
            (
                "   ▟███▙   ",
                "   █▄█▄█   ",
                "▗█████████▖",
                "▐█▛█████▜█▌",
                "▐█▌▜█▀█▛▐█▌",
                " ▀ ▝▀ ▀▘ ▀ ",
            )
        ),
        "thudstone": Picture(
            (
                "   ▗▄▄▄▖   ",
                "   █████   ",
                "  ▐█████▌  ",
                "  ▐█████▌  ",
                "  ███████  ",
                "  ▀▀▀▀▀▀▀  ",
            ),
            3,
        ),
        "rock": Picture(
            (
                "           ",
                "   ▗▄▄▄▖   ",
                " ▗▟█████▙  ",
                "▗█████████▖",
                "▐█████████▌",
                "▝▀▀▀▀▀▀▀▀▀▘",
            ),
            4,
        ),
        "ball": Picture(
            (
                "   ▗▄▄▄▖   ",
                " ▗███████▖ ",
                " █████████ ",
                " █████████ ",
                " ▝███████▘ ",
                "   ▝▀▀▀▘   ",
            ),
            4,
        ),
    },
}

_BLOCKS: Final[_Pictures] = {
    3: {
        "dwarf": Picture(("▄",)),
        "troll": Picture(("■",)),
        "thudstone": Picture(("▓",)),
        "rock": Picture(("▒",)),
        "ball": Picture(("O",)),
    },
    5: {
        "dwarf": Picture(("▄█▄", "▀█▀"), 1),
        "troll": Picture(("▄▄▄", "█▀█")),
        "thudstone": Picture(("███", "▀▀▀"), 1),
        "rock": Picture(("▄▄ ", "▀▀▀"), 1),
        "ball": Picture(("▄▀▄", " ▀ ")),
    },
    7: {
        "dwarf": Picture((" ▄█▄ ", "▀█▀█▀", " ▀█▀ "), 2),
        "troll": Picture(("▄▄█▄▄", "█████", "█▀ ▀█")),
        "thudstone": Picture((" ███ ", " ███ ", " ▀▀▀ "), 1),
        "rock": Picture(("  ▄▄ ", "▄███▄", "▀▀▀▀▀"), 1),
        "ball": Picture((" ▄▄▄ ", "█████", " ▀▀▀ "), 2),
    },
    9: {
        "dwarf": Picture(("  ▄█▄  ", " ▄███▄ ", " ▀█▀█▀ ", "  ▀█▀  "), 2),
        "troll": Picture(("  ▄█▄  ", "███████", "█▀███▀█", " ▄█ █▄ ")),
        "thudstone": Picture(("  ███  ", " █████ ", " █████ ", " ▀▀▀▀▀ "), 2),
        "rock": Picture(("       ", "  ▄▄▄  ", "▄█████▄", "▀▀▀▀▀▀▀"), 3),
        "ball": Picture(("  ▄▄▄  ", " █████ ", " █████ ", "  ▀▀▀  "), 2),
    },
    13: {
        "dwarf": Picture(
            (
                "    █    ",
                "  ▄███▄  ",
                " ▄█████▄ ",
                "  █▄█▄█  ",
                "  ▀███▀  ",
                "    ▀    ",
            ),
            3,
        ),
        "troll": Picture(
            (
                "   ▄███▄   ",
                "   █▄█▄█   ",
                "▄█████████▄",
                "██▀█████▀██",
                "▀▀ ██▀██ ▀▀",
                "  ▀▀▀ ▀▀▀  ",
            )
        ),
        "thudstone": Picture(
            (
                "   ▄▄▄   ",
                "  █████  ",
                "  █████  ",
                " ███████ ",
                " ███████ ",
                " ▀▀▀▀▀▀▀ ",
            ),
            3,
        ),
        "rock": Picture(
            (
                "           ",
                "   ▄▄▄▄    ",
                " ▄██████▄  ",
                "▄█████████▄",
                "███████████",
                "▀▀▀▀▀▀▀▀▀▀▀",
            ),
            4,
        ),
        "ball": Picture(
            (
                "   ▄▄▄   ",
                " ███████ ",
                "█████████",
                "█████████",
                " ███████ ",
                "   ▀▀▀   ",
            ),
            4,
        ),
    },
}

_PIECES: Final = ("dwarf", "troll", "thudstone", "rock", "ball")
_LETTERS: Final[_Pictures] = {
    3: {name: Picture((letter,)) for name, letter in zip(_PIECES, "dTSRB", strict=True)}
}

_ASCII: Final[_Pictures] = {
    **_LETTERS,
    5: {
        "dwarf": Picture(("/^\\", "\\d/"), 1),
        "troll": Picture((".###.", "#|T|#")),
        "thudstone": Picture((".-.", "|S|"), 1),
        "rock": Picture((" _ ", "/R\\"), 1),
        "ball": Picture((".-.", "`B'"), 1),
    },
    7: {
        "dwarf": Picture(("  _  ", " /^\\ ", " \\d/ "), 2),
        "troll": Picture((" ### ", "##T##", "# | #")),
        "thudstone": Picture((" .-. ", " |S| ", " '-' "), 2),
        "rock": Picture(("  _  ", " / \\ ", "/_R_\\"), 2),
        "ball": Picture((" .-. ", "( B )", " `-' "), 2),
    },
}

PICTURED: Final = {name: chr(0xE000 + number) for number, name in enumerate(_PIECES)}
"""Characters of private use, in the middle of squares on which a browser draws the pieces."""

_SETS: Final = {"letters": _LETTERS, "blocks": _BLOCKS}


def named(drawn: Mapping[str, _DRAWN], letter: str, stone: str) -> _DRAWN | None:
    """Return the drawing for a piece's letter; the Thudstone's for a stone without one."""
    return drawn.get(_NAMES.get(letter, stone.lower())) or drawn.get(THUDSTONE.lower())


def picture(
    letter: str, cell: Cell, piece_set: str, *, stone: str = THUDSTONE, ascii_only: bool = False
) -> Picture:
    """Return a piece's largest picture that fits a cell size.

    For a set of sprites, that is the picture of the `unicode` set.
    """
    pictures = _SETS.get(piece_set, _UNICODE)
    if ascii_only and pictures is not _LETTERS:
        pictures = _ASCII
    there = pictures[max(width for width in pictures if width <= cell.width)]
    return named(there, letter, stone) or there[THUDSTONE.lower()]


def drawable(piece_set: str, *, few_colours: bool) -> str:
    """Return the piece set, or `unicode` if the terminal has too few colours for sprites."""
    return "unicode" if few_colours and piece_set in SHEETS else piece_set


def next_set(piece_set: str, *, few_colours: bool = False) -> str:
    """Return the piece set to cycle to after another one."""
    sets = list(dict.fromkeys(drawable(each, few_colours=few_colours) for each in PIECE_SETS))
    now = sets.index(drawable(piece_set, few_colours=few_colours))
    return sets[(now + 1) % len(sets)]

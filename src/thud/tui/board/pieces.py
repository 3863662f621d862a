"""The pieces as pictures of block characters, as glyphs and as letters.

Besides the sprites, which `sprites` has, there are three sets, each with a picture of every piece
for every size of square:

- `unicode`: quarter blocks from squares of five columns on, below that simple shapes;
- `blocks`: half blocks only, which even the console of Linux and code page 437 have;
- `letters`: d, T, and S, R or B for Thudstone, Rock or Ball, whatever the size.

In plain ASCII the first two become drawings of lines and letters.  All characters are one column
wide.  Those of the first two sets are ambiguous where East Asian fonts are used: `glyphs_in_doubt`
in `thud.terminal.environment` says where letters are the safer choice.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, TypeAlias, TypeVar

from thud.namedtuple import NamedTuple
from thud.tui.board.layout import Cell
from thud.tui.board.look import THUDSTONE
from thud.tui.board.sprites import SHEETS

PIECE_SETS: Final = (*SHEETS, "unicode", "letters", "blocks")
"""The names of the piece sets, in the order in which they are gone through."""


class Picture(NamedTuple):
    """A piece's rows of equal width, and how many of them have its first colour.

    The others have the second: a dwarf's beard beneath the helmet, the shade of the stone.
    """

    rows: tuple[str, ...]
    first: int = 9


_Pictures: TypeAlias = dict[int, dict[str, Picture]]
"""The picture of each piece by its name, for the widths of squares."""

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
        "troll": Picture(("▗▄█▄▖", "▐█▀█▌")),
        "thudstone": Picture(("▗█▖", "▝▀▘"), 1),
        "rock": Picture(("▗▄▖ ", "▀▀▀▀"), 1),
        "ball": Picture(("▗▄▄▄▖", "▝▀▀▀▘"), 1),
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
        "ball": Picture(("▄▄▄", "▀▀▀"), 1),
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

_SETS: Final = {"letters": _LETTERS, "blocks": _BLOCKS}


def named(drawn: Mapping[str, _DRAWN], letter: str, stone: str) -> _DRAWN | None:
    """Return what is drawn for a piece's letter; the Thudstone for a stone that has no drawing."""
    return drawn.get(_NAMES.get(letter, stone.lower())) or drawn.get(THUDSTONE.lower())


def picture(
    letter: str, cell: Cell, piece_set: str, *, stone: str = THUDSTONE, ascii_only: bool = False
) -> Picture:
    """Return how a piece is drawn on squares of some size: its largest picture that fits.

    Where there are no sprites, symbols stand in for them.
    """
    pictures = _SETS.get(piece_set, _UNICODE)
    if ascii_only and pictures is not _LETTERS:
        pictures = _ASCII
    there = pictures[max(width for width in pictures if width <= cell.width)]
    return named(there, letter, stone) or there[THUDSTONE.lower()]


def drawable(piece_set: str, *, few_colours: bool) -> str:
    """Return a set itself, or the symbols where it has more colours than there are."""
    return "unicode" if few_colours and piece_set in SHEETS else piece_set


def next_set(piece_set: str, *, few_colours: bool = False) -> str:
    """Return the set that is drawn after another, the first after the last."""
    sets = list(dict.fromkeys(drawable(each, few_colours=few_colours) for each in PIECE_SETS))
    now = sets.index(drawable(piece_set, few_colours=few_colours))
    return sets[(now + 1) % len(sets)]

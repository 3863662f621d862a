"""The pieces as pictures of block characters, as glyphs and as letters.

Besides the sprites, which `sprites` has, there are three sets, each with a picture of every piece
for every size of square:

- `unicode`: quarter blocks from squares of five columns on, below that a triangle, a square and a
  circle;
- `blocks`: half blocks only, which even the console of Linux and code page 437 have;
- `letters`: d, T and R, whatever the size.

In plain ASCII the first two become drawings of lines and letters.  All characters are one column
wide.  Those of the first two sets are ambiguous where East Asian fonts are used: `glyphs_in_doubt`
in `thud.terminal.environment` says where letters are the safer choice.
"""

from __future__ import annotations

from typing import Final, TypeAlias

from thud.namedtuple import NamedTuple
from thud.tui.board.layout import Cell
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
"""For the width of a square the picture of each piece by its letter."""

_UNICODE: Final[_Pictures] = {
    3: {"d": Picture(("▲",)), "T": Picture(("■",)), "R": Picture(("●",))},
    5: {
        "d": Picture(("▟█▙", "▝█▘"), 1),
        "T": Picture(("▗▄█▄▖", "▐█▀█▌")),
        "R": Picture(("▗▄▄▄▖", "▝▀▀▀▘"), 1),
    },
    7: {
        "d": Picture((" ▄█▄ ", "▝▛▀▜▘", " ▜█▛ "), 2),
        "T": Picture((" ▛█▜ ", "█████", "▀▐▀▌▀")),
        "R": Picture(("▗▄▄▄▖", "█████", "▝▀▀▀▘"), 2),
    },
    9: {
        "d": Picture(("  ▄█▄  ", " ▟███▙ ", " ▐▄█▄▌ ", "  ▀█▀  "), 2),
        "T": Picture(("  ▛█▜  ", "▟█████▙", "█▌███▐█", " ▗█ █▖ ")),
        "R": Picture(("  ▄▄▄  ", " █████ ", " █████ ", "  ▀▀▀  "), 2),
    },
    11: {
        "d": Picture(("   ▄█▄   ", "  █████  ", " ▀█▜█▛█▀ ", "  ██▄██  ", "  ▝▜█▛▘  "), 3),
        "T": Picture(("  ▗███▖  ", " ▄▟▄█▄▙▄ ", "▐███████▌", "▐█▌███▐█▌", " ▀▗█ █▖▀ ")),
        "R": Picture(("  ▗▄▄▄▖  ", " ▟█████▙ ", " ███████ ", " ▜█████▛ ", "  ▝▀▀▀▘  "), 3),
    },
    13: {
        "d": Picture(
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
        "T": Picture(
            (
                "   ▟███▙   ",
                "   █▄█▄█   ",
                "▗█████████▖",
                "▐█▛█████▜█▌",
                "▐█▌▜█▀█▛▐█▌",
                " ▀ ▟█ █▙ ▀ ",
            )
        ),
        "R": Picture(
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
    3: {"d": Picture(("▄",)), "T": Picture(("█",)), "R": Picture(("▒",))},
    5: {
        "d": Picture(("▄█▄", "▀█▀"), 1),
        "T": Picture(("▄▄█▄▄", "██▀██")),
        "R": Picture(("▄▄▄", "▀▀▀"), 1),
    },
    7: {
        "d": Picture((" ▄█▄ ", "▀█▀█▀", " ▀█▀ "), 2),
        "T": Picture(("▄▄█▄▄", "█████", "█▀ ▀█")),
        "R": Picture((" ▄▄▄ ", "█████", " ▀▀▀ "), 2),
    },
    9: {
        "d": Picture(("  ▄█▄  ", " ▄███▄ ", " ▀█▀█▀ ", "  ▀█▀  "), 2),
        "T": Picture(("  ███  ", "███████", "█▀███▀█", " ▄█ █▄ ")),
        "R": Picture(("  ▄▄▄  ", " █████ ", " █████ ", "  ▀▀▀  "), 2),
    },
    13: {
        "d": Picture(
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
        "T": Picture(
            (
                "   ▄███▄   ",
                "   █▄█▄█   ",
                "▄█████████▄",
                "██▀█████▀██",
                "▀▀ ██▀██ ▀▀",
                "  ▄██ ██▄  ",
            )
        ),
        "R": Picture(
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

_LETTERS: Final[_Pictures] = {3: {letter: Picture((letter,)) for letter in "dTR"}}

_ASCII: Final[_Pictures] = {
    **_LETTERS,
    5: {
        "d": Picture(("/^\\", "\\d/"), 1),
        "T": Picture((".###.", "#|T|#")),
        "R": Picture((".-.", "`R'"), 1),
    },
    7: {
        "d": Picture(("  _  ", " /^\\ ", " \\d/ "), 2),
        "T": Picture((" ### ", "##T##", "# | #")),
        "R": Picture((" .-. ", "( R )", " `-' "), 2),
    },
}

_SETS: Final = {"letters": _LETTERS, "blocks": _BLOCKS}


def picture(letter: str, cell: Cell, piece_set: str, *, ascii_only: bool = False) -> Picture:
    """Return how a piece is drawn on squares of some size: its largest picture that fits.

    Where there are no sprites, symbols stand in for them.
    """
    pictures = _SETS.get(piece_set, _UNICODE)
    if ascii_only and pictures is not _LETTERS:
        pictures = _ASCII
    return pictures[max(width for width in pictures if width <= cell.width)][letter]


def drawable(piece_set: str, *, few_colours: bool) -> str:
    """Return a set itself, or the symbols where it has more colours than there are."""
    return "unicode" if few_colours and piece_set in SHEETS else piece_set


def next_set(piece_set: str, *, few_colours: bool = False) -> str:
    """Return the set that is drawn after another, the first after the last."""
    sets = list(dict.fromkeys(drawable(each, few_colours=few_colours) for each in PIECE_SETS))
    now = sets.index(drawable(piece_set, few_colours=few_colours))
    return sets[(now + 1) % len(sets)]

"""Plain ASCII: a filter for all output.

The board and the menus choose their own ASCII where that is clearer.  This filters everything else:
frames, scroll bars, the footer, quotation marks, names.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from typing import Final

from rich.cells import cell_len
from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter

_FORMS: Final = {
    "-": "─━═╌╍┄┅┈┉╴╶╸╺—–‒−▔▁",
    "|": "│┃║╎╏┆┇┊┋╵╷╹╻▏▎▍▌▋▊▉▐▕",
    "+": "┌┐└┘├┤┬┴┼┏┓┗┛┣┫┳┻╋╔╗╚╝╠╣╦╩╬╭╮╰╯",
    "/": "╱",
    "\\": "╲",
    "=": "▂▃",
    "#": "█▓▒■▇▆▅▄▀▖▗▘▙▚▛▜▝▞▟",
    ".": "·…░",
    "*": "•★",
    "o": "●○◉◆",
    "^": "▲△↑",
    "v": "▼▽↓",
    "<": "‹«◀◁←",
    ">": "›»▶▷→",
    "x": "×✕✖",
    "X": "╳",
    "'": "‘’",
    '"': "“”„",
    "~": "≈∼±",
    "!": "‼",
}
_TABLE: Final = {
    ord(character): ascii_form for ascii_form, those in _FORMS.items() for character in those
}


class PlainAscii(LineFilter):
    """Replaces every other character by the nearest ASCII of the same width."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """Return the segments of a line in plain ASCII."""
        return [
            each if each.text.isascii() else Segment(to_ascii(each.text), each.style, each.control)
            for each in segments
        ]


PLAIN_ASCII: Final = PlainAscii()
"""The only instance: Textual caches lines by their filters."""


@lru_cache(2048)
def to_ascii(text: str) -> str:
    """Return the nearest ASCII to a text, of the same width.

    >>> to_ascii("«Žofia… Ωmega» │ 龍")
    '<Zofia. ?mega> | ??'
    """
    return "".join(map(_nearest, text.translate(_TABLE)))


def _nearest(character: str) -> str:
    """Return the letter without accents, or question marks of the character's width."""
    if character.isascii():
        return character
    plain = unicodedata.normalize("NFKD", character)[:1]
    width = cell_len(character)
    return plain if plain.isascii() and width == 1 else "?" * width

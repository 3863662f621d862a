"""Captions: untrusted text made safe for any format, and wrapped."""

from __future__ import annotations

import unicodedata
from typing import Final

_LINE: Final = 60
"""Width limit of a line, in small letters."""

_TWO_LINES: Final = 2 * _LINE - 10
"""Width limit of a wrapped text."""

_LONGEST: Final = 200
"""Most characters measured: more cannot fit."""

_UNPRINTABLE: Final = ("Cc", "Cf", "Cn", "Co", "Cs")
_JOINERS: Final = "\u200c\u200d"
"""Invisible, yet needed in Persian words and some emoji."""


def caption_lines(caption: str) -> list[str]:
    r"""Return a text as up to two lines that fit, safe for XML.

    Unprintable characters are dropped, including bidi controls; a text that is too long is cut,
    with an ellipsis.

    >>> caption_lines("1. dF1-F5\n\n32 : 32\x1b[31m")
    ['1. dF1-F5 32 : 32 [31m']
    """
    printable = (
        each if each in _JOINERS or unicodedata.category(each) not in _UNPRINTABLE else " "
        for each in caption
    )
    words = " ".join("".join(printable).split())[:_LONGEST]
    if text_width(words) <= _LINE:
        return [words] if words else []
    parts = _cut(words, _TWO_LINES).split()
    splits = ([" ".join(parts[:n]), " ".join(parts[n:])] for n in range(1, len(parts)))
    lines = min(splits, key=lambda pair: max(map(text_width, pair)), default=parts)
    return [_cut(line, _LINE) for line in lines]


def text_width(text: str) -> float:
    """Estimate a text's width, in small letters."""
    width = 0.0
    for character in text:
        if unicodedata.combining(character):
            width += 0.1
        elif unicodedata.east_asian_width(character) in "WF":
            width += 2
        else:
            width += 1.5 if character.isupper() or character in "mw@%—…" else 1
    return width


def _cut(line: str, limit: int) -> str:
    if text_width(line) <= limit:
        return line
    while text_width(line) > limit - 1.5:
        line = line[:-1]
    return f"{line.rstrip()}…"

"""Text with some words set off, as Markdown writes it."""

from __future__ import annotations

import re
from enum import Enum
from typing import Final, NamedTuple, TypeAlias


class Tone(Enum):
    """How words are set off from others."""

    PLAIN = 0
    STRONG = 1
    STRESSED = 2
    LITERAL = 3
    """Moves, and other words that are typed as they stand."""


class Span(NamedTuple):
    """Words of one tone."""

    text: str
    tone: Tone = Tone.PLAIN


Wording: TypeAlias = tuple[Span, ...]

_SET_OFF: Final = re.compile(r"\*\*(.+?)\*\*|\*(.+?)\*|`(.+?)`|\[(.+?)\]\(.+?\)")
_TONES: Final = (Tone.STRONG, Tone.STRESSED, Tone.LITERAL, Tone.PLAIN)


def read_wording(text: str) -> Wording:
    """Read a text of one or more lines; of links only their words stay.

    >>> [(span.text, span.tone.name) for span in read_wording("see **all** of [it](#there)")]
    [('see ', 'PLAIN'), ('all', 'STRONG'), (' of ', 'PLAIN'), ('it', 'PLAIN')]
    """
    text, spans, start = " ".join(text.split()), list[Span](), 0
    for found in _SET_OFF.finditer(text):
        tone = _TONES[(found.lastindex or 1) - 1]
        spans += [Span(text[start : found.start()]), Span(found[found.lastindex or 0], tone)]
        start = found.end()
    return tuple(span for span in (*spans, Span(text[start:])) if span.text)


def said(wording: Wording) -> str:
    """Return the bare words."""
    return "".join(span.text for span in wording)

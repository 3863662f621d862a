"""Quoting, counting and joining for the rules' errors, and what is printable.

See `thud.wording.text` for more.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from itertools import chain, groupby, islice
from typing import Final

_NUMBERS: Final = (
    *("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"),
    *("ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen"),
)


_JOINERS: Final = "\u200c\u200d"
"""ZERO WIDTH NON-JOINER and ZERO WIDTH JOINER: Persian, Hindi and others spell words with them."""

_VIRAMA: Final = 9
"""Canonical combining class of the signs after which Indic scripts put a joiner."""


def is_printable(text: str) -> bool:
    """Whether all characters can be printed; joiners count within words that need them."""
    return text.isprintable() or all(prints(text, at) for at in range(len(text)))


def prints(text: str, at: int) -> bool:
    """Whether the character at an index can be printed."""
    if text[at] not in _JOINERS:
        return text[at].isprintable()
    before, after = text[at - 1 : at] if at else "", text[at + 1 : at + 2]
    if not before:
        return False
    arabic = [unicodedata.bidirectional(each) for each in (before, after) if each]
    return unicodedata.combining(before) == _VIRAMA or arabic == ["AL", "AL"]


def quoted(text: str, limit: int = 40) -> str:
    """Return untrusted text quoted, escaped and cut, for an error message."""
    text = few_marks(text[: 4 * limit])
    return repr(text if len(text) <= limit else text[: limit - 1] + "…")


def joined(items: Iterable[str], last: str = "and") -> str:
    """Join items as in a sentence: `"C4, C5 and D6"`."""
    *others, final = list(items) or [""]
    return f"{', '.join(others)} {last} {final}" if others else final


def counted(number: int, noun: str) -> str:
    """Return a number and a noun in words: `"one dwarf"`, `"three squares"`."""
    return f"{spelled(number)} {plural(number, noun)}"


def spelled(number: int) -> str:
    """Return a number as a word, a large one in digits: `"three"`, `"32"`."""
    return _NUMBERS[number] if number < len(_NUMBERS) else str(number)


def plural(number: int, noun: str) -> str:
    """Return a noun's form after a number: `"move"` after 1, else `"moves"`."""
    return noun if number == 1 else f"{noun}s"


_MARKS: Final = 2


def _is_mark(character: str) -> bool:
    return unicodedata.category(character) in ("Mn", "Me")


def few_marks(characters: Iterable[str]) -> str:
    """Limit the combining marks on each letter to what real languages need."""
    parts = (
        islice(some, _MARKS) if marks else some for marks, some in groupby(characters, _is_mark)
    )
    return "".join(chain.from_iterable(parts))

"""Quoting, counting and joining for the rules' errors; see `thud.wording.text`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

_NUMBERS: Final = (
    *("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"),
    *("ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen"),
)


def quoted(text: str, limit: int = 40) -> str:
    """Return untrusted text quoted, escaped and cut, for an error message."""
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

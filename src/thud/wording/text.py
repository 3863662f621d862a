"""Quote, count, join, capitalise and clip text."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from itertools import chain, groupby, islice
from typing import Final

from thud.rules.text import counted, joined, plural, quoted, spelled

__all__ = [
    "called",
    "capitalised",
    "clipped",
    "counted",
    "does",
    "few_marks",
    "joined",
    "legible",
    "plural",
    "printable",
    "quoted",
    "sentence",
    "spelled",
    "whose",
    "why",
    "why_at",
]


YOU: Final = "You"
"""Name of a person who plays against a computer."""


def does(name: str, verb: str) -> str:
    """Return what somebody does: `"Ann wins"`, but `"You win"`; `"Ann has"`, but `"You have"`."""
    if name == YOU:
        return f"{name} {verb}"
    return f"{name} {'has' if verb == 'have' else f'{verb}s'}"


def called(name: str) -> str:
    """Return what somebody is called within a sentence: `"Ann"`, but `"you"`."""
    return "you" if name == YOU else name


def whose(name: str) -> str:
    """Say whose something is, at the beginning of a sentence: `"Ann's"`, but `"Your"`."""
    return "Your" if name == YOU else f"{name}'s"


def capitalised(text: str) -> str:
    """Return a text with a capital letter at its beginning."""
    return text[:1].upper() + text[1:]


def sentence(text: str) -> str:
    """Return a text with a capital letter at its beginning and a full stop at its end."""
    return capitalised(text) + ("" if text[-1:] in ".?!" else ".")


def why(error: Exception) -> str:
    """Return what went wrong, without the number and the path that a system's error carries."""
    return getattr(error, "strerror", None) or str(error)


def why_at(error: Exception) -> str:
    """Return what went wrong, and with which file if an error of the system names one."""
    path = getattr(error, "filename", None)
    return f"{path}: {why(error)}" if path else why(error)


def legible(text: str) -> str:
    """Return a text with a question mark in place of each character that does not print."""
    return "".join(each if each.isprintable() else "?" for each in text)


def printable(text: str, longest: int) -> str:
    """Return what of a text prints and draws nowhere else, in one line, cut to a length."""
    kept = (each if each.isprintable() else " " for each in text[: 4 * longest])
    return " ".join(few_marks(kept).split())[:longest].rstrip()


def clipped(text: str, longest: int) -> str:
    """Return what of a text prints, an ellipsis after what is cut."""
    words = printable(text, longest + 1)
    return words if len(words) <= longest else f"{words[: longest - 1].rstrip()}…"


_MARKS: Final = 2


def _is_mark(character: str) -> bool:
    return unicodedata.category(character) in ("Mn", "Me")


def few_marks(characters: Iterable[str]) -> str:
    """Return characters, of marks only as many as any language puts upon a letter."""
    parts = (
        islice(some, _MARKS) if marks else some for marks, some in groupby(characters, _is_mark)
    )
    return "".join(chain.from_iterable(parts))

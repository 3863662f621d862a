"""Quoting, counting, joining, capitalising and clipping text."""

from __future__ import annotations

from typing import Final

from thud.rules.text import counted, few_marks, joined, plural, prints, quoted, spelled

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
    "spaced",
    "spelled",
    "whose",
    "why",
    "why_at",
]


YOU: Final = "You"
"""Name of a person who plays against a computer."""


def does(name: str, verb: str) -> str:
    """Conjugate a verb: `"Ann wins"`, but `"You win"`; `"Ann has"`, but `"You have"`."""
    if name == YOU:
        return f"{name} {verb}"
    return f"{name} {'has' if verb == 'have' else f'{verb}s'}"


def called(name: str) -> str:
    """Return a name within a sentence: `"Ann"`, but `"you"`."""
    return "you" if name == YOU else name


def whose(name: str) -> str:
    """Return the possessive at the beginning of a sentence: `"Ann's"`, but `"Your"`."""
    return "Your" if name == YOU else f"{name}'s"


def capitalised(text: str) -> str:
    """Return a text with its first letter capitalised."""
    return text[:1].upper() + text[1:]


def sentence(text: str) -> str:
    """Return a text as a sentence: first letter capitalised, full stop at the end."""
    return stopped(capitalised(text))


def stopped(text: str) -> str:
    """Return a text with a full stop at the end; a name that it begins with stays as it is."""
    return text + ("" if text[-1:] in ".?!" else ".")


def why(error: Exception) -> str:
    """Return an error's message, without the number and path of a system error."""
    return getattr(error, "strerror", None) or str(error)


def why_at(error: Exception) -> str:
    """Return an error's message, with the path of a system error."""
    path = getattr(error, "filename", None)
    return f"{path}: {why(error)}" if path else why(error)


def spaced(text: str) -> str:
    """Return a line with plain spaces, and without marks that nobody sees, as a file begins."""
    seen = text.translate(_INVISIBLE)
    return "".join(" " if each.isspace() else each for each in seen).strip()


def legible(text: str) -> str:
    """Replace each unprintable character by a question mark."""
    return "".join(each if prints(text, at) else "?" for at, each in enumerate(text))


_BLANKS: Final = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Characters that Unicode counts as letters or symbols, and every font draws as nothing."""


def printable(text: str, longest: int) -> str:
    """Return a text as one printable line, safe to draw, cut to a length."""
    text = text[: 4 * longest]
    kept = (
        each if prints(text, at) and each not in _BLANKS else " " for at, each in enumerate(text)
    )
    return " ".join(few_marks(kept).split())[:longest].rstrip()


def clipped(text: str, longest: int) -> str:
    """Return a text as one printable line, cut with an ellipsis."""
    words = printable(text, longest + 1)
    return words if len(words) <= longest else f"{words[: longest - 1].rstrip()}…"


_INVISIBLE: Final = dict.fromkeys(map(ord, "\ufeff\u200b\u2060\u200e\u200f\xad"))

"""The grammar of text: quoting, counting, joining, clipping; what is a number, and what prints."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from itertools import chain, groupby, islice
from typing import Final

_NUMBERS: Final = (
    *("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"),
    *("ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen"),
)

YOU: Final = "You"
"""Name of a person who plays against a computer."""

_SIDES: Final = ("Dwarfs", "Trolls")
"""Names of the players of a model battle."""

_MARKS: Final = 2
"""Most combining marks kept on a letter."""

_BLANKS: Final = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Characters that Unicode counts as letters or symbols, and every font draws as nothing."""

_INVISIBLE: Final = dict.fromkeys(map(ord, "\ufeff\u200b\u2060\u200e\u200f\xad"))

_JOINERS: Final = "\u200c\u200d"
"""ZERO WIDTH NON-JOINER and ZERO WIDTH JOINER: Persian, Hindi and others spell words with them."""

_VIRAMA: Final = 9
"""Canonical combining class of the signs after which Indic scripts put a joiner."""

_ALIKE: Final = 0.7
"""Least likeness of a word to be suggested; Python's default takes `level` for `serve`."""

_LONGEST_WORD: Final = 80

_NO_WORD: Final = r"\S*([\dA-Z_]|[./\\]\w)"
"""What is no word of a sentence, such as `s.tgn`, `dF1-F5` or `cpu:4`."""


def is_number(text: str) -> bool:
    """Whether a text is a whole number that is not too long."""
    return text.isascii() and text.isdigit() and len(text) < 7


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


def _is_mark(character: str) -> bool:
    return unicodedata.category(character) in ("Mn", "Me")


def few_marks(characters: Iterable[str]) -> str:
    """Limit the combining marks on each letter to what real languages need."""
    if isinstance(characters, str) and characters.isascii():
        return characters
    parts = (
        islice(some, _MARKS) if marks else some for marks, some in groupby(characters, _is_mark)
    )
    return "".join(chain.from_iterable(parts))


def does(name: str, verb: str) -> str:
    """Conjugate a verb: `"Ann wins"`, but `"You win"` and `"Dwarfs win"`; `"Ann has"`."""
    if name in (YOU, *_SIDES):
        return f"{name} {verb}"
    return f"{name} {'has' if verb == 'have' else f'{verb}s'}"


def called(name: str) -> str:
    """Return a name within a sentence: `"Ann"`, but `"you"`."""
    return "you" if name == YOU else name


def whose(name: str) -> str:
    """Return the possessive at the beginning of a sentence: `"Ann's"`, but `"Your"`."""
    return "Your" if name == YOU else f"{name}'" if name in _SIDES else f"{name}'s"


def capitalised(text: str) -> str:
    """Return a text with its first letter capitalised, unless it begins with a file or a move."""
    return text if re.match(_NO_WORD, text) else text[:1].upper() + text[1:]


def meant(word: str, known: Iterable[str], otherwise: str = "", *, likeness: float = _ALIKE) -> str:
    """Return the end of an error about an unknown word: the known one most like it.

    It is such as `": did you mean 'nord'?"`; if no word is like it, what else to do, if given.
    """
    from difflib import get_close_matches

    alike = get_close_matches(word[:_LONGEST_WORD], known, 1, likeness)
    if alike:
        return f": did you mean {alike[0]!r}?"
    return f": {otherwise}" if otherwise else ""


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

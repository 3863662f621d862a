"""Visitors' names: each belongs to one visitor, with all that look like it."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from itertools import count
from typing import Final

from thud.text import quoted
from thud.visitor.profile import NOBODY, clean, is_given

_LOOKS: Final = str.maketrans(
    "авеікмнорстуүхѕјһԁԛԝѵɡսոցօαβεζηικμνορτυχıȷ01iп",
    "abelkmhopctyyxsjhdqwvgungoabezhlkmnoptyxljolln",
)
"""Letters of other alphabets and digits, with the Latin letter that they look like."""


def looks_of(name: str) -> str:
    """Return the same text for all names that look alike, whatever their case and spaces."""
    letters = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", name).casefold())
    kept = "".join(each for each in letters if each.isalnum())
    return (kept or "".join(letters.split())).translate(_LOOKS)


def who_is(name: str, visitor: str) -> str:
    """Return a visitor's name, perhaps empty, and the beginning of their id, for the log."""
    return f"{quoted(name) if name else 'Somebody new'} ({visitor[:8]})"


def name_for(wanted: str, own: str, others: Iterable[str]) -> str:
    """Return the name that a visitor gets who wants one.

    Args:
        wanted: the name they want; empty, or "Guest" with or without a number, for any.
        own: the name they have, empty without one.
        others: the names of all others, some of them empty.

    Raises:
        ValueError: somebody else has it.
    """
    taken = {looks_of(each) for each in others if each}
    name = clean(wanted).strip()
    if not is_given(name):
        if looks_of(name) in taken:
            raise ValueError(
                f"somebody else in this club is called {quoted(name)}, or much like it: "
                "choose another name"
            )
        return name
    if own and is_given(own) and looks_of(own) not in taken:
        return own
    numbered = (f"{NOBODY} {number}" for number in count(1))
    return next(each for each in numbered if looks_of(each) not in taken)

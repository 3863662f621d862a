"""How text is quoted, counted, listed and capitalised wherever something is said."""

from __future__ import annotations

from thud.rules.text import counted, joined, plural, quoted

__all__ = ["capitalised", "counted", "joined", "plural", "quoted", "sentence"]


def capitalised(text: str) -> str:
    """Return a text with a capital letter at its beginning."""
    return text[:1].upper() + text[1:]


def sentence(text: str) -> str:
    """Return a text with a capital letter at its beginning and a full stop at its end."""
    return capitalised(text) + ("" if text[-1:] in ".?!" else ".")

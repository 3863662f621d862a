"""Keys of layouts that have no Latin letters, as the keys of a US keyboard at the same place."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final
from unicodedata import category, name

from thud.tui.textual_fixes import character_to_key

_LAYOUTS: Final = Path(__file__).with_name("layouts.txt")
_NOTHING: Final = "·"


def us_key(key: str, typed: str, language: str, base: str = "") -> str:
    """Return the key of a US keyboard at a key's place, or the key itself if that is unknown.

    Args:
        key: the name of a key, perhaps with modifiers.
        typed: its letter, with or without modifiers.
        language: the user's language, two letters.
        base: the character at that place, if the terminal has told it.
    """
    if not is_foreign(typed):
        return key
    small = base or _characters(language).get(typed.lower(), "")
    if small not in _shifted():
        return key
    modifiers = key.split("+")[:-1]
    there = _shifted()[small] if typed.isupper() else small
    return "+".join([*modifiers, character_to_key(there)])


def is_foreign(typed: str) -> bool:
    """Whether a text is a letter, or a vowel sign, that is not Latin."""
    return (
        len(typed) == 1 and category(typed)[0] in "LM" and not name(typed, "").startswith("LATIN")
    )


@cache
def _lines() -> Mapping[str, str]:
    """Return the characters of each layout."""
    lines = _LAYOUTS.read_text(encoding="utf-8").splitlines()
    return dict(line.split(" ", 1) for line in lines if not line.startswith("#"))


@cache
def _characters(language: str) -> Mapping[str, str]:
    """Map the characters of all layouts, those of one language before others."""
    us, _, *others = _lines().items()
    ordered = sorted(others, key=lambda line: line[0] != language)
    return {
        typed: small
        for _, layout in reversed(ordered)
        for typed, small in zip(layout, us[1], strict=True)
        if typed != _NOTHING
    }


@cache
def _shifted() -> Mapping[str, str]:
    return dict(zip(_lines()["us"], _lines()["US"], strict=True))

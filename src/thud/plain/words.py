"""What is said of moves, choices, points and results: short sentences in plain letters."""

from __future__ import annotations

from typing import Final

_PLAIN: Final = str.maketrans({"±": "+/-", "×": "times ", "–": "-", "“": '"', "”": '"', "…": "..."})


def plain(text: str) -> str:
    """Return a text in letters that every terminal has and every voice can read."""
    return text.translate(_PLAIN)

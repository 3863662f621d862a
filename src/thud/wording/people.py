"""What is said of people: who they are, and what they say."""

from __future__ import annotations

from typing import Final

from thud.rules.position import Side

LOOKS_ON: Final = "You look on."
"""What is said to who plays nothing at what others play."""


def says(name: str, text: str) -> str:
    """Tell what somebody has said."""
    return f"{name} says: {text}"


def untaken(side: Side) -> str:
    """Say that nobody has taken the seat of a side yet."""
    return f"nobody has taken the {side.plural} yet"

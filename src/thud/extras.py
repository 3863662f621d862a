"""Optional dependencies, by the name of the extra that installs them."""

from __future__ import annotations

import sys


def how_to_get(extra: str) -> str:
    """Return how to install an extra, as the end of a sentence.

    >>> how_to_get("pictures")
    "install Thud as '.[pictures]' instead of '.'"
    """
    if hasattr(sys, "frozen"):
        return f"this single file does not have it: install Thud from source as '.[{extra}]'"
    return f"install Thud as '.[{extra}]' instead of '.'"

"""Optional dependencies, by the name of the extra that installs them."""

from __future__ import annotations

import sys


def how_to_get(extra: str) -> str:
    """Return how to install an extra, as the end of a sentence.

    >>> how_to_get("pictures")
    "install 'thud-game[pictures]'"
    """
    install = f"install 'thud-game[{extra}]'"
    return f"this single file does not have it: {install}" if hasattr(sys, "frozen") else install

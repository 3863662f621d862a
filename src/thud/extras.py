"""Optional dependencies, by the name of the extra that installs them."""

from __future__ import annotations

import sys
from importlib.metadata import PackageNotFoundError, distribution

_PACKAGE = "thud-game"


def how_to_get(extra: str) -> str:
    """Return how to install an extra, as the end of a sentence.

    >>> how_to_get("pictures")
    "install Thud as '.[pictures]' instead of '.'"
    """
    if hasattr(sys, "frozen"):
        return f"this single file does not have it: install Thud from source as '.[{extra}]'"
    name = "." if _is_from_source() else _PACKAGE
    return f"install Thud as '{name}[{extra}]' instead of '{name}'"


def _is_from_source() -> bool:
    """Whether it was installed from a copy of the sources, or is run in one."""
    try:
        # PEP 610: missing if it was installed by its name.
        return distribution(_PACKAGE).read_text("direct_url.json") is not None
    except PackageNotFoundError:
        return True

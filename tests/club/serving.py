"""Helpers for tests of a real `thud serve`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

THUD: Final = (sys.executable, "-P", "-m", "thud")
ENTER, DOWN, RIGHT = "\r", "\x1b[B", "\x1b[C"

TO_THE_ROCK: Final = "A10-A9 H3-H6 A9-A10 F3-F6 A10-A9 K3-K6 A9-A10 H6-H7 A10-A9 F6-G7 A9-A10 K6-J7"
"""A battle of Koom Valley that the trolls win."""


def places(directory: Path) -> dict[str, str]:
    """Return an environment that keeps all files below a directory."""
    return {
        "THUD_DATA_DIR": str(directory / "data"),
        "THUD_CONFIG_DIR": str(directory / "settings"),
        "THUD_CACHE_DIR": str(directory / "cache"),
        "THUD_RUN_DIR": str(directory / "run"),
    }

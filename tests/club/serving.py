"""Helpers for tests of a real `thud serve`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

THUD: Final = (sys.executable, "-P", "-m", "thud")
ENTER, DOWN = "\r", "\x1b[B"


def places(directory: Path) -> dict[str, str]:
    """Return an environment that keeps all files below a directory."""
    return {
        "THUD_DATA_DIR": str(directory / "data"),
        "THUD_CONFIG_DIR": str(directory / "settings"),
        "THUD_CACHE_DIR": str(directory / "cache"),
        "THUD_RUN_DIR": str(directory / "run"),
    }

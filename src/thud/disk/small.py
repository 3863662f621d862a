"""Small JSON files: read with care, for anybody may have written them, and replaced as a whole."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from thud.disk.atomic import write_atomic


def read_small(path: Path, most: int) -> dict[str, Any]:
    """Return the object in a file of so many bytes at most; what is not there or wrong is empty."""
    try:
        with path.open("rb") as file:
            values = json.loads(file.read(most))
    except (OSError, ValueError, RecursionError):
        return {}
    return values if isinstance(values, dict) else {}


def write_small(path: Path, values: dict[str, Any]) -> None:
    """Keep an object in a file, whose directory need not exist.

    Raises:
        OSError: that is not possible.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    write_atomic(path, (json.dumps(values, indent=1, ensure_ascii=False) + "\n").encode())

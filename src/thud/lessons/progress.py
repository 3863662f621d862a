"""Which lessons have been done, kept in the data directory."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

from thud.disk.atomic import write_atomic

FILE_NAME: Final = "lessons.json"
GRADUATION: Final = "battle"
"""The name of the lesson that ends in a first battle."""

_MAX_BYTES: Final = 65_536


class Progress:
    """The names of the lessons that have been done, as a file keeps them.

    Args:
        directory: where the file is kept; it need not exist.
    """

    def __init__(self, directory: Path) -> None:
        self._path = directory / FILE_NAME
        self.done = _read(self._path)

    @property
    def graduated(self) -> bool:
        """Whether the lesson has been done that ends in a first battle."""
        return GRADUATION in self.done

    def add(self, name: str) -> None:
        """Note that a lesson has been done."""
        self.done |= {name}

    def save(self) -> None:
        """Keep what has been done.

        Raises:
            OSError: it cannot be kept.
        """
        self._path.parent.mkdir(parents=True, exist_ok=True)
        data = json.dumps({"done": sorted(self.done)}, indent=1, ensure_ascii=False) + "\n"
        write_atomic(self._path, data.encode())

    def reset(self) -> None:
        """Forget what has been done.

        Raises:
            OSError: the file cannot be removed.
        """
        self.done = frozenset()
        self._path.unlink(missing_ok=True)


def _read(path: Path) -> frozenset[str]:
    """Return what a file says has been done; what is not there or wrong counts as nothing."""
    try:
        with path.open("rb") as file:
            written = json.loads(file.read(_MAX_BYTES))
    except (OSError, ValueError, RecursionError):
        return frozenset()
    names = written.get("done") if isinstance(written, dict) else None
    if not isinstance(names, list):
        return frozenset()
    return frozenset(name for name in names if isinstance(name, str))

"""The lessons done, kept in the data directory."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from thud.disk.small import read_small, write_small

FILE_NAME: Final = "lessons.json"
GRADUATION: Final = "battle"
"""The name of the lesson that ends in a first battle."""

_MAX_BYTES: Final = 65_536


class LessonProgress:
    """The names of the lessons done, as a file keeps them.

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
        write_small(self._path, {"done": sorted(self.done)})

    def reset(self) -> None:
        """Forget what has been done.

        Raises:
            OSError: the file cannot be removed.
        """
        self.done = frozenset()
        self._path.unlink(missing_ok=True)


def _read(path: Path) -> frozenset[str]:
    """Return what a file says has been done; what is not there or wrong counts as nothing."""
    names = read_small(path, _MAX_BYTES).get("done")
    if not isinstance(names, list):
        return frozenset()
    return frozenset(name for name in names if isinstance(name, str))

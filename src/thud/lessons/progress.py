"""The lessons done, saved in the data directory."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from thud.disk.small import read_small, write_small

if TYPE_CHECKING:
    from thud.drill import Drill

FILE_NAME: Final = "lessons.json"
GRADUATION: Final = "battle"
"""The name of the lesson that ends in a first battle."""

_MAX_BYTES: Final = 65_536


class LessonProgress:
    """The names of the lessons done, saved in a file.

    Args:
        directory: the file's directory; it need not exist.
    """

    def __init__(self, directory: Path) -> None:
        self._path = directory / FILE_NAME
        names = read_small(self._path, _MAX_BYTES).get("done")
        known = names if isinstance(names, list) else []
        self.done = frozenset(name for name in known if isinstance(name, str))
        self.begun: dict[str, Drill] = {}
        """The lessons begun and not done, until the program ends."""

    @property
    def graduated(self) -> bool:
        """Whether the lesson that ends in a first battle is done."""
        return GRADUATION in self.done

    def add(self, name: str) -> None:
        """Mark a lesson as done."""
        self.done |= {name}

    def save(self) -> None:
        """Save the progress.

        Raises:
            OSError: it cannot be saved.
        """
        write_small(self._path, {"done": sorted(self.done)})

    def reset(self) -> None:
        """Reset the progress.

        Raises:
            OSError: the file cannot be deleted.
        """
        self.done = frozenset()
        self._path.unlink(missing_ok=True)

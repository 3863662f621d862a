"""The lessons done, saved in the data directory."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

from thud.disk.small import read_small, write_small

if TYPE_CHECKING:
    from thud.exercises.drill import Drill
    from thud.records.summary import Summary

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
        saved = read_small(self._path, _MAX_BYTES)
        names, battles = saved.get("done"), saved.get("battles")
        known = names if isinstance(names, list) else []
        self.done = frozenset(name for name in known if isinstance(name, str))
        self._battles = {
            match: name
            for match, name in (battles.items() if isinstance(battles, dict) else ())
            if isinstance(name, str)
        }
        """The lessons whose tasks are done and whose battle goes on, by the match's id."""
        self.begun: dict[str, Drill] = {}
        """The lessons begun and not done, until the program ends."""

    @property
    def graduated(self) -> bool:
        """Whether the lesson that ends in a first battle is done."""
        return GRADUATION in self.done

    def add(self, name: str) -> None:
        """Mark a lesson as done."""
        self.done |= {name}

    def begin_battle(self, match: str, name: str) -> None:
        """Note the match that ends a lesson; the lesson is done once its battle is."""
        self._battles[match] = name
        with suppress(OSError):  # the match itself can be saved
            self.save()

    def settle(self, matches: Iterable[Summary]) -> bool:
        """Mark the lessons whose battle is over as done; return whether there were any."""
        before = self.done
        for match in matches:
            if match.id in self._battles and (match.over or match.battle > 1):
                self.add(self._battles.pop(match.id))
        return self.done != before

    def save(self) -> None:
        """Save the progress.

        Raises:
            OSError: it cannot be saved.
        """
        values: dict[str, object] = {"done": sorted(self.done)}
        if self._battles:
            values["battles"] = self._battles
        write_small(self._path, values)

    def reset(self) -> None:
        """Reset the progress.

        Raises:
            OSError: the file cannot be deleted.
        """
        self.done = frozenset()
        self._battles = {}
        self._path.unlink(missing_ok=True)

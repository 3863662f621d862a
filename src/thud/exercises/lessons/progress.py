"""The lessons done and the results of their battles, saved in the data directory."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

from thud.disk.small import read_small, write_small

if TYPE_CHECKING:
    from thud.exercises.drill import Drill

FILE_NAME: Final = "lessons.json"
GRADUATION: Final = "battle"
"""The name of the lesson that ends in a first battle."""

_MAX_BYTES: Final = 65_536

_MOST_OPEN: Final = 200
"""Most battles of lessons that are waited for: of more, the oldest are forgotten."""


class LessonProgress:
    """The names of the lessons done, saved in a file.

    Args:
        directory: the file's directory; it need not exist.
    """

    def __init__(self, directory: Path) -> None:
        self._path = directory / FILE_NAME
        saved = read_small(self._path, _MAX_BYTES)
        names, battles, results = (saved.get(each) for each in ("done", "battles", "results"))
        known = names if isinstance(names, list) else []
        self.done = frozenset(name for name in known if isinstance(name, str))
        self.battles = {
            match: name
            for match, name in (battles.items() if isinstance(battles, dict) else ())
            if isinstance(name, str)
        }
        """The lessons whose tasks are done and whose battle goes on, by the match's id."""
        self.results = {
            name: result
            for name, result in (results.items() if isinstance(results, dict) else ())
            if type(result) is int and abs(result) < _MOST_OPEN
        }
        """The best result of each lesson's battle."""
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
        self.battles[match] = name
        while len(self.battles) > _MOST_OPEN:
            del self.battles[next(iter(self.battles))]
        with suppress(OSError):  # the match itself can be saved
            self.save()

    def end_battle(self, match: str, result: int | None) -> None:
        """Mark the lesson of a match as done, and keep the result of its battle if it is best."""
        name = self.battles.pop(match)
        self.add(name)
        if result is not None:
            self.results[name] = max(result, self.results.get(name, result))

    def save(self) -> None:
        """Save the progress.

        Raises:
            OSError: it cannot be saved.
        """
        values: dict[str, object] = {"done": sorted(self.done)}
        if self.battles:
            values["battles"] = self.battles
        if self.results:
            values["results"] = self.results
        write_small(self._path, values)

    def reset(self) -> None:
        """Reset the progress.

        Raises:
            OSError: the file cannot be deleted.
        """
        self.done = frozenset()
        self.battles, self.results = {}, {}
        self._path.unlink(missing_ok=True)

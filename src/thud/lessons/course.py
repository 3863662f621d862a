"""The lessons one after the other, and what has been done of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from thud.drills.drill import Drill
from thud.lessons.lesson import Lesson
from thud.lessons.progress import Progress
from thud.lessons.reading import lessons
from thud.rules.geometry import shown


class Course:
    """Somebody's way through the lessons.

    Args:
        progress: what has been done.
        save: has the progress saved.
    """

    def __init__(self, progress: Progress, save: Callable[[], object]) -> None:
        self.progress = progress
        self._save = save

    @property
    def lessons(self) -> Sequence[Lesson]:
        """All lessons, in their order."""
        return lessons()

    @property
    def next(self) -> Lesson:
        """The first lesson that has not been done, or the first of all."""
        undone = (each for each in lessons() if each.name not in self.progress.done)
        return next(undone, lessons()[0])

    def named(self, name: str) -> Lesson:
        """Return the lesson of a name.

        Raises:
            ValueError: there is none.
        """
        found = next((each for each in lessons() if each.name == name.lower()), None)
        if found is None:
            raise ValueError(f"there is no lesson {shown(name)}: 'thud learn --list' names them")
        return found

    def battle_after(self, first: Lesson) -> str:
        """Return the computer of the battle that the drills from a lesson lead to, or nothing."""
        place = lessons().index(first)
        return next((each.battle for each in lessons()[place:] if each.battle), "")

    def drills(self, first: Lesson) -> Iterator[Drill]:
        """Yield a lesson and those after it to be gone through, up to one that ends in a battle."""
        place = lessons().index(first)
        for lesson in lessons()[place:]:
            yield lesson.drill(partial(self._note, lesson.name))
            if lesson.battle:
                return

    def _note(self, name: str) -> None:
        self.progress.add(name)
        self._save()

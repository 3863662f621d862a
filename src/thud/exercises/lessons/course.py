"""The lessons in order, and which are done."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import groupby
from operator import attrgetter

from thud.exercises.drill import Drill
from thud.exercises.lessons.lesson import Lesson, lessons
from thud.exercises.lessons.progress import LessonProgress
from thud.text import meant, quoted


class Course:
    """A player's progress through the lessons.

    Args:
        progress: the lessons done.
        save: saves the progress.
        battles: whether the battles that end lessons are played; a lesson is done after its own.
    """

    def __init__(
        self, progress: LessonProgress, save: Callable[[], object], *, battles: bool = True
    ) -> None:
        self.progress = progress
        self._save = save
        self._battles = battles

    @property
    def lessons(self) -> Sequence[Lesson]:
        """All lessons, in order."""
        return lessons()

    @property
    def next(self) -> Lesson:
        """The first lesson not done yet, or the first of all."""
        undone = (each for each in lessons() if each.name not in self.progress.done)
        return next(undone, lessons()[0])

    def named(self, name: str) -> Lesson:
        """Return a lesson by name.

        Raises:
            ValueError: there is none.
        """
        found = next((each for each in lessons() if each.name == name.lower()), None)
        if found is None:
            known = [each.name for each in lessons()]
            then = meant(name.lower(), known, "'thud learn --list' lists them")
            raise ValueError(f"there is no lesson {quoted(name)}{then}")
        return found

    def chapters(self) -> Iterator[tuple[str, list[tuple[Lesson, bool]]]]:
        """Yield the chapters' titles, with each lesson and whether it is done."""
        for title, found in groupby(lessons(), key=attrgetter("chapter")):
            yield title, [(each, each.name in self.progress.done) for each in found]

    def last(self, first: Lesson) -> Lesson:
        """Return the lesson that ends the drills from one on, with a battle if there is one."""
        return _stretch(first)[-1]

    def drills(self, first: Lesson) -> Iterator[Drill]:
        """Yield the drills of a lesson and those after it, up to one that ends in a battle.

        A drill that was left goes on where it stood.
        """
        begun = self.progress.begun
        for lesson in _stretch(first):
            name = lesson.name
            drill = begun[name] = begun.get(name) or lesson.drill(partial(self._note, name))
            drill.proceed()
            yield drill

    def _note(self, name: str) -> None:
        del self.progress.begun[name]
        if not (self._battles and self.named(name).battle):
            self.progress.add(name)
            self._save()


def _stretch(first: Lesson) -> Sequence[Lesson]:
    """Return a lesson and those after it, up to one that ends in a battle."""
    rest = lessons()[lessons().index(first) :]
    battle = next((place for place, each in enumerate(rest) if each.battle), len(rest) - 1)
    return rest[: battle + 1]

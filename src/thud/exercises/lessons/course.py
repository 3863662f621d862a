"""The lessons in order, and which are done."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING

from thud.exercises.drill import Drill
from thud.exercises.lessons.aim import Attempt
from thud.exercises.lessons.lesson import Lesson, lessons
from thud.exercises.lessons.progress import LessonProgress
from thud.records.store import CannotResume
from thud.text import meant, quoted

if TYPE_CHECKING:
    from thud.records.store import Store


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

    def attempt(self, lesson: Lesson) -> Attempt | None:
        """Return the aim of a lesson's battle with the best result so far, None without one."""
        return lesson.aim and Attempt(lesson.aim, self.progress.results.get(lesson.name))

    def attempt_in(self, match: str) -> Attempt | None:
        """Return the same by the id of a match that goes on, None if it is no lesson's."""
        name = self.progress.battles.get(match)
        lesson = next((each for each in lessons() if each.name == name), None) if name else None
        return self.attempt(lesson) if lesson else None

    def score(self, lesson: Lesson) -> str:
        """Say the best result of a lesson's battle; empty if there is none."""
        attempt = self.attempt(lesson)
        if attempt is None or attempt.best is None:
            return ""
        return attempt.aim.score(attempt.best)

    def settle(self, store: Store) -> bool:
        """Note the lessons whose battle was played since; return whether there were any.

        It was if it is over, or its aim is measured.
        """
        before = len(self.progress.battles)
        for match in tuple(self.progress.battles):
            attempt = self.attempt_in(match)
            try:
                battle = store.load(match).battles[0]
            except CannotResume:
                continue
            positions = list(battle.positions())
            if battle.outcome or (attempt and attempt.aim.plies(positions, None) is not None):
                result = attempt and attempt.aim.result(positions, battle.outcome)
                self.progress.end_battle(match, result)
        return len(self.progress.battles) != before

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

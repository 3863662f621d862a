"""`thud learn`: the lessons, on the board or in plain text."""

from __future__ import annotations

import argparse
from argparse import Namespace
from collections.abc import Callable
from functools import partial

from thud.cli import launch
from thud.cli.options import add_plain
from thud.disk.directories import data_directory
from thud.exercises.lessons.course import Course
from thud.exercises.lessons.progress import LessonProgress
from thud.records.store import Store
from thud.settings.preferences import Preferences
from thud.text import why


def add_learn(command: argparse.ArgumentParser) -> None:
    """Add the arguments: the lesson and the list."""
    command.add_argument("name", metavar="NAME", nargs="?", help="the lesson to start at")
    command.add_argument(
        "--list", action="store_true", help="list the lessons and what you have done"
    )
    add_plain(command)


def learn(options: Namespace) -> None:
    """Go through lessons and play the battle after them, or list them."""
    launch.tell_damage()
    progress, complain = LessonProgress(data_directory()), launch.once_each()

    def save() -> None:
        try:
            progress.save()
        except OSError as error:
            complain(f"thud learn: your progress cannot be saved: {why(error)}")

    course = Course(progress, save)
    _settle(course, save)
    if options.list:
        _print_lessons(course)
        return
    lesson = course.named(options.name) if options.name else None
    if not options.plain:
        from thud.tui.start import Lessons

        launch.show(Lessons(lesson.name if lesson else ""), options)
        return
    lines = launch.lines()
    lines.say(launch.HELP)
    lesson = lesson or course.next
    last = course.last(lesson)
    if not (launch.drill_in_lines(course.drills(lesson), lines) and last.battle):
        return
    from thud.session.autosave import Autosave
    from thud.session.lesson_battle import COACHED, is_coached, lesson_battle, welcome

    if coached := is_coached(last):
        preferences = Preferences.load()
        preferences.change(COACHED, True)
        preferences.save()
    autosave = Autosave(Store())
    autosave.prepare = partial(progress.begin_battle, name=last.name)
    attempt = course.attempt(last)
    session = lesson_battle(last, autosave, attempt)
    launch.play_in_lines(session, lines, coached=coached, notice=welcome(last, attempt))
    _settle(course, save)


def _settle(course: Course, save: Callable[[], None]) -> None:
    """Note the battles of lessons that were played since."""
    if course.settle(Store()):
        save()


def _print_lessons(course: Course) -> None:
    width = max(len(each.name) for each in course.lessons)
    of_title = max(len(each.title) for each in course.lessons)
    for title, lessons in course.chapters():
        print(title)
        for lesson, done in lessons:
            told = ", ".join(filter(None, ["done" if done else "", course.score(lesson)]))
            print(f"  {lesson.name:<{width}}  {lesson.title:<{of_title}}  {told}".rstrip())
        print()
    count = sum(each.name in course.progress.done for each in course.lessons)
    print(f"{count} of {len(course.lessons)} done; 'thud learn NAME' begins at a lesson.")

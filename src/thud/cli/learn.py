"""`thud learn`: the lessons, on the board or in plain text."""

from __future__ import annotations

import argparse
import sys
from argparse import Namespace
from typing import TYPE_CHECKING

from thud.cli import launch
from thud.cli.options import add_looks, add_plain
from thud.disk.directories import data_directory
from thud.lessons.progress import LessonProgress
from thud.text import why

if TYPE_CHECKING:
    from thud.lessons.course import Course
    from thud.lessons.lesson import Lesson
    from thud.plain.lines import Lines


def add_learn(command: argparse.ArgumentParser) -> None:
    """Add the arguments: the lesson, the list and the reset."""
    command.add_argument("name", metavar="NAME", nargs="?", help="the lesson to start at")
    command.add_argument(
        "--list", action="store_true", help="list the lessons and what you have done"
    )
    command.add_argument("--reset", action="store_true", help="forget what you have done")
    add_looks(command)
    add_plain(command)


def learn(options: Namespace) -> None:
    """Go through lessons, list them, or reset the progress."""
    progress = LessonProgress(data_directory())
    if options.reset:
        progress.reset()
        print("All lessons are marked as not done.")
    elif options.list:
        _print_lessons(_course(progress))
    elif options.plain:
        _learn_in_lines(_course(progress), options.name)
    else:
        _learn_on_board(_course(progress), options)


def _course(progress: LessonProgress) -> Course:
    from thud.lessons.course import Course

    def save() -> None:
        try:
            progress.save()
        except OSError as error:
            print(f"thud learn: your progress cannot be saved: {why(error)}", file=sys.stderr)

    return Course(progress, save)


def _print_lessons(course: Course) -> None:
    width = max(len(each.name) for each in course.lessons)
    for title, lessons in course.chapters():
        print(title)
        for lesson, done in lessons:
            mark = "done" if done else ""
            print(f"  {lesson.name:<{width}}  {lesson.title:<28}{mark}".rstrip())
        print()
    count = sum(each.name in course.progress.done for each in course.lessons)
    print(f"{count} of {len(course.lessons)} done; 'thud learn NAME' begins at a lesson.")


def _learn_in_lines(course: Course, name: str | None) -> None:
    from thud.plain.drill import run
    from thud.terminal.signals import exit_cleanly

    lesson = course.named(name) if name else course.next
    lines = launch.lines()
    with exit_cleanly():
        lines.say(launch.HELP)
        through = run(course.drills(lesson), lines)
    if through and (last := course.last(lesson)).battle:
        _fight(last, lines)


def _fight(lesson: Lesson, lines: Lines) -> None:
    """Play the battle of a lesson."""
    from thud.records.store import Store
    from thud.session.autosave import Autosave
    from thud.session.lesson_battle import COACHED, is_coached, lesson_battle, welcome
    from thud.settings.preferences import Preferences

    coached = is_coached(lesson)
    if coached:
        preferences = Preferences.load()
        preferences.change(COACHED, True)
        preferences.save()
    session = lesson_battle(lesson, Autosave(Store()))
    launch.play_in_lines(session, lines, coached=coached, notice=welcome(lesson))


def _learn_on_board(course: Course, options: Namespace) -> None:
    lesson = course.named(options.name) if options.name else None
    launch.require_terminal(options)
    looks = launch.preferences(options)
    from thud.records.store import Store
    from thud.tui.app import ThudApp
    from thud.tui.start import Lessons

    first = lesson.name if lesson else ""
    launch.run(ThudApp(Lessons(first), preferences=looks, store=Store()), farewell=False)

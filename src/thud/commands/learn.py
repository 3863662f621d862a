"""`thud learn`: the lessons, on the board or in lines of text."""

from __future__ import annotations

import sys
from argparse import Namespace
from typing import TYPE_CHECKING

from thud.commands import launch
from thud.disk.directories import data_directory
from thud.lessons.progress import Progress

if TYPE_CHECKING:
    from thud.lessons.course import Course


def learn(options: Namespace) -> None:
    """Go through lessons, list them, or forget what has been done."""
    progress = Progress(data_directory())
    if options.reset:
        progress.reset()
        print("No lesson counts as done any more.")
    elif options.list:
        _print_lessons(_course(progress))
    elif options.plain:
        _learn_in_lines(_course(progress), options.name)
    else:
        _learn_on_board(_course(progress), options.name)


def _course(progress: Progress) -> Course:
    from thud.lessons.course import Course

    def save() -> None:
        try:
            progress.save()
        except OSError as error:
            print(f"thud learn: what has been done is not kept: {error}", file=sys.stderr)

    return Course(progress, save)


def _print_lessons(course: Course) -> None:
    width = max(len(each.name) for each in course.lessons)
    chapter = ""
    for lesson in course.lessons:
        if lesson.chapter != chapter:
            print(f"{'' if not chapter else chr(10)}{lesson.chapter}")
            chapter = lesson.chapter
        mark = "done" if lesson.name in course.progress.done else ""
        print(f"  {lesson.name:<{width}}  {lesson.title:<28}{mark}".rstrip())
    done = sum(each.name in course.progress.done for each in course.lessons)
    print(f"\n{done} of {len(course.lessons)} done; 'thud learn NAME' begins at a lesson.")


def _learn_in_lines(course: Course, name: str | None) -> None:
    from thud.plain.drill import run
    from thud.terminal.signals import ended_in_order

    lesson = course.named(name) if name else course.next
    with ended_in_order():
        through = run(course.drills(lesson), launch.lines())
    if through and (battle := course.battle_after(lesson)):
        print(f"'thud play --plain --opponent {battle.partition(':')[2]} --coach' is a battle.")


def _learn_on_board(course: Course, name: str | None) -> None:
    lesson = course.named(name) if name else None
    launch.require_terminal()
    from thud.records.store import Store
    from thud.settings.preferences import Preferences
    from thud.tui.front.app import FrontApp

    first = lesson.name if lesson else ""
    launch.run(FrontApp(Store(), Preferences.load(), learn=first), farewell=False)

"""A list of the lessons, to choose one."""

from __future__ import annotations

from collections.abc import Iterator

from rich.text import Text
from textual.widgets.option_list import Option

from thud.lessons.course import Course
from thud.tui.widgets.list_screen import ListScreen


def lesson_list(course: Course) -> ListScreen:
    """List the lessons by chapter, with what has been done; the answer is the name of one."""
    return ListScreen("Learn Thud", list(_options(course)), chosen=course.next.name)


def _options(course: Course) -> Iterator[Option]:
    for title, lessons in course.chapters():
        yield Option(Text(title, "bold"), disabled=True)
        for lesson, done in lessons:
            yield Option(Text(f" {'✓' if done else ' '} {lesson.title}"), id=lesson.name)

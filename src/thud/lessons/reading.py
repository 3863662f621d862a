"""Reads lessons from a file that people write."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Any, Final

from thud.lessons.goal import goal, squares
from thud.lessons.lesson import Lesson, LessonTask
from thud.rules.geometry import parse_square
from thud.rules.notation import parse_move
from thud.rules.position import Position, Side
from thud.rules.variant import Variant
from thud.rules.variants import VARIANTS

_TASK: Final = {
    *("words", "dwarfs", "trolls", "stone", "to_move", "goal", "wanted"),
    *("done", "solution", "answer", "punished"),
}
_LESSON: Final = {"name", "title", "chapter", "variant", "farewell", "battle", "task"}
_SIDES: Final = {side.plural: side for side in Side}


class BadLesson(ValueError):
    """A lesson that cannot be read; the message says which, and why."""


@cache
def lessons() -> tuple[Lesson, ...]:
    """Return the lessons that come with the program, in their order."""
    return read_lessons(files("thud.lessons").joinpath("lessons.toml").read_text("utf-8"))


def read_lessons(text: str) -> tuple[Lesson, ...]:
    """Read lessons.

    Raises:
        BadLesson: the text cannot be read, or has something in it that no lesson has.
    """
    try:
        written = tomllib.loads(text)["lesson"]
    except (tomllib.TOMLDecodeError, KeyError) as error:
        raise BadLesson(f"there are no lessons in the file: {error}") from error
    if not isinstance(written, list):
        raise BadLesson("there are no lessons in the file: each begins with [[lesson]]")
    return tuple(map(_lesson, written))


def _lesson(written: Mapping[str, Any]) -> Lesson:
    try:
        _known(written, _LESSON)
        variant = VARIANTS[written.get("variant", "classic")]
        return Lesson(
            written["name"],
            written["title"],
            written["chapter"],
            tuple(_tasks(variant, written["task"])),
            written.get("farewell", ""),
            written.get("battle", ""),
        )
    except (KeyError, ValueError) as error:
        raise BadLesson(f"lesson {written.get('name', '?')}: {error}") from error


def _tasks(variant: Variant, written: list[Mapping[str, Any]]) -> Iterator[LessonTask]:
    for number, each in enumerate(written, 1):
        try:
            yield _task(variant, each)
        except (KeyError, ValueError) as error:
            raise BadLesson(f"task {number}: {error}") from error


def _task(variant: Variant, written: Mapping[str, Any]) -> LessonTask:
    _known(written, _TASK)
    position = _position(variant, written)
    ends = written["goal"] == "end"
    solution = None if ends else parse_move(variant, position, written["solution"])
    answer = written.get("answer")
    assert not answer or solution
    return LessonTask(
        variant,
        position,
        written["words"].strip(),
        None if ends else goal(written["goal"]),
        written["wanted"].strip(),
        written.get("done", "").strip(),
        solution,
        parse_move(variant, position.after(solution), answer) if answer and solution else None,
        written.get("punished", False),
    )


def _position(variant: Variant, written: Mapping[str, Any]) -> Position:
    """Return where a task begins: the pieces that are named, or the usual start."""
    side = _SIDES[written.get("to_move", Side.DWARFS.plural)]
    if "dwarfs" not in written and "trolls" not in written:
        return variant.start._replace(to_move=side)
    stone = parse_square(written.get("stone", "H8"))
    pieces = squares(written.get("dwarfs", "")), squares(written.get("trolls", ""))
    return variant.position(Position(*pieces, stone, side).to_text())


def _known(written: Mapping[str, Any], names: set[str]) -> None:
    if unknown := written.keys() - names:
        raise ValueError(f"there is no {', '.join(sorted(unknown))}")

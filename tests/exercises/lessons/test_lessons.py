"""Every included lesson can be solved, and explains why other moves are wrong."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import pytest

from thud.ai.scores import seen_by
from thud.exercises.lessons.goal import CONDITIONS, Deed
from thud.exercises.lessons.lesson import BadLesson, Lesson, LessonTask, lessons, read_lessons
from thud.exercises.lessons.progress import FILE_NAME, GRADUATION, LessonProgress
from thud.exercises.puzzles.search import look
from thud.rules.geometry import parse_square
from thud.rules.notation import move_text
from thud.rules.position import Side
from thud.rules.threats import answered, unanswered
from thud.rules.variant import IllegalMove
from thud.rules.variants import VARIANTS
from variants import TOLD

NODES = 600_000
WIDTH, MOST_LINES = 28, 21
"""The columns and rows beside the board at 80×24, the title and what is asked included."""


def tasks() -> Iterator[tuple[str, Lesson, LessonTask]]:
    for lesson in lessons():
        for number, task in enumerate(lesson.tasks, 1):
            yield f"{lesson.name} {number}", lesson, task


@pytest.mark.parametrize(
    ("lesson", "task"),
    [pytest.param(lesson, task, id=name) for name, lesson, task in tasks()],
)
async def test_a_task_is_solved_by_its_solution_and_every_other_move_is_answered_with_a_reason(
    lesson: Lesson, task: LessonTask
) -> None:
    """And every text fits beside the board."""
    assert task.variant.outcome(task.position) is None
    assert task.words.endswith((".", "?"))
    assert task.wanted.endswith((".", "?"))
    solved = await task.judge(task.solution)
    assert solved.right
    assert solved.words
    if task.answer:
        assert task.solution
        assert solved.answers == (task.answer,)
    rows = 2 + 1 + len(textwrap.wrap(task.words, WIDTH))
    if task is lesson.tasks[0] and lesson.keys:
        rows += 1 + len(textwrap.wrap(lesson.keys, WIDTH))
    missed = 0
    for move in (None, *task.variant.legal_moves(task.position)):
        verdict = await task.judge(move)
        said = textwrap.wrap(verdict.words, WIDTH - 2)
        if not verdict.right:
            if task.searched and verdict.answers:
                assert task.wanted not in verdict.words, "the reply shows what was wrong"
                assert task.solution
                reply, instead = verdict.answers[0], task.position.after(task.solution)
                allowed = task.variant.is_legal(instead, reply)
                assert not allowed or answered(task.variant, instead, reply), move
            else:
                assert verdict.words.endswith(task.wanted), move
                assert len(verdict.words) > len(task.wanted) + 10
            missed += 1
        elif task is lesson.tasks[-1]:
            said += ["", *textwrap.wrap(lesson.last_words, WIDTH - 2)]
        assert rows + len(said) + 3 <= MOST_LINES + 1, move and move_text(task.position, move)
        after = task.position.after(move) if move else task.position
        for answer in verdict.answers:
            task.variant.check(after, answer)
            after = after.after(answer)
    assert missed


def test_the_first_lesson_says_which_keys_to_use() -> None:
    first, *_ = lessons()
    assert all(word in first.keys for word in ("Arrows", "Tab", "Enter", "mouse", "f6g5"))


def test_there_are_lessons_of_every_game_of_two_to_six_tasks() -> None:
    assert {lesson.variant.name for lesson in lessons()} == set(TOLD)
    assert all(2 <= len(lesson.tasks) <= 6 for lesson in lessons())
    assert len({lesson.name for lesson in lessons()}) == len(lessons())
    begun = [each.name for each in lessons() if each.battle and not each.continues]
    assert begun == [GRADUATION]


STRATEGY = [each for each in lessons() if each.continues]


def test_strategy_is_taught_for_each_side_of_each_game() -> None:
    taught = {(lesson.variant.name, lesson.side) for lesson in STRATEGY}
    assert taught == {(name, side) for name in TOLD for side in Side}
    assert sum(len(lesson.tasks) for lesson in STRATEGY) >= 40
    for lesson in STRATEGY:
        assert lesson.battle_start.to_move is not lesson.side
        assert lesson.variant.outcome(lesson.battle_start) is None


def test_where_no_line_is_said_to_look_a_capture_has_no_answer() -> None:
    """So it is with squares that are said to be open, and where nothing is open nothing is."""
    told = 0
    for _, _, task in tasks():
        for words in task.words.split(". "):
            trolls = task.position._replace(to_move=Side.TROLLS)
            if "are open to trolls:" in words:
                squares = set(map(parse_square, re.findall(r"[A-P]\d+", words)))
                assert squares == set(unanswered(task.variant, trolls)), words
                told += 1
            if "no troll can capture" in words:
                assert not unanswered(task.variant, trolls)
                told += 1
            if "no line" in words:
                where = parse_square(
                    re.findall(r"[A-P]\d+", words)[-1 if "there" not in words else 0]
                )
                assert where in unanswered(task.variant, trolls), words
                told += 1
    assert told >= 7


@pytest.mark.slow
@pytest.mark.parametrize(
    "task", [pytest.param(task, id=name) for name, lesson, task in tasks() if lesson.continues]
)
def test_the_moves_called_best_are_those_that_a_search_finds(task: LessonTask) -> None:
    """Of all moves the others lose at least a point, or as much as from even odds to 37%.

    Where the end is to be proposed, the result is expected to stay what it is.
    """
    variant, position = task.variant, task.position
    if task.goal is None:
        expected = seen_by(position.to_move, look(variant, position, NODES).score)
        assert abs(expected / 100 - variant.lead(position)) <= 1, "to go on gains something"
        return
    right = [
        move for move in variant.legal_moves(position) if task.goal(Deed(variant, position, move))
    ]
    best = look(variant, position, NODES)
    others = look(variant, position, NODES, right)
    assert best.move in right
    assert best.score - others.score >= (100 if variant.counts_points else 300)


BLOCK = "5/7/9/11/13/5T9/11dddd/7R3dddd/9T1dddd/5T5dddd/7T5/5T5/9/7/5 T"
RING = "5/7/9/11/13/5T4ddddd/10d3d/7R2d3d/9Td3d/5T4ddddd/7T5/5T5/9/7/5 T"
PARTS = "5/7/9/11/13/5T9/dd11dd/dd5R5dd/dd7T3dd/dd3T7dd/7T5/5T5/9/7/5 T"


@pytest.mark.slow
def test_what_lessons_say_of_blocks_and_rings_is_what_a_search_finds() -> None:
    """Sixteen dwarfs against the same five trolls, in hundredths of a point for the dwarfs."""
    worth = {
        (name, shape): -look(VARIANTS[name], VARIANTS[name].position(shape), NODES).score
        for name in ("classic", "single")
        for shape in (BLOCK, RING, PARTS)
    }
    assert worth["classic", BLOCK] > worth["classic", RING] + 500
    assert worth["classic", BLOCK] > worth["classic", PARTS] + 400
    assert worth["single", RING] > worth["single", BLOCK] - 100
    assert worth["single", BLOCK] > worth["single", PARTS] + 100


TEXT = """
[[lesson]]
name = "one"
title = "One"
chapter = "Classic"
[[lesson.task]]
words = "Capture."
dwarfs = "F5"
trolls = "G6"
goal = { captures = 1 }
solution = "dF5-G6xG6"
wanted = "Capture."
"""


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ('"F5"', '"I5"', "lesson one: task 1: 'I5' is not a square"),
        ("captures = 1", "juggles = 1", "no condition 'juggles'"),
        ('"dF5-G6xG6"', '"dF5-G7"', "task 1: "),
        ("words", "wrods", "there is no wrods"),
        ("title", "tilte", "there is no tilte"),
        ("[[lesson]]", "[[leson]]", "the file has no lessons"),
        ("[[lesson]]", "[[lesson", "the file has no lessons"),
    ],
)
def test_a_lesson_that_is_written_wrong_is_named(before: str, after: str, message: str) -> None:
    with pytest.raises(BadLesson, match=message):
        read_lessons(TEXT.replace(before, after))


def test_conditions_are_all_used_or_documented() -> None:
    text = files("thud.exercises.lessons").joinpath("lessons.toml").read_text("utf-8")
    head = text[: text.index("[[lesson]]\nname")]
    assert all(name in head for name in CONDITIONS)


async def test_a_drill_goes_through_the_tasks_and_tells_when_they_are_done() -> None:
    lesson = next(each for each in lessons() if each.name == "hurl")
    done: list[str] = []
    drill = lesson.drill(lambda: done.append("hurl"))
    assert drill.title == lesson.title
    for number, task in enumerate(lesson.tasks):
        assert drill.place == number
        assert drill.task.words == task.words
        assert not drill.proceed(), "not done yet"
        with pytest.raises(IllegalMove, match="find a move"):
            await drill.attempt(None)
        first, second = drill.hint(), drill.hint()
        assert task.solution
        assert (first.square, first.move) == (task.solution.origin, None)
        assert second.move == task.solution
        assert (await drill.attempt(task.solution)).right
        assert drill.over == (number == len(lesson.tasks) - 1)
        assert drill.efforts[number].hints == 2
        drill.proceed()
    assert done == ["hurl"]


def test_what_has_been_done_is_kept(tmp_path: Path) -> None:
    progress = LessonProgress(tmp_path / "new")
    assert progress.done == frozenset()
    progress.add("hurl")
    progress.add("points")
    progress.save()
    assert LessonProgress(tmp_path / "new").done == {"hurl", "points"}
    progress.reset()
    assert LessonProgress(tmp_path / "new").done == frozenset()
    progress.reset()


@pytest.mark.parametrize("text", ["", "[]", "{", '{"done": 1}', '{"done": [1, {}]}', "[" * 9999])
def test_progress_that_is_broken_counts_as_none(tmp_path: Path, text: str) -> None:
    (tmp_path / FILE_NAME).write_text(text)
    assert LessonProgress(tmp_path).done == frozenset()

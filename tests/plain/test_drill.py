"""Lessons in lines of text."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from thud.exercises.lessons.course import Course
from thud.exercises.lessons.lesson import lessons
from thud.exercises.lessons.progress import GRADUATION, LessonProgress
from thud.plain.board import board_in_words
from thud.plain.drill import run
from thud.plain.lines import Lines
from thud.records.record import Record
from thud.records.store import Store
from thud.rules.match import Match
from thud.rules.notation import move_text
from thud.rules.variants import VARIANTS
from thud.session.commands import DRILL_COMMANDS


def learnt(directory: Path, name: str, *script: str) -> tuple[bool, list[str], LessonProgress]:
    """Answer the tasks from a lesson on by a script; return what was said, and what is done."""
    progress = LessonProgress(directory)
    course = Course(progress, progress.save)
    source, sink = io.BytesIO("".join(f"{line}\n" for line in script).encode()), io.StringIO()
    through = run(course.drills(course.named(name)), Lines(source, sink, echo=True))
    return through, sink.getvalue().splitlines(), LessonProgress(directory)


def solutions(name: str) -> list[str]:
    """Return what does every task of a lesson."""
    (lesson,) = (each for each in lessons() if each.name == name)
    return [
        move_text(task.position, task.solution) if task.solution else "end" for task in lesson.tasks
    ]


@pytest.mark.parametrize("name", [lesson.name for lesson in lessons()])
def test_every_lesson_can_be_done(tmp_path: Path, name: str) -> None:
    _, said, progress = learnt(tmp_path, name, *solutions(name))
    (lesson,) = (each for each in lessons() if each.name == name)
    assert progress.done == ({name} if not lesson.battle else set()), "its battle is to come"
    assert all(line.isascii() for line in said)
    for task in lesson.tasks:
        board = board_in_words(task.variant, task.position)
        at = said.index(task.words) + 1
        assert said[at : at + len(board)] == board
    of = len(lesson.tasks)
    heads = [f"{lesson.title}, {n} of {of}." for n in range(1, of + 1)]
    assert [line for line in said if line.startswith(lesson.title)] == (
        heads if of > 1 else [f"{lesson.title}."]
    )
    assert lesson.last_words in said


def test_what_misses_is_answered_and_asked_again(tmp_path: Path) -> None:
    through, said, progress = learnt(tmp_path, "shelter", "E12 E13", "hint", "hint", "end", "quit")
    assert not through
    assert progress.done == frozenset()
    text = "\n".join(said)
    assert "Not that one." in text
    assert "Then: the troll steps from F8" in text
    assert text.count("Try again") == 1
    assert "Look at the dwarf on D8." in text
    assert "This does it: hurl D8 onto the troll on F8." in text
    assert "Find a move: to propose the end does nothing here." in text
    _, said, _ = learnt(tmp_path, "end", "help", "end", "end", "quit")
    text = "\n".join(said)
    assert "end: propose the end of the battle." in text
    assert "It is too early to end the battle." in text


def test_the_words_about_a_board_are_there(tmp_path: Path) -> None:
    _, said, _ = learnt(tmp_path, "hurl", "help", "moves F5", "threats", "task", "nonsense", "")
    text = "\n".join(said)
    for word, order in DRILL_COMMANDS.items():
        refused = word in ("theme", "skip", "solution", "end")
        assert (f"{order.form}: {order.meaning}." in text) is not refused
    assert "It can be hurled onto G6." in text
    assert "Unknown command" in text


def test_the_course_ends_in_a_battle(tmp_path: Path) -> None:
    through, _, progress = learnt(tmp_path, "trolls", *solutions("trolls"), *solutions("battle"))
    assert through
    assert progress.done == {"trolls"}
    match, store = Match(VARIANTS["classic"]), Store(tmp_path)
    match.battle.play(match.variant.legal_moves(match.battle.position)[0])
    saved = store.adopt(Record.of(match))
    saved.close()
    progress.begin_battle(saved.id, GRADUATION)
    progress = LessonProgress(tmp_path)
    assert not progress.settle(store.listing().unfinished), "a battle that was left is not played"
    match.battle.agree()
    match.next_battle()
    store.rewrite(saved.id, store.load(saved.id), Record.of(match))
    assert progress.settle(store.listing().unfinished)
    assert progress.graduated

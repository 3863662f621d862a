"""Lessons in lines of text."""

from __future__ import annotations

import io
from functools import partial
from pathlib import Path
from unittest.mock import patch

import pytest

from thud.exercises.lessons.aim import Aim, Measure, read_aim
from thud.exercises.lessons.course import Course
from thud.exercises.lessons.goal import squares
from thud.exercises.lessons.lesson import lessons
from thud.exercises.lessons.progress import GRADUATION, LessonProgress
from thud.plain.board import board_in_words
from thud.plain.drill import run
from thud.plain.lines import Lines
from thud.plain.match import MatchRepl
from thud.plain.match import run as play
from thud.records.record import Record
from thud.records.store import Store
from thud.rules.battle import Battle
from thud.rules.geometry import parse_square
from thud.rules.match import Match
from thud.rules.notation import move_text, parse_move
from thud.rules.position import Position, Side
from thud.rules.variant import Forfeit, Reason
from thud.rules.variants import VARIANTS
from thud.session.autosave import Autosave
from thud.session.commands import DRILL_COMMANDS
from thud.session.session import Session


def position(dwarfs: str, trolls: str) -> Position:
    return Position(squares(dwarfs), squares(trolls), parse_square("H8"), Side.DWARFS)


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
    progress.begin_battle("gone", "hurl")
    course = Course(LessonProgress(tmp_path), lambda: None)
    assert not course.settle(store), "a battle that was left is not played"
    match.battle.agree()
    store.rewrite(saved.id, store.load(saved.id), Record.of(match))
    assert course.settle(store), "nobody has to begin the second battle"
    assert course.progress.graduated
    assert course.progress.battles == {"gone": "hurl"}, "a deleted match can be put back"


def test_a_lessons_battle_is_measured_and_its_best_result_kept(tmp_path: Path) -> None:
    """It is said at once, the match goes on all the same, and a worse result changes nothing."""
    aim = Aim(Side.DWARFS, Measure.HOLD, 2, turns=1)
    lesson = next(each for each in lessons() if each.name == "hurl")._replace(aim=aim)
    store, progress = Store(tmp_path), LessonProgress(tmp_path)
    course = Course(progress, progress.save)
    for reply, told, best in (
        ("E6-D7", "You have reached it: two dwarfs.", 2),
        ("E6-F5xF4", "You have not reached it: one dwarf; the best so far: two dwarfs.", 2),
    ):
        attempt = course.attempt(lesson)
        assert attempt
        match = Match(VARIANTS["classic"], start=position("F4 A6", "E6"))
        session = Session(match, Autosave(store))
        session.state.attempt = attempt
        session.autosave.prepare = partial(progress.begin_battle, name="hurl")
        source, sink = io.BytesIO(f"A6-A7\n{reply}\nA7-A8\n".encode()), io.StringIO()
        play(MatchRepl(session, Lines(source, sink, echo=True)))
        said = sink.getvalue()
        assert said.count("Your aim: hold two dwarfs for one turn.") == 1
        assert told in said
        assert said.index("Your aim") < said.index("A7 to A8")
        with patch("thud.exercises.lessons.course.lessons", lambda: (lesson,)):
            assert course.settle(store)
            assert course.score(lesson) == "two dwarfs"
        assert progress.results == {"hurl": best}
    progress.save()
    assert LessonProgress(tmp_path).results == {"hurl": 2}


def test_an_aim_is_measured_at_the_end_or_after_its_turns() -> None:
    classic = VARIANTS["classic"]
    battle = Battle(classic, position("F4 F5 A6", "E6"))
    hold = Aim(Side.DWARFS, Measure.HOLD, 2)
    block, gathered = (hold._replace(measure=each) for each in (Measure.BLOCK, Measure.GATHERED))
    margin, win = (hold._replace(measure=each) for each in (Measure.MARGIN, Measure.WIN))
    aims = [hold, block, gathered, margin, margin._replace(side=Side.TROLLS), win]
    for text in "dA6-A7", "TE6-E5xF4":
        assert not any(aim.result(battle.positions, battle.outcome) for aim in aims)
        battle.play(parse_move(classic, battle.position, text))
    assert hold._replace(turns=1).result(battle.positions, None) == 2
    assert hold._replace(turns=2).result(battle.positions, None) is None
    resigned = Battle(classic, battle.position)
    resigned.lose(Forfeit(Side.DWARFS, Reason.RESIGNATION))
    told = [aim.result(resigned.positions, resigned.outcome) for aim in aims]
    assert told[:3] == [None] * 3, "who gives up holds nothing"
    assert told[5] == -1
    battle.agree()
    told = [aim.result(battle.positions, battle.outcome) for aim in aims]
    assert told == [2, 1, 0, -2, 2, -1]


@pytest.mark.parametrize("written", [{}, {"hold": "x"}, {"hold": 1, "win": 1}, {"hang": 1}])
def test_an_aim_that_is_written_wrong_is_refused(written: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"aim|Measure"):
        read_aim(Side.DWARFS, written)

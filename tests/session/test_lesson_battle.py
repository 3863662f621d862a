"""The battles that end lessons."""

from __future__ import annotations

import pytest

from thud.exercises.lessons.lesson import Lesson
from thud.exercises.lessons.lesson import lessons as all_lessons
from thud.exercises.lessons.progress import GRADUATION
from thud.session.autosave import Autosave
from thud.session.lesson_battle import is_coached, lesson_battle, welcome

BATTLES = [each for each in all_lessons() if each.battle]


@pytest.mark.parametrize("lesson", BATTLES, ids=lambda each: each.name)
def test_the_learner_has_the_lessons_side_against_its_level(lesson: Lesson) -> None:
    session = lesson_battle(lesson, Autosave(None))
    learner = session.state.match.commander(lesson.side)
    assert session.state.seats[learner].is_local
    assert not session.state.seats[1 - learner].is_local
    assert session.state.battle.position == lesson.battle_start
    told = welcome(lesson)
    assert told.startswith(f"You have the {lesson.side.plural}")
    assert is_coached(lesson) == (lesson.name == GRADUATION)
    assert is_coached(lesson) or session.state.match.players[1 - learner] in told

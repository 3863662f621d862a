"""The battles that end lessons."""

from __future__ import annotations

import pytest

from thud.exercises.lessons.aim import Aim, Attempt, Measure
from thud.exercises.lessons.lesson import Lesson
from thud.exercises.lessons.lesson import lessons as all_lessons
from thud.exercises.lessons.progress import GRADUATION
from thud.rules.match import Match
from thud.rules.position import Side
from thud.rules.variant import Forfeit, Reason
from thud.rules.variants import VARIANTS
from thud.session.autosave import Autosave
from thud.session.lesson_battle import (
    first_words,
    is_coached,
    lesson_battle,
    side_of_learner,
    welcome,
)
from thud.session.state import TableState

BATTLES = [each for each in all_lessons() if each.battle]


@pytest.mark.parametrize("lesson", BATTLES, ids=lambda each: each.name)
def test_the_learner_has_the_lessons_side_against_its_level(lesson: Lesson) -> None:
    session = lesson_battle(lesson, Autosave(None))
    side = side_of_learner(lesson)
    learner = session.state.match.commander(side)
    assert session.state.seats[learner].is_local
    assert not session.state.seats[1 - learner].is_local
    assert session.state.battle.position == lesson.battle_start
    told = welcome(lesson)
    assert f"the {side.plural}" in told.split(",")[0]
    assert is_coached(lesson) == (lesson.name == GRADUATION)
    assert is_coached(lesson) or side is lesson.side
    assert is_coached(lesson) or session.state.match.players[1 - learner] in told


def test_what_came_of_an_aim_is_told_once_that_is_decided_in_the_first_battle() -> None:
    state = TableState(Match(VARIANTS["classic"]))
    assert state.aimed == ""
    attempt = state.attempt = Attempt(Aim(Side.DWARFS, Measure.WIN, 1))
    assert state.aimed == ""
    state.battle.lose(Forfeit(Side.TROLLS, Reason.RESIGNATION))
    told = attempt.told(state.battle.positions, state.battle.outcome)
    assert told
    assert state.aimed == told
    state.match.next_battle()
    state.battle.lose(Forfeit(Side.TROLLS, Reason.RESIGNATION))
    assert state.aimed == ""


@pytest.mark.parametrize("name", VARIANTS)
def test_a_newcomer_is_told_why_they_have_the_side_that_mostly_ends_ahead(name: str) -> None:
    ahead = Side.DWARFS if name in ("koom", "football") else Side.TROLLS
    told = first_words(VARIANTS[name], ahead)
    assert told.startswith(f"You begin with the {ahead.plural}, the easier side; then you swap")
    assert "easier" not in first_words(VARIANTS[name], ahead.other)

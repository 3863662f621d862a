"""The battle that ends a lesson, against a low level.

The first of them is played with the coach on: the caller turns the setting on, so that it stays on
when the match is resumed.
"""

from __future__ import annotations

from typing import Final

from thud.engines.spec import HUMAN, parse_contender
from thud.exercises.lessons.aim import Attempt
from thud.exercises.lessons.lesson import Lesson
from thud.exercises.lessons.progress import GRADUATION
from thud.rules.match import DEFAULT_PLAYERS, Match
from thud.rules.position import Side
from thud.session.autosave import Autosave
from thud.session.session import Session

COACHED: Final = "coach"
"""The setting to turn on."""


def is_coached(lesson: Lesson) -> bool:
    """Whether a lesson's battle is played with the coach on."""
    return lesson.name == GRADUATION


def welcome(lesson: Lesson, attempt: Attempt | None = None) -> str:
    """Say what a lesson's battle is, and its aim, at its start."""
    side = lesson.side.plural
    if is_coached(lesson):
        coach = "Your coach warns you before you lose four points."
        return f"You have the {side} and move first. {coach}"
    opponent = parse_contender(lesson.battle).name
    aim = attempt.words if attempt else "Play it out."
    return f"You have the {side}, against {opponent}. {aim}"


def lesson_battle(lesson: Lesson, autosave: Autosave, attempt: Attempt | None = None) -> Session:
    """Return a session of a learner against the computer of a lesson's battle."""
    learner, computer = parse_contender(HUMAN), parse_contender(lesson.battle)
    names, seats = (DEFAULT_PLAYERS[0], computer.name), (learner, computer)
    if lesson.side is Side.TROLLS:
        names, seats = names[::-1], seats[::-1]
    start = lesson.battle_start
    match = Match(lesson.variant, names, None if start == lesson.variant.start else start)
    session = Session(match, autosave, seats)
    session.state.attempt = attempt
    return session

"""A newcomer's first match, and the battle that ends a lesson, against a low level.

The first match is played with the coach on: the caller turns the setting on, so that it stays on
when the match is resumed.  It begins with the easier side.
"""

from __future__ import annotations

from typing import Final

from thud.engines.spec import HUMAN, parse_contender
from thud.exercises.lessons.aim import Attempt
from thud.exercises.lessons.lesson import Lesson
from thud.exercises.lessons.progress import GRADUATION
from thud.rules.match import DEFAULT_PLAYERS, Match
from thud.rules.position import Side
from thud.rules.variant import Variant
from thud.session.autosave import Autosave
from thud.session.session import Session
from thud.words.match import easier_side

COACHED: Final = "coach"
"""The setting to turn on."""


def is_coached(lesson: Lesson) -> bool:
    """Whether a lesson's battle is played with the coach on."""
    return lesson.name == GRADUATION


def side_of_learner(lesson: Lesson) -> Side:
    """Return the learner's side in a lesson's battle."""
    return easier_side(lesson.variant) or lesson.side if is_coached(lesson) else lesson.side


def first_words(variant: Variant, side: Side) -> str:
    """Say at the start of a newcomer's first match why they have their side, and who helps."""
    easier = ", the easier side" if side is easier_side(variant) else ""
    swap = f"You begin with the {side.plural}{easier}; then you swap sides."
    return f"{swap} Your coach warns you of some bad mistakes."


def welcome(lesson: Lesson, attempt: Attempt | None = None) -> str:
    """Say what a lesson's battle is, and its aim, at its start."""
    if is_coached(lesson):
        return first_words(lesson.variant, side_of_learner(lesson))
    opponent = parse_contender(lesson.battle).name
    aim = attempt.words if attempt else "Play it out."
    return f"You have the {lesson.side.plural}, against {opponent}. {aim}"


def lesson_battle(lesson: Lesson, autosave: Autosave, attempt: Attempt | None = None) -> Session:
    """Return a session of a learner against the computer of a lesson's battle."""
    learner, computer = parse_contender(HUMAN), parse_contender(lesson.battle)
    names, seats = (DEFAULT_PLAYERS[0], computer.name), (learner, computer)
    if side_of_learner(lesson) is Side.TROLLS:
        names, seats = names[::-1], seats[::-1]
    start = lesson.battle_start
    match = Match(lesson.variant, names, None if start == lesson.variant.start else start)
    session = Session(match, autosave, seats)
    session.state.attempt = attempt
    return session

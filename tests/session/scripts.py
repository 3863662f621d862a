"""Scripts of actions at a table, improvised once and then performed by any front end."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest

from rules.strategies import played
from session.looking import MISSED, looked
from thud.ai.player import Decision, Limits
from thud.engines.client import Engine
from thud.engines.faults import EngineIllegal
from thud.records.store import Store
from thud.rules.battle import Battle
from thud.rules.match import Match
from thud.rules.notation import move_text, parse_move
from thud.rules.position import Move, Position
from thud.rules.variant import Variant
from thud.session.autosave import Autosave
from thud.session.events import Evaluated, Event, ProposeEnd, Thinking, Undo
from thud.session.law import Answer, NextBattle, Play, Redo, Resign, TakeOver, allows
from thud.session.participants import Contenders
from thud.session.session import Session

NAMES = ("Anna", "Bert")
STEPS = 16
FAILS_AT = (5, 6)
"""Numbers of moves after which a computer fails, once."""
ENDS_AFTER = 9
"""Number of moves after which a computer wants to end a battle."""


class Step(NamedTuple):
    """An action, and the number of events after it has taken effect."""

    what: str
    move: str
    told: int


class Performance(NamedTuple):
    """The result of a script: its events and the match file."""

    events: list[Event]
    kept: bytes


class Table:
    """A session saved in a directory, with its events, except thoughts, which depend on timing."""

    def __init__(
        self, directory: Path, variant: Variant, contenders: Contenders, *, coached: bool = False
    ) -> None:
        self.store = Store(directory)
        match = Match(variant, NAMES, midst_of(variant) if coached else None)
        self.session = Session(match, Autosave(self.store), contenders)
        self.coached = self.session.advice.coach.on = coached
        self.events: list[Event] = []
        self.session.subscribe(self._listen)

    def _listen(self, event: Event) -> None:
        if not isinstance(event, Thinking | Evaluated):
            self.events.append(event)

    @property
    def performance(self) -> Performance:
        """The result, after the session has been left."""
        (file,) = self.store.matches.glob("*.tgn")
        return Performance(self.events, file.read_bytes())


def midst_of(variant: Variant) -> Position:
    """Return a position from mid-battle in which a capture or win can be missed."""
    missed = Position.from_text(MISSED)
    if variant.counts_points and not variant.faults(missed):
        return missed
    return list(played(variant, Random(30), 30))[-1]


@contextmanager
def computers() -> Iterator[None]:
    """Make computers decide at once, by the number of moves alone, and fail once.

    The coach's searches are answered by a one-ply search.
    """
    failed: list[int] = []

    async def decide(
        engine: Engine,
        battle: Battle,
        limits: Limits,
        *,
        back: int = 0,
        then: Move | None = None,
        **_: object,
    ) -> Decision:
        await asyncio.sleep(0)
        if limits.nodes:
            return looked(battle.variant, battle.position.after(then) if then else battle.position)
        number = len(battle.moves) - back
        if not failed and not back and number in FAILS_AT:
            failed.append(number)
            raise EngineIllegal("Fake played A1-A2, which is not legal")
        moves = battle.variant.legal_moves(battle.positions[number])
        return Decision(moves[number * 7 % len(moves)], ends=number >= ENDS_AFTER)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Engine, "decide", decide)
        patch.setattr("thud.session.session._AGAINST_PEOPLE", 0)
        patch.setattr("thud.session.advice.COACH_TIMEOUT", 3600)
        # How much of it is told before the table is left depends on timing.
        patch.setattr("thud.session.costliest.LookBack.moves", 0)
        yield


async def improvise(table: Table, rng: Random) -> list[Step]:
    """Perform random actions at a table to the match's end, and leave; return the actions."""
    session, steps = table.session, list[Step]()
    await session.begin()
    await session.play_on()
    while not session.state.match.over:
        what, move = _chosen(session, rng, steps)
        if what == "end" and session.state.opponent_is_computer:
            what = "end at once"
        if what == "play" and await session.check_move(parsed(session, move)):
            what = rng.choice(["keep", "keep", "overrule"])
        else:
            await perform(session, what, move)
        if what == "overrule":
            await session.request(Play(parsed(session, move)))
        await session.play_on()
        steps.append(Step(what, move, len(table.events)))
    await session.leave()
    return steps


def _chosen(session: Session, rng: Random, steps: list[Step]) -> tuple[str, str]:
    """Choose the next action; after many steps, one that ends the match."""
    ending = len(steps) > STEPS
    if session.state.computers.fault:
        what = "take over"
    elif session.state.proposal:
        what = "agree" if ending or rng.random() < 0.4 else "refuse"
    elif session.state.battle.outcome:
        what = (
            "undo"
            if not ending and allows(session.state, Undo()) and rng.random() < 0.3
            else "next"
        )
    elif ending:
        what = (
            rng.choice(["end", "resign"])
            if len(session.state.battle.moves) > ENDS_AFTER
            else "play"
        )
    else:
        what = _whim(session, rng)
    return what, _written(session, rng) if what == "play" else ""


def _whim(session: Session, rng: Random) -> str:
    if allows(session.state, Redo()) and rng.random() < 0.5:
        return "redo"
    what = rng.choice(["undo", "end", "play", "play", "play", "play", "play"])
    return "play" if what == "undo" and not allows(session.state, Undo()) else what


def _written(session: Session, rng: Random) -> str:
    """Return a random move: a capture if possible, but any legal move if there is a coach."""
    position = session.state.battle.position
    moves = session.state.match.variant.legal_moves(position)
    captures = [each for each in moves if each.captures]
    move = rng.choice((not session.advice.coach.on and captures) or moves)
    return move_text(position, move)


def parsed(session: Session, move: str) -> Move:
    """Parse a move in the current position."""
    return parse_move(session.state.match.variant, session.state.battle.position, move)


async def perform(session: Session, what: str, move: str) -> None:
    """Perform an action directly on a session."""
    match what:
        case "play" | "keep" | "overrule":
            doubt = await session.check_move(parsed(session, move))
            assert bool(doubt) is (what != "play")
            if what != "keep":
                await session.request(Play(parsed(session, move)))
        case "undo":
            await session.request(Undo())
        case "redo":
            await session.request(Redo())
        case "end" | "end at once":
            await session.request(ProposeEnd())
        case "resign":
            await session.request(Resign())
        case "agree" | "refuse":
            await session.request(Answer(what == "agree", ProposeEnd()))
        case "next":
            await session.request(NextBattle())
        case "take over":
            await session.request(TakeOver())

"""Every event is told on every front, or it is listed why not."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any, Final, get_args

import pytest

from thud.ai.player import Decision, Thought
from thud.engines.spec import GUEST, parse_contender
from thud.plain.narrator import Narrator
from thud.rules.clock import parse_control
from thud.rules.match import Match
from thud.rules.position import Side
from thud.rules.variant import Forfeit, Reason
from thud.rules.variants import VARIANTS
from thud.session.events import (
    Advised,
    Answered,
    Arrived,
    Begun,
    ClockRuns,
    ConnectionBack,
    ConnectionLost,
    ConnectionSilent,
    Departed,
    Ended,
    Evaluated,
    Event,
    Faulted,
    HandedOver,
    LookedBack,
    LookingBack,
    Notified,
    NotPlayed,
    NotSaid,
    Played,
    Proposed,
    ProposeEnd,
    Redone,
    RunningOut,
    Said,
    SaveFailed,
    SeatAsked,
    SeatGiven,
    Sending,
    SpectatorSaid,
    TakenBack,
    Thinking,
    Undo,
    Withdrawn,
)
from thud.session.session import Session
from tui.driver import Player, playing

CLASSIC: Final = VARIANTS["classic"]
MOVE: Final = CLASSIC.legal_moves(CLASSIC.start)[0]
THOUGHT: Final = Thought(5, 300, 1000, 0.1, (MOVE,))
PLAYED: Final = Played(CLASSIC.start, MOVE)
SEATS: Final = parse_contender("human"), parse_contender(GUEST)
OTHER: Final = Side.TROLLS

EXAMPLES: Final[tuple[Event, ...]] = (
    Advised(CLASSIC.start, Decision(MOVE, THOUGHT), "it is safe"),
    Answered(OTHER, False, ProposeEnd()),
    Arrived("Bert", 1),
    Begun(2),
    ClockRuns(True),
    ConnectionBack(),
    ConnectionLost("the host does not answer"),
    ConnectionSilent(9, first=True),
    Departed("Bert", 1),
    Ended(CLASSIC.forfeited(CLASSIC.start, Forfeit(OTHER, Reason.RESIGNATION))),
    Evaluated(Side.DWARFS, THOUGHT),
    Faulted(1, "it has ended"),
    HandedOver(1),
    LookedBack("the costliest move", "an accuracy"),
    LookingBack("looking for the move", first=True),
    NotPlayed("TG7-F6", "the battle is over"),
    NotSaid("hello", "the chat is off"),
    Notified("the link is copied"),
    PLAYED,
    Proposed(OTHER, Undo()),
    Redone((PLAYED,)),
    RunningOut(Side.DWARFS),
    Said(1, "Bert", "hello"),
    SaveFailed("the disk is full"),
    SeatAsked(1, "Cid"),
    SeatGiven(1, "Cid"),
    Sending("dF1-F5"),
    SpectatorSaid("Cid", "hello"),
    TakenBack((PLAYED,)),
    Thinking(OTHER),
    Withdrawn(OTHER),
)

UNTOLD_IN_LINES: Final = {
    ClockRuns: "each question says what time is left",
    Evaluated: "a bar of text would be in the way of a screen reader",
}
UNTOLD_ON_THE_BOARD: Final[dict[type[Event], str]] = {
    ClockRuns: "the clocks run there",
    Thinking: "who is to move is thinking: the line below the board says who",
}


def test_there_is_an_example_of_each() -> None:
    assert {type(each) for each in EXAMPLES} == {*get_args(Event)}


@pytest.mark.parametrize("event", EXAMPLES, ids=lambda event: type(event).__name__)
async def test_it_is_told_in_lines(event: Event, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("thud.plain.narrator._SOON", 0.0)
    said: list[str] = []
    repl: Any = SimpleNamespace(say=lambda *lines: said.extend(lines), flipped=False)
    session = Session(
        Match(CLASSIC, ("Anna", "Bert"), control=parse_control("10")), contenders=SEATS
    )
    if isinstance(event, Ended):
        session.state.battle.lose(Forfeit(OTHER, Reason.RESIGNATION))
    Narrator(session, repl)(event)
    await asyncio.sleep(0.01)
    assert bool(said) is (type(event) not in UNTOLD_IN_LINES), said


@pytest.mark.parametrize("event", EXAMPLES, ids=lambda event: type(event).__name__)
async def test_it_is_shown_on_the_board(event: Event) -> None:
    async with playing(seats=SEATS, control="10") as player:
        before = shown(player)
        player.screen._presenter(event)
        await player.pilot.pause()
        assert (shown(player) != before) is (type(event) not in UNTOLD_ON_THE_BOARD)


def shown(player: Player) -> object:
    return player.written, player.message, player.question

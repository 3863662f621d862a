"""A session keeps before it tells, drops what comes too late, and waits where it must."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from session.scripts import NAMES
from thud.ai.player import Decision, Limits, Thought
from thud.engines.analyst import Analyst
from thud.engines.client import Engine
from thud.engines.faults import EngineIllegal
from thud.engines.spec import parse_contender
from thud.records.record import Record
from thud.records.store import Store
from thud.records.tgn.reader import read_tgn
from thud.records.tgn.writer import tgn_text
from thud.rules.battle import QUIET_LIMIT, Battle
from thud.rules.geometry import parse_square
from thud.rules.match import Match
from thud.rules.position import Move
from thud.rules.variant import IllegalMove
from thud.rules.variants import VARIANTS
from thud.session.advice import EVALUATION_SECONDS, HINT_SECONDS
from thud.session.autosave import Autosave
from thud.session.cancellation import forever
from thud.session.events import (
    Begun,
    Ended,
    Evaluated,
    Event,
    Faulted,
    NewMatch,
    Played,
    ProposeEnd,
    TakenBack,
    Undo,
    Withdrawn,
)
from thud.session.law import (
    Answer,
    Hold,
    NextBattle,
    Open,
    Pause,
    Play,
    Redo,
    TakeOver,
    TryAgain,
    Withdraw,
)
from thud.session.participants import Computer, Contenders
from thud.session.session import Session
from thud.session.state import Reply, TooLate
from thud.session.words import idle

HUMAN, CPU = parse_contender("human"), parse_contender("random")
AGAINST_CPU: Contenders = (HUMAN, CPU)


class Saving(NamedTuple):
    """What each save tells, and waits for."""

    begun: threading.Event
    may_end: threading.Event


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path)


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch) -> asyncio.Event:
    """Let computers decide on the first move, once the gate is open."""
    gate = asyncio.Event()

    async def decide(engine: Engine, battle: Battle, *_: object, **__: object) -> Decision:
        decision = Decision(first(battle))
        await gate.wait()
        return decision

    monkeypatch.setattr(Engine, "decide", decide)
    return gate


def first(battle: Battle) -> Move:
    return battle.variant.legal_moves(battle.position)[0]


def sitting(contenders: Contenders = None, store: Store | None = None) -> Session:
    return Session(Match(VARIANTS["classic"], NAMES), Autosave(store), contenders)


def heard(session: Session) -> list[Event]:
    events: list[Event] = []
    session.subscribe(events.append)
    return events


@pytest.fixture
def saving(monkeypatch: pytest.MonkeyPatch) -> Iterator[Saving]:
    """Let each save begin, and end no sooner than it may."""
    saving = Saving(threading.Event(), threading.Event())
    write = Autosave._write

    def wait(autosave: Autosave, record: Record) -> None:
        saving.begun.set()
        assert saving.may_end.wait(30)
        write(autosave, record)

    monkeypatch.setattr(Autosave, "_write", wait)
    yield saving
    saving.may_end.set()


async def test_a_move_is_told_if_it_was_made_before_a_cancellation_and_only_then(
    store: Store, saving: Saving
) -> None:
    session = sitting(store=store)
    events = heard(session)
    playing = asyncio.create_task(session.request(Play(first(session.state.battle))))
    assert await asyncio.to_thread(saving.begun.wait, 30)
    playing.cancel()
    await asyncio.sleep(0)
    playing.cancel()
    await asyncio.sleep(0)
    assert session.changing.locked()
    next_one = asyncio.create_task(session.request(Play(first(session.state.battle))))
    await asyncio.sleep(0)
    next_one.cancel()
    with pytest.raises(asyncio.CancelledError):
        await next_one
    saving.may_end.set()
    with pytest.raises(asyncio.CancelledError):
        await playing
    assert [type(each) for each in events] == [Played]
    assert len(store.load(session.autosave.id).battles[0].moves) == 1
    await session.request(Play(first(session.state.battle)))
    assert [type(each) for each in events] == [Played, Played]


async def test_a_failing_listener_is_logged_and_the_others_hear(
    listeners_failed: list[str], caplog: pytest.LogCaptureFixture
) -> None:
    session = sitting()

    def fail(event: Event) -> None:
        raise ZeroDivisionError

    session.subscribe(fail)
    events = heard(session)
    await session.request(Play(first(session.state.battle)))
    assert [type(each) for each in events] == [Played]
    assert [(each.name, each.getMessage()) for each in caplog.records] == [
        ("thud.session", "a listener failed at Played")
    ]
    assert "ZeroDivisionError" in caplog.text
    listeners_failed.clear()

    def cancel(event: Event) -> None:
        raise asyncio.CancelledError

    sitting_still = sitting()
    sitting_still.subscribe(cancel)
    with pytest.raises(asyncio.CancelledError):
        sitting_still.emit(Begun(1))


async def test_what_is_told_is_on_the_disk(store: Store) -> None:
    session = sitting(store=store)
    moves_on_disk: list[int] = []

    def look(event: Event) -> None:
        if isinstance(event, Played | TakenBack):
            moves_on_disk.append(len(store.load(session.autosave.id).battles[0].moves))

    session.subscribe(look)
    await session.request(Play(first(session.state.battle)))
    await session.request(Play(first(session.state.battle)))
    await session.request(Undo())
    assert moves_on_disk == [1, 2, 1]
    await session.leave()


async def test_what_was_decided_about_an_earlier_state_comes_too_late() -> None:
    session = sitting()
    at, move = session.state.revision, first(session.state.battle)
    await session.request(Play(move), at)
    with pytest.raises(TooLate):
        await session.request(Play(first(session.state.battle)), at)
    assert len(session.state.battle.moves) == 1
    await session.leave()
    with pytest.raises(TooLate):
        await session.request(Undo())


async def test_what_is_refused_changes_nothing_and_is_not_told() -> None:
    session = sitting()
    events = heard(session)
    for refused in (
        session.request(Play(Move(0, 0))),
        session.request(Undo()),
        session.request(Redo()),
        session.request(NextBattle()),
        session.request(Answer(True, ProposeEnd())),
        session.request(Withdraw()),
    ):
        with pytest.raises(IllegalMove):
            await refused
    assert (session.state.revision, events) == (0, [])


async def test_a_computer_that_is_overtaken_moves_no_more(gate: asyncio.Event) -> None:
    session = sitting(AGAINST_CPU)
    running = asyncio.create_task(session.run())
    await session.request(Play(first(session.state.battle)))
    with pytest.raises(IllegalMove, match="it is Bert's turn"):
        await session.request(Play(first(session.state.battle)))
    await asyncio.sleep(0)
    await session.request(Undo())
    await session.request(Redo())
    assert session.state.battle.played == 1, "nobody has played more than that"
    await session.request(Undo())
    gate.set()
    for _ in range(10):
        await asyncio.sleep(0)
    assert session.state.battle.moves == ()
    assert not running.done()
    running.cancel()
    await session.leave()


@pytest.mark.parametrize("paced", [False, True])
async def test_people_can_follow_what_a_computer_plays_where_that_is_asked_for(
    monkeypatch: pytest.MonkeyPatch, gate: asyncio.Event, paced: bool
) -> None:
    monkeypatch.setattr("thud.session.session._AGAINST_PEOPLE", 3600)
    session = sitting(AGAINST_CPU)
    session.set_computers(coach=False, voices=False, paced=paced)
    await session.request(Play(first(session.state.battle)))
    gate.set()
    playing = asyncio.create_task(session.play_on())
    if paced:
        for _ in range(50):
            await asyncio.sleep(0)
        playing.cancel()
    await asyncio.wait({playing})
    assert session.state.battle.played == (1 if paced else 2)
    await session.leave()


async def test_an_agreement_is_taken_back_alone_whoever_moves_next(gate: asyncio.Event) -> None:
    session = sitting(AGAINST_CPU)
    await session.request(Play(first(session.state.battle)))
    session.state.battle.agree()
    events = heard(session)
    await session.request(Undo())
    assert len(session.state.battle.moves) == 1
    assert events == [TakenBack(())]
    await session.request(Undo())
    assert not session.state.battle.moves


async def test_everything_waits_for_what_is_to_be_done_about_a_fault(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    faults = [EngineIllegal("Bert played A1-A2, which is not legal")]

    async def decide(engine: Engine, battle: Battle, *_: object, **__: object) -> Decision:
        if faults:
            raise faults.pop()
        return Decision(first(battle))

    monkeypatch.setattr(Engine, "decide", decide)
    session = sitting(AGAINST_CPU)
    events = heard(session)
    await session.request(Play(first(session.state.battle)))
    await session.play_on()
    assert (
        session.state.computers.fault
        == Faulted(1, "Bert played A1-A2, which is not legal")
        == events[-1]
    )
    assert not session.state.engine_due
    await session.request(TryAgain())
    await session.play_on()
    assert len(session.state.battle.moves) == 2
    await session.request(ProposeEnd())
    session.state.computers.fault = Faulted(1, "it has crashed")
    assert session.state.asked == session.state.computers.fault


@pytest.mark.parametrize("yes", [True, False])
async def test_a_computer_that_proposes_to_end_plays_if_that_is_refused(
    monkeypatch: pytest.MonkeyPatch, yes: bool
) -> None:
    async def decide(_: Engine, battle: Battle, *__: object, **___: object) -> Decision:
        return Decision(first(battle), ends=True)

    monkeypatch.setattr(Engine, "decide", decide)
    session = sitting(AGAINST_CPU)
    await session.request(Play(first(session.state.battle)))
    await session.play_on()
    assert session.state.proposal
    await session.request(Answer(yes, ProposeEnd()))
    assert session.state.battle.played == (1 if yes else 2)
    assert session.state.battle.agreed is yes
    if not yes:
        await session.request(Play(first(session.state.battle)))
        await session.play_on()
        assert session.state.proposal is None, "it does not propose the same again at once"
        assert session.state.battle.played == 4
        await session.request(NewMatch())
        await session.request(Play(first(session.state.battle)))
        await session.play_on()
        assert session.state.proposal, "a refusal is for its battle only"


async def test_a_computer_that_cannot_answer_ends_no_battle(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def decide(*_: object, **__: object) -> Decision:
        raise EngineIllegal("Bert finds no move")

    monkeypatch.setattr(Engine, "decide", decide)
    session = sitting(AGAINST_CPU)
    events = heard(session)
    await session.request(ProposeEnd())
    await session.play_on()
    assert isinstance(events[-1], Withdrawn)
    assert events[-1].because == "Bert finds no move"
    assert session.state.turn.here
    assert session.state.computers.fault is None


async def test_a_computer_that_failed_and_one_that_was_replaced_end_with_the_session(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    closed: set[Computer] = set()

    async def close(computer: Computer) -> None:
        closed.add(computer)

    monkeypatch.setattr(Computer, "close", close)
    session = sitting((CPU, CPU))
    seats = session.state.seats
    failed, replaced = seats[0], seats[1]
    session.state.computers.fault = Faulted(0, "it has crashed")
    await session.request(TakeOver())
    assert seats.local == (0,)
    assert seats.programs == (CPU.program, CPU.program), "it has played, and may play again"
    await session.request(Open(Record.of(Match(VARIANTS["koom"], NAMES))))
    assert seats.programs == ("", "")
    with pytest.raises(ValueError, match="no computer has failed"):
        await session.request(TryAgain())
    await session.leave()
    assert closed == {failed, replaced}


def test_a_quiet_limit_leaves_what_was_played_before_it_possible() -> None:
    match = Match(VARIANTS["classic"], NAMES)
    there = [Move(*map(parse_square, way)) for way in (("F1", "F2"), ("G7", "F7"))]
    back = [Move(move.destination, move.origin) for move in there]
    for move in (*there, *back) * (QUIET_LIMIT // 4 + 1):
        match.battle.play(move)
    session = Session(match, contenders=(CPU, CPU))
    assert session.state.battle.outcome is None
    assert session.state.battle.quiet_limit == 2 * QUIET_LIMIT + 4
    (kept,) = read_tgn(tgn_text(session.record))
    assert kept.battles[0].moves == session.state.battle.moves


async def test_computers_alone_have_a_quiet_limit_and_can_be_paused(gate: asyncio.Event) -> None:
    session = sitting((CPU, CPU))
    assert session.state.battle.quiet_limit == QUIET_LIMIT
    await session.request(Pause())
    assert not session.state.engine_due
    await session.request(Pause(False))
    assert session.state.engine_due
    await session.request(Hold())
    assert not session.state.engine_due
    await session.request(Hold(False))
    session.state.battle.play(first(session.state.battle))
    told: list[str] = []
    session.subscribe(lambda _: told.append(idle(session.state)))
    await session.request(Undo())
    assert told == [f"Paused, {NAMES[0]} to move: Space continues"]
    session.state.battle.agree()
    await session.request(NextBattle())
    assert session.state.battle.quiet_limit == QUIET_LIMIT
    await session.request(NewMatch())
    assert session.state.battle.quiet_limit == QUIET_LIMIT
    assert not session.state.computers.paused


async def test_a_hint_is_dropped_when_the_match_goes_on(gate: asyncio.Event) -> None:
    session = sitting()
    advising = asyncio.create_task(session.advise())
    await asyncio.sleep(0)
    await session.request(Play(first(session.state.battle)))
    gate.set()
    assert await advising is None


async def test_a_hint_does_not_wait_until_the_battle_is_judged(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    judging, asked = asyncio.Event(), list[float | None]()

    async def decide(_: Engine, battle: Battle, limits: Limits, **__: object) -> Decision:
        asked.append(limits.seconds)
        if len(asked) == 1:
            judging.set()
            await forever()
        return Decision(first(battle), Thought(1, 0, 1, 0.0, (first(battle),)))

    monkeypatch.setattr(Engine, "decide", decide)
    session = sitting()
    events = heard(session)
    session.advice.judging = True
    running = asyncio.create_task(session.run())
    await judging.wait()
    assert await session.advise()
    while not any(isinstance(event, Evaluated) and event.thought for event in events):
        await asyncio.sleep(0)
    assert asked == [EVALUATION_SECONDS, HINT_SECONDS, EVALUATION_SECONDS]
    running.cancel()


async def test_a_hint_is_the_same_as_long_as_the_position_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = list[int]()

    async def best_two(_: Analyst, battle: Battle, limits: Limits) -> tuple[Decision, None]:
        asked.append(battle.played)
        legal = battle.variant.legal_moves(battle.position)
        return Decision(legal[len(asked)], Thought(1, 0, 1, 0.0, (legal[len(asked)],))), None

    monkeypatch.setattr(Analyst, "best_two", best_two)
    session = sitting()
    assert await session.advise() == await session.advise()
    await session.request(Play(first(session.state.battle)))
    assert await session.advise()
    assert asked == [0, 1]


async def test_another_match_is_taken_up_with_those_who_played_it(store: Store) -> None:
    session = sitting((CPU, CPU), store)
    events = heard(session)
    other = Match(VARIANTS["koom"], ("Cheery", "Detritus"))
    other.battle.play(first(other.battle))
    await session.request(Open(Record.of(other, programs=("", CPU.program))))
    assert session.state.match.players == other.players
    assert [session.state.seats[player].is_local for player in (0, 1)] == [True, False]
    assert events == [Begun(1)]
    assert store.load(session.autosave.id).programs == ("", CPU.program)
    await session.leave()


async def test_a_match_ends_and_another_begins(store: Store) -> None:
    session = sitting(store=store)
    events = heard(session)
    await session.begin()
    for _ in range(2):
        await session.request(Play(first(session.state.battle)))
        await session.request(ProposeEnd())
        reply = session.state.asked
        assert isinstance(reply, Reply)
        assert reply.made_here
        await session.request(Answer(True, ProposeEnd()))
        if not session.state.match.over:
            await session.request(NextBattle())
            await session.begin()
    kept = session.autosave.id
    await session.request(NewMatch())
    assert store.load(kept).over
    assert session.autosave.id == ""
    begun = [event for event in events if isinstance(event, Begun)]
    assert begun == [Begun(1), Begun(2), Begun(2), Begun(1)]
    assert len([event for event in events if isinstance(event, Ended)]) == 2
    await session.leave()


async def test_nobody_is_asked_any_more_once_everybody_has_gone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[bool] = []

    async def decide(engine: Engine, battle: Battle, *_: object, **__: object) -> Decision:
        asked.append(session.state.left)
        await asyncio.Event().wait()
        return Decision(first(battle))

    monkeypatch.setattr(Engine, "decide", decide)
    session = sitting()
    session.advice.judging = True
    running = asyncio.create_task(session.run())
    while not asked:
        await asyncio.sleep(0)
    await session.leave()
    for _ in range(10):
        await asyncio.sleep(0)
    running.cancel()
    assert asked == [False]


@pytest.mark.parametrize("fails", [False, True])
async def test_an_answer_to_what_was_withdrawn_in_the_same_moment_is_dropped(
    monkeypatch: pytest.MonkeyPatch, fails: bool
) -> None:
    answering = asyncio.Event()

    async def agrees(*_: object) -> bool:
        await answering.wait()
        if fails:
            raise EngineIllegal("it fails")
        return True

    monkeypatch.setattr(Computer, "agrees", agrees)
    session = Session(Match(VARIANTS["classic"]), contenders=AGAINST_CPU)
    await session.request(ProposeEnd())
    told: list[Event] = []
    session.subscribe(told.append)
    turn = asyncio.create_task(session.play_on())
    await asyncio.sleep(0.01)
    answering.set()
    await asyncio.sleep(0)  # it has answered, and nobody has heard it yet
    await session.request(Withdraw())
    await turn
    assert [type(each) for each in told] == [Withdrawn]
    assert session.state.battle.outcome is None
    await session.leave()

"""Matches by the clock, whose time passes when it is told to."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from pathlib import Path
from random import Random

import pytest

from records.matches import variations_of
from rules.strategies import every_variant
from session.scripts import NAMES
from session.timing import ManualClock
from thud.ai.player import Decision, Limits
from thud.engines.client import Engine
from thud.engines.spec import parse_contender
from thud.records.store import Store
from thud.rules.battle import Battle
from thud.rules.clock import TimeLeft, parse_control
from thud.rules.match import Match
from thud.rules.position import Move, Side
from thud.rules.variant import IllegalMove, Reason, Variant
from thud.rules.variants import VARIANTS
from thud.session.autosave import Autosave
from thud.session.events import Ended, Event, NewMatch, ProposeEnd, RunningOut, Undo
from thud.session.law import Answer, Hold, NextBattle, Play, Redo, allows
from thud.session.participants import Contenders
from thud.session.session import Session
from thud.session.state import TooLate

CLASSIC = VARIANTS["classic"]


class Table:
    """A session with a clock, the time for it, and everything that is told."""

    def __init__(
        self,
        control: str | None = "20+10",
        variant: Variant = CLASSIC,
        store: Store | None = None,
        contenders: Contenders = None,
    ) -> None:
        match = Match(variant, NAMES, control=parse_control(control) if control else None)
        self.session = Session(match, Autosave(store), contenders)
        self.glass = ManualClock().put_at(self.session)
        self.told: list[Event] = []
        self.session.subscribe(self.told.append)

    @property
    def left(self) -> tuple[int, int]:
        clock = self.session.state.clock
        assert clock
        return clock.left(Side.DWARFS).ms, clock.left(Side.TROLLS).ms

    async def play(self, ms: int = 0, move: Move | None = None) -> None:
        self.glass.pass_ms(ms)
        await self.session.request(Play(move or first(self.session.state.battle)))

    def ended(self) -> list[Ended]:
        return [event for event in self.told if isinstance(event, Ended)]


def first(battle: Battle) -> Move:
    return battle.variant.legal_moves(battle.position)[0]


async def test_nothing_is_kept_of_time_where_there_is_no_clock() -> None:
    table = Table(None)
    await table.play(10**9)
    assert table.session.state.clock is None
    assert table.session.state.battle.left == (None,)


async def test_the_clock_runs_from_the_first_move_on_except_while_leaving_is_asked_about() -> None:
    table = Table()
    await table.play(500_000)
    assert table.left == (1_200_000, 1_200_000)
    table.glass.pass_ms(5_000)
    await table.session.request(Hold())
    table.glass.pass_ms(600_000)
    assert table.left == (1_200_000, 1_195_000)
    await table.session.request(Hold(False))
    await table.play(55_000)
    assert table.left == (1_200_000, 1_150_000)
    table.glass.pass_ms(1_000)
    assert table.left == (1_199_000, 1_150_000)


@every_variant
async def test_taking_back_gives_back_the_time(variant: Variant) -> None:
    table, random = Table(variant=variant), Random(5)
    session, known = table.session, list[tuple[int, int]]()
    while len(known) < 12 and not session.state.battle.outcome:
        known.append(table.left)
        moves = variant.legal_moves(session.state.battle.position)
        await table.play(random.randrange(100_000), random.choice(moves))
    known.append(table.left)
    for expected in reversed(known[:-1]):
        table.glass.pass_ms(7_000)
        await session.request(Undo())
        assert table.left == expected
    for expected in known[1:]:
        table.glass.pass_ms(7_000)
        await session.request(Redo())
        assert table.left == expected


@every_variant
async def test_a_move_after_the_time_is_refused_and_the_battle_is_over(
    variant: Variant, tmp_path: Path
) -> None:
    table = Table("5", variant, Store(tmp_path))
    session = table.session
    await table.play()
    late = session.state.to_move
    with pytest.raises(TooLate, match="the time was up before that move"):
        await table.play(300_000)
    (ended,) = table.ended()
    assert ended.outcome.reason is Reason.TIME
    assert ended.outcome.winner is late.other
    assert not allows(session.state, Undo())
    with pytest.raises(IllegalMove, match="final"):
        await session.request(Undo())
    with pytest.raises(IllegalMove, match="the battle is over: the trolls' time is up"):
        await table.play()
    kept = session.autosave.store and session.autosave.store.load(session.autosave.id)
    assert kept
    assert kept.battles[0].outcome == ended.outcome
    assert len(kept.battles[0].moves) == 1
    await session.request(NextBattle())
    assert table.left == (300_000, 300_000)
    await session.leave()


async def until(session: Session, kind: type[Event]) -> None:
    """Wait until something of a kind is told."""
    told = asyncio.Event()
    stop = session.subscribe(lambda event: told.set() if isinstance(event, kind) else None)
    async with asyncio.timeout(20):
        await told.wait()
    stop()


async def test_each_side_is_warned_once_a_battle() -> None:
    table = Table("10")
    session = table.session
    run = asyncio.create_task(session.run())

    async def warned(ms: int) -> list[Side]:
        """Return who has been warned after some more time."""
        table.glass.pass_ms(ms)
        session.timekeeper.sync()
        for _ in range(20):
            await asyncio.sleep(0)
        return [event.side for event in table.told if isinstance(event, RunningOut)]

    await table.play()
    assert await warned(569_000) == []
    assert await warned(2_000) == [Side.TROLLS]
    assert await warned(2_000) == [Side.TROLLS]
    await table.play()
    assert await warned(571_000) == [Side.TROLLS, Side.DWARFS]
    await table.play()
    assert await warned(2_000) == [Side.TROLLS, Side.DWARFS]
    await session.request(ProposeEnd())
    await session.request(Answer(True, ProposeEnd()))
    await session.request(NextBattle())
    await table.play()
    assert await warned(575_000) == [Side.TROLLS, Side.DWARFS, Side.TROLLS]
    run.cancel()
    await asyncio.gather(run, return_exceptions=True)
    await session.leave()


async def test_the_session_sees_the_time_run_out_by_itself_and_warns_before() -> None:
    table = Table("10")
    session = table.session
    await table.play()
    run = asyncio.create_task(session.run())
    await asyncio.sleep(0)
    assert not any(isinstance(event, RunningOut) for event in table.told)
    for ms, kind in ((570_000, RunningOut), (30_000, Ended)):
        waiting = asyncio.create_task(until(session, kind))
        await asyncio.sleep(0)
        table.glass.pass_ms(ms)
        session.timekeeper.sync()
        await waiting
    assert table.told[-2] == RunningOut(Side.TROLLS)
    assert table.ended()[0].outcome.winner is Side.DWARFS
    run.cancel()
    await asyncio.gather(run, return_exceptions=True)
    await session.leave()


@pytest.mark.parametrize(
    ("control", "low"), [("10", 30_000), ("1", 15_000), ("1+4", 15_000), ("1/2x30", 30_000)]
)
async def test_the_warning_comes_when_little_is_left_and_no_later(
    monkeypatch: pytest.MonkeyPatch, control: str, low: int
) -> None:
    table, warned = Table(control), list[int]()
    keeper = table.session.timekeeper
    await table.play()
    table.glass.pass_ms(1_234)

    def hear(event: Event) -> None:
        clock = table.session.state.clock
        if isinstance(event, RunningOut) and clock:
            warned.append(clock.total_ms(Side.TROLLS))

    async def sleep(waiting: Coroutine[object, object, bool], seconds: float) -> None:
        waiting.close()
        assert 0 < seconds <= 5
        table.glass.pass_ms(round(1000 * seconds))
        raise TimeoutError

    table.session.subscribe(hear)
    with monkeypatch.context() as patch:
        patch.setattr(asyncio, "wait_for", sleep)
        await keeper.wait_until_up()
    assert warned == [low]
    assert table.left[1] == 0


async def test_nobody_is_warned_while_the_clock_stands_still(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table, asked = Table("10"), asyncio.Event()
    await table.play()
    table.glass.pass_ms(599_000)
    await table.session.request(Hold())

    async def sleep(waiting: Coroutine[object, object, bool], seconds: float | None) -> None:
        asked.set()
        assert seconds is None
        await waiting

    with monkeypatch.context() as patch:
        patch.setattr(asyncio, "wait_for", sleep)
        keeping = asyncio.create_task(table.session.timekeeper.wait_until_up())
        await asked.wait()
    keeping.cancel()
    await asyncio.gather(keeping, return_exceptions=True)
    assert not any(isinstance(event, RunningOut) for event in table.told)


async def test_in_lines_the_time_is_looked_at_before_anything_is_asked() -> None:
    table = Table("5")
    await table.play()
    table.glass.pass_ms(300_000)
    await table.session.play_on()
    assert table.session.state.battle.timed_out


async def test_who_proposes_the_end_pays_until_it_is_answered() -> None:
    table = Table("5")
    await table.play()
    await table.session.request(ProposeEnd())
    table.glass.pass_ms(299_000)
    assert table.left == (300_000, 1_000)
    table.glass.pass_ms(2_000)
    await table.session.request(Answer(True, ProposeEnd()))
    assert table.session.state.battle.timed_out


async def test_a_match_that_is_left_goes_on_with_what_was_left(tmp_path: Path) -> None:
    """Also one whose player is renamed, and one that is let go for another one."""
    store = Store(tmp_path)
    table = Table("15/3x30", store=store)
    await table.play()
    await table.play(910_300)
    table.glass.pass_ms(4_200)
    await table.session.leave()
    saved = store.resume(table.session.autosave.id)
    session = Session(saved.record.match(), Autosave(store, saved))
    glass = ManualClock().put_at(session)
    assert session.state.clock
    assert session.state.clock.control == parse_control("15/3x30")
    assert session.state.clock.left(Side.DWARFS) == TimeLeft(895_800, 3)
    assert session.state.clock.left(Side.TROLLS) == TimeLeft(30_000, 2)
    glass.pass_ms(800)
    assert session.state.clock.left(Side.DWARFS) == TimeLeft(895_000, 3)
    name = session.autosave.id
    await session.rename(0, "Cid")
    assert store.load(name).battles[0].used == 5_000
    glass.pass_ms(1_000)
    await session.request(NewMatch())
    assert store.load(name).battles[0].used == 6_000
    await session.leave()


async def test_a_match_that_is_left_twice_is_saved_once(tmp_path: Path) -> None:
    store = Store(tmp_path)
    table = Table(store=store)
    await table.play()
    await table.play()
    table.glass.pass_ms(3_000)
    await table.session.leave()
    name = table.session.autosave.id
    await table.session.leave()
    await table.session.save_time_used()
    assert [path.stem for path in store.matches.glob("*.tgn")] == [name]
    assert store.load(name).battles[0].used == 3_000
    store.resume(name).close()


async def test_an_answer_gives_back_what_was_used_before_it(tmp_path: Path) -> None:
    store = Store(tmp_path)
    table = Table(store=store)
    for _ in range(4):
        await table.play(1_000)
    await table.session.request(Undo())
    await table.play(2_000)
    kept = store.load(table.session.autosave.id).battles[0]
    assert [kept.times[number].ms for number in range(1, 5)] == [
        1_200_000,
        1_209_000,
        1_209_000,
        1_217_000,
    ]
    assert not variations_of(kept.line)
    await table.session.leave()


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[Limits]:
    """Let computers decide on the first move at once, and note what they may take for it."""
    asked: list[Limits] = []

    async def decide(
        engine: Engine, battle: Battle, limits: Limits, *_: object, **__: object
    ) -> Decision:
        asked.append(limits)
        return Decision(first(battle))

    monkeypatch.setattr(Engine, "decide", decide)
    return asked


@pytest.mark.parametrize("who", ["cpu:4", "cpu:7", "cpu", "random"])
async def test_a_computer_never_asks_for_more_than_it_has(asked: list[Limits], who: str) -> None:
    pair = parse_contender("human"), parse_contender(who)
    table = Table("1", contenders=pair)
    for _ in range(30):
        asked.clear()
        await table.play(1_000)
        clock = table.session.state.clock
        assert clock
        has = clock.left(Side.TROLLS).ms / 1000
        table.glass.pass_ms(2_000 if has > 3 else 0)
        await table.session.play_on()
        (limits,) = asked
        assert limits.seconds is not None
        assert 0 < limits.seconds <= min(10, has)
        if table.session.state.battle.outcome:
            break


async def test_without_a_clock_the_levels_know_their_time(asked: list[Limits]) -> None:
    table = Table(None, contenders=(parse_contender("human"), parse_contender("cpu:4")))
    await table.play()
    await table.session.play_on()
    assert asked == [Limits(None)]

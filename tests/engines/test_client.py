"""The client against our own engine and against engines that behave badly."""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from sampling import sampled
from thud.ai.player import Decision, Limits, Thought
from thud.engines import client
from thud.engines.client import Engine
from thud.engines.faults import (
    EngineCrashed,
    EngineFault,
    EngineGarbage,
    EngineIllegal,
    EngineLate,
    EngineMissing,
    EngineStuck,
)
from thud.engines.program import Program
from thud.engines.spec import parse_contender
from thud.rules.battle import Battle
from thud.rules.notation import move_text, parse_move
from thud.rules.variants import VARIANTS
from waiting import gone, runs, until

FAKE = str(Path(__file__).with_name("fake_engine.py"))
CLASSIC = VARIANTS["classic"]
LONG = Limits(seconds=300.0)
SHORT = Limits(seconds=0.05)

Make = Callable[..., Engine]


@pytest.fixture
async def fake() -> AsyncIterator[Make]:
    """Make fake engines, which are closed afterwards and must then have ended."""
    made = []

    def make(how: str, **settings: Any) -> Engine:
        made.append(Engine([sys.executable, FAKE, how], "Fake", **settings))
        return made[-1]

    yield make
    for engine in made:
        await engine.close()
        assert not engine.running


@pytest.fixture
async def own() -> AsyncIterator[Engine]:
    """Start the computer at full strength."""
    async with parse_contender("cpu").engine(seed=1) as engine:
        yield engine


def opening(*texts: str, variant: str = "classic") -> Battle:
    battle = Battle(VARIANTS[variant])
    for text in texts:
        battle.play(parse_move(battle.variant, battle.position, text))
    return battle


async def thinking(engine: Engine, battle: Battle) -> tuple[asyncio.Task[Decision], list[Thought]]:
    """Start a search, and wait for its first report."""
    thoughts: list[Thought] = []
    task: asyncio.Task[Decision] = asyncio.create_task(
        engine.decide(battle, LONG, report=thoughts.append)
    )
    await until(lambda: thoughts)
    return task, thoughts


async def fails(asking: Awaitable[object]) -> EngineFault:
    with pytest.raises(EngineFault) as caught:
        await asking
    return caught.value


async def test_a_good_engine_is_understood(fake: Make) -> None:
    engine, thoughts = fake("well"), list[Thought]()
    decision = await engine.decide(opening(), LONG, report=thoughts.append)
    assert (move_text(CLASSIC.start, decision.move), decision.ends) == ("dF1-F5", True)
    assert thoughts == [decision.thought]
    assert (thoughts[0].goal_in, thoughts[0].line) == (-4, (decision.move,))
    assert engine.own_name == "Fake \\x07"


FAULTS = {
    "crash": (EngineCrashed, "Fake stopped (exit status 3: 'what a \\x1b[31mpity')"),
    "mute": (EngineCrashed, "Fake closed its output and was stopped ('I hold my tongue')"),
    "late": (EngineLate, "Fake did not move within 0.05 seconds"),
    "deaf": (EngineLate, "Fake did not move within 0.05 seconds"),
    "illegal": (
        EngineIllegal,
        "Fake played 'dF1-G3', which is not legal: dwarf on F1 cannot reach G3",
    ),
    "no move": (EngineIllegal, "Fake finds no move: I am tired"),
    "nothing": (EngineIllegal, "Fake played '', which is not legal: '' is not a move"),
    "line": (EngineGarbage, "Fake wrote an endless line"),
    "options": (EngineGarbage, "Fake has more than 256 options"),
    "silent": (EngineMissing, "Fake is not an engine: it does not answer uci"),
    "unready": (EngineMissing, "Fake does not answer isready"),
}


@pytest.mark.parametrize("how", sampled(FAULTS))
async def test_what_an_engine_does_wrong_is_said_each_time_that_it_is_asked(
    fake: Make, how: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    if how in ("silent", "unready"):
        monkeypatch.setattr(client, "_STARTING", 0.5)
    limits = SHORT if how in ("late", "deaf") else LONG
    engine, (kind, message) = fake(how, late=0.0), FAULTS[how]
    for _ in range(1 if kind is EngineMissing else 3):
        fault = await fails(engine.decide(opening(), limits))
        assert type(fault) is kind
        assert str(fault).startswith(message)
    assert capfd.readouterr() == ("", "")


async def test_garbage_between_the_lines_does_no_harm(fake: Make) -> None:
    decision = await fake("garbage").decide(opening(), LONG)
    assert decision.thought == Thought(2, -7, 3, 0.009, (decision.move,))


async def test_an_engine_that_only_knows_classic_is_not_asked_another_variant(fake: Make) -> None:
    engine = fake("classic only")
    assert (await engine.decide(opening())).ends
    fault = await fails(engine.decide(opening(variant="koom")))
    assert str(fault) == "Fake does not play Koom Valley"
    assert str(await fails(fake("well").decide(opening(variant="football")))).endswith("Football")


@pytest.mark.parametrize("command", [["/nowhere/engine"], [str(Path(__file__).parent)], ["a\0b"]])
async def test_a_program_that_cannot_be_started(command: list[str]) -> None:
    async with Engine(command, "Ghost") as engine:
        fault = await fails(engine.decide(opening()))
    assert isinstance(fault, EngineMissing)
    assert str(fault).startswith("Ghost cannot be started: ")


async def test_programs_that_are_being_started_count_among_the_most(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Program, "most", 1)
    starting = (Program.start([sys.executable, FAKE, "silent"]) for _ in range(2))
    one, other = await asyncio.gather(*starting, return_exceptions=True)
    assert isinstance(one, Program)
    assert isinstance(other, OSError)
    await one.close(0)
    with pytest.raises(OSError, match="no-such"):
        await Program.start(["./no-such-program"])
    again = await Program.start([sys.executable, FAKE, "silent"])
    await again.close(0)


async def test_stop_makes_an_engine_answer_at_once(own: Engine) -> None:
    task, thoughts = await thinking(own, opening())
    own.stop()
    async with asyncio.timeout(client.STOPPING):
        decision = await task
    assert decision.thought
    assert decision.thought.line[0] == decision.move
    assert thoughts


async def test_stop_before_the_thinking_begins_is_not_forgotten(fake: Make) -> None:
    engine = fake("late")
    task = asyncio.create_task(engine.decide(opening(), LONG))
    await asyncio.sleep(0)
    engine.stop()
    async with asyncio.timeout(30):
        assert move_text(CLASSIC.start, (await task).move) == "dF1-F5"


async def test_an_engine_that_ignores_stop_is_ended(fake: Make) -> None:
    engine = fake("deaf")
    task, _ = await thinking(engine, opening())
    engine.stop()
    fault = await fails(task)
    assert isinstance(fault, EngineStuck)
    assert not engine.running


@pytest.mark.slow
@pytest.mark.parametrize("how", ["late", "deaf"])
async def test_cancelling_waits_for_nothing_and_leaves_the_engine_fit_to_be_asked(
    fake: Make, how: str
) -> None:
    engine = fake(how, late=0.0)
    for _ in range(2):
        task, _ = await thinking(engine, opening())
        task.cancel()
        # One step of the event loop is enough: there is nothing to wait for.
        await asyncio.sleep(0)
        assert task.cancelled()
    assert isinstance(await fails(engine.decide(opening(), SHORT)), EngineLate)


async def test_cancelling_at_any_moment_keeps_our_own_engine_usable(own: Engine) -> None:
    for turns in (0, 1, 2, 3, 5, 8, 13, 21, 50):
        task = asyncio.create_task(own.decide(opening(), LONG))
        for _ in range(turns):
            await asyncio.sleep(0.001)
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
    battle = opening("dF1-F5", "TG7-F6")
    assert CLASSIC.is_legal(battle.position, (await own.decide(battle, Limits(nodes=50))).move)


async def test_a_report_that_fails_fails_the_question_and_not_the_engine(own: Engine) -> None:
    def fail(_: Thought) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await own.decide(opening(), LONG, report=fail)
    assert own.running
    assert (await own.decide(opening(), Limits(nodes=50))).move


@pytest.mark.skipif(sys.platform == "win32", reason="process groups are POSIX")
async def test_what_an_engine_has_started_ends_with_it(fake: Make) -> None:
    engine = fake("child")
    await engine.start()
    child = int(engine._last_words)
    assert runs(child)
    assert engine._program
    assert engine._program._supervisor
    guard = engine._program._supervisor._shell
    await engine.close()
    assert guard.returncode is not None
    await gone(child)


@pytest.mark.skipif(sys.platform == "win32", reason="process groups are POSIX")
async def test_what_a_program_has_started_ends_with_it_when_it_ends_by_itself() -> None:
    script = "import subprocess, sys; print(subprocess.Popen(sys.argv[1:]).pid)"
    program = await Program.start([sys.executable, "-c", script, sys.executable, FAKE, "silent"])
    child = int(await program.line())
    await program.wait(60)
    assert program.status == 0
    await gone(child)
    await program.close(0)


@pytest.mark.skipif(sys.platform == "win32", reason="signals are POSIX")
async def test_a_deaf_engine_and_what_it_has_started_end_with_a_program_that_is_killed() -> None:
    script = """
import asyncio, os, sys
from thud.engines.client import Engine

async def main():
    engine = Engine(sys.argv[1:], "Fake")
    await engine.start()
    print(engine._program._transport.get_pid(), engine._last_words, flush=True)
    os.kill(os.getpid(), 9)

asyncio.run(main())
"""
    arguments = [sys.executable, "-c", script, sys.executable, FAKE, "child"]
    parent = await asyncio.create_subprocess_exec(*arguments, stdout=asyncio.subprocess.PIPE)
    output, _ = await parent.communicate()
    assert parent.returncode == -signal.SIGKILL
    leader, child = map(int, output.split())
    for each in (leader, child):
        await gone(each)


async def test_another_battle_begins_the_play_of_a_seed_anew() -> None:
    battle, moves = Battle(CLASSIC), []
    async with parse_contender("random").engine(seed=5) as engine:
        for another in (False, False, True):
            if another:
                engine.new_battle()
            moves.append((await engine.decide(battle)).move)
    assert moves[0] == moves[2] != moves[1]


async def test_questions_asked_together_are_answered_one_after_the_other() -> None:
    battles = [opening(), opening("dF1-F5"), opening("dF1-F5", "TG7-F6")]
    async with parse_contender("random").engine() as engine:
        decisions = await asyncio.gather(*map(engine.decide, battles))
    for battle, decision in zip(battles, decisions, strict=True):
        assert CLASSIC.is_legal(battle.position, decision.move)


def test_a_loop_is_not_closed_before_the_programs_that_it_closes_have_ended() -> None:
    async def start() -> Program:
        program = await Program.start([sys.executable, FAKE, "silent"])
        closing.append(asyncio.create_task(program.close(60)))
        await asyncio.sleep(0)
        return program

    closing = list[asyncio.Task[None]]()
    program = asyncio.run(start())
    assert closing[0].cancelled()
    assert program.status is not None

"""The analyst: its processes are limited, restarted, shared, and ended."""

import asyncio
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from sampling import sampled
from thud.ai.player import Decision, Limits, Report, Thought
from thud.engines.analyst import LINES, Analyst, Lines
from thud.engines.client import Engine
from thud.engines.faults import EngineCrashed, EngineFault, EngineMissing
from thud.engines.spec import Contender
from thud.rules.battle import Battle
from thud.rules.notation import parse_move
from thud.rules.position import Move
from thud.rules.variants import VARIANTS

FAKE = str(Path(__file__).parent / "fake_engine.py")
ONCE = """
import pathlib, runpy, sys
mark = pathlib.Path(sys.argv.pop())
first = not mark.exists()
mark.touch()
sys.argv[1:] = ["crash" if first else "well"]
runpy.run_path({fake!r}, run_name="__main__")
"""


LIMITS = Limits(nodes=10)
CLASSIC, KOOM = VARIANTS["classic"], VARIANTS["koom"]


def fake(*command: str) -> Contender:
    return Contender("fake", "Fake", "", (sys.executable, *command))


WELL = fake(FAKE, "well")
"""A program that answers at once, where it is only asked about the start of Classic."""


async def answer(analyst: Analyst) -> Decision:
    return await analyst.analyse(Battle(CLASSIC), LIMITS)


def running(analyst: Analyst) -> int:
    """Return the number of running processes of a pool."""
    return sum(engine.running for engine in analyst._engines)


async def test_a_process_that_ends_is_started_anew_and_asked_again(tmp_path: Path) -> None:
    script = tmp_path / "once.py"
    script.write_text(ONCE.format(fake=FAKE))
    async with Analyst(contender=fake(str(script), str(tmp_path / "mark"))) as analyst:
        assert (await answer(analyst)).thought


async def test_one_that_always_ends_is_told_of_and_the_next_question_is_asked() -> None:
    async with Analyst(contender=fake(FAKE, "crash")) as analyst:
        for _ in range(2):
            with pytest.raises(EngineCrashed, match="Fake stopped"):
                await answer(analyst)


async def test_processes_start_when_needed_and_questions_wait_their_turn_or_are_cancelled() -> None:
    async with Analyst(2, contender=WELL) as analyst:
        assert running(analyst) == 0
        await answer(analyst)
        await answer(analyst)
        assert running(analyst) == 1
        asked = [asyncio.create_task(answer(analyst)) for _ in range(5)]
        asked[0].cancel()
        asked[3].cancel()
        answers = await asyncio.gather(*asked, return_exceptions=True)
        failed = [isinstance(each, BaseException) for each in answers]
        assert failed == [True, False, False, True, False]
        assert running(analyst) == 2
    assert running(analyst) == 0


@pytest.mark.slow
async def test_a_long_question_that_is_cancelled_leaves_its_process_to_the_next(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Several lines are only for whoever watches."""
    told = dict[str, object]()
    set_option = Engine.set_option

    def noted(engine: Engine, name: str, value: str | int) -> None:
        told[name] = value
        set_option(engine, name, value)

    monkeypatch.setattr(Engine, "set_option", noted)
    async with Analyst() as analyst:
        found = asyncio.Event()
        long = asyncio.create_task(analyst.watch(KOOM, KOOM.start, lambda _: found.set()))
        await found.wait()
        assert told["MultiPV"] == LINES
        long.cancel()
        assert (await answer(analyst)).thought
        assert dict(told)["MultiPV"] == 1
        assert running(analyst) == 1


@pytest.mark.parametrize("turns", sampled(range(0, 40, 3)))
async def test_nothing_is_left_wherever_a_question_is_cancelled(turns: int) -> None:
    analyst = Analyst()
    asked = asyncio.create_task(answer(analyst))
    for _ in range(turns):
        await asyncio.sleep(0)
    asked.cancel()
    await asyncio.wait([asked])
    await analyst.close()
    assert running(analyst) == 0


async def test_a_question_that_is_not_cancelled_ends_when_the_analyst_is_closed() -> None:
    analyst = Analyst(contender=fake(FAKE, "late"))
    found, start = asyncio.Event(), CLASSIC.start
    long = asyncio.create_task(analyst.watch(CLASSIC, start, lambda _: found.set()))
    await found.wait()
    waiting = asyncio.create_task(answer(analyst))
    await asyncio.sleep(0)
    await analyst.close()
    await asyncio.wait([long])
    for asked in (waiting, answer(analyst)):
        with pytest.raises(EngineMissing, match="closed"):
            await asked
    assert running(analyst) == 0


@pytest.mark.parametrize("heard", sampled([0, 1, 6, 9, 12], every=2))
async def test_nothing_is_left_wherever_it_is_closed(
    heard: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    analyst, lines, far_enough = Analyst(), 0, asyncio.Event()
    hear = Engine._hear

    async def counted(engine: Engine) -> str:
        nonlocal lines
        if lines == heard:
            far_enough.set()
        lines += 1
        return await hear(engine)

    monkeypatch.setattr(Engine, "_hear", counted)
    asked = asyncio.create_task(analyst.analyse(Battle(CLASSIC), Limits(nodes=10_000_000)))
    await far_enough.wait()
    await analyst.close()
    with suppress(EngineFault):
        assert (await asked).move
    assert running(analyst) == 0


async def test_trouble_with_one_process_is_seen_and_the_others_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    analyst = Analyst(2, contender=WELL)
    await asyncio.gather(answer(analyst), answer(analyst))
    first, second = analyst._engines
    close = first.close

    async def trouble() -> None:
        raise PermissionError("not yours to end")

    monkeypatch.setattr(first, "close", trouble)
    with pytest.raises(PermissionError):
        await analyst.close()
    assert first.running
    assert not second.running
    await close()


async def test_the_same_question_has_the_same_answer_in_every_battle() -> None:
    async with Analyst() as analyst:
        for seconds in (60.0, None):
            limits = Limits(seconds, nodes=10)
            asked = (analyst.analyse(Battle(CLASSIC), limits) for _ in range(20))
            assert len({(await each).move for each in asked}) == 1


async def test_what_was_played_before_a_position_does_not_count() -> None:
    """A troll alone that has been chased to and fro has lost no less than one that has not."""
    start = KOOM.position("1d3/7/9/11/13/11T3/15/7R7/15/2d12/13/11/9/7/5 d")
    battle = Battle(KOOM, start)
    for text in ("dC10-M10", "TM6-M3", "dM10-C10"):
        battle.play(parse_move(KOOM, battle.position, text))
    async with Analyst() as analyst:
        after, anew = [
            await analyst.analyse(each, Limits(nodes=3_000))
            for each in (battle, Battle(KOOM, battle.position))
        ]
        before = await analyst.analyse(battle, LIMITS, played=0)
    assert after.move == anew.move
    assert after.thought
    assert anew.thought
    assert before.thought
    assert after.thought.score == anew.thought.score < -500 < 500 < before.thought.score


async def test_a_move_stands_on_one_line_only(monkeypatch: pytest.MonkeyPatch) -> None:
    first, second, third = KOOM.legal_moves(KOOM.start)[:3]
    told = [(1, first), (2, second), (3, third), (1, second), (2, first), (1, third), (3, second)]

    async def decide(*_: object, report: Report, **__: object) -> Decision:
        for rank, move in told:
            report(Thought(1, 0, 1, 0.0, (move,), rank=rank))
        return Decision(first)

    monkeypatch.setattr(Engine, "decide", decide)
    reports: list[Lines] = []
    await Analyst().watch(KOOM, KOOM.start, reports.append)
    assert [moves_of(lines) for lines in reports] == [
        {1: first},
        {1: first, 2: second},
        {1: first, 2: second, 3: third},
        {1: second, 3: third},
        {1: second, 2: first, 3: third},
        {1: third, 2: first},
        {1: third, 2: first, 3: second},
    ]


def moves_of(lines: Lines) -> dict[int, Move]:
    """Return the first moves of lines, by rank."""
    return {rank: lines[rank].line[0] for rank in sorted(lines)}

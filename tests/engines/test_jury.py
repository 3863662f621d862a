"""Questions dealt out among processes: what becomes of one whose process ends."""

import asyncio
import sys
from pathlib import Path

import pytest

from thud.ai.player import Limits
from thud.engines.analyst import Analyst, Question, cores
from thud.engines.client import EngineCrashed
from thud.engines.spec import Contender
from thud.rules.battle import Battle
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


def question() -> Question:
    return Question(Battle(VARIANTS["classic"]), 0, Limits(nodes=10))


def fake(*command: str) -> Contender:
    return Contender("fake", "Fake", "", (sys.executable, *command))


async def test_a_process_that_ends_is_started_anew_and_asked_again(tmp_path: Path) -> None:
    script = tmp_path / "once.py"
    script.write_text(ONCE.format(fake=FAKE))
    jury = Analyst(1, contender=fake(str(script), str(tmp_path / "mark")))
    try:
        assert (await jury.ask(question())).thought
    finally:
        await jury.close()


async def test_one_that_always_ends_is_told_of_and_the_next_question_is_asked() -> None:
    jury = Analyst(1, contender=fake(FAKE, "crash"))
    try:
        for _ in range(2):
            with pytest.raises(EngineCrashed, match="Fake has ended by itself"):
                await jury.ask(question())
    finally:
        await jury.close()


async def test_more_questions_than_processes_wait_their_turn_and_may_be_cancelled() -> None:
    jury = Analyst(1)
    try:
        asked = [asyncio.create_task(jury.ask(question())) for _ in range(4)]
        asked[0].cancel()
        asked[2].cancel()
        answers = await asyncio.gather(*asked, return_exceptions=True)
        assert [isinstance(each, BaseException) for each in answers] == [True, False, True, False]
        assert answers[1] == answers[3]._replace(thought=answers[1].thought)  # type: ignore[union-attr]
    finally:
        await jury.close()


def test_there_is_a_core_at_least() -> None:
    assert cores() >= 1

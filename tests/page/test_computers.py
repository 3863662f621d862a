"""The page's computers, with the workers of JavaScript that they search in made up."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

from thud.engines.spec import COMPUTER, FULL_STRENGTH
from thud.rules.notation import parse_move
from thud.rules.variants.classic import CLASSIC

MOVE, OTHER = (parse_move(CLASSIC, CLASSIC.start, text) for text in ("dF1-F5", "dG1-G5"))
THOUGHT = {
    "rank": 1,
    "depth": 3,
    "score": 40,
    "nodes": 1000,
    "microseconds": 5000,
    "line": f"{MOVE.origin:d}-{MOVE.destination:d}",
}


class Worker:
    """A worker that searches until it is ended, and hears nothing meanwhile."""

    def __init__(self, report: Callable[[str, str], None]) -> None:
        self.report = report
        self.asked = 0
        self.ended = False

    def ask(self, request: str, words: object) -> None:
        """Take a request."""
        assert not self.ended
        self.asked += 1

    def end(self) -> None:
        """End."""
        self.ended = True

    def think(self) -> None:
        """Report a thought."""
        self.report("report", json.dumps(THOUGHT))


@pytest.fixture
def workers(monkeypatch: pytest.MonkeyPatch) -> list[Worker]:
    """What a browser gives the program; the value is the workers made."""
    made: list[Worker] = []

    def searcher(report: Callable[[str, str], None]) -> Worker:
        made.append(Worker(report))
        return made[-1]

    host, foreign = ModuleType("thud_host"), ModuleType("pyodide.ffi")
    host.__dict__["searcher"] = searcher
    foreign.__dict__.update(create_proxy=lambda each: each, to_js=lambda each: each)
    monkeypatch.setitem(sys.modules, "thud_host", host)
    monkeypatch.setitem(sys.modules, "pyodide", ModuleType("pyodide"))
    monkeypatch.setitem(sys.modules, "pyodide.ffi", foreign)
    monkeypatch.delitem(sys.modules, "thud_page.computers", raising=False)
    return made


def strongest(said: list[str]) -> Any:
    from thud_page.computers import PageServer

    return PageServer(said.append, COMPUTER, FULL_STRENGTH)


async def turns() -> None:
    """Let all run that is ready: nothing here waits for a time."""
    for _ in range(10):
        await asyncio.sleep(0)


async def test_stop_ends_the_search_at_once_and_the_next_one_has_a_worker(
    workers: list[Worker],
) -> None:
    said: list[str] = []
    engine = strongest(said)
    for number in range(2):
        engine.obey("position startpos")
        engine.obey("go movetime 60000")
        await turns()
        assert len(workers) == number + 1
        assert workers[number].asked == 1
        workers[number].think()
        engine.obey("stop")
        assert workers[number].ended
        await turns()
        assert [line.split()[:2] for line in said if line.startswith("bestmove")] == [
            ["bestmove", "dF1-F5"]
        ] * (number + 1)


async def test_stop_before_the_first_thought_waits_for_it(workers: list[Worker]) -> None:
    said: list[str] = []
    engine = strongest(said)
    engine.obey("position startpos")
    engine.obey("go movetime 60000")
    await turns()
    engine.obey("stop")
    await turns()
    assert not workers[0].ended
    assert not said
    workers[0].think()
    assert workers[0].ended
    await turns()
    assert said[-1].startswith("bestmove dF1-F5")


async def test_a_search_tells_no_lines_of_the_one_before(workers: list[Worker]) -> None:
    said: list[str] = []
    engine = strongest(said)
    engine.obey("setoption name MultiPV value 2")
    troll = next(
        move for move in CLASSIC.legal_moves(CLASSIC.start.after(MOVE)) if not move.captures
    )
    for number, played in enumerate(("", " moves dF1-F5")):
        engine.obey(f"position startpos{played}")
        said.clear()
        engine.obey("go movetime 60000")
        await turns()
        move = troll if played else MOVE
        lines = [{**THOUGHT, "rank": 1, "line": f"{move.origin:d}-{move.destination:d}"}]
        if not played:
            lines += [{**THOUGHT, "rank": 2, "line": f"{OTHER.origin:d}-{OTHER.destination:d}"}]
        for line in lines:
            workers[number].report("report", json.dumps(line))
        engine.obey("stop")
        await turns()
        assert len([line for line in said if line.startswith("info depth")]) == len(lines)

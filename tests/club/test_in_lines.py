"""The club in lines of text: what its lobby offers besides the tables."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import pytest

from club.serving import places
from club.test_keeper import Guest, kept, own_places
from saving import begin
from thud.records.store import Store
from thud.rules.match import Match
from thud.rules.notation import parse_move
from thud.rules.variants import VARIANTS
from waiting import until

__all__ = ["own_places"]

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="a club needs POSIX")

BOB = "b" * 32


class Visitor:
    """A visitor's process in lines of text."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self.said = ""
        self._reading = asyncio.create_task(self._read())

    @classmethod
    async def comes(cls, directory: Path, run: Path) -> Visitor:
        own = directory / "visitors" / BOB
        own.mkdir(parents=True, exist_ok=True)
        files = places(own) | {"THUD_DATA_DIR": str(own), "THUD_RUN_DIR": str(run)}
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-P", "-m", "thud.club.process"),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            env=files | {"VISITOR_PLAIN": "1", "HOME": str(own)},
        )
        visitor = cls(process)
        await visitor.hears("What is your name?")
        return visitor

    async def _read(self) -> None:
        assert self._process.stdout
        while more := await self._process.stdout.read(1 << 16):
            self.said += more.decode()

    async def hears(self, words: str) -> None:
        await until(lambda: words in self.said)

    async def types(self, line: str, then: str) -> str:
        """Type a line, and wait for an answer; return all that was said."""
        self.said = ""
        assert self._process.stdin
        self._process.stdin.write(f"{line}\n".encode())
        await self.hears(then)
        return self.said

    async def goes(self) -> None:
        assert self._process.stdin
        self._process.stdin.close()
        await self._process.wait()
        await self._reading


async def test_the_lobby_has_rules_lessons_puzzles_and_replay(
    tmp_path: Path, short_path: Path
) -> None:
    match = Match(VARIANTS["classic"], ("Bob", "Pebble"))
    match.battle.play(parse_move(match.variant, match.battle.position, "dF1-F5"))
    begin(Store(tmp_path / "visitors" / BOB), match).close()
    async with kept(tmp_path):
        bob = await Visitor.comes(tmp_path, short_path / "run")
        try:
            await bob.types("Bob", "In the lobby. What now?")
            asked = "In the lobby. What now?"
            assert "Rock" in await bob.types("rules koom", asked)
            assert "the rules have no topic" in (await bob.types("rules x", asked)).lower()
            await bob.types("learn", "Your move:")
            await bob.types("quit", asked)
            await bob.types("puzzles", "Your move:")
            await bob.types("solution", "Your move:")
            await bob.types("quit", asked)
            assert "One position to practise today." in await bob.types("practise", "Your move:")
            await bob.types("quit", asked)
            assert "1: Classic, Bob and Pebble" in await bob.types("replay", asked)
            await bob.types("replay 1", "Your move:")
            assert "F1" in await bob.types("list", "Your move:")
            await bob.types("quit", asked)
            assert "Say which match" in await bob.types("replay 2", asked)
            assert "koom-2: First the trolls" in await bob.types("models", asked)
            await bob.types("models koom-2", "Battle 1, move 0 of 65:")
            assert "nknown command" in await bob.types("save", "Battle 1, move 0 of 65:")
            await bob.types("quit", asked)
        finally:
            await bob.goes()


async def test_a_table_that_is_offered_is_told_in_the_lobby(
    tmp_path: Path, short_path: Path
) -> None:
    async with kept(tmp_path):
        bob = await Visitor.comes(tmp_path, short_path / "run")
        ann = Guest(tmp_path, "a" * 32, "Ann")
        try:
            await bob.types("Bob", "In the lobby. What now?")
            await until(lambda: len(ann.state.visitors) == 2)
            bob.said = ""
            await ann.opens(offered_to=BOB)
            await bob.hears("You are invited: ")
            await bob.hears("In the lobby. What now?")
        finally:
            await ann.goes()
            await bob.goes()

"""The club in lines of text: its lobby, a seat that is given, and who comes back."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from club.serving import places
from club.test_keeper import guests, kept, own_places
from saving import begin
from thud.club.in_lines import COMMANDS
from thud.disk.directories import COMPILED_VARIABLE
from thud.disk.small import write_small
from thud.exercises.practise import FILE_NAME, MOST_MISSED
from thud.exercises.puzzles.book import puzzles
from thud.records.store import Store
from thud.rules.match import Match
from thud.rules.notation import parse_move
from thud.rules.variants import VARIANTS
from waiting import until

__all__ = ["own_places"]

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="a club needs POSIX")

BOB = "b" * 32
LOBBY = "In the lobby. What now?"


class Visitor:
    """A visitor's process in lines of text."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self.said = ""
        self._reading = asyncio.create_task(self._read())

    @classmethod
    async def comes(cls, directory: Path, run: Path, who: str = BOB, link: str = "") -> Visitor:
        own = directory / "visitors" / who
        own.mkdir(parents=True, exist_ok=True)
        files = places(own) | {"THUD_DATA_DIR": str(own), "THUD_RUN_DIR": str(run)}
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-P", "-m", "thud.club.process"),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            env=files
            | {"VISITOR_PLAIN": "1", "VISITOR_TABLE": link, "HOME": str(own)}
            | {COMPILED_VARIABLE: os.environ[COMPILED_VARIABLE]},
        )
        return cls(process)

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

    async def tells(self, line: str, words: str) -> None:
        """Type a line until an answer has these words: each learns of changes by itself."""
        while words not in await self.types(line, LOBBY):
            await asyncio.sleep(0.01)

    async def goes(self, *, killed: bool = False) -> None:
        assert self._process.stdin
        if killed:
            self._process.kill()
        self._process.stdin.close()
        await self._process.wait()
        await self._reading


@asynccontextmanager
async def visitors(directory: Path, run: Path, *names: str) -> AsyncIterator[list[Visitor]]:
    """Let visitors come into the lobby, and go in the end."""
    found = [await Visitor.comes(directory, run, name[0].lower() * 32) for name in names]
    try:
        for visitor, name in zip(found, names, strict=True):
            await visitor.hears("What is your name? (Enter for Guest):")
            await visitor.types(name, "Type help for the commands.")
            await visitor.hears(LOBBY)
        yield found
    finally:
        for visitor in found:
            await visitor.goes()


@pytest.mark.slow
async def test_the_lobby_has_rules_lessons_puzzles_and_replay(
    tmp_path: Path, short_path: Path
) -> None:
    match = Match(VARIANTS["classic"], ("Bob", "Pebble"))
    match.battle.play(parse_move(match.variant, match.battle.position, "dF1-F5"))
    begin(Store(tmp_path / "visitors" / BOB), match).close()
    async with kept(tmp_path), visitors(tmp_path, short_path / "run", "Bob") as (bob,):
        assert "Rock" in await bob.types("rules koom", LOBBY)
        assert "the rules have no topic" in (await bob.types("rules x", LOBBY)).lower()
        await bob.types("learn", "Your move:")
        await bob.types("quit", LOBBY)
        await bob.types("puzzles", "Your move:")
        await bob.types("solution", "Your move:")
        await bob.types("quit", LOBBY)
        assert "tomorrow" in await bob.types("practise", LOBBY)  # what was missed just now
        assert "1: Classic, Bob and Pebble" in await bob.types("replay", LOBBY)
        await bob.types("replay 1", "Battle 1, move 0 of 1:")
        await bob.types("next", "Battle 1, move 1 of 1:")
        await bob.types("comment Bold", "Battle 1, move 1 of 1:")
        assert "does nothing here" in await bob.types("save", "Battle 1, move 1 of 1:")
        await bob.types("quit", LOBBY)
        await bob.types("replay 1", "Battle 1, move 0 of 1:")
        assert "Bold" in await bob.types("next", "Battle 1, move 1 of 1:")
        await bob.types("quit", LOBBY)
        assert "Say which match" in await bob.types("replay 2", LOBBY)
        assert "koom-2: First the trolls" in await bob.types("models", LOBBY)
        await bob.types("models koom-2", "Battle 1, move 0 of 65:")
        assert "does nothing here" in await bob.types("save", "Battle 1, move 0 of 65:")
        await bob.types("quit", LOBBY)


async def test_every_command_of_the_lobby_is_known(tmp_path: Path, short_path: Path) -> None:
    elsewhere = {"open", "play", "learn", "puzzles", "quit"}  # where other tests go
    async with (
        kept(tmp_path),
        visitors(tmp_path, short_path / "run", "Bob") as (bob,),
        guests(tmp_path, "Ann") as (ann,),
    ):
        listed = await bob.types("help", LOBBY)
        for word, command in COMMANDS.items():
            assert f"{command.form}: {command.meaning}." in listed
            if word not in elsewhere:
                assert "Unknown command" not in await bob.types(word, LOBBY)
        for line, answer in {
            "Sail 2": "Unknown command 'Sail': type help for a list.",
            "models bogus": "There is no model battle 'bogus': type models for a list.",
            "puzzles bogus": "Say puzzles, or puzzles today.",
            "open bogus": "Unknown game 'bogus': use classic, single, koom or football, and a",
            "open 0": "clock",
            "name " + 60 * "x": "A name has at most 36 characters.",
        }.items():
            assert answer in await bob.types(line, LOBBY)
        bob.said = ""
        await ann.opens(offered_to=BOB)
        await bob.hears("You are invited: ")
        await bob.types("quit", "You have left.")


async def test_where_nobody_waits_or_plays_a_table_is_opened_and_there_is_nothing_to_watch(
    tmp_path: Path, short_path: Path
) -> None:
    async with kept(tmp_path), visitors(tmp_path, short_path / "run", "Ann") as (ann,):
        assert "No match is being played now." in await ann.types("watch", LOBBY)
        assert "a computer sits down" in await ann.types("play", "Your move:")


async def test_what_is_put_aside_is_brought_back_in_the_lobby(
    tmp_path: Path, short_path: Path
) -> None:
    puzzle = puzzles()[0]
    missed = [[at, "wrong"] for at in range(1, MOST_MISSED + 1)]
    key = f"{puzzle.variant.name} {puzzle.position.to_text()}"
    write_small(tmp_path / "visitors" / BOB / FILE_NAME, {"cards": {key: {"answers": missed}}})
    async with kept(tmp_path), visitors(tmp_path, short_path / "run", "Bob") as (bob,):
        told = await bob.types("practise", LOBBY)
        assert "One position put aside: 'practise return' brings it back." in told
        assert "Say practise, practise return or practise early." in await bob.types(
            "practise x", LOBBY
        )
        assert "One position to practise" in await bob.types("practise return", "Your move:")


@pytest.mark.slow
async def test_a_lost_seat_is_given(tmp_path: Path, short_path: Path) -> None:
    run = short_path / "run"
    async with kept(tmp_path), visitors(tmp_path, run, "Ann", "Bob") as (ann, bob):
        await ann.types("open", "Nobody has taken the trolls")
        await bob.tells("tables", "1: Ann")
        await bob.types("sit 1", "")
        await ann.hears("Bob has joined")
        await bob.types("quit", LOBBY)
        await ann.hears("Bob is away")
        async with visitors(tmp_path, run, "Robert") as (anew,):
            await anew.tells("tables", "1: Ann - Bob, Classic: watch.")
            await anew.types("ask 1", "Say whose seat, such as ask 1 Ann.")
            await anew.types("ask 1 bob", "if its player is away, those at the table can give it")
            await ann.hears("Robert asks for the seat of Bob, who is away.")
            await ann.types("give", "After that Bob cannot come back.")
            await ann.types("yes", "The seat of the trolls is free: Robert can join again")
            await anew.tells("tables", "the trolls are free")
            await anew.types("sit 1", "")
            await ann.hears("Robert has joined")


@pytest.mark.slow
async def test_a_match_with_the_computer_waits_for_who_comes_back(
    tmp_path: Path, short_path: Path
) -> None:
    run = short_path / "run"
    async with kept(tmp_path), visitors(tmp_path, run, "Ann") as (ann,):
        await ann.types("sit 00001", "Say which table by its number")
        await ann.types("computer 00012", "Say which level")
        await ann.types("computer 1", "You have the dwarfs. Your move:")
        await ann.types("F1 F5", "F1 to F5")
        await until(lambda: ann.said.count("Your move:") == 1)
        await ann.goes(killed=True)
        again = await Visitor.comes(tmp_path, run, "a" * 32)
        await again.hears("Rank 1: dwarfs G1 J1 K1.")
        await again.hears("Your move:")
        await again.types("quit", "Saved. You find it in the lobby.")
        await again.goes()


@pytest.mark.slow
async def test_a_table_that_is_gone_leads_into_the_lobby(tmp_path: Path, short_path: Path) -> None:
    """Both from the seat one had there, and by a link."""
    run = short_path / "run"
    kept_place = tmp_path / "visitors" / BOB / "visitor.json"
    async with kept(tmp_path), visitors(tmp_path, run, "Bob"):
        pass
    kept_place.write_text(json.dumps({"name": "Bob", "place": ["seat", "0123abcd", ""]}))
    async with kept(tmp_path):
        for link in ("", "0123abcd"):
            bob = await Visitor.comes(tmp_path, run, link=link)
            await bob.hears(LOBBY)
            assert ("There is no such table. It may be closed" in bob.said) or not link
            await bob.goes()

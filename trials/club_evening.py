"""An evening in one club or in several of one user: random play, kills and reconnections.

Usage: python trials/club_evening.py [MINUTES] [VISITORS] [CLUBS] [KILLS]

The visitors, so many of each club, come by websocket as browsers do, name themselves after their
club, and press random keys about twice a second: they open tables, sit down at one another's, play,
talk, learn and leave.  KILLS times, at even intervals, a club, its keeper or the process of a
visitor is killed with SIGKILL; a page that has lost its connection comes back.  Told are the kills,
what was drawn, and the memory and the files of each club at the beginning and at the end.

It fails if a visitor is shown the name of anybody in another club, cannot come back, or if a club
says that something went wrong.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import sys
import tempfile
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import Final

import aiohttp
from club_faults import Club  # first, as it finds the tests' own package of that name

NAMES: Final = ("Xanthe", "Yorick", "Zebedee", "Quirke")
"""The visitors' names, by club."""

KEYS: Final = (
    *(4 * ("\x1b[A", "\x1b[B", "\x1b[C", "\x1b[D", "\r", "\r", "\t")),
    *("\x1b", " ", "n", "J", "H", "L", "z", "y", "u", "t", "i", "e", "R", "[", "]", "p", "W"),
    *(":", '"', "hello\r", "1", "q"),
)
PAUSES: Final = (0.5, 1, 2, 4, 8)
"""When a page tries again, as in club.js."""


class Visitor:
    """A visitor in a browser.

    Args:
        club: the club visited.
        name: the visitor's name.
        foreign: names that must not be shown here.
    """

    def __init__(self, club: Club, name: str, foreign: tuple[str, ...]) -> None:
        self._club, self._name, self._foreign = club, name, foreign
        self._chance = random.Random(name)
        self.drawn = self.visits = self.keys = 0
        self.faults = Counter[str]()

    async def stay(self, until: float) -> None:
        """Come, press keys, and come back whenever the connection breaks."""
        jar = aiohttp.CookieJar(unsafe=True)
        failed = 0
        async with aiohttp.ClientSession(cookie_jar=jar) as session:
            while time.monotonic() < until:
                try:
                    before = self.drawn
                    await self._visit(session, until)
                    failed = 0 if self.drawn > before else failed + 1
                except (aiohttp.ClientError, OSError, TimeoutError):
                    failed += 1
                if failed > 30:
                    self.faults["cannot come back"] += 1
                    return
                await asyncio.sleep(PAUSES[min(failed, len(PAUSES) - 1)])

    async def _visit(self, session: aiohttp.ClientSession, until: float) -> None:
        origin = {"Origin": self._club.url}
        entering = session.post(
            f"{self._club.url}/enter", data=self._club.secret, headers=origin, timeout=_PATIENCE
        )
        async with entering as answer:
            answer.raise_for_status()
        self.visits += 1
        board = f"{self._club.url}/board?width=100&height=34"
        async with session.ws_connect(board, headers=origin, heartbeat=None) as socket:
            pressing = asyncio.create_task(self._press(socket, until))
            try:
                async for message in socket:
                    if message.type == aiohttp.WSMsgType.BINARY:
                        self._see(message.data)
            finally:
                pressing.cancel()

    def _see(self, data: bytes) -> None:
        self.drawn += len(data)
        for name in self._foreign:
            self.faults["shown another club"] += name.encode() in data
        self.faults["told of a fault"] += b"Something went wrong" in data

    async def _press(self, socket: aiohttp.ClientWebSocketResponse, until: float) -> None:
        with suppress(ConnectionError):
            await asyncio.sleep(3)
            await socket.send_str(json.dumps(["stdin", f"{self._name}\r"]))
            while time.monotonic() < until:
                await asyncio.sleep(self._chance.uniform(0.2, 0.8))
                await socket.send_str(json.dumps(["stdin", self._chance.choice(KEYS)]))
                self.keys += 1


_PATIENCE: Final = aiohttp.ClientTimeout(8)


async def kill(clubs: list[Club], chance: random.Random) -> str:
    """Kill something of a club; return what it was."""
    club = chance.choice(clubs)
    kind = chance.choice(("club", "keeper", "visitor"))
    if kind == "club":
        await asyncio.to_thread(club.restart)
        return kind
    part = {"keeper": "thud.club.keeper", "visitor": "thud-visitor"}[kind]
    found = list(club.children(part))
    if found:
        with suppress(ProcessLookupError):
            os.kill(chance.choice(found), signal.SIGKILL)
    return kind if found else "nobody"


def kept(directory: Path) -> str:
    """Return how many files a directory has, and their size."""
    sizes = list[int]()
    for path in directory.rglob("*"):
        with suppress(OSError):
            if path.is_file():
                sizes.append(path.stat().st_size)
    return f"{len(sizes)} files, {sum(sizes) / 1e6:.1f} MB"


async def main(minutes: int, visitors: int, number: int, kills: int) -> int:
    """Spend an evening; print what came of it; return the exit status."""
    chance = random.Random(1)
    with tempfile.TemporaryDirectory(prefix="thud-evening-") as name:
        for kind in ("RUN", "CONFIG", "CACHE"):
            os.environ[f"THUD_{kind}_DIR"] = f"{name}/{kind.lower()}"
        limits = ("--max-visitors", str(visitors + 4), "--max-each", str(visitors + 4))
        homes = [Path(name) / each for each in NAMES[:number]]
        clubs = [Club(home, *limits) for home in homes]
        until = time.monotonic() + 60 * minutes
        inside = [
            Visitor(club, f"{own} {at}", tuple(each for each in NAMES if each != own))
            for club, own in zip(clubs, NAMES, strict=False)
            for at in range(visitors)
        ]
        staying = [asyncio.create_task(each.stay(until)) for each in inside]
        killed = Counter[str]()

        def report(when: str) -> None:
            for club, home in zip(clubs, homes, strict=True):
                processes = sum(1 for _ in club.children())
                print(
                    f"{when}, {home.name}: {processes} processes, {club.memory():.0f} MB, "
                    f"{kept(home / 'data')}",
                    flush=True,
                )

        await asyncio.sleep(min(60, 6 * minutes))
        report("at the beginning")
        pause = (until - time.monotonic() - 20) / max(kills, 1)
        for _ in range(kills):
            await asyncio.sleep(pause)
            killed[await kill(clubs, chance)] += 1
        await asyncio.sleep(max(0.0, until - time.monotonic() - 10))
        report("at the end")
        for each in staying:
            each.cancel()
        gone = await asyncio.gather(*staying, return_exceptions=True)
        for club in clubs:
            club.end()
        report("closed")
    faults = sum((each.faults for each in inside), Counter[str]())
    for fault in gone:
        if isinstance(fault, Exception):
            faults[repr(fault)] += 1
    visits, keys = sum(each.visits for each in inside), sum(each.keys for each in inside)
    drawn = sum(each.drawn for each in inside) / 1e6
    print(f"killed: {dict(killed)}")
    print(f"{visits} visits, {keys} keys, {drawn:.0f} MB drawn")
    print(f"faults: {dict(+faults)}")
    return int(any(faults.values()))


if __name__ == "__main__":
    wanted = [*map(int, sys.argv[1:]), *(120, 24, 1, 40)[len(sys.argv) - 1 :]]
    sys.exit(asyncio.run(main(*wanted)))

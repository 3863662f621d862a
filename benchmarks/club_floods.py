"""A full, open club under floods: memory, the time a key takes, and who is kept out.

Usage: python benchmarks/club_floods.py [MINUTES [VISITORS [PLAYING]]]

Runs `thud serve --open` with VISITORS (60), each from an address of their own.  PLAYING of them
(10) play a computer in lines of text, a move every few seconds; the others move a cursor on a board
of 120 by 40 cells about twice a second.  A tenth of the MINUTES (60) is quiet; then ten floods come
at once, each from one address, and stay to the end.  All the time newcomers from other addresses
come in, by browser and by ssh.  Told are the latency of keys as in benchmarks/club.py, how long a
computer's answer takes, which newcomers came in and how soon, the most memory of all processes of
the club (PSS), and what the floods have sent.

Addresses are added to the loopback interface, so this needs Linux and root.  Floods and visitors
share the processors with the club; the floods run only while nothing else wants to.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from statistics import median
from typing import Any, Final, NamedTuple

import aiohttp
import asyncssh

from club import Visitor
from processes import descendants, memory
from thud.rules.notation import move_text
from thud.rules.position import Position
from thud.rules.variants import VARIANTS

_NETWORK: Final = "10.98.{}.{}"
_VISITORS, _FLOODS, _NEWCOMERS = range(3)
_BETWEEN: Final = 0.5
_THINKS: Final = (3.0, 8.0)
"""Seconds between a computer's move and the answer to it."""
_LONG: Final = 60.0
_EVERY: Final = 30.0
"""Seconds between two newcomers, and two looks at the memory."""
_STARTS: Final = 1.0
"""Seconds between two visitors who come at the beginning."""
_HALF_OPEN: Final = 100
_ASKS_AGAIN: Final = 5.0
"""Seconds until a page asks a full club again."""
_TEXT: Final = re.compile(r"[dTR0-9/]{15,} [dT]")


class Place(NamedTuple):
    """Where the club is."""

    address: str
    web: int
    ssh: int

    @property
    def url(self) -> str:
        """The address of the web door."""
        return f"http://{self.address}:{self.web}"


def address(group: int, number: int) -> str:
    """Return the address of one of a group."""
    return _NETWORK.format(group, number + 1)


@asynccontextmanager
async def open_club(directory: Path, visitors: int) -> AsyncIterator[tuple[Place, int]]:
    """Run an open club with some places to spare; yield where it is, and its process."""
    names = ("DATA", "CONFIG", "CACHE", "RUN")
    own = {f"THUD_{name}_DIR": str(directory / name.lower()) for name in names}
    options = ("--open", "--web", "0", "--ssh", "0", "--host", "0.0.0.0", "--allow-remote")
    places = ("--max-visitors", str(visitors + 20), "--max-each", "4")
    with (directory / "log").open("wb") as log:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-P", "-m", "thud", "serve", *options, *places),
            env=os.environ | own,
            stdout=asyncio.subprocess.PIPE,
            stderr=log,
        )
    assert process.stdout
    told = b""
    while b"Ctrl+C" not in told:
        told += (line := await process.stdout.readline())
        assert line, "the club did not open"
    web, ssh = re.search(rb"http://\S+:(\d+)/", told), re.search(rb"ssh -p (\d+)", told)
    assert web
    assert ssh
    try:
        yield Place(address(_FLOODS, 200), int(web[1]), int(ssh[1])), process.pid
    finally:
        process.terminate()
        await process.wait()


@asynccontextmanager
async def browser(place: Place, own: str) -> AsyncIterator[aiohttp.ClientSession]:
    """Be let in by browser from an address."""
    jar, origin = aiohttp.CookieJar(unsafe=True), {"Origin": place.url}
    connector = aiohttp.TCPConnector(local_addr=(own, 0))
    async with aiohttp.ClientSession(
        place.url, cookie_jar=jar, connector=connector, headers=origin
    ) as session:
        async with session.post("/enter", data="") as answer:
            answer.raise_for_status()
        yield session


def seated(session: aiohttp.ClientSession, *, plain: bool = False) -> Any:
    """Open the board of a browser that was let in."""
    path = f"/board?width=120&height=40{'&plain=1' if plain else ''}"
    return session.ws_connect(path, heartbeat=None)


@asynccontextmanager
async def board(
    place: Place, own: str, *, plain: bool = False
) -> AsyncIterator[aiohttp.ClientWebSocketResponse]:
    """Come in by browser from an address."""
    async with browser(place, own) as session, seated(session, plain=plain) as socket:
        yield socket


class AtBoard(Visitor):
    """A visitor at a table of their own."""

    ASKED = (b"like to do", "\x1b")


class InLines(Visitor):
    """A visitor in lines of text who plays a computer."""

    moves = 0

    async def asked(self, line: str) -> str:
        """Type a line; return what is said until the next question."""
        self._seen = b""
        await self.press(f"{line}\n")
        async with asyncio.timeout(_LONG):
            while not re.search(rb"(Your move:|What now\?|quit\?) *$", self._seen):
                self._drawn.clear()
                await self._drawn.wait()
        return self._seen.decode()

    async def play(self, keys: int = 0) -> None:
        """Play until stopped; resign after forty moves, and begin again."""
        await self.see(b"What now?")
        chance = random.Random(str(self))
        while True:
            await self.asked(f"computer {chance.randint(1, 8)}")
            for _ in range(40):
                if not (found := _TEXT.search(await self.asked("text"))):
                    break
                position = Position.from_text(found[0])
                moves = list(VARIANTS["classic"].legal_moves(position))
                await asyncio.sleep(chance.uniform(*_THINKS))
                began = time.perf_counter()
                answer = await self.asked(move_text(position, chance.choice(moves)))
                self.took.append(1000 * (time.perf_counter() - began))
                if "Your move:" not in answer:
                    break
            await self.press("resign\n")
            await self.settle(1.0)
            await self.press("yes\nquit\n")
            await self.see(b"What now?")


class Stay:
    """A visitor who comes, stays, and comes back when the connection ends.

    Args:
        place: where the club is.
        number: the visitor's number.
        plays: whether they play a computer.

    Attributes:
        took: when a key was pressed and how many milliseconds its frame took, or a computer's move.
        ends: how the connection ended, each time.
    """

    def __init__(self, place: Place, number: int, *, plays: bool) -> None:
        self._place, self._own, self._plays = place, address(_VISITORS, number), plays
        self.took: list[tuple[float, float]] = []
        self.ends = Counter[str]()
        self.inside = asyncio.Event()

    async def run(self) -> None:
        """Stay until cancelled."""
        while True:
            try:
                async with board(self._place, self._own, plain=self._plays) as socket:
                    await self._visit(socket)
            except (aiohttp.ClientError, OSError, TimeoutError, ExceptionGroup) as fault:
                self.ends[f"{type(fault).__name__} {fault}"[:80]] += 1
            await asyncio.sleep(1)

    async def _visit(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        visitor = (InLines if self._plays else AtBoard)(socket)
        async with asyncio.TaskGroup() as group:
            looking = group.create_task(visitor.look())
            looking.add_done_callback(lambda _: playing.cancel())
            playing = group.create_task(self._play(visitor))
        if not playing.cancelled():
            raise ConnectionError("left")
        raise ConnectionError(f"closed: {socket.close_code}")

    async def _play(self, visitor: Visitor) -> None:
        if isinstance(visitor, AtBoard):
            await visitor.sit_down()
        self.inside.set()
        known = 0
        playing = asyncio.create_task(visitor.play(1 << 30))
        try:
            while not playing.done():
                await asyncio.sleep(0.2)
                now = time.monotonic()
                self.took += ((now, each) for each in visitor.took[known:])
                known = len(visitor.took)
            playing.result()
        finally:
            playing.cancel()


class Newcomers:
    """Strangers who come in one after the other, by browser and by ssh, and leave.

    Attributes:
        waited: when each came, and the seconds until the first words; infinite if kept out.
    """

    def __init__(self, place: Place) -> None:
        self._place = place
        self.waited: list[tuple[float, float, str]] = []

    async def run(self) -> None:
        """Come again and again until cancelled."""
        number = 0
        while True:
            own = address(_NEWCOMERS, number % 250)
            for name, come in (("browser", self._browser), ("ssh", self._ssh)):
                began, took = time.monotonic(), float("inf")
                with suppress(aiohttp.ClientError, asyncssh.Error, OSError, TimeoutError):
                    async with asyncio.timeout(_LONG):
                        await come(own)
                    took = time.monotonic() - began
                self.waited.append((began, took, name))
            number += 1
            await asyncio.sleep(_EVERY)

    async def _browser(self, own: str) -> None:
        """Ask a full club again, as the page does, which keeps one's place in the line."""
        async with browser(self._place, own) as session:
            while not await self._is_in(session):
                await asyncio.sleep(_ASKS_AGAIN)

    async def _is_in(self, session: aiohttp.ClientSession) -> bool:
        async with seated(session) as socket:
            visitor = Visitor(socket)
            looking = asyncio.create_task(visitor.look())
            seeing = asyncio.create_task(visitor.see(b"like to do"))
            try:
                await asyncio.wait({looking, seeing}, return_when=asyncio.FIRST_COMPLETED)
                return seeing.done()
            finally:
                looking.cancel()
                seeing.cancel()

    async def _ssh(self, own: str) -> None:
        async with (
            _ssh_connection(self._place, own) as connection,
            connection.create_process(term_type="xterm-256color", encoding=None) as process,
        ):
            seen = b""
            while b"like to do" not in seen:
                received = await process.stdout.read(1 << 16)
                if not received:
                    raise ConnectionError(seen[-80:])
                seen += received


def _ssh_connection(place: Place, own: str) -> Any:
    return asyncssh.connect(
        place.address,
        place.ssh,
        local_addr=(own, 0),
        username="stranger",
        known_hosts=None,
        client_keys=None,
        password="",
        agent_path=None,
        config=None,
    )


# The floods, each from one address: they return how much they have sent when they are stopped

Flood = Callable[[Place, str, Counter[str]], Coroutine[Any, Any, None]]


async def requests(place: Place, own: str, sent: Counter[str]) -> None:
    """Ask for the page as fast as it comes, eight at once."""

    async def ask(session: aiohttp.ClientSession) -> None:
        while True:
            with suppress(aiohttp.ClientError, OSError):
                async with session.get("/") as answer:
                    await answer.read()
                sent["requests"] += 1

    connector = aiohttp.TCPConnector(local_addr=(own, 0))
    async with aiohttp.ClientSession(place.url, connector=connector) as session:
        await asyncio.gather(*(ask(session) for _ in range(8)))


async def links(place: Place, own: str, sent: Counter[str]) -> None:
    """Guess links to tables."""
    connector = aiohttp.TCPConnector(local_addr=(own, 0))
    async with aiohttp.ClientSession(place.url, connector=connector) as session:
        while True:
            with suppress(aiohttp.ClientError, OSError):
                path = random.choice(("/t/", "/w/", "/show/")) + random.randbytes(8).hex()
                async with session.get(path) as answer:
                    await answer.read()
                sent["guesses"] += 1


async def half_open(place: Place, own: str, sent: Counter[str]) -> None:
    """Keep requests unfinished, a byte a second each."""

    async def one() -> None:
        while True:
            with suppress(OSError):
                _, writer = await asyncio.open_connection(
                    place.address, place.web, local_addr=(own, 0)
                )
                writer.write(b"GET / HTTP/1.1\r\nX: ")
                sent["unfinished requests"] += 1
                with suppress(OSError):
                    while True:
                        writer.write(b"x")
                        await writer.drain()
                        await asyncio.sleep(1)
                writer.close()
            await asyncio.sleep(0.2)

    await asyncio.gather(*(one() for _ in range(_HALF_OPEN)))


async def silent_ssh(place: Place, own: str, sent: Counter[str]) -> None:
    """Connect to the ssh door and say nothing."""

    async def one() -> None:
        while True:
            with suppress(OSError):
                reader, writer = await asyncio.open_connection(
                    place.address, place.ssh, local_addr=(own, 0)
                )
                sent["silent connections"] += 1
                while await reader.read(100):
                    pass
                writer.close()
            await asyncio.sleep(0.05)

    await asyncio.gather(*(one() for _ in range(_HALF_OPEN)))


async def ssh_visits(place: Place, own: str, sent: Counter[str]) -> None:
    """Come by ssh and leave at once."""
    while True:
        with suppress(asyncssh.Error, OSError):
            async with _ssh_connection(place, own) as connection:
                sent["ssh logins"] += 1
                async with connection.create_process(term_type="xterm", encoding=None):
                    await asyncio.sleep(0.1)
        await asyncio.sleep(0.02)


async def nonsense(place: Place, own: str, sent: Counter[str]) -> None:
    """Send random bytes to both doors."""
    while True:
        for port in (place.web, place.ssh):
            with suppress(OSError):
                _, writer = await asyncio.open_connection(place.address, port, local_addr=(own, 0))
                writer.write(random.randbytes(4096))
                await writer.drain()
                sent["connections with nonsense"] += 1
                writer.close()
        await asyncio.sleep(0.01)


async def visits(place: Place, own: str, sent: Counter[str]) -> None:
    """Open boards and leave at once."""
    while True:
        with suppress(aiohttp.ClientError, OSError):
            async with board(place, own):
                sent["visits by browser"] += 1
        await asyncio.sleep(0.02)


async def _inside(
    place: Place, own: str, say: Callable[[aiohttp.ClientWebSocketResponse], Any], pause: float
) -> None:
    """Be inside, and say something again and again."""
    while True:
        with suppress(aiohttp.ClientError, OSError):
            async with board(place, own, plain=say is _commands) as socket:

                async def read(socket: aiohttp.ClientWebSocketResponse = socket) -> None:
                    async for _ in socket:
                        pass

                reading = asyncio.create_task(read())
                while not reading.done():
                    await say(socket)
                    await asyncio.sleep(pause)
        await asyncio.sleep(0.5)


async def _paste(socket: aiohttp.ClientWebSocketResponse) -> None:
    await socket.send_str(json.dumps(["stdin", "\x1b[200~" + "x" * 60_000 + "\x1b[201~"]))


async def _resize(socket: aiohttp.ClientWebSocketResponse) -> None:
    size = {"width": random.randint(20, 300), "height": random.randint(5, 100)}
    await socket.send_str(json.dumps(["resize", size]))


async def _commands(socket: aiohttp.ClientWebSocketResponse) -> None:
    line = random.choice(("open", "quit", "offer koom", "who", "search a", "players", "puzzles"))
    await socket.send_str(json.dumps(["stdin", f"{line}\n"]))


async def pastes(place: Place, own: str, sent: Counter[str]) -> None:
    """Paste sixty thousand characters again and again."""
    await _inside(place, own, _counted(_paste, sent, "pastes"), 0.02)


async def sizes(place: Place, own: str, sent: Counter[str]) -> None:
    """Change the size of the board all the time."""
    await _inside(place, own, _counted(_resize, sent, "sizes"), 0.02)


async def commands(place: Place, own: str, sent: Counter[str]) -> None:
    """Open tables, make offers and search, as fast as lines are read."""
    await _inside(place, own, _counted(_commands, sent, "commands"), 0.02)


def _counted(say: Any, sent: Counter[str], what: str) -> Any:
    async def counted(socket: aiohttp.ClientWebSocketResponse) -> None:
        await say(socket)
        sent[what] += 1

    return counted


FLOODS: Final[tuple[Flood, ...]] = (
    *(requests, links, half_open, silent_ssh, ssh_visits),
    *(nonsense, visits, pastes, sizes, commands),
)


def flood(place: Place, seconds: float, told: Any) -> None:
    """Send all floods for some seconds, in a process of its own."""
    os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    sent = Counter[str]()

    async def all_of_them() -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds), asyncio.TaskGroup() as group:
                for number, each in enumerate(FLOODS):
                    group.create_task(each(place, address(_FLOODS, number), sent))

    asyncio.run(all_of_them())
    told.put(dict(sent))


def _change(command: str, addresses: list[str]) -> None:
    for each in addresses:
        subprocess.run(("ip", "address", command, f"{each}/32", "dev", "lo"), check=False)


def _spread(took: list[float]) -> str:
    if not took:
        return "none"
    ordered = sorted(took)
    often = ordered[int(0.95 * len(ordered))]
    return f"{median(ordered):.0f}, 95 % {often:.0f}, most {ordered[-1]:.0f}"


async def main(minutes: float, visitors: int, playing: int) -> None:
    own = [address(_VISITORS, each) for each in range(visitors)]
    own += [address(_FLOODS, each) for each in (*range(len(FLOODS)), 200)]
    own += [address(_NEWCOMERS, each) for each in range(250)]
    _change("add", own)
    try:
        with tempfile.TemporaryDirectory() as directory:
            async with open_club(Path(directory), visitors) as (place, process):
                await _spend(place, process, 60 * minutes, visitors, playing)
                log = Path(directory, "log").read_text()
                print(f"log: {len(log)} bytes, {log.count('Traceback')} tracebacks")
    finally:
        _change("delete", own)


async def _spend(place: Place, process: int, seconds: float, visitors: int, playing: int) -> None:
    stays = [Stay(place, each, plays=each < playing) for each in range(visitors)]
    newcomers, most = Newcomers(place), [0.0, 0.0]
    told = get_context("spawn").Queue()
    flooding = get_context("spawn").Process(target=flood, args=(place, 0.9 * seconds, told))
    async with AsyncExitStack() as after:
        for stay in stays:
            task = asyncio.create_task(stay.run())
            after.callback(task.cancel)
            await asyncio.sleep(_STARTS)
        for stay in stays:
            await asyncio.wait_for(stay.inside.wait(), 5 * _LONG)
        coming = asyncio.create_task(newcomers.run())
        after.callback(coming.cancel)
        began = time.monotonic()
        floods_at = began + seconds / 10
        while (now := time.monotonic()) < began + seconds:
            if now >= floods_at and flooding.pid is None:
                flooding.start()
            processes = [process, *descendants(process)]
            used = sum(map(memory, processes)) / 1024
            at = int(now >= floods_at)
            most[at] = max(most[at], used)
            print(f"{now - began:.0f} s: {len(processes)} processes, {used:.0f} MB", flush=True)
            until = began + seconds if flooding.pid else floods_at
            await asyncio.sleep(max(0.0, min(_EVERY, until - now)))
    flooding.join()
    for at, name in enumerate(("quiet", "floods")):
        is_now = partial(_within, began, floods_at, at)
        keys = [took for each in stays[playing:] for when, took in each.took if is_now(when)]
        answers = [took for each in stays[:playing] for when, took in each.took if is_now(when)]
        print(f"{name}: {len(keys)} keys, ms: {_spread(keys)}")
        print(f"{name}: {len(answers)} answers of computers, ms: {_spread(answers)}")
        for way in ("browser", "ssh"):
            waited = [took for when, took, by in newcomers.waited if by == way and is_now(when)]
            came = [1000 * took for took in waited if took < _LONG]
            print(f"{name}: {len(came)} of {len(waited)} came in by {way}, ms: {_spread(came)}")
        print(f"{name}: at most {most[at]:.0f} MB")
    print(f"ends: {dict(sum((each.ends for each in stays), Counter()))}")
    print(f"sent: {told.get()}")


def _within(began: float, floods_at: float, at: int, when: float) -> bool:
    return when >= floods_at if at else began <= when < floods_at


if __name__ == "__main__":
    given = [*map(float, sys.argv[1:]), *(60, 60, 10)[len(sys.argv) - 1 :]]
    asyncio.run(main(given[0], int(given[1]), int(given[2])))

"""Cost of club visitors, and how many can play before keys become slow.

Usage: python benchmarks/club.py [VISITORS…] [--computers COUNT]

Runs a real `thud serve` with the given numbers of visitors; by default with 1, 4, 8, 16 and so on
until keys take longer than 50 ms.  Everything, this program included, runs on two cores.  Each
visitor plays on a board of 120 by 40 cells and moves the cursor about twice a second; a key's
latency is the time until its first frame comes back over the websocket.  With --computers, so many
of them play against computers instead, and move every two seconds.  Memory is proportional set size
(PSS), so this runs on Linux only.  The time to the board is measured in Chromium, if installed.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import shutil
import statistics
import sys
import tempfile
import time
from argparse import ArgumentParser
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path
from typing import ClassVar, Final, NamedTuple

import aiohttp
from playwright.async_api import async_playwright

sys.path.append(str(Path(__file__).parents[1] / "tests"))

from processes import descendants, memory

STEPS: Final = (1, 4, 8, 16, 24, 32, 48, 64)
CORES: Final = 2
LONG: Final = 50.0
"""Milliseconds that a key may take, nineteen times in twenty."""
BETWEEN: Final = 0.5
KEYS: Final = 40
QUIET: Final = 10.0
TIMEOUT: Final = 120.0
TICKS: Final = os.sysconf("SC_CLK_TCK")
ROUND: Final = ("\x1b[B", "\x1b[C", "\x1b[A", "\x1b[D")


class Cost(NamedTuple):
    """Cost of a number of visitors.

    Attributes:
        visitors: number of visitors.
        first: median milliseconds from the websocket to the first question, one after another.
        memory: MB per visitor.
        total: MB of all processes, the server included.
        quiet: percent of one core per visitor while idle.
        playing: the same while all play.
        median: median key latency in milliseconds.
        p95: 95th percentile of the key latency in milliseconds.
    """

    visitors: int
    first: float
    memory: float
    total: float
    quiet: float
    playing: float
    median: float
    p95: float

    def __str__(self) -> str:
        return (
            f"| {self.visitors} | {self.first:.0f} | {self.memory:.0f} | {self.total:.0f} "
            f"| {self.quiet:.1f} | {self.playing:.1f} "
            f"| {self.median:.0f} | {self.p95:.0f} |"
        )


class Server:
    """A running `thud serve`.

    Args:
        url: base URL.
        secret: the guests' secret.
        process: process id.
    """

    def __init__(self, url: str, secret: str, process: int) -> None:
        self.url, self.secret, self._process = url, secret, process

    def visitors(self) -> list[int]:
        """Return the process ids of visitors and of their engines."""
        return descendants(self._process)

    def memory(self) -> float:
        """Return the memory of all visitors in megabytes."""
        return sum(map(memory, self.visitors())) / 1024

    def total(self) -> float:
        """Return the memory of all processes in megabytes."""
        return self.memory() + memory(self._process) / 1024

    def used(self) -> float:
        """Return the processor time of all processes, the server included, in seconds."""
        return sum(map(_used, [self._process, *self.visitors()]))


def _used(number: int) -> float:
    try:
        fields = Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / TICKS


@asynccontextmanager
async def served(directory: Path, most: int) -> AsyncIterator[Server]:
    """Run a club for a number of visitors."""
    names = ("DATA", "CONFIG", "CACHE", "RUN")
    own = {f"THUD_{name}_DIR": str(directory / name.lower()) for name in names}
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-P", "-m", "thud", "serve", "--web", "0", "--max-visitors", str(most)),
        env=os.environ | own,
        stdout=asyncio.subprocess.PIPE,
    )
    assert process.stdout
    try:
        while b"/#" not in (line := await process.stdout.readline()):
            assert line, "the club did not open"
        url, _, secret = line.decode().strip().partition("/#")
        yield Server(url, secret, process.pid)
    finally:
        process.terminate()
        await process.wait()


class Visitor:
    """A visitor who plays at a board and receives all frames.

    Args:
        socket: the board's websocket.
    """

    ASKED: ClassVar = (b"name?", "\r")
    """What a newcomer is asked, and the key for an answer."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self._socket = socket
        self._drawn = asyncio.Event()
        self._seen = b""
        self.took: list[float] = []

    async def look(self) -> None:
        """Receive frames until the socket closes."""
        async for message in self._socket:
            if message.type == aiohttp.WSMsgType.BINARY:
                self._seen += message.data
                self._drawn.set()

    async def first(self) -> float:
        """Wait for the first question; return the time that took, in milliseconds."""
        began = time.perf_counter()
        await self.see(b"name?", keep=True)
        return 1000 * (time.perf_counter() - began)

    async def see(self, text: bytes, *, keep: bool = False) -> None:
        """Wait until a text has been drawn."""
        async with asyncio.timeout(TIMEOUT):
            while text not in self._seen:
                self._drawn.clear()
                await self._drawn.wait()
        if not keep:
            self._seen = b""

    async def settle(self, quiet: float = 0.3) -> None:
        """Wait until nothing has been drawn for `quiet` seconds, as between two cursor blinks."""
        with suppress(TimeoutError):
            while True:
                self._drawn.clear()
                await asyncio.wait_for(self._drawn.wait(), quiet)

    async def press(self, key: str) -> None:
        """Press a key."""
        await self._socket.send_str(json.dumps(["stdin", key]))

    async def sit_down(self) -> None:
        """Answer the first question, and open a table that waits for an opponent."""
        steps = ((b"New match", "n"), (b"Back", "\r"), (b"How to join", "\x1b"))
        for seen, key in (self.ASKED, *steps):
            await self.see(seen)
            await self.settle()
            await self.press(key)
        await self.see(b" to move")
        await self.settle()

    async def meet_computer(self) -> None:
        """Enter a name and begin a match against a computer."""
        await self.settle()
        await self.press("\r")
        await self.see(b"New match")
        for key in (*["\x1b[B"] * 3, "\r"):
            await self.settle()
            await self.press(key)
        await self.see(b"computer, level")

    async def play_computer(self) -> None:
        """Move a dwarf to the right every two seconds, where that is allowed, until cancelled."""
        while True:
            for key in ("\x1b", "\t", "\r", "\x1b[C", "\r"):
                await self.press(key)
                await asyncio.sleep(0.1)
            await asyncio.sleep(1.5)

    async def play(self, keys: int) -> None:
        """Press a number of keys at human speed, and time each."""
        await asyncio.sleep(random.uniform(0.0, BETWEEN))
        for number in range(keys):
            await self.settle(BETWEEN)
            self._drawn.clear()
            self._seen = b""
            began = time.perf_counter()
            await self.press(ROUND[number % len(ROUND)])
            await asyncio.wait_for(self._drawn.wait(), TIMEOUT)
            self.took.append(1000 * (time.perf_counter() - began))


@asynccontextmanager
async def visiting(server: Server) -> AsyncIterator[Visitor]:
    """Connect a visitor."""
    jar = aiohttp.CookieJar(unsafe=True)
    async with aiohttp.ClientSession(server.url, cookie_jar=jar) as session:
        origin = {"Origin": server.url}
        async with session.post("/enter", data=server.secret, headers=origin) as answer:
            answer.raise_for_status()
        board = "/board?width=120&height=40"
        async with session.ws_connect(board, headers=origin, heartbeat=None) as socket:
            visitor = Visitor(socket)
            looking = asyncio.create_task(visitor.look())
            yield visitor
            looking.cancel()


async def measure(visitors: int, computers: int) -> Cost:
    """Measure the cost of a number of visitors, some of whom play against computers."""
    with tempfile.TemporaryDirectory() as directory:
        async with served(Path(directory), visitors) as server, AsyncExitStack() as after:
            inside, first = [], []
            for _ in range(visitors):
                inside.append(await after.enter_async_context(visiting(server)))
                first.append(await inside[-1].first())
            busy, idle = inside[:computers], inside[computers:]
            for each in inside:  # one by one: each new table changes what all others see
                await (each.meet_computer() if each in busy else each.sit_down())
            for each in busy:
                task = asyncio.create_task(each.play_computer())
                after.callback(task.cancel)
            quiet = await share(server, asyncio.sleep(QUIET)) / visitors
            playing = await share(server, together(idle)) / visitors
            took = sorted(each for visitor in idle for each in visitor.took)
            median, p95 = statistics.median(took), took[int(0.95 * len(took))]
            spent = (server.memory() / visitors, server.total(), quiet, playing)
            return Cost(visitors, statistics.median(first), *spent, median, p95)


async def together(inside: list[Visitor]) -> None:
    await asyncio.gather(*(each.play(KEYS) for each in inside))


async def share(server: Server, doing: object) -> float:
    """Return the club's processor load while awaiting something, in percent of one core."""
    before, began = server.used(), time.perf_counter()
    await doing  # type: ignore[misc]
    return 100 * (server.used() - before) / (time.perf_counter() - began)


async def to_the_board(times: int = 5) -> list[float]:
    """Return the seconds from opening the page to the board, with an empty browser cache."""
    path = shutil.which("chromium")
    if not path:
        return []
    with tempfile.TemporaryDirectory() as directory:
        async with served(Path(directory), 4) as server, async_playwright() as playwright:
            browser = await playwright.chromium.launch(
                executable_path=path, args=["--no-sandbox", "--disable-gpu"]
            )
            took = []
            for _ in range(times):
                page = await (await browser.new_context()).new_page()
                began = time.perf_counter()
                await page.goto(f"{server.url}/#{server.secret}")
                await page.wait_for_selector("#notice", state="hidden")
                took.append(time.perf_counter() - began)
                await page.context.close()
            await browser.close()
            return took


async def main(steps: list[int], computers: int) -> None:
    took = await to_the_board()
    if took:
        print(f"From opening the page to the board: {statistics.median(took):.2f} s\n")
    heads = ("visitors", "first frame, ms", "MB each", "MB in all", "% of a core each, quiet")
    print(f"| {' | '.join((*heads, 'playing', 'key, half', 'key, 95 %'))} |")
    print("| ---: " * 8 + "|")
    for visitors in steps or STEPS:
        cost = await measure(visitors, computers)
        print(cost, flush=True)
        if not steps and cost.p95 > LONG:
            return


if __name__ == "__main__":
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:CORES])
    parser = ArgumentParser()
    parser.add_argument("visitors", type=int, nargs="*")
    parser.add_argument("--computers", type=int, default=0)
    options = parser.parse_args()
    asyncio.run(main(options.visitors, options.computers))

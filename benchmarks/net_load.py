"""Load on a host: sixteen spectators of a fast battle, and attackers.

Usage: python benchmarks/net_load.py [SECONDS]

First measures moves per second in a battle of two fast computer players, and its host's memory,
with one and with sixteen spectators.  Then the cost of a key at the host's board, as in
benchmarks/interface.py, without an attack and under several attacks by another process.  It counts
up to the first frame; its processor time includes what the attack costs the host meanwhile.  A
frame that is late with little processor time was waiting for a core.
"""

from __future__ import annotations

import asyncio
import gc
import json
import os
import re
import ssl
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from random import Random
from typing import Final

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
sys.path.insert(0, str(Path(__file__).parent))

from interface import TimedApp

from thud.engines.spec import parse_contender
from thud.net.hosting import opened
from thud.net.seat_registry import Terms
from thud.net.transports.invitation import OverTls, parse_goal
from thud.net.transports.local import LocalTransport
from thud.net.transports.transport import Streams
from thud.rules.match import Match
from thud.rules.variants import VARIANTS
from thud.session.session import Session
from thud.tui.start import PlayMatch

WATCHERS: Final = 16
KEYS: Final = 60
HELLO: Final = b'{"m":"hello","thud":1,"want":"%s","name":"Eve"}\n'
PING: Final = b'{"m":"ping"}\n'


# Spectators


async def watched(where: str, seconds: float, watchers: int) -> float:
    """Connect a number of spectators; return the moves per second that the slowest receives."""
    counts = await asyncio.gather(*(_moves_told(where, seconds) for _ in range(watchers)))
    return min(counts) / seconds


async def _moves_told(where: str, seconds: float) -> int:
    reader, writer = await LocalTransport(where).open()
    writer.write(HELLO % b"watch")
    count = 0
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            while told := await reader.readline():
                count += b'"played"' in told
    writer.close()
    return count


def battle(seconds: float) -> None:
    """Print moves per second and the host's cost in a battle of two fast computer players."""
    with tempfile.TemporaryDirectory() as directory:
        os.environ["THUD_RUN_DIR"] = f"{directory}/run"
        for watchers in (1, WATCHERS):
            environment = {**os.environ, "THUD_DATA_DIR": f"{directory}/{watchers}"}
            command = [sys.executable, "-m", "thud", "host", "--plain", "--variant", "koom"]
            with subprocess.Popen(
                [*command, "--dwarfs", "random", "--trolls", "material"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                env=environment,
            ) as host:
                assert host.stdout
                assert host.stdin
                lines = iter(host.stdout.readline, b"")
                found = next(found for each in lines if (found := re.search(rb"watch (\w+)", each)))
                draining = subprocess.Popen(["cat"], stdin=host.stdout, stdout=subprocess.DEVNULL)
                work = _processor_time(host.pid)
                rate = asyncio.run(watched(found[1].decode(), seconds, watchers))
                work = _processor_time(host.pid) - work
                print(
                    f"{watchers} looking on: {rate:.0f} moves a second are told to the slowest; "
                    f"the host has {_memory(host.pid):.0f} MiB, and takes "
                    f"{work / seconds:.0%} of a core"
                )
                host.terminate()
                draining.wait()


def _memory(pid: int) -> float:
    found = re.search(r"VmHWM:\s+(\d+)", Path(f"/proc/{pid}/status").read_text())
    assert found
    return int(found[1]) / 1024


def _processor_time(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


# Attacks, in a process of their own


async def attack(kind: str, here: str, invitation: str) -> None:
    """Attack until this process is killed."""
    goal = parse_goal(invitation)
    assert isinstance(goal, OverTls)
    await asyncio.gather(*(_attack(kind, here, goal) for _ in range(8)))


async def _attack(kind: str, here: str, goal: OverTls) -> None:
    while True:
        with suppress(OSError, ValueError, asyncio.IncompleteReadError):
            await _ATTACKS[kind](here, goal)
        await asyncio.sleep(0.001)


async def _inside(here: str) -> Streams:
    reader, writer = await LocalTransport(here).open()
    writer.write(HELLO % b"watch")
    return reader, writer


async def _flood(here: str, goal: OverTls) -> None:
    """Flood the host with pings, and read all answers."""
    reader, writer = await _inside(here)
    reading = asyncio.create_task(reader.read(-1))
    while not reading.done():
        writer.write(PING * 100)
        await writer.drain()
        await asyncio.sleep(0)


async def _slow(here: str, goal: OverTls) -> None:
    """Read a few bytes at a time, and request more."""
    reader, writer = await _inside(here)
    while await reader.read(16):
        writer.write(PING)
        await asyncio.sleep(0.01)


async def _garbage(here: str, goal: OverTls) -> None:
    """Send random bytes."""
    rng = Random()
    reader, writer = await LocalTransport(here).open()
    writer.write(rng.randbytes(4000))
    await reader.read(-1)
    writer.close()


async def _deaf(here: str, goal: OverTls) -> None:
    """Send pings, and never read."""
    _, writer = await _inside(here)
    while True:
        writer.write(PING * 10)
        await writer.drain()
        await asyncio.sleep(0.01)


async def _guess(here: str, goal: OverTls) -> None:
    """Try random secrets."""
    reader, writer = await _encrypted(goal)
    writer.write(b'{"m":"ask","thud":1,"secret":"%032d"}\n' % Random().getrandbits(90))
    await reader.read(-1)
    writer.close()


async def _handshake(here: str, goal: OverTls) -> None:
    """Complete a TLS handshake, then abort."""
    _, writer = await _encrypted(goal)
    writer.transport.abort()


async def _encrypted(goal: OverTls) -> Streams:
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    # A random source address each time, so that blocking by address does not help.
    own = f"127.{Random().randrange(1, 250)}.{Random().randrange(250)}.9"
    return await asyncio.open_connection(
        goal.address, goal.port, ssl=context, local_addr=(own, 0), limit=1 << 16
    )


_ATTACKS: Final = {
    "a flood": _flood,
    "slow readers": _slow,
    "garbage": _garbage,
    "who never read": _deaf,
    "who guess, from everywhere": _guess,
    "who begin handshakes, from everywhere": _handshake,
}


@contextmanager
def attacked(kind: str, here: str, invitation: str) -> Iterator[None]:
    """Run an attack in another process during the context."""
    if not kind:
        yield
        return
    command = [sys.executable, __file__, "--attack", kind, here, invitation]
    with subprocess.Popen(command) as process:
        try:
            yield
        finally:
            process.kill()


# The host's board


async def keys() -> None:
    """Print the cost of a key at a host's board, without and under attack."""
    # As the drawing commands do; the app enables it again once everything is loaded, and only
    # collects what is allocated later.
    gc.disable()
    pair = parse_contender("human"), parse_contender("guest")
    session = Session(Match(VARIANTS["classic"]), contenders=pair)
    hosting = await opened(session, Terms(listen=("127.0.0.1", 0)))
    invitation = next(
        each for each in session.state.participants.invitation if "thud://" in each
    ).split()[-1]
    app = TimedApp.__new__(TimedApp)
    super(TimedApp, app).__init__(PlayMatch(session))
    app.frames = []
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        while len(app.screen_stack) > 1:
            await pilot.press("escape")
        for kind in ("", *_ATTACKS, ""):
            with attacked(kind, hosting.host.id, invitation):
                await asyncio.sleep(1.5 if kind else 0.2)
                await _measure(app, kind or "in peace")
    print(f"the host at its largest: {_memory(os.getpid()):.0f} MiB")


async def _measure(app: TimedApp, kind: str) -> None:
    from textual import events

    walls, works = [], []
    keys = ["right", "left", "down", "up"] * (KEYS // 4)
    for key in keys:
        await asyncio.sleep(0.05)
        app.frames.clear()
        begin, work = time.perf_counter(), time.process_time()
        app.post_message(events.Key(key, None))
        async with asyncio.timeout(10):
            while not app.frames:
                await asyncio.sleep(0)
        walls.append((app.frames[0] - begin) * 1e3)
        works.append((time.process_time() - work) * 1e3)
    begin, work = time.perf_counter(), time.process_time()
    await asyncio.sleep(1)
    idle = (time.process_time() - work) / (time.perf_counter() - begin)
    wall = statistics.quantiles(walls, n=20)
    print(
        f"{kind}: key to first frame {statistics.median(walls):.1f} ms (19 of 20 within "
        f"{wall[-1]:.1f}, the longest {max(walls):.1f}), processor time until then "
        f"{statistics.median(works):.1f} ms, {max(works):.1f} at most; the host takes "
        f"{idle:.0%} of a core without keys"
    )


def main() -> None:
    if sys.argv[1:2] == ["--attack"]:
        asyncio.run(attack(*sys.argv[2:5]))
        return
    print("load of the machine before: " + json.dumps(os.getloadavg()))
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 5
    if seconds:
        battle(seconds)
    with tempfile.TemporaryDirectory() as directory:
        for name in ("RUN", "DATA", "CONFIG", "CACHE"):
            os.environ[f"THUD_{name}_DIR"] = f"{directory}/{name}"
        asyncio.run(keys())


if __name__ == "__main__":
    main()

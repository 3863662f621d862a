"""What a club loses when its processes are killed, or packets are dropped.

Usage: python trials/club_faults.py [TIMES] [SEED] [SECONDS...]

A real `thud serve` keeps a table with a clock.  Ann sits at the board by a websocket, as a browser
does, and Bob by the system's ssh.  While a move is typed, sent or shown, something is killed with
SIGKILL: the club, the keeper of its tables, the process of a visitor, or what a visitor looks at.
The club and ssh are then started again; a browser's page comes back by itself, in the time that the
real page takes.  Both have to be back at the board without a key, with every move that they have
seen there, and be able to go on.  A third looks on, and checks moves and clocks.

With SECONDS nothing is killed.  The club is in a network namespace, and no packet passes between it
and its visitors for so many seconds, each length in turn (Linux, as root).

A move is acknowledged when its player's list of moves shows it.  A clock is right if it stood still
from the kill until the table was reopened, and ran at all other times.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from typing import Final

import aiohttp

sys.path.pop(0)  # where club.py is, which is not the package that is meant
sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from club.guests import Guest, made_key
from terminal.emulator import Picture
from thud.disk.directories import RUN_VARIABLE
from thud.net.host_connection import Caller, Tokens
from thud.net.remote import Remote
from thud.net.transports.local import LocalTransport, open_matches, place_of_club
from thud.rules.battle import Battle
from thud.rules.notation import move_text
from thud.rules.position import Side
from thud.rules.variants import VARIANTS
from thud.session.participants import WATCH
from thud.visitor.tables import OpenTable, TableLine

TIMEOUT: Final = 60.0
"""Seconds after which somebody counts as lost, on a busy machine."""

SITTING_DOWN: Final = 180.0
"""Seconds that a visitor may take to come for the first time, on a busy machine."""

SHOWN: Final = 3.0
"""Seconds until a move that was typed counts as refused, and is typed again."""

CLOCK: Final = 7200
SIZE: Final = (100, 40)
PAGE_PAUSES: Final = (0.5, 1, 2, 4, 8)
PAGE_WAITS: Final = aiohttp.ClientTimeout(8)
PAGE_ASKS: Final = 10.0
"""When a page tries a broken line again, and gives up a silent one, as in club.js (a heartbeat has
half as long to be answered)."""

KINDS: Final = ("club", "keeper", "Ann's process", "Bob's process", "Ann's browser", "Bob's ssh")
SILENCE: Final = "packets"

NAMESPACE: Final = "thud-club"
INSIDE: Final = ("ip", "netns", "exec", NAMESPACE)
NEAR, FAR = "10.99.0.1", "10.99.0.2"
"""The visitors' address, and the club's, where it is in a network of its own."""


@contextmanager
def network() -> Iterator[None]:
    """Have a network namespace that two interfaces lead to."""
    far = ("ip", "-n", NAMESPACE)
    commands = [
        ("ip", "netns", "add", NAMESPACE),
        ("ip", "link", "add", "thud0", "type", "veth", "peer", "thud1", "netns", NAMESPACE),
        ("ip", "address", "add", f"{NEAR}/24", "dev", "thud0"),
        ("ip", "link", "set", "thud0", "up"),
        (*far, "address", "add", f"{FAR}/24", "dev", "thud1"),
        (*far, "link", "set", "thud1", "up"),
    ]
    try:
        for command in commands:
            subprocess.run(command, check=True)
        yield
    finally:
        subprocess.run(("ip", "netns", "delete", NAMESPACE), check=False)


def drop(*, on: bool) -> None:
    """Drop all packets both ways, or let them pass again."""
    for prefix, device in (((), "thud0"), (INSIDE, "thud1")):
        queue = ("dev", device, "root")
        told = ("replace", *queue, "blackhole") if on else ("delete", *queue)
        subprocess.run((*prefix, "tc", "qdisc", *told), check=True)


class Club:
    """A `thud serve` that is killed and started again at the same ports.

    Args:
        directory: where everything of it is.
        options: more options of `thud serve`.
        apart: whether it is in the network namespace.
    """

    def __init__(self, directory: Path, *options: str, apart: bool = False) -> None:
        self._options = options
        self._environment = os.environ | {"THUD_DATA_DIR": str(directory / "data")}
        self.address = FAR if apart else "127.0.0.1"
        self._prefix = INSIDE if apart else ()
        self._ports = ("0", "0")
        self.url = self.secret = self.word = ""
        self._start()
        private = directory / "data" / "club" / "ssh" / "host_key"
        asked = ["ssh-keygen", "-y", "-f", str(private)]
        self.host_key = subprocess.check_output(asked, text=True).strip()

    @property
    def ssh_port(self) -> int:
        """Where it lets ssh in."""
        return int(self._ports[1])

    def _start(self) -> None:
        web, ssh = self._ports
        doors = ("--web", web, "--ssh", ssh, "--host", self.address, "--allow-remote")
        serve = (sys.executable, "-P", "-m", "thud", "serve", *doors, *self._options)
        self._process = subprocess.Popen(
            (*self._prefix, *serve), env=self._environment, stdout=subprocess.PIPE, text=True
        )
        assert self._process.stdout
        said = ""
        while "Ctrl+C" not in said:
            line = self._process.stdout.readline()
            assert line, f"the club did not open: {said}"
            said += line
        address = re.search(r"(http://[0-9.]+:(\d+))/#(\S+)", said)
        ssh_line, word = re.search(r"ssh -p (\d+)", said), re.search(r"the word: (\S+)", said)
        assert address, said
        assert ssh_line, said
        assert word, said
        self.url, self.secret, self.word = address[1], address[3], word[1]
        self._ports = (address[2], ssh_line[1])

    def child(self, *parts: str) -> int:
        """Return a process of the club with all these in its command, name and input, or 0."""
        return next(iter(self.children(*parts)), 0)

    def children(self, *parts: str) -> Iterator[int]:
        """Yield the processes of the club with all these in their command, name and input."""
        for path in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):
                parent = int((path / "stat").read_text().rpartition(")")[2].split()[1])
                if parent != self._process.pid:
                    continue
                told = (path / "cmdline").read_text() + (path / "comm").read_text()
                told += os.readlink(path / "fd" / "0")
                if all(each in told for each in parts):
                    yield int(path.name)

    def memory(self) -> float:
        """Return the memory of all its processes, in megabytes: each page counts once."""
        kilobytes = 0
        for number in (self._process.pid, *self.children()):
            with suppress(OSError):
                lines = Path(f"/proc/{number}/smaps_rollup").read_text().splitlines()
                kilobytes += next(int(line.split()[1]) for line in lines if "Pss:" in line)
        return kilobytes / 1024

    def restart(self) -> None:
        """Kill it, and start it again."""
        self._process.kill()
        self._process.wait()
        self._start()

    def end(self) -> None:
        """Close it in good order."""
        self._process.terminate()
        self._process.wait()


class Browser(Picture):
    """A visitor by websocket, who behaves as the page does."""

    def __init__(self, club: Club) -> None:
        super().__init__(SIZE)
        self._club = club
        self._link = ""
        self._session = aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True))
        self._socket: aiohttp.ClientWebSocketResponse | None = None
        self.taps = 0
        """How often the page waited for a tap."""
        self.lost_at = 0.0
        self._task: asyncio.Task[None] | None = None

    def come(self, link: str) -> None:
        """Open a table's link."""
        self._link = f"/{link}"
        self._task = asyncio.create_task(self._stay())

    async def _stay(self) -> None:
        broken = 0
        while True:
            with suppress(aiohttp.ClientError, OSError, TimeoutError):
                origin = {"Origin": self._club.url}
                enter = f"{self._club.url}/enter"
                asking = self._session.post(
                    enter, data=self._club.secret, headers=origin, timeout=PAGE_WAITS
                )
                async with asking:
                    pass
                board = f"{self._club.url}/board{self._link}?width={SIZE[0]}&height={SIZE[1]}"
                opening = self._session.ws_connect(board, headers=origin, heartbeat=PAGE_ASKS)
                async with opening as socket:
                    Picture.__init__(self, SIZE)  # what came before may have been cut off
                    self._socket = socket
                    async for message in socket:
                        if message.type == aiohttp.WSMsgType.BINARY:
                            self.show(message.data)
                            if len(message.data) > 200:
                                broken, self._link = 0, ""
                    self.taps += socket.close_code == 4000
            self._socket = None
            Picture.__init__(self, SIZE)  # what came before may have been cut off
            await asyncio.sleep(PAGE_PAUSES[min(broken, len(PAGE_PAUSES) - 1)])
            broken += 1

    async def type(self, *keys: str) -> None:
        """Press keys; without a line they are lost."""
        for key in keys:
            if self._socket and not self._socket.closed:
                with suppress(ConnectionError):
                    await self._socket.send_str(json.dumps(["stdin", key]))

    async def kill(self) -> None:
        """Have the browser gone, and opened again at the club's address."""
        if self._task:
            if self._socket and (transport := self._socket.get_extra_info("socket")):
                transport.shutdown(2)
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
            Picture.__init__(self, SIZE)  # what came before may have been cut off
            self._task = asyncio.create_task(self._stay())

    async def look(self) -> None:
        """Let others go on."""
        await asyncio.sleep(0.02)

    async def close(self) -> None:
        """Leave."""
        if self._task:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        await self._session.close()


class Shell:
    """A visitor by ssh, who calls again whenever that has ended."""

    def __init__(self, club: Club, directory: Path) -> None:
        key = made_key(directory / "bob.key")
        self._guest = Guest(
            directory / "bob",
            club.ssh_port,
            club.host_key,
            name="Bob",
            word=club.word,
            key=key,
            host=club.address,
        )
        self.times = 0

    def come(self, *link: str) -> None:
        """Call."""
        self.times += 1
        alive = ("-o", "ServerAliveInterval=5")
        self._terminal = self._guest.at("-t", *alive, size=SIZE, command=link)

    @property
    def text(self) -> str:
        """What is shown."""
        return self._terminal.text

    @property
    def lines(self) -> list[str]:
        """The same, by lines."""
        return self._terminal.lines

    async def type(self, *keys: str) -> None:
        """Press keys; those are lost that come to no ssh."""
        with suppress(OSError):
            self._terminal.send(*keys)

    async def kill(self) -> None:
        """Have ssh gone."""
        self._terminal.process.kill()

    async def look(self) -> None:
        """Show what has come; call again if ssh has ended."""
        while self._terminal.read(0):
            pass
        if self._terminal.process.poll() is not None:
            self._terminal.close()
            self.come()

    async def close(self) -> None:
        """Leave."""
        self._guest.close()


Player = Browser | Shell


def _alive(process: int) -> bool:
    """Return whether a process runs and is not a zombie."""
    with suppress(OSError):
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return False


class Faults:
    """A match under which processes are killed."""

    def __init__(self, directory: Path, seed: int, silences: list[int]) -> None:
        self._chance = random.Random(seed)
        self._silences = itertools.cycle(silences)
        self._timeout = TIMEOUT + max(silences, default=0)
        self._club = Club(directory, apart=bool(silences))
        os.environ[RUN_VARIABLE] = str(place_of_club(directory / "data" / "club"))
        self._kinds = (SILENCE,) if silences else KINDS
        self._table = ""
        self._ann, self._bob = Browser(self._club), Shell(self._club, directory)
        self._players: tuple[Player, Player] = (self._ann, self._bob)
        self._battle = Battle(VARIANTS["classic"])
        self._moves: list[str] = []
        self._directory = directory / ("e" * 32)
        self._directory.mkdir()
        self.killed = dict.fromkeys(self._kinds, 0)
        self.acknowledged = self.again = self.unseen = 0
        self.longest = 0.0
        self.clock_faults: list[float] = []

    async def begin(self) -> None:
        """Sit both down at a table with a clock."""
        line = TableLine(lambda: "Eve", lambda: None, "", self._directory)
        keeping = asyncio.create_task(line.run())
        await line.known.wait()
        opened = await line.ask(OpenTable("classic", clock=str(CLOCK // 60)))
        self._table = table = opened.id
        keeping.cancel()
        for each in self._players:
            each.come(table)
        for player, name in zip(self._players, ("Ann", "Bob"), strict=True):
            answers = {"name?": (name, "\r"), "Sit down": ("\r",), "Who is here": ("\x1b",)}
            async with asyncio.timeout(SITTING_DOWN):
                while "1 of 2" not in player.text or "Who is here" in player.text:
                    for asked, keys in answers.items():
                        if asked in player.text:
                            await player.type(*keys)
                    await self._wait(0.5)
        caller, tokens = Caller("Eve", WATCH, named=False), Tokens(self._directory)
        self._eve = await Remote.joined(LocalTransport(table), caller, tokens=tokens)
        await self._eve.begin()
        self._watching = asyncio.create_task(self._eve.run())

    async def _seen(self, so: Callable[[], bool], seconds: float) -> None:
        async with asyncio.timeout(seconds):
            while not so():
                await self._look()

    async def _wait(self, seconds: float) -> None:
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            await self._look()

    async def _look(self) -> None:
        for each in self._players:
            await each.look()

    def _shows(self, player: Player) -> bool:
        """Whether the list beside the board ends with the last move."""
        if not self._moves:
            return "1 of 2" in player.text
        listed = "\n".join(line[-29:] for line in player.lines)
        turn = (len(self._moves) - 1) // 2
        moves = [re.escape(each) for each in self._moves[2 * turn :]]
        listing = r"[\s…]+".join([rf"\b{turn + 1}", *moves])
        return bool(re.search(rf"{listing}(?!\S)", listed))

    async def once(self) -> None:
        """Play a move, and kill something meanwhile."""
        side = self._battle.position.to_move
        player = self._players[side is Side.TROLLS]
        legal = self._battle.variant.legal_moves(self._battle.position)
        ways = Counter((each.origin, each.destination) for each in legal)
        move = self._chance.choice([e for e in legal if ways[e.origin, e.destination] == 1])
        text = move_text(self._battle.position, move)
        kind = self._chance.choice(self._kinds)
        killing = asyncio.create_task(self._kill(kind))
        self._moves.append(text)
        self._battle.play(move)
        tries = 0
        async with asyncio.timeout(self._timeout):
            while not self._shows(player):
                # A key that was lost on its way is pressed again, as people do.
                tries += 1
                if tries > 1:
                    self.unseen += len(self._eve.state.battle.moves) == len(self._moves)
                    await player.type("\x1b")
                    await self._wait(0.2)
                await player.type(":")
                await self._wait(0.15)
                await player.type(text, "\r")
                with suppress(TimeoutError):
                    await self._seen(lambda: self._shows(player), SHOWN)
        self.acknowledged += 1
        self.again += tries > 1
        killed_at = await killing
        self.killed[kind] += 1
        await self._seen(lambda: all(map(self._shows, self._players)), TIMEOUT)
        self.longest = max(self.longest, time.monotonic() - killed_at)

    async def _kill(self, kind: str) -> float:
        """Kill something, check that the clock goes on rightly; return when it was killed."""
        await asyncio.sleep(self._chance.random() * 0.6)
        at = time.monotonic()
        if kind == SILENCE:
            await self._fall_silent(next(self._silences))
            at = time.monotonic()
        elif kind in ("club", "keeper"):
            await self._kill_tables(kind)
        elif kind == "Ann's browser":
            await self._ann.kill()
        elif kind == "Bob's ssh":
            await self._bob.kill()
        else:
            stream = "pipe:" if kind == "Ann's process" else "/dev/pts/"
            if number := self._club.child("thud-visitor", stream):
                os.kill(number, 9)
        return at

    async def _fall_silent(self, seconds: int) -> None:
        """Let no packet pass for a while; the clock runs on."""
        ran, before, at = self._ran, self._used(), time.monotonic()
        drop(on=True)
        try:
            await asyncio.sleep(seconds)
        finally:
            drop(on=False)
        if ran and self._ran:
            self.clock_faults.append(self._used() - before - (time.monotonic() - at))

    async def _kill_tables(self, kind: str) -> None:
        """Kill the keeper of the tables, or the club with it, and check the clock."""
        keeper = self._club.child("thud.club.keeper")
        ran, before, at = self._ran, self._used(), time.time()
        restarting = None
        if kind == "club":
            restarting = asyncio.create_task(asyncio.to_thread(self._club.restart))
        else:
            os.kill(keeper, 9)
        ended = reopened = 0.0
        async with asyncio.timeout(TIMEOUT):
            while not ended or not reopened or self._eve.there.lost:
                await asyncio.sleep(0.01)
                if not ended and not _alive(keeper):
                    ended = time.time()
                if self._opened > at:
                    reopened = self._opened
            if restarting:
                await restarting
        if ran:
            expected = ended - at + time.time() - reopened
            self.clock_faults.append(self._used() - before - expected)

    @property
    def _ran(self) -> bool:
        """Whether the clock of the table runs: from the first move on."""
        clock = self._eve.state.clock
        return bool(clock and clock.running)

    @property
    def _opened(self) -> float:
        """When the table was last opened; 0.0 while it is closed."""
        return next((each.about.since for each in open_matches() if each.id == self._table), 0.0)

    def _used(self) -> float:
        """Seconds that both have used."""
        clock = self._eve.state.clock
        assert clock
        return sum(CLOCK - clock.total_ms(side) / 1000 for side in Side)

    async def end(self) -> int:
        """Check what was kept; return how many moves were lost."""
        await asyncio.sleep(1)
        played, kept = self._battle.moves[: self.acknowledged], self._eve.state.battle.moves
        lost = sum(a != b for a, b in zip(played, kept, strict=False))
        lost += max(0, len(played) - len(kept))
        self._watching.cancel()
        await asyncio.gather(self._watching, return_exceptions=True)
        for each in self._players:
            await each.close()
        self._club.end()
        return lost

    def show(self) -> None:
        """Print what both see."""
        for each in self._players:
            print(each.text)

    def report(self, lost: int) -> None:
        """Print what came of it."""
        print(f"killed: {self.killed}")
        print(f"acknowledged moves, seen by their players: {self.acknowledged}, lost: {lost}")
        print(
            f"moves typed again, not shown within {SHOWN:g} s: {self.again}; "
            f"{self.unseen} of them had arrived"
        )
        print(f"both back at the board after {self.longest:.1f} s at most")
        print(f"the page waited for a tap {self._ann.taps} times")
        if self.clock_faults:
            print(
                f"the clock, compared {len(self.clock_faults)} times: at least "
                f"{min(self.clock_faults):+.2f} s, at most {max(self.clock_faults):+.2f} s "
                "against the time that it should have run"
            )


async def main(times: int, seed: int, *silences: int) -> int:
    """Kill something so often; print what was lost; return the exit status."""
    with tempfile.TemporaryDirectory(prefix="thud-faults-") as name:
        directory = Path(name)
        for kind in ("DATA", "RUN", "CONFIG", "CACHE"):
            os.environ[f"THUD_{kind}_DIR"] = str(directory / kind.lower())
        began = time.monotonic()
        faults = Faults(directory, seed, [*silences])
        done, failed = 0, False
        try:
            await faults.begin()
            print(f"both at the board after {time.monotonic() - began:.0f} s", flush=True)
            for done in range(1, times + 1):
                await faults.once()
                if done % 20 == 0:
                    print(f"{done} after {time.monotonic() - began:.0f} s", flush=True)
        except TimeoutError:
            print(f"after {done}: somebody is not back at the board")
            faults.show()
            failed = True
        lost = await faults.end()
        faults.report(lost)
        print(f"{time.monotonic() - began:.0f} s in all")
        return int(failed or lost > 0)


if __name__ == "__main__":
    arguments = [*map(int, sys.argv[1:])]
    arguments += [200, 1][len(arguments) :]
    with network() if arguments[2:] else nullcontext():
        sys.exit(asyncio.run(main(*arguments)))

"""Fuzzing of a host and a guest with malformed and misplaced messages.

Usage: python trials/net_fuzz.py [MESSAGES] [SEED]

Half of the messages go to a host: before `hello`, from a seat and from an onlooker.  The other half
goes to a guest from a lying host.  Some are bytes changed at random, some have wrong fields, and
some are valid but come at the wrong time.  Nothing may be raised, logged or left running, no stream
may exceed its time limit, and memory must stay bounded.
"""

from __future__ import annotations

import asyncio
import gc
import json
import logging
import resource
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any, Final

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from net.meeting import Meeting, SocketPairTransport, any_move
from net.test_lying_host import SNAPSHOT, Liar
from thud.net import codec, framed_stream, host_connection
from thud.net.host_connection import Caller, Tokens
from thud.net.messages import FROM_HOST, GREETINGS
from thud.net.remote import Remote
from thud.net.updates import UPDATES
from thud.session.events import ConnectionLost, Event, NewMatch
from thud.session.law import REQUESTS, Answer, Play, why_not

TIMEOUT: Final = 600.0
"""Time limit for one stream in seconds, which a busy machine does not reach."""

MOST_GROWN: Final = 64
"""Limit on memory growth in MiB."""

HELLO: Final = b'{"m":"hello","thud":1,"want":"seat","name":"Bob"}\n'
WATCH: Final = b'{"m":"hello","thud":1,"want":"watch","name":"Wim"}\n'

EASY: Final = {"came", "went", "said", "thinking", "proposed", "withdrawn", "answered", "not_kept"}
"""Messages that are valid at any time."""

STATES: Final = {"before hello": b"", "from a seat": HELLO, "looking on": WATCH}

ODD: Final[tuple[Any, ...]] = (
    *(None, True, False, 0, 1, 2, 3, -1, 10**9, 10**9 + 1, 10**31, 1.0, 1e300, "", "x", [], {}),
    *("dF1-F5", "TG7-G6", "Te8", "dwarfs", "trolls", "end", "take back", "agreement", "seat"),
    *("x" * 41, "x" * 10_000, "\u202e\u2066evil", "\x1b[2J\x07", "\0", "\ud800", "e\u0301" * 90),
    *("\N{ZERO WIDTH JOINER}" * 20, "\N{LINE SEPARATOR}", [True, True], [[[]]], {"m": "ping"}),
)


class Wild:
    """Generates messages."""

    def __init__(self, seed: str) -> None:
        self.rng = Random(seed)

    def guests(self, number: int) -> bytes:
        """Return a valid or nearly valid message of a guest."""
        known = {"at": number, "thud": 1, "wish": "end", "agree": True, "text": "hello"}
        every = GREETINGS | REQUESTS
        staying = {kind: each for kind, each in every.items() if kind != "bye"}
        values = self._filled(staying if self.rng.random() < 0.95 else every, known)
        values["at"] = self._value("at", known)
        return self._bytes(values)

    def hosts(self, seq: int, number: int) -> bytes:
        """Return a valid or nearly valid message of a host."""
        known = {"seq": seq, "number": number, "match": "m", "thud": 1}
        known |= {"present": [True, True], "name": "Wim", "player": None, "text": "hello"}
        known |= {"side": "dwarfs", "by": "trolls", "agree": True, "wish": "end"}
        known["record"] = SNAPSHOT.record
        if self.rng.random() < 0.2:
            known["record"] = self._garbled(SNAPSHOT.record.encode()).decode(errors="replace")
        if self.rng.random() < 0.95:
            values = self._filled(UPDATES, known) | {"seq": seq, "number": number, "match": "m"}
            values |= {"kind": values["m"], "m": "event"}
        else:
            values = self._filled(FROM_HOST, known)
        return self._bytes(values)

    def _filled(self, kinds: Any, known: dict[str, Any]) -> dict[str, Any]:
        kind = self.rng.choice([*kinds])
        if self.rng.random() < 0.6 and (fit := [each for each in kinds if each in EASY]):
            kind = self.rng.choice(fit)
        fields = {name: self._value(name, known) for name in codec.fields_of(kinds[kind])}
        return {"m": kind, **fields}

    def _value(self, name: str, known: dict[str, Any]) -> object:
        if name in known and self.rng.random() < 0.95:
            return known[name]
        return self.rng.choice(ODD)

    def _bytes(self, values: dict[str, Any]) -> bytes:
        while self.rng.random() < 0.05:
            values[self.rng.choice([*values, "more"])] = self.rng.choice(ODD)
        data = json.dumps(values, ensure_ascii=self.rng.random() < 0.5)
        encoded = data.encode("utf-8", "surrogatepass")
        return (self._garbled(encoded) if self.rng.random() < 0.02 else encoded) + b"\n"

    def _garbled(self, data: bytes) -> bytes:
        changed = bytearray(data)
        for _ in range(self.rng.randint(1, 4)):
            at = self.rng.randrange(len(changed) or 1)
            changed[at : at + self.rng.randrange(3)] = self.rng.randbytes(self.rng.randrange(3))
        if self.rng.random() < 0.05:
            changed[:0] = b"[" * self.rng.choice((10, 3000))
        return bytes(changed)


class Watchful(logging.Handler):
    """Collects log records and unhandled errors of the event loop."""

    def __init__(self) -> None:
        super().__init__()
        self.complaints: list[str] = []
        asyncio.get_running_loop().set_exception_handler(
            lambda _, context: self.complaints.append(repr(context))
        )
        logging.getLogger().addHandler(self)

    def emit(self, record: logging.LogRecord) -> None:
        """Collect a log record."""
        self.complaints.append(record.getMessage())

    def check(self) -> None:
        """Raise AssertionError if anything was collected."""
        gc.collect()
        if self.complaints:
            raise AssertionError(self.complaints[:3])


async def at_a_host(directory: Path, messages: int, seed: str) -> Counter[str]:
    """Send a number of messages to a host; return counts of its answers."""
    wild, answers = Wild(seed), Counter[str]()
    watchful, said = Watchful(), 0
    meeting = Meeting(directory)
    table = meeting.session.state
    while said < messages:
        for state, first in STATES.items():
            meeting.host.registry.seats[1].owner = ""
            across = SocketPairTransport(meeting.host)
            reader, writer = await across.open()
            stream = [wild.guests(table.revision) for _ in range(wild.rng.randrange(60))]
            said += len(stream)
            writer.write(first + b"".join(stream))
            if wild.rng.random() < 0.5:
                writer.write_eof()
            else:
                writer.write(b'{"m":"bye"}\n')
            async with asyncio.timeout(TIMEOUT):
                while heard := await reader.readline():
                    values = json.loads(heard)
                    answers[f"{state}: {values['m']}"] += values["m"] != "event"
                await across.served[0]
            writer.close()
        if table.match.over:
            asked = table.proposal
            request = Answer(True, asked.wish) if asked else NewMatch()
            if why_not(table, request) is None:  # the proposal may be the host's own
                await meeting.session.request(request)
        elif table.turn.here and not (table.battle.outcome or table.proposal):
            await meeting.session.request(Play(any_move(meeting.session)))
    if table.participants.missing != (1,) or table.participants.spectators:
        raise AssertionError("somebody seems to be there still")
    await meeting.close()
    watchful.check()
    return answers


class Victim:
    """A guest of a lying host; rejoins as a new guest if turned away for good."""

    def __init__(self, liar: Liar, directory: Path) -> None:
        self.liar = liar
        self.came: Counter[str] = Counter()
        self._tokens = Tokens(directory)
        self._lost = False

    async def join(self) -> None:
        """Join as a new guest."""
        self._lost = False
        self.remote = await Remote.joined(self.liar, Caller("Bob"), tokens=self._tokens)
        self.remote.subscribe(self._hear)
        await self.remote.begin()
        self._running = asyncio.create_task(self.remote.run())

    async def leave(self) -> None:
        """Leave."""
        await self.remote.leave()
        self._running.cancel()
        await asyncio.gather(self._running, return_exceptions=True)

    async def hear(self, lies: list[bytes]) -> None:
        """Receive lies on a new connection, until that has broken and been replaced."""
        hellos = len(self.liar.hellos)
        self.liar.lies.append([*lies])
        self.liar.writers[-1].transport.abort()
        while len(self.liar.hellos) < hellos + 2 and not self._lost:
            if self._running.done():
                self._running.result()
            await asyncio.sleep(0)
        self.liar.writers[:-2] = []
        if self._lost:
            await self.leave()
            self.liar.lies.clear()
            await self.join()

    def _hear(self, event: Event) -> None:
        self.came[type(event).__name__] += 1
        self._lost |= isinstance(event, ConnectionLost) and event.for_good


async def at_a_guest(directory: Path, messages: int, seed: str) -> Counter[str]:
    """Send a guest a number of messages from a lying host; return counts of its events."""
    wild, said = Wild(seed), 0
    watchful, liar = Watchful(), Liar()
    victim = Victim(liar, directory)
    await victim.join()
    while said < messages:
        stream = [wild.hosts(8 + each, 4 + each) for each in range(wild.rng.randint(1, 30))]
        said += len(stream)
        async with asyncio.timeout(TIMEOUT):
            await victim.hear(stream)
        spectators = len(victim.remote.state.participants.spectators)
        if spectators > codec.MAX_ONLOOKERS:
            raise AssertionError(f"{spectators} look on")
    await victim.leave()
    await liar.close()
    watchful.check()
    return victim.came


async def tried(messages: int, seed: str) -> None:
    """Fuzz both, and print the results."""
    vars(framed_stream)["FAREWELL_SECONDS"] = 0.05
    vars(host_connection)["PAUSES"] = (0.0,)
    with tempfile.TemporaryDirectory() as directory:
        for each, told in ((at_a_host, "a host"), (at_a_guest, "a guest")):
            before, began = grown(), time.monotonic()
            came = await each(Path(directory) / told.replace(" ", "-"), messages // 2, seed)
            seconds, more = time.monotonic() - began, grown() - before
            print(f"{messages // 2} messages to {told} in {seconds:.0f} s, {more:.0f} MiB more")
            print("  " + ", ".join(f"{what} {times}" for what, times in sorted(came.items())))
            if more > MOST_GROWN:
                raise AssertionError(f"{more} MiB more than before")


def grown() -> float:
    """Return this process's peak memory in MiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> None:
    messages = int(sys.argv[1]) if len(sys.argv) > 1 else 4000
    asyncio.run(tried(messages, sys.argv[2] if len(sys.argv) > 2 else "fuzz"))


if __name__ == "__main__":
    main()

"""The visits of one `thud serve`: admission, and one process per visitor."""

from __future__ import annotations

import asyncio
import math
import os
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from itertools import count
from pathlib import Path
from secrets import token_hex
from typing import IO, Final, NamedTuple

from thud.club import jail
from thud.club.broker import BROKER_VARIABLE, Broker
from thud.club.doors import OURS, tell_owner
from thud.club.forks import ForkedProcess, ForkServer
from thud.club.names import who_is
from thud.club.storage import Visitor, Visitors, read_notes, temporary, visitor_proof
from thud.disk.directories import (
    CACHE_VARIABLE,
    COMPILED_VARIABLE,
    DATA_VARIABLE,
    RUN_VARIABLE,
    SETTINGS_VARIABLE,
    run_directories,
)
from thud.engines.parent_death import ParentDeathSupervisor
from thud.net.seat_registry import Link, same
from thud.net.token_bucket import RequestThrottle
from thud.session.cancellation import finished
from thud.session.participants import SHOW
from thud.text import counted
from thud.visitor.profile import (
    NAME_VARIABLE,
    PROOF_VARIABLE,
    SHOWN_VARIABLES,
    VisitorProfile,
)
from thud.visitor.tables import split_link

GRACE_SECONDS: Final = 3.0
"""Grace period for a visitor's process to exit before it is killed."""


_INHERITED: Final = (
    "PATH",
    "LANG",
    "LC_ALL",
    "LC_CTYPE",
    "TZ",
    "TMPDIR",
    "XDG_RUNTIME_DIR",
    RUN_VARIABLE,
    COMPILED_VARIABLE,
)
"""Environment variables a visitor's process inherits; others may hold passwords."""

_PROGRAM: Final = (sys.executable, "-P", "-m", "thud.club.process")
_DYING: Final = 5.0

_EXPENDABLE: Final = 500
"""Where memory runs short: what Linux counts a visitor's process larger than it is, in thousandths
of all memory, so that it kills that one, and neither the club nor the keeper."""


class Visit:
    """A visitor's running process; made by `ClubServer.visit`.

    It leads its own process session: its children end with it, and it ends with this program.

    Attributes:
        visitor: whose process it is.
        process: the program that plays with them.
        last_act: time of the visitor's last input, by the event loop's clock.
    """

    def __init__(
        self,
        visitor: Visitor,
        process: asyncio.subprocess.Process | ForkedProcess,
        broker: Broker | None = None,
    ) -> None:
        self.visitor = visitor
        self.process = process
        self._broker = broker
        self._supervisor = ParentDeathSupervisor(process.pid)
        with suppress(OSError):  # where there is no such file, or the process has ended
            Path(f"/proc/{process.pid}/oom_score_adj").write_text(str(_EXPENDABLE))
        self.last_act = asyncio.get_running_loop().time()

    @classmethod
    async def start(
        cls,
        visitor: Visitor,
        *,
        streams: int | IO[bytes],
        variables: Mapping[str, str],
        forks: ForkServer,
        jailed: bool = False,
    ) -> Visit:
        """Start the process: forked, or else from nothing.

        Args:
            visitor: whose process it is.
            streams: its standard streams: `asyncio.subprocess.PIPE`, or one end of a terminal.
            variables: further environment variables, such as `TERM`.
            forks: the fork server.
            jailed: whether the kernel confines the process.

        Raises:
            OSError: the process cannot be started.
        """
        broker = Broker(run_directories()[0]) if jailed else None
        told = {
            **_inherited(),
            DATA_VARIABLE: str(visitor.directory),
            SETTINGS_VARIABLE: str(visitor.directory / "settings"),
            CACHE_VARIABLE: str(visitor.directory / "cache"),
            "HOME": str(visitor.directory),
            **variables,
        }
        given = [broker.theirs.fileno()] if broker else []
        if broker:
            told[BROKER_VARIABLE] = str(broker.theirs.fileno())
        process: asyncio.subprocess.Process | ForkedProcess
        try:
            try:
                process = await forks.fork(told, streams, given)
            except OSError:
                process = await asyncio.create_subprocess_exec(
                    *_PROGRAM,
                    stdin=streams,
                    stdout=streams,
                    stderr=streams,
                    cwd=visitor.directory,
                    env=told,
                    start_new_session=True,
                    pass_fds=given,
                )
        except BaseException:
            if broker:
                broker.close()
            raise
        try:
            return cls(visitor, process, broker)
        except BaseException:
            if broker:
                broker.close()
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            await process.wait()
            raise

    def acted(self) -> None:
        """Reset the visitor's idle time."""
        self.last_act = asyncio.get_running_loop().time()

    async def end(self) -> None:
        """End the process: SIGTERM, then SIGKILL for the whole process group."""
        process = self.process
        if self._broker:
            self._broker.close()
        draining = asyncio.gather(*map(_drain, (process.stdout, process.stderr)))
        if process.returncode is None:
            with suppress(ProcessLookupError, PermissionError):
                process.terminate()
        try:
            with suppress(TimeoutError):
                await asyncio.wait_for(process.wait(), GRACE_SECONDS)
        finally:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, signal.SIGKILL)
        with suppress(TimeoutError):
            await asyncio.wait_for(process.wait(), _DYING)
        self._supervisor.dismiss()
        with suppress(TimeoutError):
            await asyncio.wait_for(draining, _DYING)


def _inherited() -> dict[str, str]:
    return {name: os.environ[name] for name in _INHERITED if name in os.environ}


async def _drain(source: asyncio.StreamReader | None) -> None:
    """Discard a process's remaining output: blocked on a full pipe, it would never exit."""
    while source and await source.read(1 << 16):
        pass


def keep_compiled(cache: Path) -> None:
    """Compile the computers' search for all visitors, where none of their processes can write.

    It runs apart, so that this process stays small.
    """
    if COMPILED_VARIABLE not in os.environ:
        own = {**os.environ, CACHE_VARIABLE: str(cache)}
        search = (sys.executable, "-P", "-c", "from thud.ai import core; core.weakness()")
        subprocess.run(search, env=own, stdout=subprocess.DEVNULL, check=False)
        os.environ[COMPILED_VARIABLE] = str(cache / "core")


VISITS_AT_ONCE: Final = 10
"""Burst of visits that one network may begin in an open club: each starts a process."""

VISITS_A_SECOND: Final = 0.5
"""Refill a second."""

_SWEEP: Final = 30.0
"""Seconds between two looks for guests to forget, and in other clubs for ended processes."""

LINE_SECONDS: Final = 20.0
"""How long a place in the line before a full club is kept for somebody who does not ask again."""

MOST_IN_LINE: Final = 100
"""Most visitors in the line."""

_ORPHANS: Final = 2.0
"""Seconds between two looks for processes that have outlived a visit, in an open club."""

SHOWN_NO_LONGER: Final = "This link shows the table no longer. Ask whoever sent it for another one."

_LOOK: Final = 0.5
"""Polling interval, in seconds, for visitors whose credentials are revoked."""


def _kept_out(seconds: float) -> str:
    """Return what to tell somebody who is kept out for a time, infinite for a ban."""
    if math.isinf(seconds):
        return "Whoever runs the club keeps you out, until they let you in again."
    minutes = counted(math.ceil(seconds / 60), "minute")
    return f"Whoever runs the club sent you out. You can come back in {minutes}."


class Inside(NamedTuple):
    """A visitor who is in now.

    Attributes:
        id: the visitor's id.
        since: when they came in, in seconds since 1970.
        network: where they come from; empty if unknown.
        session: the process session of their processes; 0 while it is started.
        watches: whether they are no visitor, and a link shows them a table.
    """

    id: str
    since: float
    network: str
    session: int
    watches: bool = False


class ClubFull(Exception):
    """There is no place for a visitor; the text is a sentence for them."""


class InLine(ClubFull):
    """The club is full; whoever asks again within `LINE_SECONDS` keeps their place in the line."""

    def __init__(self, place: int) -> None:
        super().__init__(f"The club is full: you are number {place} in the line.")


class _Presence:
    """A reserved place, from before admission until the visit's process is gone."""

    def __init__(self, network: str, *, watches: bool = False) -> None:
        self.network = network
        self.watches = watches
        self.since = time.time()
        self.visit: Visit | None = None
        self.wanted_elsewhere = asyncio.Event()
        self.over = asyncio.Event()


def _who(visitor: Visitor) -> str:
    return who_is(VisitorProfile(visitor.directory).name, visitor.id)


class ClubServer:
    """All visits of one `thud serve`, through either door.

    One visit per visitor: only one process at a time may use a visitor's files.

    Args:
        visitors: all known visitors.
        most: visitors let in at a time.
        idle: seconds without input after which a visit ends.
        most_each: visitors let in at a time from one network that is not this machine.
        is_open: whether strangers come in without the invitation, and are jailed by the kernel.
        proof_key: by which the keeper knows visitors of an open club.

    Attributes:
        visitors: all known visitors.
        is_open: the same.
        links: environment variables for visitors' processes: the address or command to put
            before a table's link.
    """

    def __init__(
        self,
        visitors: Visitors,
        *,
        most: int,
        idle: float,
        most_each: int | None = None,
        is_open: bool = False,
        proof_key: str = "",
    ) -> None:
        self.visitors = visitors
        self.is_open = is_open
        self._proof_key = proof_key
        self._most_each = most_each or most
        self.links: dict[str, str] = {}
        self._most = most
        self._idle = idle
        self._inside: dict[str, _Presence] = {}
        self._line: dict[str, tuple[float, str]] = {}
        self._guests: set[str] = set()
        self._salt = token_hex(16)
        self._naming = asyncio.Lock()
        self._visits: RequestThrottle | None = None
        self._forks = ForkServer()

    def inside(self) -> list[Inside]:
        """Return all who are in now, those who came first before others."""
        return [
            Inside(
                name,
                each.since,
                each.network,
                each.visit.process.pid if each.visit else 0,
                each.watches,
            )
            for name, each in [*self._inside.items()]  # in a thread, while others come and go
        ]

    def has_link(self, link: str) -> bool:
        """Whether a link to a table, without its secret, is neither expired nor revoked."""
        return any(each.purpose != SHOW for each in self._links_to(link))

    def shown_by(self, link: str) -> Visitor | None:
        """Return somebody new to whom a link only shows a table; None if it does not any longer."""
        known = (each for each in self._links_to(link) if each.purpose == SHOW)
        found = next(known, None)
        return self.visitors.watcher(link, found.late) if found else None

    def _links_to(self, link: str) -> list[Link]:
        table, word = split_link(link)
        notes = read_notes(self.visitors.directory.with_name("tables"), table)
        return [each for each in notes.links if each.alive and same(each.word, word)]

    def guest(self, network: str, name: str) -> Visitor:
        """Return a visitor who has no credential; `release` them once they are gone.

        Whoever comes again under the same name and from the same network, while nobody of the two
        is in, is the same guest, until they are forgotten.
        """
        for number in count():
            shown = f"{self._salt}:{network}:{name}:{number}"
            found = self.visitors.who_shows("guest", shown)._replace(is_guest=True)
            # Others are linked to one who is no guest any longer.
            kept = found.directory.is_dir() and not self.visitors.is_guest(found.id)
            linked = self.visitors.person(found.id) != found.id
            if not (kept or linked or found.id in self._guests or found.id in self._inside):
                break
        self._guests.add(found.id)
        return found

    def release(self, visitor: Visitor) -> None:
        """Let a guest come again."""
        self._guests.discard(visitor.came_as)

    async def forget_guests(self) -> None:
        """Delete guests some time after they have left, until cancelled."""
        while self.is_open:
            here = {*self._inside, *self._guests}
            await asyncio.to_thread(self.visitors.forget_guests, here)
            await asyncio.sleep(_SWEEP)

    async def prepare_visits(self) -> None:
        """Have a process ready from which visitors' are forked, until cancelled."""
        directories = self.visitors.directories
        for each in directories:
            each.mkdir(mode=0o700, parents=True, exist_ok=True)
        await self._forks.run(_inherited(), directories if self.is_open else ())

    async def end_orphans(self) -> None:
        """End what visitors' processes leave behind, until cancelled."""
        if sys.platform != "linux":
            return
        jail.adopt_orphans()
        while True:
            await asyncio.to_thread(jail.end_orphans, self._going_on)
            await asyncio.sleep(_ORPHANS if self.is_open else _SWEEP)

    def _going_on(self) -> set[int | None]:
        return {self._forks.pid, *(each.session for each in self.inside())}

    @asynccontextmanager
    async def visit(
        self,
        visitor: Visitor,
        *,
        streams: int | IO[bytes],
        variables: Mapping[str, str],
        network: str = "",
    ) -> AsyncIterator[Visit]:
        """Context manager: run a visitor's process, and end it whatever happens.

        A visit of the same visitor elsewhere is ended first.

        Args:
            visitor: who comes in.
            streams: the process's standard streams.
            variables: further environment variables for it.
            network: where the visitor comes from, as `network_of` names it; empty if unknown.

        Raises:
            InLine: the club is full for now.
            ClubFull: there is no place, or the club keeps the visitor out.
            OSError: the process cannot be started.
        """
        if visitor.shown:
            async with self._showing(visitor, streams, variables, network) as visit:
                yield visit
            return
        presence = await self._let_in(visitor, network)
        try:
            await asyncio.to_thread(self.visitors.welcome, visitor, {*self._inside}, network)
            if self.is_open:  # nobody is asked for a name
                proposal = "" if visitor.is_guest else variables.get(NAME_VARIABLE, "")
                async with self._naming:
                    await asyncio.to_thread(self.visitors.give_name, visitor.id, proposal)
            told = {**self.links, **variables}
            if self.is_open:
                told[PROOF_VARIABLE] = visitor_proof(self._proof_key, visitor.id)
            visit = await Visit.start(
                visitor, streams=streams, variables=told, forks=self._forks, jailed=self.is_open
            )
            presence.visit = visit
            tell_owner(f"{_who(visitor)} is in, from {network or 'an unknown address'}.")
            try:
                yield visit
            finally:
                await finished(visit.end())
                tell_owner(f"{_who(visitor)} has left.")
                await asyncio.to_thread(self.visitors.has_left, visitor)
                if self.visitors.is_revoked(visitor.came_as):
                    with suppress(OSError):
                        # What it has written since.
                        await asyncio.to_thread(self.visitors.delete, visitor.id)
        finally:
            del self._inside[visitor.id]
            presence.over.set()

    @asynccontextmanager
    async def _showing(
        self,
        watcher: Visitor,
        streams: int | IO[bytes],
        variables: Mapping[str, str],
        network: str,
    ) -> AsyncIterator[Visit]:
        """Context manager: run the process of somebody to whom a link shows a table."""
        presence = await self._let_in(watcher, network)
        try:
            with temporary(watcher.directory):
                told = {**variables, **dict(zip(SHOWN_VARIABLES, watcher.shown, strict=True))}
                jailed = self.is_open or not jail.why_not()
                visit = await Visit.start(
                    watcher, streams=streams, variables=told, forks=self._forks, jailed=jailed
                )
                presence.visit = visit
                tell_owner(f"A link shows table {split_link(watcher.shown[0])[0]} to somebody.")
                try:
                    yield visit
                finally:
                    await finished(visit.end())
        finally:
            del self._inside[watcher.id]
            presence.over.set()

    async def _let_in(self, visitor: Visitor, network: str) -> _Presence:
        if seconds := await asyncio.to_thread(self.visitors.kept_out, visitor, network):
            tell_owner(f"{_who(visitor)} is kept out, from {network or 'an unknown address'}.")
            raise ClubFull(_kept_out(seconds))
        while before := self._inside.get(visitor.id) or self._inside.get(visitor.came_as):
            before.wanted_elsewhere.set()
            await before.over.wait()
        stranger = self.is_open or visitor.shown
        if stranger and network not in OURS and not self._may_begin(network):
            raise ClubFull("Too many visits from your network at once. Wait a moment.")
        from_there = sum(each.network == network for each in self._inside.values())
        if network not in OURS and from_there >= self._most_each:
            raise ClubFull(
                f"{from_there} visitors are in from your network, as many as may be. "
                "Try again later."
            )
        if visitor.shown:
            self._refuse_crowd()
        else:
            self._stand_in_line(visitor.id, network)
        presence = self._inside[visitor.id] = _Presence(network, watches=bool(visitor.shown))
        return presence

    def _refuse_crowd(self) -> None:
        """Let those to whom links show tables have half of the places, and stand in no line.

        Raises:
            ClubFull: they have them, or the club is full.
        """
        inside = self._inside.values()
        if len(inside) >= self._most or sum(each.watches for each in inside) >= self._most // 2:
            raise ClubFull("So many watch by links that there is no room now. Try again later.")

    def _stand_in_line(self, visitor: str, network: str) -> None:
        """Let a visitor pass for whom there is a place, after those who came before them.

        Raises:
            InLine: there is none yet.
            ClubFull: the line is too long, or others from their network stand in it.
        """
        now = asyncio.get_running_loop().time()
        self._line = {
            each: (seen, where)
            for each, (seen, where) in self._line.items()
            if now - seen < LINE_SECONDS
        }
        before = [*self._line].index(visitor) if visitor in self._line else len(self._line)
        if len(self._inside) + before < self._most:
            self._line.pop(visitor, None)
            return
        from_there = [each for each, (_, where) in self._line.items() if where == network]
        crowd = network not in OURS and len(from_there) >= self._most_each
        if visitor not in self._line and (before >= MOST_IN_LINE or crowd):
            raise ClubFull("The club is full, and so is the line before it. Try again later.")
        self._line[visitor] = now, network
        raise InLine(before + 1)

    def _may_begin(self, network: str) -> bool:
        if self._visits is None:
            self._visits = RequestThrottle(VISITS_A_SECOND, VISITS_AT_ONCE)
        return self._visits.try_acquire(network)

    async def sent_away(self, visit: Visit) -> str:
        """Wait until a visitor has to go; return what to tell them.

        They were idle for too long, have come in elsewhere, or were forgotten, kicked or banned;
        or the link that shows them a table has ended.
        """
        presence, loop = self._inside[visit.visitor.id], asyncio.get_running_loop()
        while (left := visit.last_act + self._idle - loop.time()) > 0:
            if self.visitors.is_revoked(visit.visitor.came_as):
                return (
                    "Whoever runs the club has ended your visit, and deleted your name and matches."
                )
            if (shown := visit.visitor.shown) and self.shown_by(shown[0]) is None:
                return SHOWN_NO_LONGER
            if seconds := self.visitors.bans.remaining(visit.visitor.id):
                tell_owner(f"{_who(visit.visitor)} is sent out.")
                return _kept_out(seconds)
            with suppress(TimeoutError):
                await asyncio.wait_for(presence.wanted_elsewhere.wait(), min(left, _LOOK))
                return "You opened the club elsewhere: the board is there now."
        minutes = counted(round(self._idle / 60), "minute")
        return f"Disconnected after {minutes} without input. Come back whenever you like."

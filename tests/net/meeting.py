"""A host and its guests within one process, connected by socket pairs."""

from __future__ import annotations

import asyncio
import socket
from contextlib import ExitStack
from pathlib import Path
from typing import ClassVar

from thud.engines.spec import parse_contender
from thud.net.host import Host
from thud.net.host_connection import Caller, Tokens
from thud.net.remote import Remote
from thud.net.seat_registry import Terms
from thud.records.store import Store
from thud.rules.clock import parse_control
from thud.rules.match import Match
from thud.rules.position import Move, Position, Side
from thud.rules.variant import Variant
from thud.rules.variants import VARIANTS
from thud.session.autosave import Autosave
from thud.session.events import Evaluated, Event, ProposeEnd, RunningOut, Thinking
from thud.session.law import Answer, NextBattle
from thud.session.participants import SEAT, WATCH
from thud.session.session import Session
from thud.session.view import SessionView
from waiting import until

Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


async def connected() -> tuple[Streams, Streams]:
    """Return both ends of a connection; nothing stays open if this is cancelled."""
    near, far = socket.socketpair()
    with ExitStack() as undone:
        undone.callback(far.close)
        one = await asyncio.open_connection(sock=near)
        undone.callback(one[1].transport.abort)
        other = await asyncio.open_connection(sock=far)
        undone.pop_all()
    return one, other


class SocketPairTransport:
    """A transport to a host in the same process.

    Attributes:
        host: the host; None if there is none.
        secret: the secret to show.
        lines: the guests' ends of the connections opened.
    """

    def __init__(self, host: Host, secret: str = "", *, trusted: bool = True) -> None:
        self.host: Host | None = host
        self.secret = secret
        self.trusted = trusted
        self.lines: list[asyncio.StreamWriter] = []
        self.served: list[asyncio.Task[None]] = []

    everybody: ClassVar[list[asyncio.StreamWriter]] = []
    """The guests' ends of all connections opened in a test."""

    async def open(self) -> Streams:
        if self.host is None:
            raise ValueError("nobody is there")
        streams, hosts = await connected()
        serving = self.host.serve(*hosts, trusted=self.trusted)
        self.served.append(asyncio.create_task(serving))
        self.lines.append(streams[1])
        self.everybody.append(streams[1])
        return streams

    def break_off(self) -> None:
        """Abort the connection opened last."""
        self.lines[-1].transport.abort()


class Meeting:
    """A match with its host and all guests.

    Args:
        directory: directory for all files, with a subdirectory for each participant.
        variant: the variant.
        seats: the two contenders.
        watchers: limit on onlookers.
        start: starting position, if not the usual one.
        control: time control, if any; `glass` is the clocks' time source.
        waits: whether the clocks stop while a player is away.
    """

    def __init__(
        self,
        directory: Path,
        variant: Variant = VARIANTS["classic"],
        seats: tuple[str, str] = ("human", "guest"),
        *,
        watchers: int = 16,
        start: Position | None = None,
        control: str | None = None,
        waits: bool = False,
    ) -> None:
        self.directory = directory
        self.store = Store(directory / "host")
        self.seats = seats
        self.told: dict[str, list[Event]] = {}
        self.guests: list[Remote] = []
        self.running: list[asyncio.Task[None]] = []
        self.terms = Terms(watchers=watchers, hints=True, waits=waits)
        clock = parse_control(control) if control else None
        match = Match(variant, ("Ann", "Player 2"), start, control=clock)
        self._open(match, Autosave(self.store))

    def _open(self, match: Match, autosave: Autosave) -> None:
        first, second = map(parse_contender, self.seats)
        self.session = Session(match, autosave, (first, second))
        self.host = Host(self.session, self.terms)
        self._begin("host", self.session)

    def _begin(self, name: str, session: SessionView) -> None:
        events = self.told.setdefault(name, [])
        session.subscribe(lambda event: _note(events, event))
        self.running.append(asyncio.create_task(session.run()))

    async def open_again(self) -> None:
        """Close the host, and resume its match."""
        match = self.session.autosave.id
        await self.close_host()
        saved = self.store.resume(match)
        self._open(saved.record.match(), Autosave(self.store, saved))

    async def play_out(self) -> None:
        """End both battles by agreement."""
        for number in (1, 2):
            if number == 2:
                await self.session.request(NextBattle())
            asking, asked = (self.session.state.match.commander(side) for side in Side)
            await self.session.request(ProposeEnd(), by=asking)
            await self.session.request(Answer(True, ProposeEnd()), by=asked)
        await self.all_agree()

    async def close_host(self) -> None:
        """Close the host."""
        await self.host.close()
        await self.session.leave()

    async def join(
        self,
        name: str = "Bob",
        want: str = SEAT,
        way: SocketPairTransport | None = None,
        seat: int | None = None,
    ) -> Remote:
        """Join a guest."""
        remote = await Remote.joined(
            way or SocketPairTransport(self.host),
            Caller(name, want, seat),
            store=Store(self.directory / name),
            tokens=Tokens(self.directory / name),
            command="thud join",
        )
        self.guests.append(remote)
        self._begin(name, remote)
        await remote.begin()
        return remote

    async def watch(self, name: str = "Wim") -> Remote:
        """Join an onlooker."""
        return await self.join(name, WATCH)

    @property
    def everywhere(self) -> list[SessionView]:
        """The sessions of the host and all guests."""
        return [self.session, *self.guests]

    async def all_agree(self) -> None:
        """Wait until all guests are in sync with the host."""
        await self.session.settled()
        await until(
            lambda: {each.host_revision for each in self.guests} == {self.session.state.revision}
        )
        for guest in self.guests:
            await guest.settled()

    async def close(self) -> None:
        """Disconnect everybody."""
        for guest in self.guests:
            await guest.leave()
        await self.close_host()
        for task in self.running:
            task.cancel()
        await asyncio.gather(*self.running, return_exceptions=True)
        for writer in SocketPairTransport.everybody:
            writer.transport.abort()
        await asyncio.sleep(0)
        SocketPairTransport.everybody.clear()


def _note(events: list[Event], event: Event) -> None:
    if not isinstance(event, Thinking | Evaluated | RunningOut):
        events.append(event)


def any_move(session: SessionView) -> Move:
    """Return a legal move, the same for every participant."""
    return session.state.match.variant.legal_moves(session.state.battle.position)[0]

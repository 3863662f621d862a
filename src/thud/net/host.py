"""A match that others join: what a session tells goes out to them, what they want comes in.

Everything runs where the session does, on its event loop, and nothing ever waits for a client:
what is told goes into each one's outbox, and whoever does not empty it is cut off.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final, Protocol

from thud.net.codec import (
    CHAT_SECONDS,
    CHATS,
    HELLO_SECONDS,
    MAX_GUEST_LINE,
    MAX_LINKS,
    MAX_ONLOOKERS,
    VERSION,
    WATCHERS,
    BadMessage,
    Garbage,
)
from thud.net.door import Full, Pass, Unknown, Unwelcome, admitted, check
from thud.net.framed_stream import FramedStream, LineBroken, Outgoing
from thud.net.intents import done
from thud.net.messages import (
    Ask,
    Bye,
    Done,
    FromGuest,
    Hello,
    Ping,
    Pong,
    Refused,
    Say,
    Table,
    Told,
    Welcome,
    decode_guest,
)
from thud.net.seat_registry import SeatRegistry, kept_for
from thud.net.telling import begins_anew, news_of, snapshot_of
from thud.net.token_bucket import TokenBucket
from thud.session.events import Begun, ClockRuns, Ended, Event, MadeAgain, Played, TakenBack
from thud.session.session import Session

_log: Final = logging.getLogger(__name__)

_CHANGES: Final = (Begun, Ended, MadeAgain, Played, TakenBack)

_GONE: Final = "the host has closed the match; it is kept there"
_ELSEWHERE: Final = "you have come in from another place"
_FAILED: Final = "the host has failed at that"
_FREED: Final = "the host has given your seat to somebody else"


class Guard(Protocol):
    """Whoever bounds how often secrets are guessed."""

    def right(self, writer: asyncio.StreamWriter) -> None:
        """Hear that whoever is at the other end has shown a right secret."""

    def wrong(self, writer: asyncio.StreamWriter) -> None:
        """Hear that whoever is at the other end has shown a wrong one."""


class Client:
    """A client that was let in.

    Attributes:
        link: the line to it.
        player: which player it is, None for a spectator.
        name: what a spectator is called.
    """

    def __init__(self, link: FramedStream, player: int | None, name: str = "") -> None:
        self.link = link
        self.player = player
        self.name = name
        self.chat = TokenBucket(CHATS / CHAT_SECONDS, CHATS)

    @property
    def role(self) -> str:
        """What it is let in for, in words."""
        return "a spectator" if self.player is None else f"player {self.player + 1}"


class Host:
    """Lets others play and watch at a session.

    Args:
        session: what is played; the seats for others are those of its guests.
        watchers: so many may look on at a time.
        guard: hears of right and wrong secrets.

    Attributes:
        session: what is played.
        seating: the seats for others, and the secrets that invite to them and to watch.
    """

    def __init__(
        self, session: Session, *, watchers: int = WATCHERS, guard: Guard | None = None
    ) -> None:
        self.session = session
        self.seating = SeatRegistry(each for each in range(2) if session.seats[each].elsewhere)
        self._watchers = min(watchers, MAX_ONLOOKERS)
        self._guard = guard
        self._links: dict[FramedStream, asyncio.Task[object]] = {}
        self._visits: list[Client] = []
        self._arriving = asyncio.Lock()
        self._closed = False
        self._seq = self._matches = 0
        self._number = session.number
        self._match = session.match
        self._to_keep = asyncio.Event()
        self._load_seating()
        # A match that is there without this would be nobody's to come back to.
        session.autosave.prepare = self._keep_seating_of
        self._stop_listening = session.subscribe(self._tell)
        session.attend(self.run)

    @property
    def id(self) -> str:
        """What this host is known by, as long as its match is gone on with."""
        return self.seating.id

    async def run(self) -> None:
        """Keep whose seat is whose, beside each match that is played, and close at the end."""
        try:
            while await self._to_keep.wait():
                self._to_keep.clear()
                await self._keep_seating()
        finally:
            await self.close()

    async def close(self, because: str = _GONE) -> None:
        """Part with everybody, who may come back when the match is gone on with."""
        if not self._closed:
            self._closed = True
            self._stop_listening()
            for link in self._links:
                link.part(because, again=True, away=self._persons)
        if self._links:
            await asyncio.wait(set(self._links.values()))

    @property
    def _persons(self) -> str:
        """Who goes when the host does: the player who sits there, or nobody by name."""
        here = self.session.seats.here
        return self.session.match.players[here[0]] if len(here) == 1 else "the host"

    async def free(self, player: int) -> None:
        """Let somebody else have a seat, whoever has it now.

        Raises:
            ValueError: it is no seat for somebody at another place.
        """
        place = self.seating.places.get(player)
        if place is None:
            raise ValueError("that seat is not for somebody at another place")
        place.owner = ""
        if visit := self._visit_of(player):
            visit.link.part(_FREED)
        await self._keep_seating()

    # One client

    async def serve(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, trusted: bool
    ) -> None:
        """Serve one client, until its line ends.

        Args:
            reader: what it says.
            writer: what it is told.
            trusted: whether it needs no secret.
        """
        link = FramedStream(reader, writer, MAX_GUEST_LINE, pace=TokenBucket())
        task = asyncio.current_task()
        assert task is not None
        self._links[link] = task
        because, again = "", False
        try:
            visit = await self._let_in(link, writer, trusted=trusted)
            _log.info("let in: %s", visit.role)
            try:
                await self._listen(visit)
            finally:
                self._see_off(visit)
        except LineBroken as broken:
            because, again = str(broken), True
        except (Garbage, Unwelcome) as end:
            because, again = str(end), isinstance(end, Full)
        except Exception:
            because, again = _FAILED, True
            raise
        finally:
            del self._links[link]
            _log.info("a guest's line has ended: %s", because or "one side has gone")
            await link.close(because, again=again)

    async def _let_in(
        self, link: FramedStream, writer: asyncio.StreamWriter, *, trusted: bool
    ) -> Client:
        """Let a client in that says hello, and may ask before that which host this is."""
        first = await _first(link)
        if isinstance(first, Ask):
            with self._judged(writer):
                self._refuse_if_full()
                check(self.seating, first, trusted=trusted)
            link.send(Table(VERSION, self.id))
            first = await _first(link)
        if not isinstance(first, Hello):
            raise Unwelcome("who comes in says hello first")
        async with self._arriving:
            with self._judged(writer):
                self._refuse_if_full()
                let_in = admitted(self.seating, first, trusted=trusted)
            return await self._arrive(link, first, let_in)

    @contextmanager
    def _judged(self, writer: asyncio.StreamWriter) -> Iterator[None]:
        """Let the guard know whether what is shown in here was right."""
        try:
            yield
        except Unknown:
            if self._guard:
                self._guard.wrong(writer)
            raise
        if self._guard:
            self._guard.right(writer)

    async def _arrive(self, link: FramedStream, hello: Hello, let_in: Pass) -> Client:
        company, player = self.session.company, let_in.player
        if player is None:
            self._refuse_if_watched()
            return await self._greeted(Client(link, None, company.look_on(hello.name)), "")
        visit, place = Client(link, player), self.seating.places[player]
        place.known = place.known or let_in.comes_back
        if before := self._visit_of(player):
            before.link.part(_ELSEWHERE)
            self._see_off(before)
        token = hello.token if let_in.comes_back else place.take()
        await company.arrive(player, hello.name, known=let_in.comes_back)
        await self._keep_seating()
        return await self._greeted(visit, token)

    def _refuse_if_full(self) -> None:
        if self._closed:
            raise Full(_GONE)
        if len(self._links) > MAX_LINKS:
            raise Full("too many are here already")

    def _refuse_if_watched(self) -> None:
        if sum(each.player is None for each in self._visits) >= self._watchers:
            raise Full("as many look on already as are let in")

    async def _greeted(self, visit: Client, token: str) -> Client:
        """Tell a client that it is in, and everything about the match."""
        session = self.session
        try:
            async with session.changing:
                self._visits.append(visit)
                hints, chat = session.hints_allowed, session.company.talks
                welcome = Welcome(
                    VERSION, self.id, hints, chat, visit.player, token, waits=session.waits
                )
                visit.link.send(welcome)
                visit.link.send(snapshot_of(session, self._seq, self._match_name))
        except asyncio.CancelledError:
            self._see_off(visit)
            raise
        return visit

    def _see_off(self, visit: Client) -> None:
        """Let a client be gone, but for one whose place another one has taken."""
        if visit not in self._visits:
            return
        self._visits.remove(visit)
        if visit.player is None:
            self.session.company.look_away(visit.name)
            return
        self.session.company.depart(visit.player)
        if not (place := self.seating.places[visit.player]).known:
            # It may never have learned of its token, and could not come back.
            place.owner = ""
            self._to_keep.set()

    async def _listen(self, visit: Client) -> None:
        while True:
            line = await visit.link.receive()
            try:
                message = decode_guest(line)
            except BadMessage as fault:
                visit.link.send(Refused(str(fault)))
                continue
            if isinstance(message, Bye):
                return
            await self._rely_on(visit)
            answer = await self._answer(visit, message)
            if isinstance(answer, Refused):
                refused = type(message).__name__.lower()
                _log.info("refused %s of %s: %s", refused, visit.role, answer.because)
            visit.link.send(answer)

    async def _rely_on(self, visit: Client) -> None:
        """Know, once a client has said something, that it has its token."""
        if visit.player is not None and not self.seating.places[visit.player].known:
            self.seating.places[visit.player].known = True
            await self._keep_seating()

    async def _answer(self, visit: Client, message: FromGuest) -> Pong | Done | Refused:
        match message:
            case Ping():
                return Pong()
            case Ask() | Hello() | Bye():
                return Refused("you are in already")
            case _ if visit.player is None:
                return Refused("who looks on changes nothing")
            case Say() if not visit.chat.pass_now():
                return Refused("not so fast: nobody can read all that")
            case _:
                return await done(self.session, message, visit.player)

    def _visit_of(self, player: int) -> Client | None:
        return next((each for each in self._visits if each.player == player), None)

    # What everybody is told

    def _tell(self, event: Event) -> None:
        session, name = self.session, self._match_name
        if isinstance(event, ClockRuns) and session.number != self._number:
            # It belongs to a change that is told in a moment, with the clock.
            return
        news = news_of(session, event)
        if news is None and not begins_anew(event):
            return
        self._seq += 1
        if isinstance(event, _CHANGES):
            # Until a change has been told, everybody decides about what was before.
            self._number = session.number
        told: Outgoing = (
            Told(self._seq, self._number, name, news)
            if news
            else snapshot_of(session, self._seq, name)
        )
        for visit in self._visits:
            visit.link.send(told)

    @property
    def _match_name(self) -> str:
        """What tells the match from others: where it is kept, and else a name for now."""
        if self._match is not self.session.match:
            self._match = self.session.match
            self._matches += 1
        return self.session.autosave.id or f"-{self._matches}"

    # What is kept beside the match

    def _path_of(self, match: str) -> Path | None:
        store = self.session.autosave.store
        return kept_for(store.matches, match) if store and match else None

    def _load_seating(self) -> None:
        if path := self._path_of(self.session.autosave.id):
            self.seating.load(path)

    async def _keep_seating(self) -> None:
        if name := self.session.autosave.id:
            await asyncio.to_thread(self._keep_seating_of, name)

    def _keep_seating_of(self, match: str) -> None:
        if path := self._path_of(match):
            with suppress(OSError):
                # The match cannot be kept there either, which is told.
                self.seating.keep(path)


async def _first(link: FramedStream) -> FromGuest:
    """Return what a client says before it is let in.

    Raises:
        Unwelcome: that is not understood.
    """
    try:
        return decode_guest(await link.receive(HELLO_SECONDS))
    except BadMessage as fault:
        raise Unwelcome(str(fault)) from None

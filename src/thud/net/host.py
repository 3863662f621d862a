"""The host of a match: admits clients, sends them updates, and carries out their requests.

Everything runs on the session's event loop, and nothing ever waits for a client: messages go into
each client's outbox, and a client that does not read is disconnected.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from thud.net.codec import (
    ARRIVAL_SECONDS,
    ARRIVALS,
    CHAT_SECONDS,
    CHATS,
    HELLO_SECONDS,
    MAX_CONNECTIONS,
    MAX_GUEST_LINE,
    MAX_ONLOOKERS,
    SEAT_REQUEST_SECONDS,
    SEAT_REQUESTS,
    VERSION,
    WATCHERS,
    InvalidMessage,
    ProtocolError,
)
from thud.net.framed_stream import FramedStream, StreamBroken
from thud.net.messages import (
    Ask,
    Asked,
    Bye,
    Done,
    EventUpdate,
    FromGuest,
    Hello,
    Ping,
    Pong,
    Refused,
    Table,
    Welcome,
    decode_guest,
    encode,
)
from thud.net.seat_registry import Link, SeatRegistry, Terms, kept_for
from thud.net.showing import REVOKED, Showing
from thud.net.snapshots import snapshot_of
from thud.net.token_bucket import TokenBucket
from thud.net.transports.auth_throttle import AuthThrottle
from thud.net.updates import update_of
from thud.session.events import (
    Begun,
    ClockRuns,
    Ended,
    Event,
    Played,
    Redone,
    Said,
    SeatGiven,
    SpectatorSaid,
    TakenBack,
)
from thud.session.law import Say, why_not_say
from thud.session.participants import SHOW, WATCH
from thud.session.session import Session
from thud.session.state import TooLate
from thud.text import legible

_log: Final = logging.getLogger(__name__)

_CHANGES: Final = (Begun, Ended, Redone, Played, TakenBack)

_GONE: Final = "the host closed the match; it is saved there"
_ELSEWHERE: Final = "you joined from another place"
_FAILED: Final = "the host failed to do that"


class Client:
    """An admitted client.

    Attributes:
        stream: its connection.
        player: which player it is, None for a spectator.
        name: a spectator's name.
        overheard: number of events sent to it beyond those sent to everybody.
    """

    def __init__(self, stream: FramedStream, player: int | None, name: str = "") -> None:
        self.stream = stream
        self.player = player
        self.name = name
        self.overheard = 0

    @property
    def role(self) -> str:
        """The client's role, in words."""
        return "a spectator" if self.player is None else f"player {self.player + 1}"


class Host:
    """Opens a session to other players and spectators.

    Args:
        session: the session; its guests' seats are open to others.
        terms: the terms for others.
        throttle: told of right and wrong secrets.

    Attributes:
        session: the session.
        registry: the seats for others, and the secrets of the invitations.
        showing: shows the match to those who have a link for that.
    """

    def __init__(
        self, session: Session, terms: Terms | None = None, throttle: AuthThrottle | None = None
    ) -> None:
        state = session.state
        self.session, self._state = session, state
        remote = (each for each in range(2) if state.seats[each].is_remote)
        terms = terms or Terms()
        self.registry = SeatRegistry(remote, terms)
        self.showing = Showing(session, self.registry, lambda: self._match_name)
        state.agree_on(
            hints=terms.hints,
            chat=terms.chat,
            waits=terms.waits,
            claim=terms.claim,
            arranged=terms.arranged,
        )
        self._watchers = min(terms.watchers, MAX_ONLOOKERS)
        self._throttle = throttle
        # Limited by seat: reconnecting does not reset them.
        self._talk: dict[int | None, TokenBucket] = {}
        self._arrivals: dict[int | None, TokenBucket] = {}
        self._seat_requests = TokenBucket(SEAT_REQUESTS / SEAT_REQUEST_SECONDS, SEAT_REQUESTS)
        self._streams: dict[FramedStream, asyncio.Task[object]] = {}
        self._clients: list[Client] = []
        self._arriving = asyncio.Lock()
        self._closed = False
        self._seq = self._matches = 0
        self._revision = state.revision
        self._match = state.match
        self._to_keep = asyncio.Event()
        if path := self._path_of(session.autosave.id):
            self.registry.load(path)
            state.participants.merge_chat(self.registry.said)
        # A match saved without its registry would be nobody's to come back to.
        session.autosave.prepare = self._keep_registry_of
        self._stop_listening = session.subscribe(self._tell)
        session.add_task(self.run)

    @property
    def id(self) -> str:
        """The host's id, the same as long as its match goes on."""
        return self.registry.id

    async def run(self) -> None:
        """Save the seat registry beside each match played; close at the end."""
        try:
            while await self._to_keep.wait():
                self._to_keep.clear()
                await self._keep_registry()
        finally:
            await self.close()

    async def rename(self, player: int, name: str) -> None:
        """Call a player something else, before the eyes of all clients.

        Raises:
            ValueError: the name is not valid, or the other player has it.
        """
        await self.session.rename(player, name)
        async with self.session.changing:
            self._seq += 1
            for client in self._clients:
                seq = self._seq + client.overheard
                client.stream.send(snapshot_of(self.session, seq, self._match_name))
            self.showing.tell()

    async def close(self, because: str = _GONE, *, again: bool = True) -> None:
        """Close all connections.

        Args:
            because: why, in words for all clients.
            again: whether they may come back when the match is resumed.
        """
        if not self._closed:
            self._closed = True
            self._stop_listening()
            local, players = self._state.seats.local, self._state.match.players
            away = players[local[0]] if len(local) == 1 else "the host"
            for stream in self._streams:
                stream.send_close(because, again=again, away=away)
        if self._streams:
            await asyncio.wait(set(self._streams.values()))

    # One client

    async def serve(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, trusted: bool
    ) -> None:
        """Serve one client, until its connection ends.

        Args:
            reader: its input.
            writer: its output.
            trusted: whether it needs no secret.
        """
        stream = FramedStream(reader, writer, MAX_GUEST_LINE, pace=TokenBucket())
        task = asyncio.current_task()
        assert task is not None
        self._streams[stream] = task
        because, again = "", False
        try:
            client = await self._let_in(stream, writer, trusted=trusted)
            if isinstance(client, Link):
                await self.showing.serve(stream, client)
                return
            _log.info("let in: %s", client.role)
            try:
                await self._listen(client)
            finally:
                self._see_off(client)
        except StreamBroken as broken:
            because, again = str(broken), True
        except (ProtocolError, Unwelcome) as end:
            because, again = str(end), isinstance(end, HostFull)
        except Exception:
            because, again = _FAILED, True
            raise
        finally:
            del self._streams[stream]
            _log.info("a guest's line has ended: %s", because or "one side has gone")
            await stream.close(because, again=again)

    async def _let_in(
        self, stream: FramedStream, writer: asyncio.StreamWriter, *, trusted: bool
    ) -> Client | Link:
        """Handshake: `Hello`, after an optional `Ask` for the host's id.

        Returns:
            The client, or the link of one to whom the match is shown.
        """
        first = await _first(stream)
        if isinstance(first, Ask):
            with self._judged(writer):
                self._refuse_if_full()
                if not trusted:
                    check_secret(self.registry, first.secret)
            stream.send(Table(VERSION, self.id))
            first = await _first(stream)
        if not isinstance(first, Hello):
            raise Unwelcome("a guest says hello first")
        if first.want == SHOW:
            with self._judged(writer):
                self._refuse_if_full()
                if (link := self.registry.link(first.secret, shows=True)) is None:
                    raise Unknown(REVOKED)
            if not self.showing.has_room():
                raise HostFull("too many watch by links: try again in a moment")
            return link
        async with self._arriving:
            with self._judged(writer):
                self._refuse_if_full()
                try:
                    player, comes_back = admitted(self.registry, first, trusted=trusted)
                except Taken as taken:
                    if self.registry.terms.arranged:
                        raise Unwelcome(_ARRANGED) from None
                    away = taken.player in self._state.participants.missing
                    if away and self._seat_requests.try_acquire():
                        origin = origin_of(writer, trusted)
                        self.session.ask_for_seat(taken.player, first.name, origin)
                    raise
            return await self._arrive(stream, first, player, comes_back=comes_back)

    @contextmanager
    def _judged(self, writer: asyncio.StreamWriter) -> Iterator[None]:
        """Context manager: report to the throttle whether the secret checked inside was right."""
        try:
            yield
        except Unknown:
            if self._throttle:
                self._throttle.wrong(writer)
            raise
        if self._throttle:
            self._throttle.right(writer)

    async def _arrive(
        self, stream: FramedStream, hello: Hello, player: int | None, *, comes_back: bool
    ) -> Client:
        """Seat a client, and send it a welcome and a snapshot."""
        session, state = self.session, self._state
        most = WATCHERS if player is None else ARRIVALS
        arrivals = TokenBucket(ARRIVALS / ARRIVAL_SECONDS, most)
        if not self._arrivals.setdefault(player, arrivals).try_acquire():
            raise HostFull("too many connections: try again in a moment")
        if player is None:
            if sum(each.player is None for each in self._clients) >= self._watchers:
                raise HostFull("there is no room for more spectators")
            client, token = Client(stream, None, session.look_on(hello.name)), ""
        else:
            client, seat = Client(stream, player), self.registry.seats[player]
            seat.known = seat.known or comes_back
            if before := next((each for each in self._clients if each.player == player), None):
                before.stream.send_close(_ELSEWHERE)
                self._see_off(before)
            if seat.lent:
                session.make_room(player)
            token = hello.token if comes_back else seat.take()
        try:
            if player is not None:
                await session.arrive(player, hello.name, known=comes_back)
                await self._keep_registry()
            async with session.changing:
                self._clients.append(client)
                welcome = Welcome(
                    VERSION,
                    self.id,
                    state.hints_allowed,
                    state.participants.chat_allowed,
                    player,
                    token,
                    state.waits,
                    state.claim_after,
                    state.arranged,
                )
                stream.send(welcome)
                stream.send(snapshot_of(session, self._seq, self._match_name))
        except asyncio.CancelledError:
            # It waited to be among the clients.
            self._depart(client)
            raise
        return client

    def _refuse_if_full(self) -> None:
        if self._closed:
            raise HostFull(_GONE)
        if len(self._streams) > MAX_CONNECTIONS:
            raise HostFull("the match is full: try again later")

    def _see_off(self, client: Client) -> None:
        """Remove a client, unless another has already taken its seat."""
        if client not in self._clients:
            return
        self._clients.remove(client)
        self._depart(client)

    def _depart(self, client: Client) -> None:
        """Tell the session that a client is gone; free a seat that it cannot come back to."""
        if client.player is None:
            self.session.look_away(client.name)
            return
        self.session.depart(client.player)
        if not (seat := self.registry.seats[client.player]).known:
            # It may never have received its token, and could not come back.
            seat.free()
            self._to_keep.set()

    async def _listen(self, client: Client) -> None:
        """Carry out a client's requests until it leaves."""
        while True:
            line = await client.stream.receive()
            try:
                message = decode_guest(line)
            except InvalidMessage as fault:
                client.stream.send(Refused(str(fault)))
                continue
            if isinstance(message, Bye):
                return
            seat = None if client.player is None else self.registry.seats[client.player]
            if seat and not seat.known:
                # Its token has arrived.
                seat.known = True
                await self._keep_registry()
            answer = await self._answer(client, message)
            if isinstance(answer, Refused):
                what = message.request if isinstance(message, Asked) else message
                refused = type(what).__name__.lower()
                _log.info("refused %s of %s: %s", refused, client.role, answer.because)
            client.stream.send(answer)

    async def _answer(self, client: Client, message: FromGuest) -> Pong | Done | Refused:
        if isinstance(message, Ping):
            return Pong()
        if not isinstance(message, Asked):
            return Refused("you have already joined")
        if isinstance(message.request, Say):
            # Spectators share a limit.
            talk = TokenBucket(CHATS / CHAT_SECONDS, CHATS)
            if not self._talk.setdefault(client.player, talk).try_acquire():
                return Refused("too fast: wait a moment")
            if client.player is None:
                return self._let_overhear(client, message.request.text)
        if client.player is None:
            return Refused("spectators cannot change anything")
        return await fulfilled(self.session, message, client.player)

    def _let_overhear(self, client: Client, text: str) -> Done | Refused:
        """Pass a spectator's chat on to the spectators; after the match to the players, too."""
        participants = self._state.participants
        if refusal := why_not_say(participants, text):
            return Refused(refusal.because)
        heard = SpectatorSaid(client.name, participants.words(text))
        if self._state.match.over:
            self.session.emit(participants.add_spectator_message(heard.name, heard.text))
            return Done()
        for each in self._clients:
            if each.player is None:
                each.overheard += 1
                seq = self._seq + each.overheard
                each.stream.send(EventUpdate(seq, self._revision, self._match_name, heard))
        return Done()

    # Updates for everybody

    def _tell(self, event: Event) -> None:
        session, state, name = self.session, self._state, self._match_name
        if isinstance(event, SeatGiven):
            self.registry.seats[event.player].free()
            self._to_keep.set()
        if isinstance(event, ClockRuns) and state.revision != self._revision:
            # Part of a change that is sent in a moment, clock included.
            return
        if isinstance(event, Said):
            self.registry.said = tuple(state.participants.said)
            self._to_keep.set()
        update = update_of(session, event)
        self.showing.tell()
        if update is None and not isinstance(event, Begun | Redone):
            return
        self._seq += 1
        if isinstance(event, _CHANGES):
            # Until a change is sent, requests refer to the state before it.
            self._revision = state.revision
        # Encoded once for all who get it with the same number.
        lines = dict[int, bytes]()
        for client in self._clients:
            seq = self._seq + client.overheard
            if not update:
                client.stream.send(snapshot_of(session, seq, name))
                continue
            if seq not in lines:
                lines[seq] = encode(EventUpdate(seq, self._revision, name, update))
            client.stream.send(lines[seq])

    @property
    def _match_name(self) -> str:
        """The match's id: its file's name, or a temporary one."""
        if self._match is not self._state.match:
            self._match = self._state.match
            self._matches += 1
        return self.session.autosave.id or f"-{self._matches}"

    # The registry's file

    def _path_of(self, match: str) -> Path | None:
        store = self.session.autosave.store
        return kept_for(store.matches, match) if store and match else None

    async def _keep_registry(self) -> None:
        if name := self.session.autosave.id:
            await asyncio.to_thread(self._keep_registry_of, name)

    def _keep_registry_of(self, match: str) -> None:
        if path := self._path_of(match):
            with suppress(OSError):
                # The match cannot be saved there either, and that is reported.
                self.registry.keep(path)


async def _first(stream: FramedStream) -> FromGuest:
    """Return a client's first message.

    Raises:
        Unwelcome: it is not a valid message.
    """
    try:
        return decode_guest(await stream.receive(HELLO_SECONDS))
    except InvalidMessage as fault:
        raise Unwelcome(str(fault)) from None


# Admission


_TAKEN: Final = (
    "the seat is taken; if its player is away, those at the table can give it to you: "
    "then try again"
)
_ARRANGED: Final = "the seat is another player's"
_INVALID: Final = "this invitation is not valid here"


class Unwelcome(Exception):
    """A client is refused; the text says why."""


class HostFull(Unwelcome):
    """There is no room for a client now; there may be later."""


class Unknown(Unwelcome):
    """A client has shown neither a valid secret nor a token."""


class Taken(Unwelcome):
    """A client asks for somebody else's seat.

    Attributes:
        player: the seat's player.
    """

    def __init__(self, player: int) -> None:
        super().__init__(_TAKEN)
        self.player = player


def origin_of(writer: asyncio.StreamWriter, trusted: bool) -> str:
    """Return where a client comes from, in words."""
    if trusted:
        return "with your account"
    match writer.get_extra_info("peername"):
        case (str(address), *_):
            return f"from {legible(address)}"
    return "another user of this machine"


def admitted(registry: SeatRegistry, hello: Hello, *, trusted: bool) -> tuple[int | None, bool]:
    """Return which player a client is, None for a spectator, and whether it comes back to its seat.

    Args:
        registry: the guests' seats.
        hello: the client's hello.
        trusted: whether it needs no secret.

    Raises:
        Unwelcome: it is refused.
    """
    owned = registry.owned(hello.token)
    if hello.want == WATCH:
        if owned is None and not trusted:
            check_secret(registry, hello.secret)
        return None, False
    if owned is not None:
        return owned, True
    invited = registry.invites(hello.secret)
    if not (invited or trusted):
        raise Unknown(_INVALID)
    wanted = [each for each in invited or registry.seats if hello.seat in (None, each)]
    if not wanted:
        raise Unwelcome("that seat is not open to guests")
    free = [player for player in wanted if registry.seats[player].is_free]
    if not free:
        raise Taken(wanted[0])
    return free[0], False


def check_secret(registry: SeatRegistry, secret: str) -> None:
    """Check a secret that lets a client watch, and learn the host's id.

    Raises:
        Unknown: it is not valid.
    """
    if not registry.lets_watch(secret):
        raise Unknown(_INVALID)


# Requests


async def fulfilled(session: Session, asked: Asked, player: int) -> Done | Refused:
    """Carry out a guest player's request; return the answer."""
    try:
        await session.request(asked.request, asked.at, by=player)
    except TooLate as late:
        return Refused(str(late), late=True)
    except ValueError as refusal:
        return Refused(str(refusal))
    return Done()

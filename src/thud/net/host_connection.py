"""A guest's connection to its host: handshake, requests, reconnecting."""

from __future__ import annotations

import asyncio
import logging
import os
from collections import deque
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple, TypeVar

from thud.disk.directories import data_directory
from thud.disk.small import keep_newest, read_small, write_small
from thud.net.codec import (
    ANSWER_SECONDS,
    HELLO_SECONDS,
    MAX_SNAPSHOT_LINE,
    PAUSES,
    PING_SECONDS,
    STEADY_SECONDS,
    TOLD_BURST,
    TOLD_PACE,
    VERSION,
    InvalidMessage,
    ProtocolError,
    Secret,
)
from thud.net.framed_stream import FramedStream, StreamBroken
from thud.net.messages import (
    Ask,
    Asked,
    Bye,
    Closed,
    Done,
    FromHost,
    Hello,
    Message,
    Ping,
    Pong,
    Refused,
    Snapshot,
    Table,
    Welcome,
    decode_host,
)
from thud.net.token_bucket import TokenBucket
from thud.net.transports.local import LocalTransport
from thud.net.transports.transport import MustAsk, Transport
from thud.net.valid import valid
from thud.rules.variant import IllegalMove
from thud.session.participants import SEAT
from thud.session.state import TooLate
from thud.text import why

_log: Final = logging.getLogger(__name__)


class HostConnection:
    """A connection to a host that can reconnect.

    Args:
        transport: reaches the host.
        caller: our name and purpose.
        tokens: our seats' tokens.
    """

    def __init__(self, transport: Transport, caller: Caller, tokens: Tokens) -> None:
        self._transport = transport
        self._caller = caller
        self._tokens = tokens
        self._host = ""
        self._stream: FramedStream | None = None
        self._asked: deque[asyncio.Future[Done | Refused]] = deque()
        self._since = self._heard = 0.0
        self._attempts = 0
        # Retrying on this machine is cheap, and such a host may be a club's restarted keeper.
        self._pauses = PAUSES[:3] if isinstance(transport, LocalTransport) else PAUSES

    async def call(self) -> Call:
        """Connect and do the handshake.

        Raises:
            ValueError: as for `call`.
        """
        answered = await call(self._transport, self._caller, self._tokens, self._host)
        self._stream, self._host = answered.stream, answered.welcome.id
        # If our token never became valid, a reconnect must still ask for the same seat.
        self._caller = self._caller._replace(seat=answered.welcome.seat)
        self._since = self._heard = asyncio.get_running_loop().time()
        return answered

    async def call_again(self) -> Call:
        """Reconnect: try with growing pauses until the host answers.

        Raises:
            MustAsk: the user has to answer a prompt at the terminal first.
            TurnedAway: the host refuses us.
        """
        if asyncio.get_running_loop().time() - self._since > STEADY_SECONDS:
            self._attempts = 0
        while True:
            await asyncio.sleep(self._pauses[min(self._attempts, len(self._pauses) - 1)])
            self._attempts += 1
            try:
                return await self.call()
            except TurnedAway as away:
                if not away.again:
                    raise
            except MustAsk:
                self._attempts = 0
                raise
            except (OSError, ValueError) as fault:
                # Not reachable now; it may be later.
                _log.info("the host cannot be reached: %s", fault)

    async def receive(self) -> FromHost:
        """Return the next message that is not an answer or a pong; these are handled here.

        Raises:
            StreamBroken: the connection is gone.
            ValueError: a message is invalid.
        """
        while True:
            if self._stream is None:
                raise StreamBroken("")
            message = decode_host(await self._stream.receive())
            self._heard = asyncio.get_running_loop().time()
            # Let other tasks run between messages, even in a flood.
            await asyncio.sleep(0)
            if isinstance(message, Done | Refused):
                if not self._asked:
                    raise InvalidMessage("nothing was asked that this answers")
                waiting = self._asked.popleft()
                if not waiting.done():
                    waiting.set_result(message)
            elif not isinstance(message, Pong):
                return message

    async def ask(self, request: Asked) -> None:
        """Send a request; return when the host has done it and its updates are applied here.

        Raises:
            ConnectionBroken: there is no answer, so it may have been carried out or not.
            IllegalMove: it is refused.
            TooLate: it refers to an earlier state of the match.
        """
        answering = self.say(request)
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                answer = await answering
        except TimeoutError:
            self.abort("the host does not answer")
            raise ConnectionBroken from None
        if answer is BROKEN:
            raise ConnectionBroken
        if isinstance(answer, Refused):
            raise TooLate(answer.because) if answer.late else IllegalMove(answer.because)

    def say(self, request: Asked) -> asyncio.Future[Done | Refused]:
        """Send a request; return the future of its answer.

        Raises:
            ConnectionBroken: the connection is broken.
        """
        if self._stream is None:
            raise ConnectionBroken
        answering = asyncio.get_running_loop().create_future()
        self._asked.append(answering)
        self._stream.send(request)
        return answering

    async def keep_alive(self) -> None:
        """Send pings until cancelled."""
        while True:
            await asyncio.sleep(PING_SECONDS)
            if self._stream:
                self._stream.send(Ping())

    @property
    def silence(self) -> float:
        """Seconds since anything came from the host."""
        return asyncio.get_running_loop().time() - self._heard

    def abort(self, because: str) -> None:
        """Abort the connection."""
        if self._stream:
            self._stream.abort(because)

    async def disconnect(self, *, leaving: bool = False) -> None:
        """Close the connection; requests without an answer are refused as broken."""
        stream, self._stream = self._stream, None
        while self._asked:
            waiting = self._asked.popleft()
            if not waiting.done():
                waiting.set_result(BROKEN)
        if stream:
            if leaving:
                stream.send(Bye())
            await stream.close()


BROKEN: Final = Refused("the connection to the host is broken")
"""The answer to a request that the host has not answered."""


class ConnectionBroken(IllegalMove):
    """The connection broke before the host had answered a request."""

    def __init__(self) -> None:
        super().__init__(BROKEN.because)


_MAX_BYTES: Final = 4096
_MOST: Final = 200
"""Most tokens kept, those used last."""


class Tokens:
    """One user's seat tokens, by host id.

    Args:
        directory: the data directory; None for the default.
    """

    def __init__(self, directory: Path | None = None) -> None:
        self._seats = (data_directory() if directory is None else directory) / "seats"

    def of(self, host: str) -> str:
        """Return the token for a host; empty if there is none."""
        token = read_small(self._path(host), _MAX_BYTES).get("token")
        return str(valid(token, Secret, ""))

    def all(self) -> dict[str, str]:
        """Return all tokens, by host id."""
        names = (each.stem for each in self._seats.glob("*.json"))
        return {name: token for name in names if (token := self.of(name))}

    def keep(self, host: str, token: str) -> str:
        """Save the token for a host; return a complaint, empty on success."""
        try:
            write_small(self._path(host), {"token": token}, private=True)
        except OSError as error:
            return f"your seat cannot be saved: {why(error)}"
        keep_newest(self._seats, _MOST)
        return ""

    def renew(self, host: str) -> None:
        """Note that the token for a host is in use: those used last are kept."""
        with suppress(OSError):
            os.utime(self._path(host))

    def _path(self, host: str) -> Path:
        return self._seats / f"{valid(host, Secret) or '-'}.json"


_Wanted = TypeVar("_Wanted", Table, Welcome, Snapshot)


class TurnedAway(ValueError):
    """The host refused us, or the connection broke during the handshake; the text says why.

    Attributes:
        again: whether trying again makes sense.
    """

    def __init__(self, because: str, *, again: bool = False) -> None:
        super().__init__(because)
        self.again = again


class Caller(NamedTuple):
    """The client's name and purpose."""

    name: str
    want: str = SEAT
    seat: int | None = None
    """The player they want to be; None for any."""
    named: bool = True
    """Whether `name` also replaces the name in a seat that is already theirs."""


class Call(NamedTuple):
    """A connection after its handshake."""

    stream: FramedStream
    welcome: Welcome
    snapshot: Snapshot
    complaint: str = ""
    """Why the seat's token was not saved; empty if it was."""
    comes_back: bool = False
    """Whether the seat was ours already."""


async def call(transport: Transport, caller: Caller, tokens: Tokens, host: str = "") -> Call:
    """Connect to a host and do the handshake.

    Args:
        transport: reaches the host.
        caller: our name and purpose.
        tokens: our seats' tokens.
        host: the host's id; empty if unknown.

    Raises:
        TurnedAway: the host refuses us.
        ValueError: the host cannot be reached.
    """
    reader, writer = await transport.open()
    stream = FramedStream(
        reader, writer, MAX_SNAPSHOT_LINE, pace=TokenBucket(TOLD_PACE, TOLD_BURST)
    )
    try:
        token = ""
        if caller.want == SEAT:
            if not host:
                stream.send(Ask(VERSION, transport.secret))
                host = (await _answer(stream, Table)).id
            token = await asyncio.to_thread(tokens.of, host)
        name = "" if token and not caller.named else caller.name
        stream.send(Hello(VERSION, caller.want, name, transport.secret, token, caller.seat))
        welcome = await _answer(stream, Welcome)
        seat = welcome.seat
        if (seat is None) is (caller.want == SEAT) or caller.seat not in (None, seat):
            raise InvalidMessage("it gives another seat than was asked for")
        snapshot = await _answer(stream, Snapshot)
        complaint = ""
        if welcome.token not in ("", token):
            complaint = await asyncio.to_thread(tokens.keep, welcome.id, welcome.token)
        elif token:
            await asyncio.to_thread(tokens.renew, host)
        # This tells the host that our token has arrived.
        stream.send(Ping())
    except BaseException as fault:
        await stream.close()
        if isinstance(fault, StreamBroken):
            raise TurnedAway(str(fault) or "the connection ended at once", again=True) from None
        if isinstance(fault, ProtocolError | InvalidMessage):
            raise TurnedAway(f"this is not a Thud host: {fault}") from None
        raise
    return Call(stream, welcome, snapshot, complaint, comes_back=bool(token))


async def _answer(stream: FramedStream, wanted: type[_Wanted]) -> _Wanted:
    """Return the host's answer in the handshake.

    Raises:
        TurnedAway: the host closes the connection.
        InvalidMessage: it is another message.
    """
    message: Message = decode_host(await stream.receive(HELLO_SECONDS))
    if isinstance(message, Closed):
        raise TurnedAway(message.because, again=message.again)
    if not isinstance(message, wanted):
        raise InvalidMessage(f"it answers with {type(message).__name__.lower()}")
    return message

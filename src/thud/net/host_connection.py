"""A guest's connection to its host: handshake, requests, reconnecting."""

from __future__ import annotations

import asyncio
import logging
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
    SECRET,
    STEADY_SECONDS,
    TOLD_BURST,
    TOLD_PACE,
    VERSION,
    BadMessage,
    Garbage,
)
from thud.net.framed_stream import FramedStream, StreamBroken
from thud.net.messages import (
    SEAT,
    Ask,
    Bye,
    Closed,
    Done,
    FromHost,
    Hello,
    Message,
    Ping,
    Pong,
    Refused,
    Request,
    Snapshot,
    Table,
    Welcome,
    decode_host,
)
from thud.net.token_bucket import TokenBucket
from thud.net.transports.local import LocalTransport
from thud.net.transports.transport import MustAsk, Transport
from thud.rules.variant import IllegalMove
from thud.session.view import TooLate
from thud.wording.text import why

_log: Final = logging.getLogger(__name__)


class HostConnection:
    """A connection to a host, made anew when it breaks.

    Args:
        transport: how the host is reached.
        caller: who calls.
        tokens: what shows that a seat is ours.
    """

    def __init__(self, transport: Transport, caller: Caller, tokens: Tokens) -> None:
        self._transport = transport
        self._caller = caller
        self._tokens = tokens
        self._host = ""
        self._stream: FramedStream | None = None
        self._asked: deque[asyncio.Future[Done | Refused]] = deque()
        self._since = 0.0
        self._attempts = 0
        # A host on this machine costs nothing to ask, and is a keeper of tables that is restarted.
        self._pauses = PAUSES[:3] if isinstance(transport, LocalTransport) else PAUSES

    async def call(self) -> Call:
        """Reach the host and be let in.

        Raises:
            ValueError: as for `call`.
        """
        answered = await call(self._transport, self._caller, self._tokens, self._host)
        self._stream, self._host = answered.stream, answered.welcome.id
        # Whoever has never been heard there has no claim to the seat, and could be given another.
        self._caller = self._caller._replace(seat=answered.welcome.seat)
        self._since = asyncio.get_running_loop().time()
        return answered

    async def call_again(self) -> Call:
        """Call again and again, with growing pauses, until the host answers.

        Raises:
            MustAsk: somebody has to answer at the terminal first.
            TurnedAway: it will not let us in.
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
                # It cannot be reached now, and may be later.
                _log.info("the host cannot be reached: %s", fault)

    async def hear(self) -> FromHost:
        """Return the next that is told; answers and signs of life are seen to.

        Raises:
            StreamBroken: the connection is gone.
            ValueError: what comes makes no sense.
        """
        while True:
            if self._stream is None:
                raise StreamBroken("")
            message = decode_host(await self._stream.receive())
            # However much there is to be heard, whoever sits here has a turn in between.
            await asyncio.sleep(0)
            if isinstance(message, Done | Refused):
                self._take_answer(message)
            elif not isinstance(message, Pong):
                return message

    def _take_answer(self, answer: Done | Refused) -> None:
        if not self._asked:
            raise BadMessage("nothing was asked that this answers")
        waiting = self._asked.popleft()
        if not waiting.done():
            waiting.set_result(answer)

    async def ask(self, request: Request) -> None:
        """Have something done by the host, and return when it is done, told and shown.

        Raises:
            IllegalMove: it is refused, or the connection is broken.
            TooLate: it was decided about what has passed.
        """
        answering = self.say(request)
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                answer = await answering
        except TimeoutError:
            self.cut("the host does not answer")
            raise _broken() from None
        if isinstance(answer, Refused):
            raise TooLate(answer.because) if answer.late else IllegalMove(answer.because)

    def say(self, request: Request) -> asyncio.Future[Done | Refused]:
        """Tell the host something; return its answer.

        Raises:
            IllegalMove: the connection is broken.
        """
        if self._stream is None:
            raise _broken()
        answering = asyncio.get_running_loop().create_future()
        self._asked.append(answering)
        self._stream.send(request)
        return answering

    async def beat(self) -> None:
        """Show now and then that we are there, until that is cancelled."""
        while True:
            await asyncio.sleep(PING_SECONDS)
            if self._stream:
                self._stream.send(Ping())

    def cut(self, because: str) -> None:
        """End it at once."""
        if self._stream:
            self._stream.cut(because)

    async def hang_up(self, *, leaving: bool = False) -> None:
        """Close it; whoever waits for an answer is told that it is broken."""
        stream, self._stream = self._stream, None
        while self._asked:
            waiting = self._asked.popleft()
            if not waiting.done():
                waiting.set_result(Refused(str(_broken())))
        if stream:
            if leaving:
                stream.send(Bye())
            await stream.close()


def _broken() -> IllegalMove:
    return IllegalMove("the connection to the host is broken")


_MAX_BYTES: Final = 4096
_MOST: Final = 200
"""Tokens kept: those used last."""


class Tokens:
    """The tokens of one user, by the ids of the hosts.

    Args:
        directory: the data directory, if not the usual one.
    """

    def __init__(self, directory: Path | None = None) -> None:
        self._seats = (data_directory() if directory is None else directory) / "seats"

    def of(self, host: str) -> str:
        """Return the token for a host, empty if there is none."""
        with suppress(BadMessage):
            return str(SECRET.read(read_small(self._path(host), _MAX_BYTES).get("token", "")))
        return ""

    def all(self) -> dict[str, str]:
        """Return all tokens, by the hosts' ids."""
        names = (each.stem for each in self._seats.glob("*.json"))
        return {name: token for name in names if (token := self.of(name))}

    def keep(self, host: str, token: str) -> str:
        """Keep the token for a host; return why that is not possible, empty if it is done."""
        try:
            write_small(self._path(host), {"token": token}, private=True)
        except OSError as error:
            return f"your seat is not kept: {why(error)}"
        keep_newest(self._seats, _MOST)
        return ""

    def _path(self, host: str) -> Path:
        return self._seats / f"{SECRET.read(host) or '-'}.json"


_Wanted = TypeVar("_Wanted", Table, Welcome, Snapshot)


class TurnedAway(ValueError):
    """The host has not let us in, or the connection broke before that; the message says why.

    Attributes:
        again: whether it is worth while to try again.
    """

    def __init__(self, because: str, *, again: bool = False) -> None:
        super().__init__(because)
        self.again = again


class Caller(NamedTuple):
    """The client's name and purpose."""

    name: str
    want: str = SEAT
    seat: int | None = None
    """The player they want to be, if they mind."""
    named: bool = True
    """Whether they want to be called so in a seat, too, that is theirs by some other name."""


class Call(NamedTuple):
    """A connection on which a guest was let in."""

    stream: FramedStream
    welcome: Welcome
    snapshot: Snapshot
    complaint: str = ""
    """Why the token of the seat is not kept; empty if it is."""
    comes_back: bool = False
    """Whether the seat was ours already."""


async def call(transport: Transport, caller: Caller, tokens: Tokens, host: str = "") -> Call:
    """Reach a host, and be let in.

    Args:
        transport: how it is reached.
        caller: who wants what.
        tokens: what shows that a seat is ours.
        host: which host it is, if that is known.

    Raises:
        TurnedAway: we are not let in.
        ValueError: the host cannot be reached.
    """
    reader, writer = await transport.open()
    stream = FramedStream(
        reader, writer, MAX_SNAPSHOT_LINE, pace=TokenBucket(TOLD_PACE, TOLD_BURST)
    )
    try:
        return await _let_in(stream, transport.secret, caller, tokens, host)
    except BaseException as fault:
        await stream.close()
        if isinstance(fault, StreamBroken):
            raise TurnedAway(str(fault) or "the connection ended at once", again=True) from None
        if isinstance(fault, Garbage | BadMessage):
            raise TurnedAway(f"this is not a Thud host: {fault}") from None
        raise


async def _let_in(
    stream: FramedStream, secret: str, caller: Caller, tokens: Tokens, host: str
) -> Call:
    if caller.want == SEAT and not host:
        stream.send(Ask(VERSION, secret))
        host = (await _answer(stream, Table)).id
    token = await asyncio.to_thread(tokens.of, host) if caller.want == SEAT else ""
    name = "" if token and not caller.named else caller.name
    stream.send(Hello(VERSION, caller.want, name, secret, token, caller.seat))
    welcome = await _answer(stream, Welcome)
    _check_seat(welcome, caller)
    snapshot = await _answer(stream, Snapshot)
    complaint = ""
    if welcome.token not in ("", token):
        complaint = await asyncio.to_thread(tokens.keep, welcome.id, welcome.token)
    # From now on the host may rely on it that we know our token.
    stream.send(Ping())
    return Call(stream, welcome, snapshot, complaint, comes_back=bool(token))


def _check_seat(welcome: Welcome, caller: Caller) -> None:
    """Pass a seat that was asked for, or none for who looks on.

    Raises:
        BadMessage: it is another one.
    """
    seat = welcome.seat
    if (seat is None) is (caller.want == SEAT) or caller.seat not in (None, seat):
        raise BadMessage("it gives another seat than was asked for")


async def _answer(stream: FramedStream, wanted: type[_Wanted]) -> _Wanted:
    """Return what the host answers.

    Raises:
        TurnedAway: it ends the connection.
        BadMessage: it says something else.
    """
    message: Message = decode_host(await stream.receive(HELLO_SECONDS))
    if isinstance(message, Closed):
        raise TurnedAway(message.because, again=message.again)
    if not isinstance(message, wanted):
        raise BadMessage(f"it answers with {type(message).__name__.lower()}")
    return message

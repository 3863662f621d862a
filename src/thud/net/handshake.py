"""A guest's side of the handshake: reach a host, be let in, and keep the token of the seat."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple, Protocol, TypeVar

from thud.disk.directories import data_directory
from thud.disk.small import read_small, write_small
from thud.net.codec import (
    HELLO_SECONDS,
    MAX_SNAPSHOT_LINE,
    SECRET,
    TOLD_BURST,
    TOLD_PACE,
    VERSION,
    BadMessage,
    Garbage,
)
from thud.net.framed_stream import FramedStream, LineBroken
from thud.net.messages import (
    SEAT,
    Ask,
    Closed,
    Hello,
    Message,
    Ping,
    Snapshot,
    Table,
    Welcome,
    decode_host,
)
from thud.net.token_bucket import TokenBucket

_MOST_BYTES: Final = 4096
_MOST: Final = 200
"""So many tokens are kept, those that were used last."""


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
            return str(SECRET.read(read_small(self._path(host), _MOST_BYTES).get("token", "")))
        return ""

    def keep(self, host: str, token: str) -> str:
        """Keep the token for a host; return why that is not possible, empty if it is done."""
        try:
            write_small(self._path(host), {"token": token}, private=True)
            self._clear()
        except OSError as error:
            return f"your seat is not kept: {error.strerror or error}"
        return ""

    def _path(self, host: str) -> Path:
        return self._seats / f"{SECRET.read(host) or '-'}.json"

    def _clear(self) -> None:
        """Forget those that were not used for longest."""
        kept = sorted(self._seats.glob("*.json"), key=lambda path: path.stat().st_mtime)
        for path in kept[:-_MOST]:
            path.unlink(missing_ok=True)


_Wanted = TypeVar("_Wanted", Table, Welcome, Snapshot)


class Way(Protocol):
    """How a host is reached, as often as the line breaks."""

    @property
    def secret(self) -> str:
        """What has to be told to the host; empty where the way itself is trusted."""

    async def open(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Reach the host, anew each time.

        Raises:
            ValueError: that is not possible now; the message is a sentence that says why.
        """

    def describe(self) -> str:
        """Say which way it is, as part of a sentence: "on this machine"."""


class TurnedAway(ValueError):
    """The host has not let us in, or the line broke before that; the message says why.

    Attributes:
        again: whether it is worth while to try again.
    """

    def __init__(self, because: str, *, again: bool = False) -> None:
        super().__init__(because)
        self.again = again


class Caller(NamedTuple):
    """Who calls, and what for."""

    name: str
    want: str = SEAT
    seat: int | None = None
    """Which player they want to be, if that is not all the same."""
    named: bool = True
    """Whether they want to be called so in a seat, too, that is theirs by some other name."""


class Call(NamedTuple):
    """A line on which a guest was let in."""

    link: FramedStream
    welcome: Welcome
    snapshot: Snapshot
    complaint: str = ""
    """Why the way back to the seat is not kept; empty if it is."""


async def call(way: Way, caller: Caller, tokens: Tokens, host: str = "") -> Call:
    """Reach a host, and be let in.

    Args:
        way: how it is reached.
        caller: who wants what.
        tokens: what shows that a seat is ours.
        host: which host it is, if that is known.

    Raises:
        TurnedAway: we are not let in.
        ValueError: the host cannot be reached.
    """
    reader, writer = await way.open()
    link = FramedStream(reader, writer, MAX_SNAPSHOT_LINE, pace=TokenBucket(TOLD_PACE, TOLD_BURST))
    try:
        return await _let_in(link, way.secret, caller, tokens, host)
    except BaseException as fault:
        await link.close()
        if isinstance(fault, LineBroken):
            raise TurnedAway(str(fault) or "the line ended at once", again=True) from None
        if isinstance(fault, Garbage | BadMessage):
            raise TurnedAway(f"what answers is no host of this game: {fault}") from None
        raise


async def _let_in(
    link: FramedStream, secret: str, caller: Caller, tokens: Tokens, host: str
) -> Call:
    if caller.want == SEAT and not host:
        link.send(Ask(VERSION, secret))
        host = (await _answer(link, Table)).id
    token = await asyncio.to_thread(tokens.of, host) if caller.want == SEAT else ""
    name = "" if token and not caller.named else caller.name
    link.send(Hello(VERSION, caller.want, name, secret, token, caller.seat))
    welcome = await _answer(link, Welcome)
    _check_seat(welcome, caller)
    snapshot = await _answer(link, Snapshot)
    complaint = ""
    if welcome.token not in ("", token):
        complaint = await asyncio.to_thread(tokens.keep, welcome.id, welcome.token)
    # From now on the host may rely on it that we know our token.
    link.send(Ping())
    return Call(link, welcome, snapshot, complaint)


def _check_seat(welcome: Welcome, caller: Caller) -> None:
    """Pass a seat that was asked for, or none for who looks on.

    Raises:
        BadMessage: it is another one.
    """
    seat = welcome.seat
    if (seat is None) is (caller.want == SEAT) or caller.seat not in (None, seat):
        raise BadMessage("it gives another seat than was asked for")


async def _answer(link: FramedStream, wanted: type[_Wanted]) -> _Wanted:
    """Return what the host answers.

    Raises:
        TurnedAway: it ends the line.
        BadMessage: it says something else.
    """
    message: Message = decode_host(await link.receive(HELLO_SECONDS))
    if isinstance(message, Closed):
        raise TurnedAway(message.because, again=message.again)
    if not isinstance(message, wanted):
        raise BadMessage(f"it answers with {type(message).__name__.lower()}")
    return message

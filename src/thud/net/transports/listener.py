"""Listeners: accept connections within bounds, and hand them to the host.

Nobody is read from before there is room for them, and nobody has a place for long without saying
who they are: a handshake has `HANDSHAKE` seconds, and what serves sees to the time for a greeting.
"""

from __future__ import annotations

import asyncio
import errno
import hmac
import logging
import socket
import ssl
from collections.abc import Awaitable, Callable
from contextlib import suppress
from ipaddress import IPv6Address, ip_address
from typing import Final, TypeAlias

from thud.net.transports.auth_throttle import Attempt, AuthThrottle
from thud.net.transports.permissions import user_of
from thud.net.transports.transport import HOSTS_LIMIT, Serve, Streams
from thud.wording.text import why

_log: Final = logging.getLogger(__name__)

MOST: Final = 64
"""Connections at once to one listener."""

HANDSHAKE: Final = 10.0
"""Seconds in which somebody has to have agreed with the host on how to talk."""

_SHUTDOWN: Final = 2.0
_PACE: Final = 0.01
"""Seconds from one connection to the next: a flood waits in line, before it costs anything."""
_BREATH: Final = 0.5
"""Seconds until somebody is let in again where the system has no more files to give, at first."""
_LONGEST_BREATH: Final = 16.0
_LOOK: Final = 0.1
"""Seconds until somebody is noticed on a system whose event loop does not tell."""
_BACKLOG: Final = 32


def _numbers(names: str) -> frozenset[int]:
    """Return the numbers of those of some errors that this system has."""
    return frozenset(getattr(errno, name) for name in names.split() if hasattr(errno, name))


_EXHAUSTED: Final = _numbers("EMFILE ENFILE ENOBUFS ENOMEM WSAEMFILE WSAENOBUFS")
"""The system has nothing left to let somebody in with, for now."""
_GONE: Final = _numbers(
    "ECONNABORTED ECONNRESET EPROTO EPERM ETIMEDOUT ENETDOWN ENETUNREACH EHOSTDOWN EHOSTUNREACH "
    "ENONET ENOPROTOOPT"
)
"""Errors of one caller only: the next may be accepted."""

_Task: TypeAlias = asyncio.Task[None]

Host: TypeAlias = Callable[[socket.socket, Attempt], Awaitable[None]]
"""Serves an accepted connection."""


class Acceptor:
    """Accepts connections at a socket, within bounds, until it is closed.

    Args:
        listening: bound, and ours from now on.
        host: called for each who is let in, with their socket and their attempt, which is over when
            it returns.
        throttle: bounds those who come; without one, whoever can come is trusted.
    """

    def __init__(self, listening: socket.socket, host: Host, throttle: AuthThrottle | None) -> None:
        self._socket = listening
        self._host = host
        self._throttle = throttle
        self._inside: set[_Task] = set()
        listening.setblocking(False)
        listening.listen(_BACKLOG)
        self._letting_in = asyncio.create_task(self._receive_all())

    @property
    def inside(self) -> int:
        """Number of connections served, or about to be."""
        return len(self._inside)

    async def close(self) -> None:
        """Stop accepting and close all connections; closing twice does no harm."""
        tasks = {self._letting_in, *self._inside}
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._socket.close()

    async def _receive_all(self) -> None:
        breath = _BREATH
        while True:
            try:
                self._receive(self._socket.accept()[0])
            except BlockingIOError:
                await _readable(self._socket)
                continue
            except OSError as error:
                if error.errno in _EXHAUSTED:
                    _log.warning("nobody can be let in for %g s: %s", breath, why(error))
                    await asyncio.sleep(breath)
                    breath = min(2 * breath, _LONGEST_BREATH)
                    continue
                if error.errno not in _GONE:
                    _log.error("nobody is let in any more: %s", why(error))
                    self._socket.close()
                    return
                _log.info("somebody was gone before they were let in: %s", error)
            else:
                breath = _BREATH
            await asyncio.sleep(_PACE)

    def _receive(self, client: socket.socket) -> None:
        """Accept a connection if there is room; else close it at once."""
        attempt = None
        if len(self._inside) < MOST:
            attempt = (
                self._throttle.enter(caller_of(client)) if self._throttle else Attempt("", 0.0)
            )
        if attempt is None:
            client.close()
            return
        task = asyncio.create_task(self._serve(client, attempt))
        self._inside.add(task)
        task.add_done_callback(self._inside.discard)
        task.add_done_callback(lambda _: client.close())

    async def _serve(self, client: socket.socket, attempt: Attempt) -> None:
        try:
            await asyncio.sleep(attempt.hold)
            await self._host(client, attempt)
        except OSError as error:
            _log.info("somebody has hung up: %s", error)
        except Exception:
            _log.exception("whoever came could not be served")
        finally:
            if self._throttle:
                self._throttle.leave(attempt)


class StreamListener:
    """A listening socket that serves asyncio streams, until it is closed.

    Args:
        listening: bound, and ours from now on.
        serve: called for each who comes.
        trusted: whether whoever can connect needs no secret.
        throttle: bounds those who are not trusted; has to be there for them.
        context: if what is said here is encrypted.
        password: what has to come first, on a line of its own; nothing if it is empty.
    """

    def __init__(
        self,
        listening: socket.socket,
        serve: Serve,
        *,
        trusted: bool,
        throttle: AuthThrottle | None = None,
        context: ssl.SSLContext | None = None,
        password: str = "",
    ) -> None:
        self._serve = serve
        self._throttle = None if trusted else throttle or AuthThrottle()
        self._context = context
        self._password = password
        self._acceptor = Acceptor(listening, self._host, self._throttle)

    @property
    def inside(self) -> int:
        """Number of connections served, or about to be."""
        return self._acceptor.inside

    async def close(self) -> None:
        """Stop accepting and close all connections; closing twice does no harm."""
        await self._acceptor.close()

    async def _host(self, client: socket.socket, attempt: Attempt) -> None:
        """Serve a visitor, whatever that comes to."""
        writer = None
        try:
            reader, writer = await self._opened(client)
            if self._throttle:
                self._throttle.meet(attempt, writer)
            if await self._knows_password(reader):
                await self._serve(reader, writer, trusted=not self._throttle)
        except asyncio.IncompleteReadError:
            pass  # they never meant to talk
        finally:
            await _parted(client, writer)

    async def _opened(self, client: socket.socket) -> Streams:
        """Return streams to a client, after the handshake if there is one."""
        loop = asyncio.get_running_loop()
        reader = asyncio.StreamReader(HOSTS_LIMIT, loop)
        protocol = asyncio.StreamReaderProtocol(reader, loop=loop)
        encrypted = self._context is not None
        transport, _ = await loop.connect_accepted_socket(
            lambda: protocol,
            client,
            ssl=self._context,
            ssl_handshake_timeout=HANDSHAKE if encrypted else None,
            ssl_shutdown_timeout=_SHUTDOWN if encrypted else None,
        )
        return reader, asyncio.StreamWriter(transport, protocol, reader, loop)

    async def _knows_password(self, reader: asyncio.StreamReader) -> bool:
        if not self._password:
            return True
        expected = f"{self._password}\n".encode()
        async with asyncio.timeout(HANDSHAKE):
            return hmac.compare_digest(await reader.readexactly(len(expected)), expected)


async def _readable(source: socket.socket) -> None:
    """Wait until there is something at a socket; look again soon where a loop cannot tell.

    `sock_accept` would lose whoever comes while it is cancelled.
    """
    loop = asyncio.get_running_loop()
    knocked = asyncio.Event()
    try:
        loop.add_reader(source, knocked.set)
    except NotImplementedError:
        await asyncio.sleep(_LOOK)
        return
    try:
        await knocked.wait()
    finally:
        loop.remove_reader(source)


async def _parted(client: socket.socket, writer: asyncio.StreamWriter | None) -> None:
    """Hang up, in order if that is possible soon."""
    if writer is None:
        client.close()
        return
    writer.close()
    try:
        async with asyncio.timeout(_SHUTDOWN):
            await writer.wait_closed()
    except (OSError, asyncio.CancelledError):
        writer.transport.abort()


def caller_of(client: socket.socket) -> str:
    """Return where somebody comes from: those from one place share its bounds.

    That is an address, or a network of addresses where one machine has as many as it likes, or a
    user of this machine.
    """
    with suppress(OSError, ValueError):
        if client.family not in {socket.AF_INET, socket.AF_INET6}:
            return f"user {user_of(client)}"
        return network_of(client.getpeername()[0])
    return "nowhere"


def network_of(text: str) -> str:
    """Return an address, or the network of which one machine has all addresses.

    Raises:
        ValueError: that is no address.
    """
    address = ip_address(text.partition("%")[0])
    if not isinstance(address, IPv6Address):
        return str(address)
    return str(address.ipv4_mapped or IPv6Address(int(address) >> 64 << 64))

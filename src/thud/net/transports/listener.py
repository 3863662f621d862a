"""Listeners: accept connections within limits, and hand them to the host.

Nothing is read from a connection beyond the limits, and none stays long without identifying itself:
the handshake has a timeout, `HANDSHAKE`, and `serve` sets one for the greeting.
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
from thud.net.transports.transport import HOSTS_LIMIT, Serve
from thud.text import why

_log: Final = logging.getLogger(__name__)

MOST: Final = 64
"""Most connections at once to one listener."""

HANDSHAKE: Final = 10.0
"""Timeout for the TLS handshake or the password."""

_SHUTDOWN: Final = 2.0
_PACE: Final = 0.01
"""Seconds between two accepts: a flood waits in the backlog, where it costs nothing."""
_BREATH: Final = 0.5
"""Seconds until the next accept when the system runs out of resources, at first."""
_LONGEST_BREATH: Final = 16.0
_LOOK: Final = 0.1
"""Polling interval in seconds where the event loop cannot watch a socket."""
_BACKLOG: Final = 32


def _numbers(names: str) -> frozenset[int]:
    """Return the numbers of errors by name, those this system knows."""
    return frozenset(getattr(errno, name) for name in names.split() if hasattr(errno, name))


_EXHAUSTED: Final = _numbers("EMFILE ENFILE ENOBUFS ENOMEM WSAEMFILE WSAENOBUFS")
"""Errors of a system out of resources, for now."""
_GONE: Final = _numbers(
    "ECONNABORTED ECONNRESET EPROTO EPERM ETIMEDOUT ENETDOWN ENETUNREACH EHOSTDOWN EHOSTUNREACH "
    "ENONET ENOPROTOOPT"
)
"""Errors of one connection only: the next can be accepted."""

_Task: TypeAlias = asyncio.Task[None]

Host: TypeAlias = Callable[[socket.socket, Attempt], Awaitable[None]]
"""Serves an accepted connection."""


class Acceptor:
    """Accepts connections on a socket, within limits, until it is closed.

    Args:
        listening: a bound socket, owned from now on.
        host: called for each accepted connection, with its socket and its attempt; the attempt
            ends when it returns.
        throttle: limits the connections; None trusts everybody who can connect.
        most: most connections at once.
    """

    def __init__(
        self,
        listening: socket.socket,
        host: Host,
        throttle: AuthThrottle | None,
        most: int,
    ) -> None:
        self._socket = listening
        self._host = host
        self._throttle = throttle
        self._most = most
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
        """Serve a new connection if there is room; else close it at once."""
        attempt = None
        if len(self._inside) < self._most:
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


class StreamListener(Acceptor):
    """A listening socket that serves asyncio streams, until it is closed.

    Args:
        listening: a bound socket, owned from now on.
        serve: called for each client.
        trusted: whether clients need no secret.
        throttle: limits clients that are not trusted; None makes one for this listener.
        context: for TLS; None for a plain stream.
        password: the first line a client has to send; empty for none.
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
        super().__init__(
            listening, self._serve_stream, None if trusted else throttle or AuthThrottle(), MOST
        )
        self._serve_client = serve
        self._context = context
        self._password = password

    async def _serve_stream(self, client: socket.socket, attempt: Attempt) -> None:
        """Serve a connection after its handshake and password."""
        writer, encrypted = None, self._context is not None
        try:
            loop = asyncio.get_running_loop()
            reader = asyncio.StreamReader(HOSTS_LIMIT, loop)
            protocol = asyncio.StreamReaderProtocol(reader, loop=loop)
            transport, _ = await loop.connect_accepted_socket(
                lambda: protocol,
                client,
                ssl=self._context,
                ssl_handshake_timeout=HANDSHAKE if encrypted else None,
                ssl_shutdown_timeout=_SHUTDOWN if encrypted else None,
            )
            writer = asyncio.StreamWriter(transport, protocol, reader, loop)
            if self._throttle:
                self._throttle.meet(attempt, writer)
            if self._password:
                expected = f"{self._password}\n".encode()
                async with asyncio.timeout(HANDSHAKE):
                    shown = await reader.readexactly(len(expected))
                if not hmac.compare_digest(shown, expected):
                    return
            await self._serve_client(reader, writer, trusted=not self._throttle)
        except asyncio.IncompleteReadError:
            pass  # closed before the password
        finally:
            await _parted(client, writer)


async def _readable(source: socket.socket) -> None:
    """Wait until a socket is readable; where the event loop cannot watch it, only for a moment.

    `sock_accept` would lose a connection that arrives while it is cancelled.
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
    """Close a connection; abort if closing takes too long."""
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
    """Return a connection's origin, whose connections share their limits.

    The origin is an IPv4 address, an IPv6 network (see `network_of`), or a user of this machine.
    """
    with suppress(OSError, ValueError):
        if client.family not in {socket.AF_INET, socket.AF_INET6}:
            return f"user {user_of(client)}"
        return network_of(client.getpeername()[0])
    return "nowhere"


def network_of(text: str) -> str:
    """Return an IPv4 address, or an IPv6 address's /64 network, which one machine may own.

    Raises:
        ValueError: it is not an address.
    """
    address = ip_address(text.partition("%")[0])
    if not isinstance(address, IPv6Address):
        return str(address)
    return str(address.ipv4_mapped or IPv6Address(int(address) >> 64 << 64))

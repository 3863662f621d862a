"""An HTTP server on one socket: connection limits, timeouts, response headers."""

from __future__ import annotations

import asyncio
import logging
import socket
from typing import Final, cast

from aiohttp import web, web_response
from aiohttp.http import HttpProcessingError

MOST_CONNECTIONS: Final = 128
"""Most connections at once."""

SILENT_SECONDS: Final = 10.0
"""Timeout for the first request, secret included."""

KEPT_SECONDS: Final = 15.0
"""Keep-alive timeout."""

HELD_SECONDS: Final = 1.0
"""Seconds until a refused request is answered, so that whoever asks in a row asks less often."""

CLOSING_SECONDS: Final = 5.0
"""Timeout for closing all connections when the door closes."""

# aiohttp's own answers, without our headers, should name no versions either.
web_response.SERVER_SOFTWARE = "thud"  # type: ignore[attr-defined]

_THEIRS: Final = (HttpProcessingError, ConnectionError, TimeoutError)
"""Errors caused by clients: not logged, so that strangers cannot fill the log."""


def _is_ours(record: logging.LogRecord) -> bool:
    """Log filter: drop errors caused by clients."""
    return not (record.exc_info and isinstance(record.exc_info[1], _THEIRS))


_log: Final = logging.getLogger(__name__)
_log.addFilter(_is_ours)


class HttpServer:
    """Serves an application on one socket.

    Args:
        app: the application.
    """

    def __init__(self, app: web.Application) -> None:
        app.on_response_prepare.append(self._note)
        self._runner = web.AppRunner(
            app,
            access_log=None,
            logger=_log,
            auto_decompress=False,  # the only body sent to us is a secret
            keepalive_timeout=KEPT_SECONDS,
            shutdown_timeout=CLOSING_SECONDS,
        )
        self._silent: dict[web.RequestHandler, None] = {}
        """Connections without a request so far, the oldest first."""
        self._server: asyncio.Server | None = None

    async def open(self, listening: socket.socket) -> None:
        """Accept connections on a listening socket, and take ownership of it."""
        await self._runner.setup()
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(self._received, sock=listening)

    def shut(self) -> None:
        """Stop accepting."""
        if self._server:
            self._server.close()

    async def close(self) -> None:
        """Close the door and all connections; closing twice does no harm."""
        self.shut()
        if self._server:
            await self._runner.cleanup()
            self._server = None

    def _received(self) -> asyncio.BaseProtocol:
        """Protocol factory: return the handler of a new connection.

        If there are too many, it takes the place of the one that has been silent longest.
        """
        server = self._runner.server
        if server is None:
            return _Refusal()
        if len(server.connections) >= MOST_CONNECTIONS:
            oldest = next((each for each in self._silent if each.transport), None)
            if oldest is None:
                return _Refusal()
            self._part_with_silent(oldest)
        speaker = server()
        self._silent[speaker] = None
        asyncio.get_running_loop().call_later(SILENT_SECONDS, self._part_with_silent, speaker)
        return speaker

    async def _note(self, request: web.Request, _: web.StreamResponse) -> None:
        """Note that a connection has made a request."""
        self._silent.pop(request.protocol, None)

    async def hold(self, request: web.Request) -> None:
        """Let a refused request wait; its place is given away as if it had not been made."""
        self._silent[request.protocol] = None
        await asyncio.sleep(HELD_SECONDS)

    def _part_with_silent(self, speaker: web.RequestHandler) -> None:
        if speaker in self._silent and speaker.transport:
            speaker.transport.abort()
        self._silent.pop(speaker, None)


class _Refusal(asyncio.Protocol):
    """Hangs up at once."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        cast("asyncio.Transport", transport).abort()


_POLICY: Final = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self' 'unsafe-inline'",  # xterm.js writes the sizes of its cells into styles
    "font-src": "'self'",
    "img-src": "'self'",
    "connect-src": "'self'",
    "base-uri": "'none'",
    "form-action": "'none'",
    "frame-ancestors": "'none'",
}

_SAID: Final = {
    "Content-Security-Policy": "; ".join(f"{what} {whence}" for what, whence in _POLICY.items()),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Referrer-Policy": "no-referrer",
    "Server": "thud",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}


async def add_headers(_: web.Request, response: web.StreamResponse) -> None:
    """Add our headers to a response, unless it has a policy of its own, or may be cached."""
    policy = response.headers.get("Content-Security-Policy")
    response.headers.update(_SAID)
    if policy:
        response.headers["Content-Security-Policy"] = policy
    response.headers.setdefault("Cache-Control", "no-store")

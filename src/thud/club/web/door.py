"""The web door: routes, and the checks before a request costs anything."""

from __future__ import annotations

import asyncio
import hmac
import socket
from asyncio.subprocess import PIPE
from collections.abc import Awaitable, Callable, Mapping
from contextlib import aclosing, suppress
from pathlib import Path
from typing import Final, TypeAlias

from aiohttp import WSCloseCode, web

from thud.club.club import SHOWN_NO_LONGER, ClubFull, ClubServer, InLine
from thud.club.doors import DoorOptions, tell_owner
from thud.club.storage import Visitor, link_secret
from thud.club.web.access import AuthCookies, OriginPolicy
from thud.club.web.connection import LINE, OVER, SLOW_SECONDS, BrowserConnection, End
from thud.club.web.http_server import (
    CLOSING_SECONDS,
    SILENT_SECONDS,
    HttpServer,
    add_headers,
)
from thud.club.web.messages import BadPacket, size_of
from thud.club.web.page_files import POLICY, page_files
from thud.club.web.static_files import static_files
from thud.net.token_bucket import RequestThrottle
from thud.net.transports.auth_throttle import AuthThrottle
from thud.net.transports.listener import caller_of, network_of
from thud.net.transports.sockets import bound_at
from thud.terminal import notices
from thud.text import quoted, why
from thud.visitor.profile import (
    LINK_VARIABLES,
    PLAIN_VARIABLE,
    SHOW_VARIABLES,
    TABLE_VARIABLE,
)
from thud.visitor.tables import reached, split_link

HEARTBEAT_SECONDS: Final = 10.0
"""Silence before a ping is sent; the browser has half as long to answer."""

GOODBYE_SECONDS: Final = 2.0
"""Timeout for a browser's closing handshake."""

A_MOMENT: Final = 0.001
BETWEEN_READS: Final = 0.05
"""Seconds of each reading, and between readings, while a websocket closes."""

MOST_SECRET: Final = 200
"""Most bytes of a request's body, which can only be a secret."""

MOST_MESSAGE: Final = 1 << 16
"""Most bytes of a browser's message."""

MOST_REASON: Final = 123
"""Most bytes of the reason with which a websocket is closed."""

PIECE: Final = 1 << 13
"""A websocket's receive buffer, in bytes: small, since empty frames are six bytes each."""

REQUESTS_AT_ONCE: Final = 300
"""Burst of requests from one address: a page needs a dozen, a household has many browsers."""

REQUESTS_A_SECOND: Final = 30
"""Refill a second."""

BOARDS_AT_ONCE: Final = 10
"""Burst of boards that one visitor may open: each starts a process."""

BOARDS_A_SECOND: Final = 0.5
"""Refill a second."""

UNINVITED: Final = "This is a Thud club. Ask its owner for the whole address."
EXPIRED: Final = "This link lets nobody in any longer. Ask whoever sent it for another one."
ELSEWHERE: Final = "The club is not here: open the address that you were given."
FOREIGN: Final = "Another site asked for this, and that is not allowed."
TOO_MANY: Final = "Too many requests. Wait a moment and try again."
TOO_OFTEN: Final = "Too many failed tries. Wait a minute and try again."
NOTHING: Final = "There is nothing here."

HEALTH: Final = "/health"
HEALTH_SECONDS: Final = 2.0
HEALTHY: Final = "The club is open.\n"
UNHEALTHY: Final = "The club's tables do not answer.\n"

_Answer: TypeAlias = Callable[[web.Request], Awaitable[web.StreamResponse]]


class WebDoor:
    """The door for browsers; made by `open_web`.

    Args:
        club: admits visitors.
        options: the door's options.
        port: the port it listens on.

    Attributes:
        port: the port it listens on.

    Raises:
        ValueError: the public address is not a web address.
    """

    def __init__(self, club: ClubServer, options: DoorOptions, port: int) -> None:
        self._club = club
        self._options = options
        self._origins = OriginPolicy(options, port)
        self.port = port
        self.renew(options.secret)
        self._throttle = AuthThrottle()
        self._requests = RequestThrottle(REQUESTS_A_SECOND, REQUESTS_AT_ONCE)
        self._boards = RequestThrottle(BOARDS_A_SECOND, BOARDS_AT_ONCE)
        self._static = static_files()
        self._page_files = page_files(Path(options.page)) if options.page else {}
        self._connections: dict[str, BrowserConnection] = {}
        self._inside: set[asyncio.Event] = set()
        self._closing = asyncio.Event()
        app = web.Application(middlewares=[self._receive], client_max_size=MOST_SECRET)
        app.on_response_prepare.append(add_headers)
        for path in ("/", "/t/{link}", "/text"):
            app.router.add_get(path, self._page)
        app.router.add_get("/w/{link}", self._shown_page)
        app.router.add_get("/w/{link}/text", self._shown_page)
        app.router.add_get("/show/{link}", self._show)
        app.router.add_get(HEALTH, self._health)
        app.router.add_post("/enter", self._enter)
        app.router.add_get("/board", self._board)
        app.router.add_get("/board/{link}", self._board)
        app.router.add_get("/download/{token}", self._download)
        app.router.add_get("/static/{name}", self._file)
        app.router.add_get("/play/{name:.*}", self._play)
        # A service worker has to be at the top to serve the page there.
        app.router.add_get("/{name:worker.js}", self._file)
        self._server = HttpServer(app)

    @property
    def invitation(self) -> tuple[str, ...]:
        """The lines to print: who can come, and the address that they open."""
        reach = self._options.reach
        if self._options.public_url:
            reach = f"Anybody who can reach {self._origins.url}"
        shown = "" if self._club.is_open else f"#{self._options.secret}"
        return (
            f"{reach} can come in, with this address in a browser:",
            f"{self._origins.url}/{shown}",
        )

    @property
    def links(self) -> Mapping[str, str]:
        """How links to tables are formed."""
        url = self._origins.url
        return {LINK_VARIABLES[0]: f"{url}/t/{{}}", SHOW_VARIABLES[0]: f"{url}/w/{{}}"}

    async def open(self, listening: socket.socket) -> None:
        """Serve a listening socket, and take ownership of it."""
        await self._server.open(listening)

    def renew(self, secret: str) -> None:
        """Take over a new invitation's secret; browsers need it the next time."""
        self._options = self._options._replace(secret=secret)
        encrypted = self._origins.url.startswith("https:")
        is_open = self._club.is_open
        self._cookies = AuthCookies(secret, self.port, encrypted=encrypted, is_open=is_open)

    async def close(self) -> None:
        """Close the door and all connections; closing twice does no harm."""
        self._closing.set()
        self._server.shut()
        # The server can still read from the websockets while they close.
        with suppress(TimeoutError):
            async with asyncio.timeout(CLOSING_SECONDS):
                await asyncio.gather(*(each.wait() for each in self._inside))
        await self._server.close()

    # Checks

    @web.middleware
    async def _receive(self, request: web.Request, handler: _Answer) -> web.StreamResponse:
        """Middleware: refuse too many requests, foreign hosts and foreign origins."""
        if not self._requests.try_acquire(self._caller(request)):
            await self._server.hold(request)
            refusal = _refusal(request, 429, TOO_MANY)
            refusal.force_close()
            return refusal
        # Who watches over the club asks at its own address, without the name of the public one.
        if request.path != HEALTH and not self._origins.is_here(request.host):
            return _refusal(request, 403, ELSEWHERE)
        origin = request.headers.get("Origin")
        if origin is not None and not self._origins.is_own(origin, request.host):
            return _refusal(request, 403, FOREIGN)
        try:
            return await handler(request)
        except web.HTTPForbidden as refused:
            return _refusal(request, 403, refused.text or UNINVITED)
        except web.HTTPNotFound:
            return _refusal(request, 404, NOTHING)

    def _visitor(self, request: web.Request) -> Visitor:
        """Return the browser's visitor.

        Raises:
            HTTPForbidden: the browser was not invited.
        """
        if not (visitor := self._known(request)):
            raise web.HTTPForbidden(text=UNINVITED)
        return visitor

    def _known(self, request: web.Request) -> Visitor | None:
        """Return the browser's visitor; None if it was not invited, or is no longer."""
        if not (token := self._cookies.token(request)):
            return None
        visitor = self._club.visitors.who_shows("web", token)
        return None if self._club.visitors.is_revoked(visitor.came_as) else visitor

    async def _enter(self, request: web.Request) -> web.Response:
        """Give a browser its cookie that sends the invitation's secret, or that of a table's link.

        A wrong one is refused after a delay if others failed.
        """
        if "Origin" not in request.headers:
            raise web.HTTPForbidden(text=FOREIGN)
        if self._known(request):
            return web.Response(status=204)
        try:
            async with asyncio.timeout(SILENT_SECONDS):
                secret = (await request.read()).decode("ascii", "replace")
        except (TimeoutError, web.RequestPayloadError):
            raise web.HTTPBadRequest(text=UNINVITED) from None
        if not (secret or self._club.is_open):
            raise web.HTTPForbidden(text=UNINVITED)
        link, own, shown = request.query.get("table", ""), self._options.secret, secret.encode()
        is_invited = hmac.compare_digest(shown, own.encode()) or (
            hmac.compare_digest(shown, link_secret(own, link).encode())
            and self._club.has_link(link)
        )
        if not (is_invited or self._club.is_open):
            if not (attempt := self._throttle.enter(self._caller(request))):
                raise web.HTTPTooManyRequests(text=TOO_OFTEN)
            try:
                await asyncio.sleep(attempt.hold)
                raise web.HTTPForbidden(text=EXPIRED if link else UNINVITED)
            finally:
                self._throttle.leave(attempt)
        response = web.Response(status=204)
        # A valid cookie that is refused has been revoked.
        revoked = bool(self._cookies.token(request))
        self._cookies.give(request, response, invited=is_invited, anew=revoked)
        return response

    def _caller(self, request: web.Request) -> str:
        """Return a browser's network; behind proxies, the one reported by the first trusted one.

        Each proxy appends whom it was asked by, so only the last entries, one a proxy, are true.
        """
        if self._options.public_url and self._options.proxies:
            lines = request.headers.getall("X-Forwarded-For", [])
            hops = ",".join(lines).split(",")[-self._options.proxies :]
            with suppress(ValueError):
                return network_of(hops[0].strip())
        found = request.transport and request.transport.get_extra_info("socket")
        return caller_of(found) if found else "nowhere"

    # Pages and files

    async def _page(self, request: web.Request) -> web.Response:
        """Return the page of boards, or the one in plain text.

        Its script enters the club, and opens the table in its address.
        """
        link = request.match_info.get("link")
        if link is not None and not split_link(link)[0]:
            raise web.HTTPNotFound
        page = self._static["text.html" if request.path == "/text" else "page.html"]
        is_let_in = self._club.is_open or self._known(request)
        return page.response(request, status=200 if is_let_in else 403)

    async def _shown_page(self, request: web.Request) -> web.Response:
        """Return the page for a link that only shows a table; it gives no cookie, and needs none.

        Raises:
            HTTPForbidden: the link has expired, or never was.
        """
        await self._check_shown(request)
        name = "text.html" if request.path.endswith("/text") else "page.html"
        return self._static[name].response(request)

    async def _check_shown(self, request: web.Request) -> Visitor:
        """Return whoever asks with a link that only shows a table.

        Raises:
            HTTPForbidden: the link has expired, or never was: after a delay if others failed.
            HTTPTooManyRequests: too many have failed.
        """
        link = request.match_info["link"]
        if watcher := await asyncio.to_thread(self._club.shown_by, link):
            return watcher
        if not (attempt := self._throttle.enter(self._caller(request))):
            raise web.HTTPTooManyRequests(text=TOO_OFTEN)
        try:
            await asyncio.sleep(attempt.hold)
            raise web.HTTPForbidden(text=SHOWN_NO_LONGER)
        finally:
            self._throttle.leave(attempt)

    async def _health(self, request: web.Request) -> web.Response:
        """Tell monitors whether the club works: its door, and the keeper of its tables."""
        with suppress(OSError, ValueError, TimeoutError):
            async with asyncio.timeout(HEALTH_SECONDS):
                _, writer = await reached()
            writer.transport.abort()
            return web.Response(text=HEALTHY)
        return web.Response(status=503, text=UNHEALTHY)

    async def _file(self, request: web.Request) -> web.Response:
        if not (found := self._static.get(request.match_info["name"])):
            raise web.HTTPNotFound
        response = found.response(request)
        response.headers["Cache-Control"] = "no-cache"
        return response

    async def _play(self, request: web.Request) -> web.Response:
        """Return a file of the page that runs the program, which needs no invitation."""
        name = request.match_info["name"] or "index.html"
        if not (found := self._page_files.get(name)):
            raise web.HTTPNotFound
        response = found.response(request)
        response.headers["Cache-Control"] = "no-cache"
        response.headers["Content-Security-Policy"] = POLICY
        return response

    # The board

    async def _board(self, request: web.Request) -> web.StreamResponse:
        """Serve a visitor's board over a websocket."""
        if "Origin" not in request.headers:
            raise web.HTTPForbidden(text=FOREIGN)
        visitor = self._visitor(request)
        if not self._boards.try_acquire(visitor.id):
            raise web.HTTPTooManyRequests(text=TOO_MANY)
        return await self._connected(request, visitor)

    async def _show(self, request: web.Request) -> web.StreamResponse:
        """Serve the board of somebody to whom a link shows a table."""
        if "Origin" not in request.headers:
            raise web.HTTPForbidden(text=FOREIGN)
        return await self._connected(request, await self._check_shown(request))

    async def _connected(self, request: web.Request, visitor: Visitor) -> web.StreamResponse:
        """Serve a board over a websocket."""
        websocket = web.WebSocketResponse(
            autoping=False,
            heartbeat=HEARTBEAT_SECONDS,
            max_msg_size=MOST_MESSAGE,
            timeout=GOODBYE_SECONDS,
        )
        if not websocket.can_prepare(request):
            raise web.HTTPBadRequest(text=NOTHING)
        await websocket.prepare(request)
        if not (transport := request.transport):
            return websocket
        transport.pause_reading()
        transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, PIECE)
        over = asyncio.Event()
        self._inside.add(over)
        try:
            end = await self._visited(request, websocket, transport, visitor)
            await _close_socket(websocket, transport, end)
        finally:
            self._inside.discard(over)
            over.set()
        return websocket

    async def _visited(
        self,
        request: web.Request,
        websocket: web.WebSocketResponse,
        transport: asyncio.Transport,
        visitor: Visitor,
    ) -> End:
        """Serve a visitor until the visit ends; return how to close the websocket."""
        columns, lines = size_of(request.query.get("width"), request.query.get("height"))
        link = request.match_info.get("link", "")
        variables = {
            TABLE_VARIABLE: link if split_link(link)[0] and not visitor.shown else "",
            PLAIN_VARIABLE: "1" if request.query.get("plain") else "",
            "TEXTUAL_DRIVER": "thud.club.web.driver:BrowserDriver",
            "TEXTUAL_FPS": "60",
            "TEXTUAL_COLOR_SYSTEM": "truecolor",
            "TERM": "xterm-256color",
            "TERM_PROGRAM": notices.OUR_PAGE,
            "COLORTERM": "truecolor",
            "COLUMNS": str(columns),
            "ROWS": str(lines),
        }
        try:
            async with self._club.visit(
                visitor, streams=PIPE, variables=variables, network=self._caller(request)
            ) as visit:
                connection = self._connections[visitor.id] = BrowserConnection(
                    websocket, transport, visit, self._club, self._closing
                )
                try:
                    return await connection.run()
                finally:
                    del self._connections[visitor.id]
                    if error := connection.last_error:
                        tell_owner(f"A visitor's program complained: {quoted(error, 200)}")
        except ClubFull as full:
            alone = f" Play alone meanwhile: {self._origins.url}/play/" if self._page_files else ""
            said = f"{full}{alone}"
            fits = len(said.encode()) <= MOST_REASON
            return End(LINE if isinstance(full, InLine) else OVER, said if fits else str(full))
        except ConnectionError:
            return End(WSCloseCode.OK)  # they have gone
        except OSError as error:
            tell_owner(f"Nobody can be let in: {why(error)}")
            return End(OVER, "There is no room now. Try again later.")

    async def _download(self, request: web.Request) -> web.StreamResponse:
        """Send a file offered by the visitor's own process, as an attachment.

        On an error the connection is aborted.
        """
        connection = self._connections.get(self._visitor(request).id)
        offer = connection.downloads.accept(request.match_info["token"]) if connection else None
        if not (connection and offer):
            raise web.HTTPNotFound
        response = web.StreamResponse(
            headers={
                "Content-Disposition": f'attachment; filename="{offer.name}"',
                "Content-Type": "application/octet-stream",
            }
        )
        await response.prepare(request)
        try:
            async with aclosing(connection.downloads.pieces(offer)) as pieces:
                async for piece in pieces:
                    await asyncio.wait_for(response.write(piece), SLOW_SECONDS)
        except (TimeoutError, BadPacket):
            if request.transport:
                request.transport.abort()
        return response


async def _close_socket(
    websocket: web.WebSocketResponse, transport: asyncio.Transport, end: End
) -> None:
    """Close a websocket with its reason; abort if the handshake takes too long."""
    closing = asyncio.create_task(websocket.close(code=end.code, message=end.sentence.encode()))
    try:
        async with asyncio.timeout(GOODBYE_SECONDS):
            while not closing.done():
                # To receive the close frame; whatever precedes it is read slowly.
                transport.resume_reading()
                await asyncio.sleep(A_MOMENT)
                transport.pause_reading()
                await asyncio.wait([closing], timeout=BETWEEN_READS)
    except (TimeoutError, ConnectionError, asyncio.CancelledError):
        transport.abort()
    finally:
        closing.cancel()
        await asyncio.gather(closing, return_exceptions=True)


_REFUSAL: Final = """<!DOCTYPE html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <title>Thud</title>
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <link rel="stylesheet" href="/static/club.css">
  </head>
  <body class="text"><main><h1>Thud</h1><p>{}</p></main></body>
</html>
"""


def _refusal(request: web.Request, status: int, sentence: str) -> web.Response:
    """Return a sentence, for a browser's window as a page."""
    if "text/html" not in request.headers.get("Accept", ""):
        return web.Response(status=status, text=sentence)
    return web.Response(status=status, text=_REFUSAL.format(sentence), content_type="text/html")


async def open_web(club: ClubServer, options: DoorOptions) -> WebDoor:
    """Open the door for browsers.

    Raises:
        ValueError: the address is not this machine's, the port is taken, or the public address
            is not a web address.
    """
    listening = await asyncio.to_thread(bound_at, options.address, options.port)
    try:
        door = WebDoor(club, options, listening.getsockname()[1])
        await door.open(listening)
    except BaseException:
        listening.close()
        raise
    return door

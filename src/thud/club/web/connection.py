"""One websocket between a browser and its visitor's process."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from typing import Final, NamedTuple

from aiohttp import WSCloseCode, WSMsgType, web

from thud.club.club import ClubServer, Visit
from thud.club.doors import FAREWELL, MOST_QUEUED
from thud.club.web.downloads import Downloads
from thud.club.web.messages import (
    DATA,
    PACKED,
    InvalidBrowserMessage,
    begun,
    parse_message,
    read_packet,
)
from thud.net.token_bucket import TokenBucket
from thud.visitor import profile

SLOW_SECONDS: Final = 10.0
"""Timeout for sending to a browser."""

MOST_ERRORS: Final = 4096
"""Most bytes kept of a process's standard error."""

AT_ONCE: Final = 500
"""Burst of messages from a browser."""

A_SECOND: Final = 250
"""Refill a second: more than a moving mouse or a held key needs."""

CONTROLS_AT_ONCE: Final = 20
"""Burst of pings and pongs: a browser sends one for each of ours."""

CONTROLS_A_SECOND: Final = 2
"""Refill a second."""

TEXT: Final = 4001
"""Close code that sends the browser to the plain-text page."""

LINE: Final = 4002
"""Close code for a full club: the page asks again, and keeps its place in the line."""

OVER: Final = 4000
"""Close code that ends a connection for good; after any other the page reconnects."""


class End(NamedTuple):
    """How a connection ends: close code and reason.

    Attributes:
        code: the websocket's close code.
        sentence: the reason shown to the visitor; empty for none.
    """

    code: int
    sentence: str = ""


class BrowserConnection:
    """A websocket and a visit, until one of them ends.

    Args:
        socket: the open websocket, without automatic pongs.
        transport: the websocket's transport, with reading paused.
        visit: the visit to show; its process speaks over pipes.
        club: the club visited.
        closing: set when the door closes.

    Attributes:
        downloads: files the visitor can fetch.
    """

    def __init__(
        self,
        socket: web.WebSocketResponse,
        transport: asyncio.Transport,
        visit: Visit,
        club: ClubServer,
        closing: asyncio.Event,
    ) -> None:
        self.downloads = Downloads(self._send_packet)
        self._socket = socket
        self._transport = transport
        self._visit = visit
        self._club = club
        self._closing = closing
        self._errors = b""
        self._output: asyncio.Queue[bytes | str] = asyncio.Queue()
        self._queued = 0

    async def run(self) -> End:
        """Relay both ways until either side ends or the visitor has to go."""
        relaying = [
            asyncio.create_task(each)
            for each in (self._relay_input(), self._relay_output(), self._send_output())
        ]
        dismissed = asyncio.create_task(self._club.sent_away(self._visit))
        closed = asyncio.create_task(self._closing.wait())
        collecting = asyncio.create_task(self._collect_errors())
        doing = {*relaying, dismissed, closed}
        try:
            done, _ = await asyncio.wait(doing, return_when=asyncio.FIRST_COMPLETED)
            for each in relaying:
                if each in done:
                    return each.result()
            if dismissed in done:
                return End(OVER, dismissed.result())
            return End(WSCloseCode.GOING_AWAY, FAREWELL)
        finally:
            for task in (*doing, collecting):
                task.cancel()
            await asyncio.gather(*doing, collecting, return_exceptions=True)

    @property
    def last_error(self) -> str:
        """The last line of the process's standard error."""
        return self._errors.decode(errors="replace").strip().rpartition("\n")[2]

    async def _relay_input(self) -> End:
        """Relay the browser's messages to the process until the websocket closes."""
        pace = TokenBucket(A_SECOND, AT_ONCE)
        controls = TokenBucket(CONTROLS_A_SECOND, CONTROLS_AT_ONCE)
        while True:
            # Reading is paused at all other times: empty frames would be read as fast as they come.
            self._transport.resume_reading()
            try:
                message = await self._socket.receive()
            finally:
                self._transport.pause_reading()
            if message.type in {WSMsgType.PING, WSMsgType.PONG}:
                if not controls.try_acquire():
                    self._transport.abort()
                    return End(WSCloseCode.POLICY_VIOLATION)
                if message.type == WSMsgType.PING:
                    with suppress(TimeoutError, ConnectionError):
                        async with asyncio.timeout(SLOW_SECONDS):
                            await self._socket.pong(message.data)
                continue
            if message.type not in {WSMsgType.TEXT, WSMsgType.BINARY}:
                return End(WSCloseCode.OK)
            try:
                heard = parse_message(message.data)
            except InvalidBrowserMessage as error:
                return End(OVER, str(error))
            if heard.acted:
                self._visit.acted()
            if heard.packet:
                await self._send_packet(heard.packet)
            if heard.answer:
                with suppress(ConnectionError):
                    await self._send(heard.answer)
            await pace.wait()

    async def _relay_output(self) -> End:
        """Read the process's packets until it ends, without waiting: its table would wait too.

        Of its meta packets, those about files, the on-screen keyboard and looks are relayed.
        """
        source = self._visit.process.stdout
        assert source is not None
        with suppress(asyncio.IncompleteReadError, ValueError, RecursionError):
            await begun(source)
            while self._queued <= MOST_QUEUED:
                kind, payload = await read_packet(source)
                if kind == DATA:
                    self._enqueue(payload)
                elif kind == PACKED:
                    self.downloads.arrived(payload)
                else:
                    match about := json.loads(payload):
                        case {"type": "deliver_file_start"}:
                            self._enqueue(self.downloads.offer(about))
                        case {"type": "writing", "now": bool(writing)}:
                            self._enqueue(json.dumps(["writing", writing]))
                        case {"type": "looks"}:
                            self._enqueue(json.dumps(["looks", about]))
            return End(WSCloseCode.GOING_AWAY)
        return await self._end_of_program()

    async def _end_of_program(self) -> End:
        with suppress(TimeoutError):
            async with asyncio.timeout(1.0):
                match await self._visit.process.wait():
                    case 0 if self._visit.visitor.shown:
                        return End(OVER, profile.SHOWN_OVER)
                    case 1 if self._visit.visitor.shown:
                        return End(WSCloseCode.GOING_AWAY, profile.SHOWN_FAILED)
                    case profile.LINKED:
                        return End(WSCloseCode.SERVICE_RESTART)
                    case profile.IN_LINES:
                        return End(TEXT)
                    case 0:
                        return End(OVER, "You have left. Your matches are saved.")
        return End(WSCloseCode.INTERNAL_ERROR, profile.FAULT)

    async def _send_output(self) -> End:
        """Send queued output to the browser, as fast as it reads."""
        with suppress(TimeoutError, ConnectionError):
            while True:
                told = await self._output.get()
                await self._send(told)
                self._queued -= len(told)
        return End(WSCloseCode.GOING_AWAY)

    def _enqueue(self, told: bytes | str) -> None:
        self._queued += len(told)
        self._output.put_nowait(told)

    async def _collect_errors(self) -> None:
        """Keep the end of the process's standard error."""
        source = self._visit.process.stderr
        assert source is not None
        while more := await source.read(MOST_ERRORS):
            self._errors = (self._errors + more)[-MOST_ERRORS:]

    async def _send_packet(self, packet: bytes) -> None:
        """Send the process a packet."""
        target = self._visit.process.stdin
        assert target is not None
        with suppress(ConnectionError, RuntimeError):  # it has ended: noticed elsewhere
            target.write(packet)
            await target.drain()

    async def _send(self, told: bytes | str) -> None:
        async with asyncio.timeout(SLOW_SECONDS):
            if isinstance(told, bytes):
                await self._socket.send_bytes(told)
            else:
                await self._socket.send_str(told)

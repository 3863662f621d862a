"""A stream of messages, bounded in both directions.

Input is read only on demand, and no faster than the rate limit.  Output is queued in an outbox; a
peer that does not read until the outbox is full is disconnected, so `send` never waits for a peer.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Final, TypeAlias

from thud.net.codec import FAREWELL_SECONDS, OUTBOX, SILENCE_SECONDS
from thud.net.messages import Closed, Message, encode
from thud.net.token_bucket import TokenBucket

_CHUNK: Final = 1 << 14

Outgoing: TypeAlias = "Message | bytes | Callable[[], Message]"
"""A message, its line, or a function that makes a large one when it is sent, in a thread."""


class StreamBroken(Exception):
    """The stream has ended; the text says why, or is empty if the peer just closed it."""


class FramedStream:
    """One connection, until it ends.

    Args:
        reader: the connection's input.
        writer: the connection's output.
        longest: longest message accepted, in bytes.
        pace: rate limit of messages read; None for no limit.
    """

    def __init__(
        self,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
        longest: int,
        *,
        pace: TokenBucket | None = None,
    ) -> None:
        self._reader = reader
        self._writer = writer
        self._longest = longest
        self._pace = pace
        self._heard = bytearray()
        self._outbox: asyncio.Queue[Outgoing] = asyncio.Queue(OUTBOX)
        self._sending = asyncio.get_running_loop().create_task(self._send_all())
        self._listening: asyncio.Timeout | None = None
        self._over = False
        self._why = ""

    # Input

    async def receive(self, seconds: float = SILENCE_SECONDS) -> bytes:
        """Return the next line, without its newline.

        Raises:
            StreamBroken: the stream has ended; a message is too long; or the timeout is over.
        """
        if self._over:
            raise StreamBroken(self._why)
        try:
            async with asyncio.timeout(seconds) as self._listening:
                line = await self._next()
                if self._pace:
                    await self._pace.wait()
                return line
        except TimeoutError:
            silent = "no answer for too long"
            raise StreamBroken(self._why if self._over else silent) from None
        except OSError:
            raise StreamBroken(self._why) from None
        finally:
            self._listening = None

    async def _next(self) -> bytes:
        searched = 0
        while True:
            end = self._heard.find(b"\n", searched)
            if max(end, len(self._heard) if end < 0 else 0) >= self._longest:
                raise StreamBroken("a message is too long")
            if end >= 0:
                line = bytes(self._heard[:end])
                del self._heard[: end + 1]
                return line
            searched = len(self._heard)
            chunk = await self._reader.read(_CHUNK)
            if not chunk:
                broken = "the connection broke in the middle of a message"
                raise StreamBroken(broken if self._heard else "")
            self._heard += chunk

    # Output

    def send(self, message: Outgoing) -> None:
        """Queue a message; end the stream if the outbox is full."""
        if self._over:
            return
        try:
            self._outbox.put_nowait(message)
        except asyncio.QueueFull:
            self.abort()

    async def _send_all(self) -> None:
        try:
            while True:
                message = await self._outbox.get()
                made = await asyncio.to_thread(message) if callable(message) else message
                self._writer.write(made if isinstance(made, bytes) else encode(made))
                await self._writer.drain()
                self._outbox.task_done()
        except OSError:
            # `receive` raises it.
            return
        finally:
            self.abort()

    # Ending

    def abort(self, because: str = "") -> None:
        """Abort the stream; a waiting `receive` raises the reason."""
        self._end(because)
        self._writer.transport.abort()

    def send_close(self, because: str, *, again: bool = False, away: str = "") -> None:
        """Send the reason for closing and stop receiving; the caller has to `close`.

        Args:
            because: the reason, a sentence.
            again: whether the peer should reconnect.
            away: who has left here and may be back.
        """
        self.send(Closed(because, again, away))
        self._end("")

    def _end(self, because: str) -> None:
        if not self._over:
            self._over, self._why = True, because
        if self._listening and not self._listening.expired():
            # Input may have another source than the writer's transport: a process, say.
            self._listening.reschedule(asyncio.get_running_loop().time())

    async def close(self, because: str = "", *, again: bool = False) -> None:
        """Close the stream after sending what is queued, within a timeout.

        Args:
            because: the reason to send last; empty for none.
            again: as for `send_close`.
        """
        if because:
            self.send_close(because, again=again)
        self._end("")
        with suppress(TimeoutError, OSError):
            async with asyncio.timeout(FAREWELL_SECONDS):
                flushed = asyncio.ensure_future(self._outbox.join())
                try:
                    both = [flushed, self._sending]
                    await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
                finally:
                    flushed.cancel()
                self._writer.close()
                # Cancellation here would cancel later waiters for the same future.
                await asyncio.shield(self._writer.wait_closed())
        self._sending.cancel()
        await asyncio.wait([self._sending])
        if not self._sending.cancelled():
            self._sending.result()
        with suppress(TimeoutError, OSError):
            async with asyncio.timeout(FAREWELL_SECONDS):
                await self._writer.wait_closed()

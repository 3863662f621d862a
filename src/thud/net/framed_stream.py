"""A stream of messages, bounded in both directions.

What comes in is read no faster than it is taken, and never further than one message ahead.  What
goes out waits in an outbox; whoever does not read until that is full is cut off, so that nobody
ever waits for a peer.
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

Outgoing: TypeAlias = "Message | Callable[[], Message]"
"""A message, or what makes a large one when it is its turn, in a thread."""


class StreamBroken(Exception):
    """It has ended, and why, in a sentence; nothing if the other side just went."""


class FramedStream:
    """One connection, until it ends.

    Args:
        reader: what comes in.
        writer: what goes out.
        longest: the longest message that is read, in bytes.
        pace: bounds how fast messages are read; None reads them as they come.
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
        self._searched = 0
        self._outbox: asyncio.Queue[Outgoing] = asyncio.Queue(OUTBOX)
        self._sending = asyncio.get_running_loop().create_task(self._send_all())
        self._listening: asyncio.Timeout | None = None
        self._over = False
        self._why = ""

    # What comes in

    async def receive(self, seconds: float = SILENCE_SECONDS) -> bytes:
        """Return the next line, without its end.

        Raises:
            StreamBroken: it has ended, in the middle of a message or before one; a message is
                too long; or nothing came for so many seconds.
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
        while True:
            end = self._heard.find(b"\n", self._searched)
            if max(end, len(self._heard) if end < 0 else 0) >= self._longest:
                raise StreamBroken("a message is too long")
            if end >= 0:
                return self._take(end)
            self._searched = len(self._heard)
            await self._hear()

    def _take(self, end: int) -> bytes:
        line = bytes(self._heard[:end])
        del self._heard[: end + 1]
        self._searched = 0
        return line

    async def _hear(self) -> None:
        chunk = await self._reader.read(_CHUNK)
        if not chunk:
            raise StreamBroken(
                "the connection broke in the middle of a message" if self._heard else ""
            )
        self._heard += chunk

    # What goes out

    def send(self, message: Outgoing) -> None:
        """Queue a message; end the stream if too many wait."""
        if self._over:
            return
        try:
            self._outbox.put_nowait(message)
        except asyncio.QueueFull:
            self.cut()

    async def _send_all(self) -> None:
        try:
            while True:
                await self._send(await self._outbox.get())
                self._outbox.task_done()
        except OSError:
            # Whoever listens is told.
            return
        finally:
            self.cut()

    async def _send(self, message: Outgoing) -> None:
        made = await asyncio.to_thread(message) if callable(message) else message
        self._writer.write(encode(made))
        await self._writer.drain()

    # Its end

    def cut(self, because: str = "") -> None:
        """End it at once, whatever is on its way; whoever listens is told why."""
        self._end(because)
        self._writer.transport.abort()

    def part(self, because: str, *, again: bool = False, away: str = "") -> None:
        """Say why it ends; whoever listens hears nothing more, and is to close it.

        Args:
            because: a sentence.
            again: whether it is worth while for the other side to come back.
            away: who has gone here, and may be back.
        """
        self.send(Closed(because, again, away))
        self._end("")

    def _end(self, because: str) -> None:
        if not self._over:
            self._over, self._why = True, because
        if self._listening and not self._listening.expired():
            # What comes in may come from elsewhere than where the rest goes: from a process, say.
            self._listening.reschedule(asyncio.get_running_loop().time())

    async def close(self, because: str = "", *, again: bool = False) -> None:
        """End it, when what was sent has left, which may take a moment.

        Args:
            because: what is said last; nothing if it is empty.
            again: as for `part`.
        """
        if because:
            self.part(because, again=again)
        self._end("")
        with suppress(TimeoutError, OSError):
            async with asyncio.timeout(FAREWELL_SECONDS):
                await self._flush()
        self._sending.cancel()
        await asyncio.wait([self._sending])
        if not self._sending.cancelled():
            self._sending.result()
        with suppress(TimeoutError, OSError):
            async with asyncio.timeout(FAREWELL_SECONDS):
                await self._writer.wait_closed()

    async def _flush(self) -> None:
        """Wait until everything has left, or nothing can any more."""
        flushed = asyncio.ensure_future(self._outbox.join())
        try:
            await asyncio.wait([flushed, self._sending], return_when=asyncio.FIRST_COMPLETED)
        finally:
            flushed.cancel()
        self._writer.close()
        # To be cancelled here would cancel whoever waits for the same afterwards.
        await asyncio.shield(self._writer.wait_closed())

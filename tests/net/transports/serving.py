"""Echo server for tests of the transports."""

import asyncio
import os

import pytest

from thud.net.transports.auth_throttle import AuthThrottle
from thud.net.transports.local import MatchInfo
from thud.net.transports.transport import Streams, Transport

ABOUT = MatchInfo("koom", ("Ann", ""), ("trolls",), 1_700_000_000.0)

only_root = pytest.mark.skipif(os.getuid() != 0, reason="only root can be somebody else as well")


class Echo:
    """Echoes each line; "right" and "wrong" also report a secret's result to the throttle."""

    def __init__(self, throttle: AuthThrottle | None = None) -> None:
        self.throttle = throttle
        self.trusted: list[bool] = []
        self.heard: list[bytes] = []
        self.over = 0

    async def __call__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, trusted: bool
    ) -> None:
        self.trusted.append(trusted)
        try:
            while line := await reader.readline():
                self.heard.append(line)
                if self.throttle and line == b"right\n":
                    self.throttle.right(writer)
                if self.throttle and line == b"wrong\n":
                    self.throttle.wrong(writer)
                writer.write(line)
                await writer.drain()
        finally:
            self.over += 1


async def said_back(streams: Streams, line: bytes = b"dF1-F5\n") -> bytes:
    """Send a line; return the line that comes back."""
    reader, writer = streams
    writer.write(line)
    await writer.drain()
    return await reader.readline()


async def hung_up(streams: Streams) -> None:
    """Close a connection, and wait until it is closed."""
    streams[1].close()
    await streams[1].wait_closed()


async def exchanged(way: Transport) -> bytes:
    """Open a transport, exchange a line, and close; return the line that came back."""
    streams = await way.open()
    try:
        return await said_back(streams)
    finally:
        await hung_up(streams)


class Clock:
    """A clock that only tests advance."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now

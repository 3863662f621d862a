"""A listener continues after transient errors, and reports the others."""

from __future__ import annotations

import asyncio
import errno
import logging
import os
import socket
from collections.abc import Iterable

import pytest

from net.transports.serving import Echo, said_back
from thud.net.transports import listener
from thud.net.transports.listener import StreamListener
from thud.net.transports.transport import Streams
from waiting import until


class Failing(socket.socket):
    """A listening socket whose first accepts fail with given error numbers."""

    def __init__(self, numbers: Iterable[int] = ()) -> None:
        super().__init__()
        self.numbers = [*numbers]
        self.bind(("127.0.0.1", 0))

    def accept(self) -> tuple[socket.socket, object]:
        if self.numbers:
            number = self.numbers.pop(0)
            raise OSError(number, os.strerror(number))
        return super().accept()


async def reached(listening: socket.socket) -> Streams:
    return await asyncio.open_connection(*listening.getsockname())


def logged(caplog: pytest.LogCaptureFixture, level: int) -> list[str]:
    return [each.getMessage() for each in caplog.records if each.levelno == level]


async def test_errors_that_pass_are_waited_out(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(listener, "_BREATH", 0.001)
    monkeypatch.setattr(listener, "_LONGEST_BREATH", 0.002)
    listening = Failing([errno.EMFILE, errno.ECONNABORTED, errno.ENFILE, errno.ENOMEM])
    door = StreamListener(listening, Echo(), trusted=True)
    streams = await reached(listening)
    assert await said_back(streams) == b"dF1-F5\n"
    streams[1].close()
    await door.close()
    assert [each.partition(":")[0] for each in logged(caplog, logging.WARNING)] == [
        "nobody can be let in for 0.001 s",
        "nobody can be let in for 0.002 s",
        "nobody can be let in for 0.002 s",
    ]


async def test_an_error_that_stays_ends_listening_and_is_told(
    caplog: pytest.LogCaptureFixture,
) -> None:
    listening = Failing([errno.EINVAL])
    door = StreamListener(listening, Echo(), trusted=True)
    await until(lambda: listening.fileno() == -1)
    (told,) = logged(caplog, logging.ERROR)
    assert told == f"nobody is let in any more: {os.strerror(errno.EINVAL)}"
    await door.close()


async def test_a_guest_who_cannot_be_served_is_logged_and_parted_with(
    caplog: pytest.LogCaptureFixture,
) -> None:
    echo, failing = Echo(), True

    async def serve(
        reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, trusted: bool
    ) -> None:
        if failing:
            raise ZeroDivisionError
        await echo(reader, writer, trusted=trusted)

    listening = Failing()
    door = StreamListener(listening, serve, trusted=True)
    reader, writer = await reached(listening)
    assert await reader.read() == b""
    writer.close()
    assert logged(caplog, logging.ERROR) == ["whoever came could not be served"]
    assert "ZeroDivisionError" in caplog.text
    failing = False
    streams = await reached(listening)
    assert await said_back(streams) == b"dF1-F5\n"
    streams[1].close()
    await door.close()

"""Failed accepts: a shortage is logged once, and a door that has closed meanwhile not at all."""

import asyncio
import errno
import os

import pytest

from thud.club.doors import AcceptErrors


async def test_a_shortage_is_logged_once_and_a_door_closed_meanwhile_not_at_all(
    capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    loop = asyncio.get_running_loop()
    server = await asyncio.start_server(lambda _, __: None, "127.0.0.1", 0)
    [listening] = server.sockets
    closed = listening._sock  # type: ignore[attr-defined]  # what asyncio itself passes on
    loop.set_exception_handler(AcceptErrors())
    try:
        for _ in range(3):
            shortage = OSError(errno.EMFILE, os.strerror(errno.EMFILE))
            loop.call_exception_handler(
                {"message": "socket.accept() out", "exception": shortage, "socket": listening}
            )
        server.close()
        await server.wait_closed()
        loop.call_soon(loop._start_serving, asyncio.Protocol, closed)  # type: ignore[attr-defined]
        loop.call_soon(int, "no number")
        await asyncio.sleep(0)
        await asyncio.sleep(0)
    finally:
        loop.set_exception_handler(None)
    (line,) = capsys.readouterr().err.splitlines()
    assert line.endswith("  Nobody else can come in now: Too many open files.")
    [logged] = caplog.records
    assert "'no number'" in str(logged.exc_info)

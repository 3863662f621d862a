"""What both doors share: whom invitations name, and failed accepts."""

import asyncio
import errno
import os

import pytest

from thud.club.doors import LOOPBACK, AcceptErrors, DoorOptions


@pytest.mark.parametrize(
    ("address", "url", "host"),
    [
        ("0.0.0.0", "http://club.example:4780", "club.example"),
        ("192.0.2.7", "", "192.0.2.7"),
        (LOOPBACK, "https://club.example", LOOPBACK),
    ],
)
def test_invitations_name_the_public_host_unless_only_this_machine_reaches_the_door(
    address: str, url: str, host: str
) -> None:
    assert DoorOptions(address, 4722, "", url).host == host


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

"""Other users of the machine join with a secret, and check whose match it is."""

import asyncio
import os
import socket
import stat
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from net.transports.serving import Clock, Echo, exchanged, hung_up, only_root, said_back
from thud.net.transports import other_users, permissions
from thud.net.transports.auth_throttle import FREE, AuthThrottle
from thud.net.transports.invitation import new_secret
from thud.net.transports.other_users import OpenListener, OtherUserTransport
from thud.net.transports.transport import Unreachable

SECRET = new_secret()
NOBODY = 65534


@pytest.fixture
def shared(short_path: Path) -> Path:
    """Return a world-writable directory like /tmp."""
    place = short_path / "shared"
    place.mkdir()
    place.chmod(0o1777)
    return place


@pytest.fixture
def echo() -> Echo:
    """Return an echo server with a throttle."""
    return Echo(AuthThrottle(Clock()))


@pytest.fixture
async def open_listener(shared: Path, echo: Echo) -> AsyncIterator[OpenListener]:
    """Open a match to other users."""
    assert echo.throttle
    opened = await other_users.listen("m1", echo, echo.throttle, (shared,))
    yield opened
    await opened.close()
    assert list(shared.iterdir()) == []


def neighbour(open_listener: OpenListener) -> OtherUserTransport:
    return OtherUserTransport(str(open_listener.path), SECRET)


async def test_a_neighbour_comes_in_and_is_not_trusted(
    open_listener: OpenListener, echo: Echo
) -> None:
    way = neighbour(open_listener)
    assert await exchanged(way) == b"dF1-F5\n"
    assert echo.trusted == [False]
    assert way.secret == SECRET
    assert stat.S_IMODE(open_listener.path.parent.stat().st_mode) == 0o711
    assert stat.S_IMODE(open_listener.path.stat().st_mode) == 0o666


async def test_who_tries_too_often_is_kept_out(open_listener: OpenListener, echo: Echo) -> None:
    for _ in range(FREE):
        streams = await neighbour(open_listener).open()
        assert await said_back(streams, b"wrong\n")
        await hung_up(streams)
        assert await streams[0].read() == b""
    streams = await neighbour(open_listener).open()
    assert await streams[0].read() == b""
    await hung_up(streams)
    assert len(echo.trusted) == FREE


async def test_a_place_that_could_be_anybodys_is_refused(
    open_listener: OpenListener, shared: Path
) -> None:
    for place in (open_listener.path.parent, shared):
        mode = stat.S_IMODE(place.stat().st_mode)
        place.chmod(0o777)
        with pytest.raises(Unreachable, match="could be anybody's: nothing was sent"):
            await neighbour(open_listener).open()
        place.chmod(mode)
    link = shared / "link"
    link.symlink_to(open_listener.path.parent)
    with pytest.raises(Unreachable, match="is not a match"):
        await OtherUserTransport(str(link / "m1"), SECRET).open()
    link.unlink()
    with pytest.raises(Unreachable, match=r"^no host is at '"):
        await OtherUserTransport(str(shared / "thud" / "m1"), SECRET).open()


@only_root
async def test_who_answers_has_to_be_whose_the_place_is(open_listener: OpenListener) -> None:
    os.chown(open_listener.path, NOBODY, NOBODY)
    with pytest.raises(Unreachable, match="could be anybody's"):
        await neighbour(open_listener).open()
    os.chown(open_listener.path.parent, NOBODY, NOBODY)
    with pytest.raises(Unreachable, match=r"is nobody's, but root answers: nothing was sent"):
        await neighbour(open_listener).open()


@only_root
async def test_another_user_really_gets_in() -> None:
    """In the real shared directory: other users cannot reach the tests' directories."""
    echo = Echo(AuthThrottle())
    assert echo.throttle
    opened = await other_users.listen("m1", echo, echo.throttle)
    script = (
        "import socket, os, sys\n"
        f"os.setgroups([]); os.setgid({NOBODY}); os.setuid({NOBODY})\n"
        "try: os.listdir(os.path.dirname(sys.argv[1]))\n"
        "except PermissionError: print('nothing to see')\n"
        "found = socket.socket(socket.AF_UNIX); found.connect(sys.argv[1])\n"
        "found.sendall(b'hello\\n'); print(found.recv(100).decode())\n"
    )
    done = await asyncio.to_thread(
        subprocess.run,
        [sys.executable, "-c", script, str(opened.path)],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split("\n")[:2] == ["nothing to see", "hello"]
    await opened.close()
    assert not opened.path.parent.exists()
    assert f"user {NOBODY}" in echo.throttle._tries


async def test_what_a_killed_host_left_is_swept(
    open_listener: OpenListener, shared: Path, echo: Echo
) -> None:
    left = shared / f"thud-{os.getuid()}-01234567"
    left.mkdir()
    with socket.socket(socket.AF_UNIX) as stale:
        stale.bind(str(left / "m2"))
    assert echo.throttle
    second = await other_users.listen("m3", echo, echo.throttle, (shared,))
    assert not left.exists()
    assert await exchanged(neighbour(open_listener))
    await second.close()


async def test_there_may_be_no_place_for_all(tmp_path: Path, echo: Echo) -> None:
    assert echo.throttle
    with pytest.raises(ValueError, match="there is no folder where others can reach a match"):
        await other_users.listen("m1", echo, echo.throttle, (tmp_path, tmp_path / "nowhere"))


def test_a_user_without_a_name_has_a_stand_in(monkeypatch: pytest.MonkeyPatch) -> None:
    def nobody() -> str:
        raise KeyError("getpwuid(): uid not found: 54321")

    monkeypatch.setattr("getpass.getuser", nobody)
    monkeypatch.setattr(permissions, "own_user", lambda: 2**31 - 7)
    assert permissions.own_name() == "user 2147483641"
    monkeypatch.setattr(permissions, "own_user", lambda: None)
    assert permissions.own_name() == "somebody"

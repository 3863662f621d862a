"""The ssh transport, through a real ssh and sshd."""

import asyncio
import os
import pty
import select
import sys
from pathlib import Path

import pytest

from net.sshd import Sshd
from net.transports.serving import hung_up, said_back
from thud.net.transports.invitation import OverSsh, parse_goal
from thud.net.transports.local import OpenListing
from thud.net.transports.ssh import SshTransport
from thud.net.transports.transport import Unreachable

THUD = str(Path(sys.executable).with_name("thud"))


def way_to(sshd: Sshd, thud: str = THUD) -> SshTransport:
    goal = parse_goal(sshd.url)
    assert isinstance(goal, OverSsh)
    return SshTransport(goal, thud)


async def test_a_match_is_reached_and_reached_again_until_it_is_closed(
    sshd: Sshd, opened: OpenListing
) -> None:
    way = way_to(sshd)
    await asyncio.to_thread(way.connect)
    for _ in range(2):
        streams = await way.open()
        assert await said_back(streams, b"x" * 4000 + b"\n") == b"x" * 4000 + b"\n"
        await hung_up(streams)
    streams = await way.open()
    assert await said_back(streams)
    await opened.close()
    assert await streams[0].read() == b""
    await hung_up(streams)
    with pytest.raises(Unreachable, match="no match is open here"):
        await way.open()
    await asyncio.to_thread(way.close)


@pytest.mark.slow
async def test_a_host_without_thud_or_that_is_not_known_is_no_surprise(
    sshd: Sshd, opened: OpenListing
) -> None:
    way = way_to(sshd, "no-thud-here")
    with pytest.raises(Unreachable, match=r"there is no 'no-thud-here' at .*: say where, with"):
        await way.open()
    way.close()
    sshd.known.write_text("")
    way = way_to(sshd)
    with pytest.raises(Unreachable, match=r"Host key verification failed.*ssh needs to ask"):
        await way.open()
    way.close()


@pytest.mark.slow
def test_what_ssh_asks_is_asked_at_the_terminal(sshd: Sshd) -> None:
    sshd.known.write_text("")
    script = (
        "from thud.net.transports.ssh import SshTransport\n"
        "from thud.net.transports.invitation import parse_goal\n"
        "from thud.net.transports.transport import Unreachable\n"
        f"way = SshTransport(parse_goal({sshd.url!r}), {THUD!r})\n"
        "try: way.connect()\n"
        "except Unreachable as fault: print('told:', fault)\n"
    )
    process, terminal = pty.fork()
    if not process:
        os.execv(sys.executable, [sys.executable, "-c", script])
    seen = b""
    try:
        while b"(yes/no" not in seen:
            seen += os.read(terminal, 1000)
        os.write(terminal, b"yes\n")
        while b"no match is open here" not in seen:
            assert select.select([terminal], [], [], 60)[0], seen
            seen += os.read(terminal, 1000)
    finally:
        os.waitpid(process, 0)
        os.close(terminal)
    assert b"told: " in seen
    assert sshd.known.read_text()

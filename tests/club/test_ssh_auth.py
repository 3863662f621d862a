"""What the ssh door refuses, through the system's `ssh`."""

import asyncio
import socket
from pathlib import Path

import pytest

from club.guests import CLOSED, NEEDS_SSH, ends, inside, ran
from club.served import Served, served
from net.sshd import free_port
from terminal.emulator import TIMEOUT
from waiting import until

__all__ = ["served"]

pytestmark = NEEDS_SSH


@pytest.mark.parametrize(
    ("options", "term", "reason"),
    [
        (("club", "touch {made}"), "xterm", "There are no commands here"),
        (("-tt", "club", "touch {made}"), "xterm", "There are no commands here"),
        (("-T", "club"), "xterm", "The board needs a terminal"),
        (("-tt", "club"), "dumb", "cannot be drawn on a 'dumb' terminal: add plain"),
        (("-tt", "club"), "unknown", "cannot be drawn on a 'unknown' terminal"),
        (("-tt", "club"), "", "TERM has to be the name of a terminal"),
        (("-tt", "club"), "$(reboot)", "TERM has to be the name of a terminal"),
        (("-tt", "club"), "../x", "TERM has to be the name of a terminal"),
        (("-tt", "club"), "x" * 65, "TERM has to be the name of a terminal"),
    ],
)
async def test_there_is_only_the_board_in_a_terminal(
    served: Served, tmp_path: Path, options: tuple[str, ...], term: str, reason: str
) -> None:
    made = tmp_path / "made"
    arguments = [each.format(made=made) for each in options]
    status, shown, said = await ran(served.guest(), *arguments, term=term)
    assert (status, shown) == (1, "")
    assert reason in said
    assert not made.exists()
    assert served.told() == []


@pytest.mark.parametrize("options", [(), ("-O",)], ids=["by sftp", "by itself"])
async def test_no_file_is_copied_by_scp(
    served: Served, tmp_path: Path, options: tuple[str, ...]
) -> None:
    (tmp_path / "there").write_text("secret")
    there, got = str(tmp_path / "there"), str(tmp_path / "got")
    for source, goal in ((f"club:{there}", got), (there, f"club:{got}")):
        guest = served.guest()
        command = (*options, source, goal)
        status, _, said = await ran(guest, *command, program="scp")
        if options:
            assert status == CLOSED or "no commands here" in said
        else:
            assert "subsystem request failed" in said
        assert guest.times_asked == 1
    assert not list(tmp_path.rglob("got"))
    assert served.told() == []


async def test_no_environment_agent_or_display_is_taken(
    served: Served, short_path: Path, tmp_path: Path
) -> None:
    agent, log = short_path / "agent", tmp_path / "log"
    command = ("ssh-agent", "-D", "-a", str(agent))
    process = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.DEVNULL)
    sent = {"LD_PRELOAD": "/x.so", "PYTHONPATH": "/x", "LC_TIME": "$(x)", "DISPLAY": ":99"}
    good = {"LANG": "de_DE.UTF-8", "LC_NAME": "C", "COLORTERM": "truecolor"}
    variables = f"SendEnv={' '.join([*sent, *good])}"
    options = ("-A", "-X", "-v", "-E", str(log), "-o", f"IdentityAgent={agent}", "-o", variables)
    try:
        await until(agent.exists)
        terminal = await inside(served.guest(), *options, environment=sent | good)
        terminal.send("q")
        await ends(terminal)
    finally:
        process.terminate()
        await process.wait()
    (told,) = served.told()
    found = told["environment"]
    assert {name: found.get(name) for name in good} == good
    assert not {*sent.values()} & {*found.values()}
    assert not {"SSH_AUTH_SOCK", "DISPLAY"} & {*found}
    assert "Requesting authentication agent forwarding" in log.read_text()
    assert "client_input_channel_open" not in log.read_text()
    assert "X11 forwarding request failed" in log.read_text()


async def test_too_much_of_an_environment_ends_the_line(served: Served) -> None:
    names = {f"LC_{'X' * length}": "C" for length in range(1, 70)}
    terminal = served.guest().at("-o", f"SendEnv={' '.join(names)}", environment=names)
    assert await ends(terminal) == CLOSED
    await served.alone()


class Beyond:
    """A server that must not be reachable through the club; it counts connections."""

    def __init__(self) -> None:
        self.reached = 0
        self._server: asyncio.Server

    async def open(self) -> int:
        self._server = await asyncio.start_server(self._count, "127.0.0.1", 0)
        return int(self._server.sockets[0].getsockname()[1])

    async def _count(self, _: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reached += 1
        writer.write(b"reached")
        writer.close()

    async def close(self) -> None:
        self._server.close()
        await self._server.wait_closed()


async def heard_at(port: int, said: bytes = b"") -> bytes:
    """Connect and send data; return everything received until the connection closes."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        writer.write(said)
        async with asyncio.timeout(TIMEOUT):
            return await reader.read()
    except ConnectionResetError:
        return b""
    finally:
        writer.close()


async def test_nothing_beyond_is_connected_with_w(served: Served) -> None:
    beyond = Beyond()
    port = await beyond.open()
    status, shown, said = await ran(served.guest(), "-W", f"127.0.0.1:{port}", "club")
    assert (status, shown) == (CLOSED, "")
    assert "open failed" in said
    assert beyond.reached == 0
    await beyond.close()


@pytest.mark.parametrize("where", ["{free}", "{directory}/socket"])
async def test_nobody_listens_for_a_visitor(served: Served, short_path: Path, where: str) -> None:
    port, path = free_port(), short_path / "socket"
    asked = where.format(free=port, directory=short_path)
    options = ("-o", "ExitOnForwardFailure=yes", "-tt", "-R", f"{asked}:127.0.0.1:9", "club")
    status, shown, said = await ran(served.guest(), *options)
    assert (status, shown) == (CLOSED, "")
    assert "remote port forwarding failed" in said
    assert not path.exists()
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", port))


async def test_a_line_has_one_session(served: Served, short_path: Path) -> None:
    guest, master = served.guest(), str(short_path / "master")
    await inside(guest, "-M", "-S", master)
    nothing_else = ("-S", master, "-o", "ProxyCommand=false")
    status, shown, said = await ran(guest, *nothing_else, "-tt", "club")
    assert (status, shown) == (CLOSED, "")
    assert "Session open refused by peer" in said
    assert len(served.told()) == 1


@pytest.mark.slow
async def test_a_line_without_a_session_is_ended(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("thud.club.ssh.auth.SILENT_SECONDS", 1.0)
    status, *_ = await ran(served.guest(), "-N", "club")
    assert status == CLOSED


# Silent clients.


async def test_a_silent_line_is_ended(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("thud.club.ssh.auth.SILENT_SECONDS", 0.05)
    assert (await heard_at(served.port)).startswith(b"SSH-2.0-thud")


async def test_whoever_compares_the_key_of_the_host_has_time(served: Served) -> None:
    _, writer = await asyncio.open_connection("127.0.0.1", served.port)
    await until(lambda: bool(served.door._callers))
    (caller,) = served.door._callers
    alarm = caller._connection._abort_timer
    assert alarm
    assert not alarm.cancelled()
    writer.write(b"SSH-2.0-somebody\r\n")
    await until(alarm.cancelled)
    writer.close()


async def test_nobody_compares_it_for_ever(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("thud.club.ssh.door.LOGIN_SECONDS", 0.05)
    await served.close()
    await served.open()
    assert (await heard_at(served.port, b"SSH-2.0-somebody\r\n")).startswith(b"SSH-2.0-thud")


async def test_few_come_at_once_who_have_shown_nothing(served: Served) -> None:
    lines = [await asyncio.open_connection("127.0.0.1", served.port) for _ in range(6)]
    for reader, writer in lines:
        assert await reader.readline()
        writer.write(b"SSH-2.0-somebody\r\n")
    await until(lambda: not any(each.silent for each in served.door._callers))
    assert await heard_at(served.port) == b""
    for _, writer in lines:
        writer.close()


async def test_silent_lines_keep_nobody_out(served: Served) -> None:
    lines = [await asyncio.open_connection("127.0.0.1", served.port) for _ in range(12)]
    for reader, _ in lines[:-2]:
        assert await reader.read()  # until it is ended
    assert len(served.door._callers) == 2
    assert (await ran(served.guest(), "-tt", "club"))[0] != CLOSED
    for _, writer in lines:
        writer.close()


async def test_whoever_tries_often_has_to_wait(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(served.door._throttle, "_clock", lambda: 0.0)
    for _ in range(2):
        await ran(served.guest(word="wrong"), "-tt", "club")
    assert await heard_at(served.port) == b""

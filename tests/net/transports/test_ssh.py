"""The ssh transport, with a fake ssh."""

import asyncio
import json
import os
import shlex
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from net.transports.serving import ABOUT, exchanged, hung_up, said_back
from thud.net.transports import ssh
from thud.net.transports.invitation import OverSsh
from thud.net.transports.local import OpenListing
from thud.net.transports.ssh import SshTransport, command_to
from thud.net.transports.transport import MustAsk, Unreachable
from waiting import runs, until

FAKE = Path(__file__).with_name("fake_ssh.py")
THUD = str(Path(sys.executable).with_name("thud"))
BOX = OverSsh("ann", "box")


@pytest.fixture(autouse=True)
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Replace ssh by the fake one; return its log file."""
    path = tmp_path / "asked"
    monkeypatch.setenv("THUD_SSH_COMMAND", shlex.join([sys.executable, str(FAKE)]))
    monkeypatch.setenv("THUD_FAKE_SSH_LOG", str(path))
    return path


@pytest.fixture
async def way() -> AsyncIterator[SshTransport]:
    """Return a transport, closed afterwards."""
    found = SshTransport(BOX, THUD)
    yield found
    await asyncio.to_thread(found.close)


def asked(log: Path) -> list[list[str]]:
    return [json.loads(line)[2:] for line in log.read_text().splitlines()]


def processes(log: Path) -> list[int]:
    return [json.loads(line)[0] for line in log.read_text().splitlines()]


@pytest.mark.slow
async def test_the_first_line_is_handed_over_and_later_ones_are_opened_in_silence(
    opened: OpenListing, way: SshTransport, log: Path
) -> None:
    """Only what may ask has the terminal.  A line can be had in another loop."""
    await asyncio.to_thread(way.connect)
    assert await asyncio.to_thread(asyncio.run, exchanged(way)) == b"dF1-F5\n"
    assert len(processes(log)) == 1
    for _ in range(2):
        assert await exchanged(way) == b"dF1-F5\n"
    assert ["BatchMode=yes" in each for each in asked(log)] == [False, True, True]
    first, *others = (json.loads(line)[:2] for line in log.read_text().splitlines())
    assert first[1] == os.getpgid(0)
    assert all(process == group for process, group in others)
    assert way.secret == ""
    await until(lambda: not any(map(runs, processes(log))))


async def test_the_far_side_has_other_matches_and_hangs_up(
    opened: OpenListing, way: SshTransport, log: Path
) -> None:
    (match,) = await asyncio.to_thread(way.matches)
    assert (match.id, match.about) == ("m1", ABOUT)
    another = SshTransport(BOX._replace(match="m2"), THUD)
    with pytest.raises(Unreachable, match=r"^ann@box: no match 'm2' is open here$"):
        await another.open()
    another.close()
    streams = await way.open()
    assert await said_back(streams)
    await opened.close()
    assert await streams[0].read() == b""
    await hung_up(streams)
    await until(lambda: not any(map(runs, processes(log))))


@pytest.mark.slow
async def test_what_a_login_says_first_is_noise(
    opened: OpenListing,
    way: SshTransport,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("THUD_FAKE_SSH", "motd")
    await asyncio.to_thread(way.connect)
    assert await exchanged(way) == b"dF1-F5\n"
    assert capsys.readouterr().err == "Last login: never\n"
    assert await exchanged(way) == b"dF1-F5\n"
    assert capsys.readouterr() == ("", "")


FAULTS = {
    "refused": "cannot connect to ann@box: ssh: connect to host box port 22: Connection refused",
    "denied": "cannot connect to ann@box: ann@box: Permission denied (publickey,password).",
    "silent": "cannot connect to ann@box: ssh does not say why",
    "crash": "thud at ann@box has ended: thud: no such command",
    "noise": "there is no Thud host at ann@box",
    "endless": "there is no Thud host at ann@box",
    "strange": "ann@box: ?[2Jno",
}


@pytest.mark.slow
@pytest.mark.parametrize(("how", "why"), FAULTS.items())
async def test_what_goes_wrong_is_told_in_a_sentence(
    how: str, why: str, way: SshTransport, monkeypatch: pytest.MonkeyPatch, log: Path
) -> None:
    monkeypatch.setenv("THUD_FAKE_SSH", how)
    with pytest.raises(Unreachable) as fault:
        await asyncio.to_thread(way.connect)
    assert str(fault.value) == why
    with pytest.raises(Unreachable) as fault:
        await way.open()
    assert str(fault.value).startswith(why.rstrip("."))
    assert str(fault.value).endswith("ssh needs to ask you something") is (how == "denied")
    await until(lambda: not any(map(runs, processes(log))))


async def test_who_has_to_be_asked_again_can_be(
    opened: OpenListing, way: SshTransport, monkeypatch: pytest.MonkeyPatch, log: Path
) -> None:
    monkeypatch.setenv("THUD_FAKE_SSH", "locked")
    with pytest.raises(MustAsk, match=r"Permission denied.*ssh needs to ask you something") as must:
        await way.open()
    assert "BatchMode=yes" in asked(log)[-1]
    await asyncio.to_thread(must.value.connect)
    assert "BatchMode=yes" not in asked(log)[-1]
    assert await exchanged(way) == b"dF1-F5\n"


async def test_no_complaint_is_long_or_ugly(
    way: SshTransport, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("THUD_FAKE_SSH", "ugly")
    for asks in (way.connect, way.matches):
        with pytest.raises(Unreachable) as fault:
            await asyncio.to_thread(asks)
        assert str(fault.value).isprintable()
        assert len(str(fault.value)) < 400
        assert "\x1b" not in capsys.readouterr().err


async def test_there_is_no_ssh(way: SshTransport, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("THUD_SSH_COMMAND", "/no/such/ssh -v")
    with pytest.raises(Unreachable, match="'/no/such/ssh' cannot be started: No such file"):
        await way.open()
    monkeypatch.setenv("THUD_SSH_COMMAND", "ssh 'half")
    with pytest.raises(Unreachable, match="THUD_SSH_COMMAND cannot be read"):
        way.connect()


@pytest.mark.parametrize("program", ["thud-is-not-here", "~/no such/thud", "/"])
async def test_there_is_no_thud_on_the_far_side(program: str) -> None:
    way = SshTransport(BOX, program)
    with pytest.raises(Unreachable) as fault:
        await way.open()
    assert str(fault.value) == f"there is no {program!r} at ann@box: say where, with --thud PATH"
    way.close()


async def test_who_does_not_answer_is_not_waited_for(
    way: SshTransport, monkeypatch: pytest.MonkeyPatch, log: Path
) -> None:
    monkeypatch.setenv("THUD_FAKE_SSH", "wait")
    monkeypatch.setattr(ssh, "TIMEOUT", 0.05)
    with pytest.raises(Unreachable, match=r"^ann@box does not answer$"):
        await way.open()
    await until(lambda: not any(map(runs, processes(log) if log.exists() else [])))


async def test_opening_can_be_given_up(
    way: SshTransport, monkeypatch: pytest.MonkeyPatch, log: Path
) -> None:
    monkeypatch.setattr(ssh, "_ASKED", 0.05)
    monkeypatch.setenv("THUD_FAKE_SSH", "wait")
    opening = asyncio.create_task(way.open())
    await until(lambda: log.exists() and processes(log))
    opening.cancel()
    with pytest.raises(asyncio.CancelledError):
        await opening
    await asyncio.to_thread(way.close)
    assert not runs(processes(log)[0])


async def test_who_does_not_want_to_end_is_made_to(
    way: SshTransport, monkeypatch: pytest.MonkeyPatch, log: Path
) -> None:
    monkeypatch.setattr("thud.net.transports.ssh._ASKED", 0.05)
    monkeypatch.setenv("THUD_FAKE_SSH", "stubborn")
    streams = await way.open()
    for _ in range(2):
        await asyncio.to_thread(way.close)
    await hung_up(streams)
    assert not runs(processes(log)[0])


@pytest.mark.slow
@pytest.mark.parametrize("how", ["connect", "open"])
async def test_nothing_is_left_of_it_when_a_guest_is_killed(
    how: str, opened: OpenListing, log: Path
) -> None:
    script = (
        "import asyncio, sys, time\n"
        "from thud.net.transports.ssh import SshTransport\n"
        "from thud.net.transports.invitation import OverSsh\n"
        f"way = SshTransport(OverSsh('ann', 'box'), {THUD!r})\n"
        + ("way.connect()\n" if how == "connect" else "streams = asyncio.run(way.open())\n")
        + "print('open', flush=True)\n"
        "time.sleep(1000)\n"
    )
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE) as guest:
        assert guest.stdout
        assert await asyncio.to_thread(guest.stdout.readline) == b"open\n"
        guest.kill()
    await until(lambda: not any(map(runs, processes(log))))


def test_the_command_line_is_safe(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("THUD_SSH_COMMAND", "ssh -i 'a key'")
    goal = OverSsh("ann", "box", 2222, "m1")
    command = command_to(goal, ["my thud; rm -rf /", "relay", "m1"], asks=True)
    assert command[:3] == ["ssh", "-i", "a key"]
    assert command[-3:] == ["--", "ann@box", "'my thud; rm -rf /' relay m1"]
    assert command[command.index("-p") + 1] == "2222"
    assert {"-T", "none"} <= {*command}
    monkeypatch.delenv("THUD_SSH_COMMAND")
    assert command_to(BOX, ["~/a b/thud"], asks=False)[0] == "ssh"
    assert command_to(BOX, ["~/a b/thud"], asks=False)[-1] == "~/'a b/thud'"

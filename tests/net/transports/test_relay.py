"""The relay at the remote end carries the match's data, and nothing else."""

import asyncio
import json
import os
import subprocess
import sys
from asyncio.subprocess import Process
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from net.transports.serving import ABOUT, Echo
from thud.cli.parser import parser_of
from thud.net.transports import local, other_users
from thud.net.transports.auth_throttle import AuthThrottle
from thud.net.transports.local import OpenMatch
from waiting import until

RELAY = [sys.executable, "-m", "thud", "relay"]


async def relayed(*arguments: str) -> Process:
    pipe = asyncio.subprocess.PIPE
    return await asyncio.create_subprocess_exec(
        *RELAY, *arguments, stdin=pipe, stdout=pipe, stderr=pipe
    )


async def line(relay: Process) -> dict[str, Any]:
    assert relay.stdout
    said = json.loads(await relay.stdout.readline())
    assert isinstance(said, dict)
    return said


async def ended(relay: Process) -> tuple[bytes, bytes, int | None]:
    said, complained = await relay.communicate(b"")
    return said, complained, relay.returncode


async def test_it_carries_everything_both_ways() -> None:
    opened = await local.listen("m1", ABOUT, Echo())
    relay = await relayed("m1")
    assert relay.stdin
    assert await line(relay) == {"m": "relay"}
    data = os.urandom(300_000).replace(b"\n", b" ")
    lines = b"".join(data[each : each + 4000] + b"\n" for each in range(0, 300_000, 4000))
    relay.stdin.write(lines)
    relay.stdin.write_eof()
    assert relay.stdout
    assert await relay.stdout.read() == lines
    assert await ended(relay) == (b"", b"", 0)
    await opened.close()


@pytest.mark.slow
async def test_it_ends_when_nobody_listens_any_more() -> None:
    echo = Echo()
    opened = await local.listen("m1", ABOUT, echo)
    with subprocess.Popen(RELAY, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as relay:
        assert relay.stdin
        assert relay.stdout
        assert await asyncio.to_thread(relay.stdout.readline) == b'{"m": "relay"}\n'
        relay.stdout.close()
        relay.stdin.write(b"hello\n")
        relay.stdin.flush()
        assert await asyncio.to_thread(relay.wait) == 0
        with suppress(BrokenPipeError):
            relay.stdin.close()
    await until(lambda: echo.over == len(echo.trusted))
    await opened.close()


@pytest.mark.slow
async def test_what_cannot_be_reached_is_told_in_a_line_of_the_protocol() -> None:
    relay = await relayed()
    said = await line(relay)
    assert said == {
        "m": "closed",
        "because": "no match is open here: open one with 'thud host'",
        "open": [],
    }
    assert await ended(relay) == (b"", b"", 0)
    relay = await relayed("../m1")
    assert (await line(relay))["m"] == "closed"
    assert await ended(relay) == (b"", b"", 0)


async def test_the_open_ones_are_named_where_one_has_to_be_chosen() -> None:
    opened = [await local.listen(f"m{each}", ABOUT, Echo()) for each in (1, 2)]
    said = await line(relay := await relayed())
    assert "m1 (Koom Valley" in said["because"]
    assert {each["id"] for each in said["open"]} == {"m1", "m2"}
    await ended(relay)
    relay = await relayed("--list")
    text, complaint, status = await ended(relay)
    assert (complaint, status) == (b"", 0)
    listed = [json.loads(each) for each in text.splitlines()]
    assert sorted(each["id"] for each in listed) == ["m1", "m2"]
    assert listed[0] == OpenMatch(listed[0]["id"], ABOUT, os.getpid()).as_json()
    for each in opened:
        await each.close()


async def test_it_reaches_another_users_match(short_path: Path) -> None:
    (short_path / "shared").mkdir()
    (short_path / "shared").chmod(0o1777)
    echo = Echo()
    opened = await other_users.listen("m1", echo, AuthThrottle(), (short_path / "shared",))
    relay = await relayed(str(opened.path))
    assert await line(relay) == {"m": "relay"}
    await ended(relay)
    assert echo.trusted == [False]
    await opened.close()


def test_people_are_not_told_of_it() -> None:
    told = parser_of().format_help()
    assert "arena" in told
    assert "relay" not in told


def test_its_help_has_no_examples(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        parser_of(["relay"]).parse_args(["relay", "--help"])
    assert "examples" not in capsys.readouterr().out

"""Clients that are refused, for whom no process may be started."""

from __future__ import annotations

import asyncio
import logging
import time
from pathlib import Path

import aiohttp
import pytest
from aiohttp import web
from yarl import URL

from club.web.conftest import SECRET, Browser
from thud.club.club import ClubServer
from thud.club.doors import LOOPBACK, DoorOptions
from thud.club.storage import link_secret, notes_path
from thud.club.web import door as doors
from thud.club.web import http_server
from thud.club.web.door import WebDoor, open_web
from thud.disk.small import write_small
from thud.net.seat_registry import Link
from thud.net.token_bucket import RequestThrottle
from thud.net.transports import sockets
from thud.net.transports.auth_throttle import FREE
from thud.net.transports.listener import network_of
from thud.session.participants import WATCH
from thud.visitor.tables import SOCKET
from waiting import until


@pytest.fixture(autouse=True)
def nobody_begins(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Fail a test that starts a process."""

    async def start(*_: object, **__: object) -> None:
        pytest.fail("a process was started")

    monkeypatch.setattr("thud.club.club.Visit.start", start)


async def test_whoever_was_not_invited_sees_a_sentence_and_no_board(stranger: Browser) -> None:
    status, page = await stranger.ask("/")
    assert status == 403
    assert "Ask its owner for the whole address" in page
    for path in ("/board", "/download/x"):
        assert await stranger.ask(path, Origin=stranger.url) == (403, doors.UNINVITED)


async def test_a_wrong_cookie_is_none(guest: Browser) -> None:
    name, (token, _, signature) = guest.url.rpartition(":")[2], guest.cookie.partition(".")
    assert (await guest.ask("/board", Origin=guest.url))[0] == 400  # let in, but no websocket
    guest.session.cookie_jar.clear()
    for cookie in ("", "x", "A" * 32 + "." + "0" * 64, f"{token}.{signature[::-1]}", "A" * 9000):
        said = {"Origin": guest.url, "Cookie": f"thud-{name}={cookie}"}
        assert (await guest.ask("/board", **said))[0] == (403 if len(cookie) < 9000 else 400)


@pytest.mark.parametrize("secret", ["", "x", SECRET[:-1], SECRET + "A", "ä" * 20, "\0"])
async def test_a_wrong_secret_gives_no_cookie(stranger: Browser, secret: str) -> None:
    assert await stranger.enter(secret) == (403, doors.UNINVITED)
    assert not len(stranger.session.cookie_jar)


async def test_a_secret_without_an_end_is_not_read(stranger: Browser) -> None:
    status, _ = await stranger.enter("A" * 100_000)
    assert status == 413


async def test_who_guesses_has_to_wait_and_whoever_knows_the_secret_never(
    url: str, stranger: Browser, door: WebDoor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A whole family may come at once, after somebody has typed it wrong."""
    monkeypatch.setattr(door._throttle, "_clock", lambda: 0.0)
    for _ in range(FREE):
        assert await stranger.enter("guess") == (403, doors.UNINVITED)
    assert await stranger.enter("guess") == (429, doors.TOO_OFTEN)
    family = [Browser(url) for _ in range(30)]
    assert {*await asyncio.gather(*(each.enter() for each in family))} == {(204, "")}
    for each in family:
        await each.session.close()


async def test_a_link_to_a_table_lets_in_until_it_ends(stranger: Browser, club: ClubServer) -> None:
    notes = notes_path(club.visitors.directory.with_name("tables"), "0123abcd")
    secret = link_secret(SECRET, "0123abcd-here")

    async def status(link: str) -> int:
        path = f"/enter?table={link}"
        status, said = await stranger.ask(path, "POST", secret, Origin=stranger.url)
        assert said == ("" if status == 204 else doors.EXPIRED)
        return status

    tomorrow = time.time() + 24 * 3600
    for end, expected in ((0.0, 403), (tomorrow, 204)):
        write_small(notes, {"links": [Link("here", WATCH, end), Link("now", WATCH, tomorrow)]})
        assert await status("0123abcd-now") == 403
        assert await status("0123abcd-here") == expected


async def test_a_monitor_is_told_whether_the_tables_answer(
    stranger: Browser, monkeypatch: pytest.MonkeyPatch, short_path: Path
) -> None:
    monkeypatch.setenv("THUD_RUN_DIR", str(short_path))
    assert await stranger.ask("/health", Host="anywhere") == (503, doors.UNHEALTHY)
    with sockets.bound(short_path / SOCKET) as listening:
        listening.listen()
        assert await stranger.ask("/health", Host="anywhere") == (200, doors.HEALTHY)


async def test_who_is_in_does_not_wait_for_those_who_guess(guest: Browser, other: Browser) -> None:
    guest.session.cookie_jar.clear()
    for _ in range(FREE + 1):
        await guest.enter("guess")
    assert await other.enter("") == (204, "")


async def test_foreign_pages_get_nothing(guest: Browser) -> None:
    port = guest.url.rpartition(":")[2]
    origins = (
        "http://evil.example",
        "null",
        f"https://127.0.0.1:{port}",
        "http://127.0.0.1",
        "http://127.0.0.1:1",
        f"http://127.0.0.1:{port}.evil.example",
        f"http://localhost:{port}",
        "",
    )
    for path in ("/", "/board", "/enter", "/download/x", "/static/club.js"):
        for origin in origins:
            method = "POST" if path == "/enter" else "GET"
            got = await guest.ask(path, method, Origin=origin)
            assert got == (403, doors.FOREIGN), (path, origin)


async def test_whoever_does_not_say_whence_they_come_gets_nothing(guest: Browser) -> None:
    for path, method in (("/board", "GET"), ("/enter", "POST")):
        assert await guest.ask(path, method) == (403, doors.FOREIGN)


async def test_a_name_that_was_made_to_lead_here_is_not_the_club(guest: Browser) -> None:
    hosts = (
        "evil.example",
        f"evil.example:{guest.url.rpartition(':')[2]}",
        "127.0.0.1.evil.example",
        "127.0.0.2",
        "0.0.0.0",
        "[::1]",
        "[",
        "localhost.evil.example",
        "127.0.0.1@evil.example",
        "2130706433",
        "",
    )
    for path in ("/", "/board", "/static/club.js"):
        for host in hosts:
            got = await guest.ask(path, Host=host, Origin=f"http://{host}")
            assert got == (403, doors.ELSEWHERE), (path, host)


async def test_who_is_at_this_machine_may_call_it_so(guest: Browser) -> None:
    port = guest.url.rpartition(":")[2]
    said = {"Host": f"localhost:{port}", "Origin": f"http://localhost:{port}"}
    assert (await guest.ask("/static/club.js", **said))[0] == 200


OUTSIDE = (
    "/static/../door.py",
    "/static/..%2fdoor.py",
    "/static/%2e%2e/%2e%2e/etc/passwd",
    "/static//etc/passwd",
    "/static/%2fetc%2fpasswd",
    "/static/page.html%00.js",
    "/static/",
    "/download/../static/club.js/../../etc/passwd",
    "/download/" + "A" * 22,
    "/download/%2e%2e",
    "/../../etc/passwd",
    "/x?file=/etc/passwd",
    "/robots.txt",
)


async def test_no_path_leads_out(guest: Browser) -> None:
    for path in OUTSIDE:
        reading = guest.session.get(URL(guest.url + path, encoded=True), allow_redirects=False)
        async with reading as answer:
            assert (answer.status, await answer.text()) == (404, doors.NOTHING), path


@pytest.mark.parametrize(
    "said",
    [
        b"\x16\x03\x01\x00",
        b"GET * HTTP/1.1\r\nHost: x\r\n\r\n",
        b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 9000 + b"\r\n",
        b"POST /enter HTTP/1.1\r\nHost: %s\r\nOrigin: http://%s\r\nContent-Length: 9\r\n\r\nx",
        b"POST /enter HTTP/1.1\r\nHost: %s\r\nOrigin: http://%s\r\nContent-Encoding: gzip\r\n"
        b"Content-Length: 9\r\n\r\nno gzip!!",
        b"POST /enter HTTP/1.1\r\nHost: %s\r\nOrigin: http://%s\r\n"
        b"Transfer-Encoding: chunked\r\n\r\nno number\r\n\r\n",
    ],
)
async def test_nobody_fills_the_log_of_the_host_from_outside(
    stranger: Browser, caplog: pytest.LogCaptureFixture, said: bytes
) -> None:
    here = URL(stranger.url)
    if b"%s" in said:
        said = said % ((f"{here.host}:{here.port}".encode(),) * 2)
    with caplog.at_level(logging.WARNING):
        reader, writer = await asyncio.open_connection(here.host, here.port)
        writer.write(said)
        writer.write_eof()
        answer = await reader.read()
        writer.close()
        await writer.wait_closed()
        assert b" 500 " not in answer
        assert b"aiohttp" not in answer
        assert (await stranger.ask("/"))[0] == 403
    assert not caplog.records


@pytest.mark.parametrize(
    ("proxies", "lines"),
    [
        (1, ["203.0.113.9", "192.0.2.1"]),
        (1, ["203.0.113.9, 203.0.113.8", "203.0.113.7,192.0.2.1"]),
        (2, ["203.0.113.9", "192.0.2.1, 203.0.113.7"]),
        (2, ["203.0.113.9, 192.0.2.1", "203.0.113.7"]),
        (3, ["192.0.2.1", "203.0.113.7"]),
        (0, ["203.0.113.9"]),
    ],
)
async def test_the_last_trusted_proxy_tells_who_asks(
    club: ClubServer, monkeypatch: pytest.MonkeyPatch, proxies: int, lines: list[str]
) -> None:
    """What comes before it is the caller's own."""
    asked: list[str] = []

    def noted(_: RequestThrottle, caller: str) -> bool:
        asked.append(caller)
        return True

    monkeypatch.setattr(RequestThrottle, "try_acquire", noted)
    url = "https://club.example"
    door = await open_web(club, DoorOptions(LOOPBACK, 0, SECRET, url, proxies))
    try:
        reader, writer = await asyncio.open_connection(LOOPBACK, door.port)
        said = "".join(f"X-Forwarded-For: {line}\r\n" for line in lines)
        writer.write(f"GET / HTTP/1.1\r\nHost: club.example\r\n{said}\r\n".encode())
        await reader.readline()
        writer.close()
        await writer.wait_closed()
    finally:
        await door.close()
    assert asked == [network_of("192.0.2.1" if proxies else LOOPBACK)]


async def test_who_asks_too_often_has_to_wait_and_gives_way_to_others(
    club: ClubServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doors, "REQUESTS_AT_ONCE", 3)
    monkeypatch.setattr(doors, "REQUESTS_A_SECOND", 0)
    monkeypatch.setattr(http_server, "HELD_SECONDS", 0.0)
    behind = DoorOptions(LOOPBACK, 0, SECRET, public_url="https://club.example")
    door = await open_web(club, behind)
    browser = Browser(f"http://127.0.0.1:{door.port}")

    async def status(caller: str) -> int:
        said = {"Host": "club.example", "X-Forwarded-For": caller, "Connection": "close"}
        return (await browser.ask("/static/icon.svg", **said))[0]

    try:
        assert [await status("192.0.2.1") for _ in range(4)] == [200, 200, 200, 429]
        assert await status("198.51.100.1") == 200
        monkeypatch.setattr(http_server, "HELD_SECONDS", 600.0)
        monkeypatch.setattr(http_server, "MOST_CONNECTIONS", 2)
        held: list[asyncio.Task[None]] = []

        async def hold(server: http_server.HttpServer, request: web.Request) -> None:
            held.append(asyncio.create_task(holds(server, request)))
            await asyncio.wait(held[-1:])

        holds = http_server.HttpServer.hold
        monkeypatch.setattr(http_server.HttpServer, "hold", hold)
        waiting = [asyncio.create_task(status("192.0.2.1")) for _ in range(2)]
        await until(lambda: len(held) == 2)
        assert await status("198.51.100.1") == 200
        gone, rest = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        assert isinstance(gone.pop().exception(), aiohttp.ClientError)
        for each in (*held, *rest):
            each.cancel()
    finally:
        await browser.session.close()
        await door.close()

"""The club behind each proxy of docs/serve.md, as it stands there, with the real program."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any, Final, NamedTuple

import aiohttp
import pytest
from aiohttp.abc import AbstractResolver, ResolveResult

from club.web.conftest import SECRET, Browser
from document_text import REPOSITORY
from terminal.emulator import TIMEOUT
from thud.club.club import ClubServer
from thud.club.doors import LOOPBACK, DoorOptions
from thud.club.web import door as doors
from thud.club.web.connection import OVER
from thud.club.web.door import UNHEALTHY, open_web

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="a club needs POSIX"),
]


def nginx(written: str, ports: tuple[int, int], place: Path) -> tuple[str, ...]:
    """Write nginx's configuration; return its command."""
    made = place / "made.pem"
    command = ("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=club")
    subprocess.run(
        [*command, "-keyout", str(made), "-out", str(place / "certificate.pem")],
        check=True,
        capture_output=True,
    )
    written = re.sub(r"/etc/\S+/privkey\.pem", str(made), written)
    written = re.sub(r"/etc/\S+/fullchain\.pem", str(place / "certificate.pem"), written)
    written = re.sub(r"listen (\[::\]:)?443", rf"listen \g<1>{ports[0]}", written)
    written = re.sub(r"listen (\[::\]:)?80\b", rf"listen \g<1>{ports[1]}", written)
    if not socket.has_dualstack_ipv6():
        written = re.sub(r"listen \[::\].*", "", written)
    own = "".join(
        f"{each}_temp_path {place};"
        for each in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    (place / "nginx.conf").write_text(
        f"daemon off; pid {place}/pid; error_log stderr;\n"
        f"events {{}}\nhttp {{ access_log off; {own}\n{written}\n}}\n"
    )
    return ("nginx", "-p", str(place), "-e", "stderr", "-c", str(place / "nginx.conf"))


def caddy(written: str, ports: tuple[int, int], place: Path) -> tuple[str, ...]:
    """Write Caddy's configuration; return its command."""
    own = (
        f"admin off\nlocal_certs\nskip_install_trust\nstorage file_system {place}\n"
        f"https_port {ports[0]}\nhttp_port {ports[1]}"
    )
    (place / "Caddyfile").write_text(f"{{\n{own}\n}}\n{written}")
    return ("caddy", "run", "--adapter", "caddyfile", "--config", str(place / "Caddyfile"))


class Proxy(NamedTuple):
    """A proxy of the document."""

    name: str
    configure: Callable[[str, tuple[int, int], Path], tuple[str, ...]]


PROXIES: Final = Proxy("nginx", nginx), Proxy("caddy", caddy)


ELSEWHERE: Final = "127.0.0.2"
"""Another address of this machine, which counts as another network."""


class Here(AbstractResolver):
    """Resolves every name to this machine."""

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        return [
            ResolveResult(hostname=host, host=LOOPBACK, port=port, family=family, proto=0, flags=0)
        ]

    async def close(self) -> None:
        """Nothing is open."""


@asynccontextmanager
async def browsing(url: str, address: str = LOOPBACK) -> AsyncIterator[Browser]:
    """Be a browser at an address of this machine."""
    browser = Browser(url)
    await browser.session.close()
    connector = aiohttp.TCPConnector(resolver=Here(), ssl=False, local_addr=(address, 0))
    cookies = aiohttp.CookieJar(unsafe=True)
    browser.session = aiohttp.ClientSession(connector=connector, cookie_jar=cookies)
    async with browser.session:
        yield browser


async def _answers(browser: Browser) -> bool:
    with suppress(aiohttp.ClientError):
        return (await browser.ask("/"))[0] == 403
    return False


def free_port() -> int:
    with socket.create_server((LOOPBACK, 0)) as found:
        port: int = found.getsockname()[1]
        return port


@pytest.mark.parametrize("proxy", PROXIES, ids=lambda proxy: proxy.name)
async def test_a_browser_comes_in_through_the_documents_proxy(
    proxy: Proxy,
    club: ClubServer,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if not shutil.which(proxy.name):
        assert f"THUD_{proxy.name.upper()}" not in os.environ, f"{proxy.name} is required"
        pytest.skip(f"{proxy.name} is not installed")
    document = (REPOSITORY / "docs" / "serve.md").read_text("utf-8")
    written = document.partition(f"```{proxy.name}\n")[2].partition("```")[0]
    ports = free_port(), free_port()
    url = f"https://club.example:{ports[0]}"
    monkeypatch.setattr(doors, "REQUESTS_AT_ONCE", 100)
    monkeypatch.setattr(doors, "REQUESTS_A_SECOND", 0)
    door = await open_web(club, DoorOptions(LOOPBACK, free_port(), SECRET, public_url=url))
    place = tmp_path / "proxy"
    place.mkdir()
    written = written.replace("127.0.0.1:4780", f"{LOOPBACK}:{door.port}")
    assert str(door.port) in written
    command = proxy.configure(written, ports, place)
    told = (place / "told").open("w")
    running = subprocess.Popen(command, stdout=told, stderr=told, cwd=place)
    try:
        async with browsing(url) as browser:
            async with asyncio.timeout(TIMEOUT):
                while not await _answers(browser):
                    assert running.poll() is None, (place / "told").read_text()
            await comes_in(browser, ports[1], capsys)
            if sys.platform == "linux":  # elsewhere this machine has no other address
                await is_told_apart(browser, club)
    finally:
        running.terminate()
        running.wait(TIMEOUT)
        told.close()
        await door.close()


async def comes_in(browser: Browser, port: int, capsys: pytest.CaptureFixture[str]) -> None:
    """Come in by https, as one's own address, and be sent there from http."""
    # A browser cannot say that it is somebody else.
    browser.session.headers["X-Forwarded-For"] = "198.51.100.1"
    assert (await browser.enter())[0] == 204
    board = await browser.sit_down()
    assert await board.seen()
    await board.socket.close()
    said = capsys.readouterr().err
    assert "is in, from 127.0.0.1" in said
    assert "198.51.100.1" not in said
    plainly: Any = browser.session.get(f"http://club.example:{port}/", allow_redirects=False)
    async with plainly as answer:
        assert answer.status in (301, 308)
        assert answer.headers["Location"].startswith("https://club.example")
    assert await browser.ask("/health") == (503, UNHEALTHY)  # there is no keeper of tables


async def is_told_apart(browser: Browser, club: ClubServer) -> None:
    """Stay while somebody at another address behind the proxy is banned, and asks too often."""
    async with browsing(browser.url, ELSEWHERE) as other:
        assert (await other.enter())[0] == 204
        banned, own = await other.sit_down(), await browser.sit_down()
        assert await banned.seen()
        assert await own.seen()
        [visitor] = [each.id for each in club.inside() if each.network == ELSEWHERE]
        assert club.visitors.sanction(club.visitors.bans, visitor, shared=True) == [ELSEWHERE]
        assert (await banned.end())[0] == OVER
        other.session.cookie_jar.clear()
        assert (await other.enter())[0] == 204
        assert (await (await other.sit_down()).end())[0] == OVER
        async with asyncio.timeout(TIMEOUT):
            while (await other.ask("/health"))[0] != 429:
                pass
        assert (await browser.ask("/"))[0] == 200
        await own.say("stdin", "x")
        assert await own.seen()
        await own.socket.close()

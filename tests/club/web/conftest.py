"""Fixtures: an in-process web door, and its clients."""

from __future__ import annotations

import json
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import aiohttp
import pytest
import pytest_asyncio

from thud.club.club import ClubServer
from thud.club.doors import LOOPBACK, DoorOptions
from thud.club.storage import Visitors
from thud.club.web.door import WebDoor, open_web

SECRET = "AAAAAAAAAAAAAAAAAAAAAA"


class Browser:
    """A browser client that knows the door's URL."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.session = aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True))

    async def ask(
        self, path: str, method: str = "GET", data: str = "", **headers: str
    ) -> tuple[int, str]:
        """Make a request; return the response's status and text."""
        said = {name.replace("_", "-"): value for name, value in headers.items()}
        asking = self.session.request(
            method, self.url + path, data=data or None, headers=said, allow_redirects=False
        )
        async with asking as answer:
            return answer.status, await answer.text(errors="replace")

    async def enter(self, secret: str = SECRET) -> tuple[int, str]:
        """Enter with a secret."""
        return await self.ask("/enter", "POST", secret, Origin=self.url)

    @property
    def cookie(self) -> str:
        """The cookie that identifies the client."""
        return next(iter(self.session.cookie_jar)).value

    async def sit_down(self, size: str = "?width=100&height=30") -> Board:
        """Connect to the board."""
        return Board(await self.session.ws_connect(f"{self.url}/board{size}", origin=self.url))


class Board:
    """The websocket of a board."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self.socket = socket

    async def say(self, *message: object) -> None:
        await self.socket.send_str(json.dumps(message))

    async def seen(self) -> bytes:
        """Receive the next output."""
        data: bytes = await self.socket.receive_bytes()
        return data

    async def told(self) -> Any:
        """Receive the next message."""
        return json.loads(await self.socket.receive_str())

    async def end(self) -> tuple[int | None, str]:
        """Wait for the close of the websocket; return its code and reason."""
        while True:
            message = await self.socket.receive()
            if message.type == aiohttp.WSMsgType.CLOSE:
                return message.data, message.extra or ""
            if message.type in {aiohttp.WSMsgType.CLOSED, aiohttp.WSMsgType.ERROR}:
                return self.socket.close_code, ""


@pytest.fixture
def club(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ClubServer:
    """A club for two visitors, with a stand-in for their program."""
    program = (sys.executable, "-P", str(Path(__file__).with_name("stand_in.py")))
    monkeypatch.setattr("thud.club.club._PROGRAM", program)
    return ClubServer(Visitors(tmp_path / "visitors"), most=2, idle=3600.0)


@pytest_asyncio.fixture
async def door(club: ClubServer) -> AsyncIterator[WebDoor]:
    door = await open_web(club, DoorOptions(LOOPBACK, 0, SECRET))
    yield door
    await door.close()


@pytest.fixture
def url(door: WebDoor) -> str:
    """The door's URL."""
    return door.invitation[1].partition("/#")[0]


@pytest_asyncio.fixture
async def stranger(url: str) -> AsyncIterator[Browser]:
    """A client that has not entered."""
    browser = Browser(url)
    yield browser
    await browser.session.close()


@pytest_asyncio.fixture
async def guest(stranger: Browser) -> Browser:
    """A client that has entered."""
    assert await stranger.enter() == (204, "")
    return stranger


@pytest_asyncio.fixture
async def other(url: str) -> AsyncIterator[Browser]:
    """Another client that has entered."""
    browser = Browser(url)
    assert await browser.enter() == (204, "")
    yield browser
    await browser.session.close()

"""The built page in a headless Firefox, driven over WebDriver BiDi."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from page.browser import SLOW, WINDOW

if TYPE_CHECKING:
    from aiohttp import ClientWebSocketResponse

NAMES: Final = ("firefox-esr", "firefox")

_TEXT: Final = """
async () => {
  if (!document.getElementById("notice")?.hidden) return "";
  const { board } = await import(new URL("board.js", location.href));
  const { buffer: { active }, rows } = board.terminal;
  return Array.from({ length: rows }, (_, y) => active.getLine(y)?.translateToString()).join("\\n");
}
"""
_KEYS: Final = {"\r": "\ue007", "\x1b": "\ue00c"}


class Firefox:
    """A page in a Firefox of its own.

    Args:
        socket: the connection to the browser.
    """

    def __init__(self, socket: ClientWebSocketResponse) -> None:
        self._socket = socket
        self._calls = 0
        self._context = ""

    async def call(self, method: str, **parameters: object) -> Any:
        """Return what the browser answers to a command.

        Raises:
            ValueError: it fails.
        """
        self._calls += 1
        await self._socket.send_json({"id": self._calls, "method": method, "params": parameters})
        while (answer := await self._socket.receive_json()).get("id") != self._calls:
            pass
        if answer["type"] == "error":
            raise ValueError(f"{method}: {answer['message']}")
        return answer["result"]

    async def begin(self) -> None:
        """Begin a session with the page that the browser has opened."""
        await self.call("session.new", capabilities={})
        self._context = (await self.call("browsingContext.getTree"))["contexts"][0]["context"]
        await self._do("browsingContext.setViewport", viewport=WINDOW)

    async def come(self, url: str) -> None:
        """Open an address."""
        await self._do("browsingContext.navigate", url=url, wait="complete")

    async def reload(self) -> None:
        """Load the page anew."""
        await self._do("browsingContext.reload", wait="complete")

    async def text(self) -> str:
        """Return what the board shows, empty while a notice lies over it."""
        told = await self.call(
            "script.callFunction",
            functionDeclaration=_TEXT,
            awaitPromise=True,
            target={"context": self._context},
        )
        return str(told["result"]["value"])

    async def see(self, text: str) -> None:
        """Wait until the board shows a text.

        Raises:
            AssertionError: timeout; the message contains the screen.
        """
        deadline = time.monotonic() + SLOW
        while text not in (shown := await self.text()):
            assert time.monotonic() < deadline, f"{text} is not shown:\n{shown}"
            await asyncio.sleep(0.05)

    async def send(self, *keys: str) -> None:
        """Press keys, or type text."""
        pressed = [
            {"type": kind, "value": _KEYS.get(key, key)}
            for text in keys
            for key in text
            for kind in ("keyDown", "keyUp")
        ]
        await self._do(
            "input.performActions", actions=[{"type": "key", "id": "keys", "actions": pressed}]
        )

    async def _do(self, method: str, **parameters: object) -> None:
        await self.call(method, context=self._context, **parameters)


@asynccontextmanager
async def firefox(home: Path) -> AsyncIterator[Firefox]:
    """Run a Firefox whose files are in a directory."""
    from aiohttp import ClientSession

    path = next(found for name in NAMES if (found := shutil.which(name)))
    process = await asyncio.create_subprocess_exec(
        *(path, "--headless", "--no-remote", "--profile", str(home)),
        *("--remote-debugging-port", "0"),
        env={**os.environ, "HOME": str(home)},
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
    )
    assert process.stderr
    try:
        while not (told := re.search(rb"ws://\S+", line := await process.stderr.readline())):
            assert line, "Firefox has ended"
        url = f"{told[0].decode()}/session"
        async with ClientSession() as session, session.ws_connect(url, max_msg_size=0) as socket:
            page = Firefox(socket)
            await page.begin()
            yield page
    finally:
        process.kill()
        await process.communicate()

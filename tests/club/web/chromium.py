"""A page in a headless Chromium, and what is drawn on it, as text.

What the board draws is read off the websocket, by an emulator that shows the same as the page;
keys, mouse and fingers go to the page itself.  Where there is no Chromium, tests that ask for one
are skipped, and fail where THUD_CHROMIUM says that it has to be there.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, WebSocket, sync_playwright

from terminal.emulator import Picture

_FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
_NAMES = ("chromium", "chromium-browser", "google-chrome")
_KEYS = {"\r": "Enter", "\x1b": "Escape", "\x1b[B": "ArrowDown", "\x1b[C": "ArrowRight"}


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    """Run a Chromium."""
    path = next((found for name in _NAMES if (found := shutil.which(name))), None)
    if path is None:
        required = os.environ.get("THUD_CHROMIUM")
        (pytest.fail if required else pytest.skip)("there is no Chromium here")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=_FLAGS)
        yield browser
        browser.close()


class Visitor(Picture):
    """Somebody with a browser of their own.

    Args:
        context: their browser, with its cookies.
    """

    def __init__(self, context: BrowserContext) -> None:
        super().__init__((80, 24))
        self.context = context
        self.asked: list[str] = []
        self.faults: list[str] = []
        self._drawn = False
        self.page = self._opened()

    def _opened(self) -> Page:
        page = self.context.new_page()
        page.on("websocket", self._hear)
        page.on("request", lambda request: self.asked.append(request.url))
        page.on("pageerror", lambda fault: self.faults.append(str(fault)))
        return page

    def come(self, url: str) -> None:
        """Open an address, and see the board."""
        self.page.goto(url)
        self.wait_for(lambda: self.said == "")

    def kill(self) -> None:
        """Have the tab gone, and another one there."""
        self.page.close()
        self.page = self._opened()

    @property
    def said(self) -> str:
        """What the page says over the board; nothing if that can be seen."""
        notice = self.page.locator("#notice")
        return self.page.locator("#sentence").inner_text() if notice.is_visible() else ""

    def read(self, seconds: float) -> bool:
        """Show what is drawn, waiting for so long; return whether there was anything."""
        self._drawn = False
        self.page.wait_for_timeout(1000 * seconds)
        return self._drawn

    def send(self, *keys: str) -> None:
        """Press keys, given as what terminals send for them, or type a text."""
        for key in keys:
            if name := _KEYS.get(key):
                self.page.keyboard.press(name)
            else:
                self.page.keyboard.type(key)

    def place(self, column: int, line: int) -> tuple[float, float]:
        """Return where a cell is on the page, in pixels."""
        box = self.page.locator(".xterm-screen").bounding_box()
        assert box
        width, height = box["width"] / self.screen.columns, box["height"] / self.screen.lines
        return box["x"] + (column + 0.5) * width, box["y"] + (line + 0.5) * height

    def _hear(self, socket: WebSocket) -> None:
        asked = parse_qs(urlsplit(socket.url).query)
        if "height" not in asked:
            return  # lines of text, which are read on the page
        self.screen.reset()
        self.screen.resize(int(asked["height"][0]), int(asked["width"][0]))
        socket.on("framereceived", self._take)
        socket.on("framesent", self._note)

    def _take(self, frame: str | bytes) -> None:
        if isinstance(frame, bytes):
            self._drawn = True
            self.show(frame)

    def _note(self, frame: str | bytes) -> None:
        kind, *rest = json.loads(frame)
        if kind == "resize":
            self.screen.resize(rest[0]["height"], rest[0]["width"])

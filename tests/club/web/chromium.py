"""A page in a headless Chromium, with the board's contents as text.

The board's output is read off the websocket by an emulator that shows the same as the page; keys,
mouse and touch input go to the page itself.  Without Chromium or Playwright, tests that need them
are skipped, or fail if THUD_CHROMIUM is set.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

import pytest

from terminal.emulator import Picture

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page, Playwright, WebSocket

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
_KEYS = {"\r": "Enter", "\x1b": "Escape", "\x1b[B": "ArrowDown"}


@pytest.fixture(scope="module")
def playwright() -> Iterator[Playwright]:
    """Run Playwright, which cannot run twice in a process."""
    if not find_spec("playwright"):
        _miss("Playwright")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as running:
        yield running


@pytest.fixture(scope="module")
def chromium(playwright: Playwright) -> Iterator[Browser]:
    """Run a Chromium."""
    with launched(playwright) as browser:
        yield browser


@contextmanager
def launched(playwright: Playwright, ratio: int = 1) -> Iterator[Browser]:
    """Run a Chromium on a screen with so many pixels for each of the page's, in each direction.

    The browser must have the ratio itself: one that is only emulated for a page is unknown to some
    of what xterm.js asks.
    """
    path = next((found for name in _NAMES if (found := shutil.which(name))), None)
    if path is None:
        _miss("Chromium")
    flags = [*_FLAGS, f"--force-device-scale-factor={ratio}"]
    browser = playwright.chromium.launch(executable_path=path, args=flags)
    yield browser
    browser.close()


def _miss(what: str) -> None:
    required = os.environ.get("THUD_CHROMIUM")
    (pytest.fail if required else pytest.skip)(f"there is no {what} here")


class Visitor(Picture):
    """A visitor with a separate browser context.

    Args:
        context: the browser context, with its cookies.
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
        """Open a URL, and wait for the board."""
        self.page.goto(url)
        self.wait_for(lambda: self.said == "")

    def kill(self) -> None:
        """Close the tab, and open another."""
        self.page.close()
        self.page = self._opened()

    @property
    def said(self) -> str:
        """The notice over the board; empty if the board is visible."""
        notice = self.page.locator("#notice")
        return self.page.locator("#sentence").inner_text() if notice.is_visible() else ""

    def read(self, seconds: float) -> bool:
        """Wait a number of seconds and show what is drawn; return whether anything was."""
        self._drawn = False
        self.page.wait_for_timeout(1000 * seconds)
        return self._drawn

    def send(self, *keys: str) -> None:
        """Press keys, given as terminal sequences, or type text."""
        for key in keys:
            if name := _KEYS.get(key):
                self.page.keyboard.press(name)
            else:
                self.page.keyboard.type(key)

    def place(self, column: int, line: int) -> tuple[float, float]:
        """Return the centre of a cell on the page, in pixels."""
        box = self.page.locator(".xterm-screen").bounding_box()
        assert box
        width, height = box["width"] / self.screen.columns, box["height"] / self.screen.lines
        return box["x"] + (column + 0.5) * width, box["y"] + (line + 0.5) * height

    def _hear(self, socket: WebSocket) -> None:
        asked = parse_qs(urlsplit(socket.url).query)
        if "height" not in asked:
            return  # the line-based page, whose text is read on the page itself
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

"""The built page in a headless Chromium, with the board's contents as text.

THUD_PAGE names the directory of the page that `make page` built; without it these tests are
skipped.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

from club.web.chromium import Visitor, chromium, playwright
from processes import descendants
from thud.club.web.page_files import POLICY

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page, Playwright, ViewportSize

__all__ = ["Player", "chromium", "page_url", "player", "players", "playwright", "served"]

WINDOW: Final[ViewportSize] = {"width": 1366, "height": 768}

RUNNING: Final = 0.008
STOPPED: Final = 0.032
"""Seconds that the processes of a slowed browser run and stop in turn."""

SLOW: Final = 120.0
"""Timeout in seconds for what takes Pyodide its time on a busy machine."""

_LISTEN: Final = """
const Own = window.Worker;
window.Worker = class extends Own {
  constructor(...what) {
    super(...what);
    this.addEventListener("message", ({ data }) => {
      if (data instanceof ArrayBuffer) window.seen("drawn", new TextDecoder().decode(data));
    });
  }
  postMessage(message, ...rest) {
    if (message.size) window.seen("sized", JSON.stringify(message.size));
    else if (typeof message === "string" && message.startsWith('["resize"')) {
      window.seen("sized", JSON.stringify(JSON.parse(message)[1]));
    }
    super.postMessage(message, ...rest);
  }
};
"""


class Files(SimpleHTTPRequestHandler):
    """Serves files quietly, with the types that browsers ask for."""

    extensions_map = {  # noqa: RUF012 - as the base class has it
        **SimpleHTTPRequestHandler.extensions_map,
        ".mjs": "text/javascript",
        ".wasm": "application/wasm",
        ".webmanifest": "application/manifest+json",
    }

    def end_headers(self) -> None:
        """Send the policy of clubs, which holds in workers, too."""
        self.send_header("Content-Security-Policy", POLICY)
        super().end_headers()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - as in the base class
        """Say nothing."""


@contextmanager
def served(directory: Path) -> Iterator[str]:
    """Serve a directory as any server of files does; the value is its address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Files, directory=str(directory)))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture(scope="module")
def page_url() -> Iterator[str]:
    """Serve the built page."""
    built = os.environ.get("THUD_PAGE")
    if not built:
        pytest.skip("the page is not built: run make page, and set THUD_PAGE")
    with served(Path(built)) as url:
        yield url


class Player(Visitor):
    """Somebody with the page in a browser of their own."""

    def _opened(self) -> Page:
        page = super()._opened()
        page.expose_function("seen", self._see)
        page.add_init_script(_LISTEN)
        return page

    def come(self, url: str) -> None:
        """Open the page, and wait for the board."""
        self.page.goto(url)
        self.wait_for(lambda: self.said == "", SLOW)

    def _see(self, kind: str, text: str) -> None:
        if kind == "drawn":
            self._drawn = True
            self.show(text.encode())
            return
        size = json.loads(text)
        self.screen.resize(size["height"], size["width"])


@pytest.fixture
def players(page_url: str, request: pytest.FixtureRequest) -> Iterator[Callable[..., Player]]:
    """Make players who have not opened the page yet, each with options of their browser."""
    chromium: Browser = request.getfixturevalue("chromium")
    with ExitStack() as after:

        def come(**options: Any) -> Player:
            context = chromium.new_context(**options)
            after.callback(context.close)
            return Player(context)

        yield come


@pytest.fixture
def player(players: Callable[..., Player]) -> Player:
    """A player with an ordinary window who has not opened the page yet, where it is built."""
    return players(viewport=WINDOW)


def as_dwarfs(player: Player) -> None:
    """Take the dwarfs first: a newcomer is offered the trolls."""
    player.wait_for("trolls first", SLOW)
    player.send(*"jjjjjl")
    player.wait_for("dwarfs first")


@contextmanager
def at_home(
    playwright: Playwright, directory: Path, window: ViewportSize = WINDOW
) -> Iterator[tuple[BrowserContext, int]]:
    """Run a browser whose files outlive it; the value is its context, and its process."""
    from playwright.sync_api import Error

    path = shutil.which("chromium")
    assert path
    flags = ["--no-sandbox", "--disable-gpu", "--no-first-run"]
    context = playwright.chromium.launch_persistent_context(
        directory, executable_path=path, args=flags, viewport=window
    )
    process = int((directory / "SingletonLock").readlink().name.rpartition("-")[2])
    try:
        yield context, process
    finally:
        with suppress(Error):  # it was killed
            context.close()


@contextmanager
def slowed(process: int) -> Iterator[None]:
    """Let a browser's processes run for a quarter of the time, all at once.

    What browsers have for that slows their pages alone, and no workers.
    """
    over = threading.Event()

    def tell(number: signal.Signals, those: list[int]) -> None:
        for each in those:
            with suppress(ProcessLookupError):
                os.kill(each, number)

    def slow() -> None:
        while not over.wait(RUNNING):
            those = [process, *descendants(process)]
            tell(signal.SIGSTOP, those)
            time.sleep(STOPPED)
            tell(signal.SIGCONT, those)

    thread = threading.Thread(target=slow)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()

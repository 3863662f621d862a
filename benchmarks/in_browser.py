"""Cost of the page that runs the program in a browser: start, keys, bytes, memory, reviews.

Usage: python benchmarks/in_browser.py [DIRECTORY]

Plays the page that `make page` has built in DIRECTORY (default: build/page) in Chromium, on a
server of files that compresses as those of hosts do.  Each start has a browser of its own with
empty caches.  Times are the browser's, from its request for the address to the frame that shows
what was waited for, with no time for thought; the computer takes 0.4 s for each of its two moves at
least.  A quarter of the speed: all of the browser's processes stop for four fifths of the time.
Memory is proportional set size (PSS) beyond that of an empty page, so this runs on Linux only.

On a busy machine, `chrt -r 10` before the command gives it the processors first.
"""

from __future__ import annotations

import gzip
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import ThreadingHTTPServer
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from threading import Thread
from typing import TYPE_CHECKING, Final, NamedTuple

from playwright.sync_api import sync_playwright

from review import fought
from thud.records.links import link_to
from thud.records.record import Record
from thud.rules.match import Match
from thud.rules.variants import VARIANTS

sys.path[0] = str(Path(__file__).parents[1] / "tests")  # which has a `club`, too

from page.browser import Files, at_home, slowed  # noqa: E402
from processes import descendants, memory  # noqa: E402

if TYPE_CHECKING:
    from playwright.sync_api import Page, Playwright, ViewportSize

STARTS: Final = 7
SLOW_STARTS: Final = 3

SIZE: Final = {"columns": 120, "lines": 40}
WINDOW: Final[ViewportSize] = {"width": 1450, "height": 1060}
"""A window whose board has this size."""

KEYS: Final = 200
PAUSE: Final = 150.0
"""Milliseconds between two keys."""
ROUND: Final = ("ArrowDown", "ArrowRight", "ArrowUp", "ArrowLeft")
PLIES: Final = 116
STOPS: Final = 10

_DRAWN: Final = """
  await new Promise((resolve) => { requestAnimationFrame(() => setTimeout(resolve)); });
  return performance.now();
"""

PICTURED: Final = f"""
async () => {{
  await document.getElementById("picture").decode();
  {_DRAWN}
}}
"""
"""Resolves with the time at which the picture of the board is drawn."""

SEEN: Final = f"""
async ([text, pause]) => {{
  const page = await import(new URL("board.js", location.href));
  const lines = () => {{
    const {{ buffer: {{ active }}, rows }} = page.board.terminal;
    return Array.from({{ length: rows }}, (_, y) => active.getLine(y)?.translateToString());
  }};
  while (!document.getElementById("notice").hidden || !lines().join().includes(text)) {{
    await new Promise((resolve) => {{ setTimeout(resolve, pause); }});
  }}
  {_DRAWN}
}}
"""
"""Resolves with the time at which a text is on the board; looks for it at intervals."""

CELLS: Final = """
async () => {
  const { board: { terminal } } = await import(new URL("board.js", location.href));
  return { columns: terminal.cols, lines: terminal.rows };
}
"""

KEY: Final = """
async (key) => {
  const { board: { terminal } } = await import(new URL("board.js", location.href));
  const keyCode = { ArrowLeft: 37, ArrowUp: 38, ArrowRight: 39, ArrowDown: 40 }[key];
  return new Promise((resolve) => {
    const began = performance.now();
    const drawn = terminal.onRender(() => {
      drawn.dispose();
      resolve(performance.now() - began);
    });
    setTimeout(() => resolve(null), 2000);
    for (const kind of ["keydown", "keyup"]) {
      terminal.textarea.dispatchEvent(new KeyboardEvent(kind, {
        key, code: key, keyCode, bubbles: true, cancelable: true,
      }));
    }
  });
}
"""
"""Resolves with the milliseconds from a key to what it draws, null at an edge of the board."""


NOTE: Final = """
() => {
  const noted = self.noted = [];
  const note = (what) => noted.push([what, performance.now()]);
  const Own = self.Worker;
  self.Worker = class extends Own {
    constructor(...what) {
      super(...what);
      this.addEventListener("message", () => note("thought"));
    }
    postMessage(message) {
      super.postMessage(message);
      if (message.request) note("asked");
    }
    terminate() {
      super.terminate();
      note("ended");
    }
  };
  addEventListener("message", ({ data }) => {
    if (String(data).startsWith('["stdin"')) note("key");
  }, true);
}
"""
"""Lets the program's worker note when it hears a key, and what its searches do."""

AFTER: Final = """
(all) => {
  const key = self.noted.findLast(([each]) => each === "key")[1];
  let last = key;
  for (const what of all) {
    const found = self.noted.find(([each, when]) => each === what && when > last);
    if (!found) return null;
    last = found[1];
  }
  return last - key;
}
"""
"""Returns the milliseconds from the last key until all of it came, in turn; null before that."""


class Compressed(Files):
    """Serves files, compressed where that makes them smaller.

    Attributes:
        packed: what was compressed, by path.
        sent: bytes of what pages asked for; their service workers revalidate what they keep.
    """

    packed: dict[Path, bytes]
    sent: list[int]

    def do_GET(self) -> None:  # noqa: N802 - as the base class has it
        """Send a file."""
        path = Path(self.translate_path(self.path))
        path = path / "index.html" if path.is_dir() else path
        if not path.is_file():
            self.send_error(404)
            return
        data = path.read_bytes()
        if path not in self.packed:
            self.packed[path] = gzip.compress(data, 9)
        self.send_response(200)
        self.send_header("Content-Type", self.guess_type(path))
        if len(self.packed[path]) < 0.95 * len(data):
            data = self.packed[path]
            self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        if "Cache-Control" not in self.headers:
            self.sent.append(len(data))
        self.wfile.write(data)


@contextmanager
def served(directory: Path) -> Iterator[tuple[str, list[int]]]:
    """Serve a directory; the value is its address, and the bytes of what is sent."""
    handler = type("Handler", (Compressed,), {"packed": {}, "sent": (sent := list[int]())})
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(handler, directory=str(directory)))
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/", sent
    server.shutdown()
    server.server_close()


@contextmanager
def running(playwright: Playwright) -> Iterator[tuple[Page, int]]:
    """Run a new browser; the value is its page, and its process."""
    with (
        TemporaryDirectory() as home,
        at_home(playwright, Path(home), WINDOW) as (context, process),
    ):
        yield context.pages[0], process


def seen(page: Page, text: str, pause: float = 5.0) -> float:
    """Return the milliseconds from the request for the page until a text is on the board."""
    return float(page.evaluate(SEEN, [text, pause]))


class Start(NamedTuple):
    """Milliseconds from the request for the page until something is shown.

    Attributes:
        picture: the picture of the board.
        program: the program's front page.
        battle: a battle, after the computer's first move.
        answer: the computer's answer to one's own first move.
    """

    picture: float
    program: float
    battle: float
    answer: float


def start(page: Page, url: str, *, opened: bool = False) -> Start:
    """Open the page, unless it is open, and play a move."""
    if not opened:
        page.goto(url, wait_until="commit")
    picture = page.evaluate(PICTURED)
    program = seen(page, "The computer")
    page.keyboard.press("c")
    battle = seen(page, "pick up a troll")
    page.keyboard.press(":")
    seen(page, "Tab Complete")
    page.keyboard.type("h9 h10")
    page.keyboard.press("Enter")
    seen(page, "TH9-H10")
    return Start(picture, program, battle, seen(page, "pick up a troll"))


def starts(playwright: Playwright, url: str, sent: list[int]) -> None:
    """Print how long starts take, and how much is sent."""
    fast, slow = list[Start](), list[Start]()
    for _ in range(STARTS):
        with running(playwright) as (page, _process):
            fast.append(start(page, url))
    size = sum(sent) / STARTS / 1e6
    for _ in range(SLOW_STARTS):
        with running(playwright) as (page, process), slowed(process):
            slow.append(start(page, url))
    print("| seconds from the address to | least | median | at a quarter of the speed |")
    print("| --- | ---: | ---: | ---: |")
    for name, took, longer in zip(
        Start._fields, zip(*fast, strict=True), zip(*slow, strict=True), strict=True
    ):
        of = (min(took), median(took), median(longer))
        print(f"| {name} | {' | '.join(f'{each / 1000:.2f}' for each in of)} |")
    print(f"\nsent: {size:.2f} MB, compressed")


def used(process: int) -> float:
    """Return the memory of a browser in MB."""
    return sum(map(memory, [process, *descendants(process)])) / 1024


def keys(playwright: Playwright, url: str) -> None:
    """Print how long keys of a battle take, and how much memory."""
    with running(playwright) as (page, process):
        empty = used(process)
        start(page, url)
        size = page.evaluate(CELLS)
        assert size == SIZE, f"the board has {size}"
        took = []
        for number in range(KEYS):
            page.wait_for_timeout(PAUSE)
            took.append(page.evaluate(KEY, ROUND[number % len(ROUND)]))
        took = [each for each in took if each is not None]
        print(f"keys: {median(took):.1f} ms in the middle, {max(took):.0f} ms at worst")
        print(f"memory: {used(process) - empty:.0f} MB", flush=True)


def stops(playwright: Playwright, url: str) -> None:
    """Print how long it takes to break a hint off, and until the next search has a thought."""
    ended, ready = list[float](), list[float]()
    with running(playwright) as (page, _process):
        page.goto(url, wait_until="commit")
        seen(page, "The computer")
        program = next(each for each in page.workers if each.url.endswith("program.js"))
        program.evaluate(NOTE)
        start(page, url, opened=True)

        def after(*what: str) -> float:
            for _ in range(250):
                if (found := program.evaluate(AFTER, what)) is not None:
                    return float(found)
                page.wait_for_timeout(20)
            raise TimeoutError(f"{what} has not come about")

        for number in range(STOPS):
            page.wait_for_timeout(1000)
            page.keyboard.press("i")
            after("asked", "thought")
            page.keyboard.press("ur"[number % 2])
            ended.append(after("ended"))
            ready.append(after("ended", "asked", "thought"))
    for name, took in ("a search has ended", ended), ("the next one has a thought", ready):
        print(f"stop: {name} after {median(took):.0f} ms in the middle, {max(took):.0f} at worst")


def review(playwright: Playwright, url: str) -> None:
    """Print how long a review takes."""
    match = Match(VARIANTS["classic"])
    for move in fought(match.variant, 7, 1, PLIES).moves:
        match.battle.play(move)
    assert len(match.battle.moves) == PLIES
    with running(playwright) as (page, _):
        page.goto(f"{url}#{link_to(Record.of(match)).partition('#')[2]}")
        seen(page, "m Review")
        began = time.perf_counter()
        page.keyboard.press("m")
        seen(page, "accuracy", pause=500.0)
        print(f"a review of {PLIES} moves: {time.perf_counter() - began:.0f} s")


def main() -> None:
    """Measure."""
    directory = Path(sys.argv[1] if len(sys.argv) > 1 else "build/page")
    with served(directory) as (url, sent), sync_playwright() as playwright:
        starts(playwright, url, sent)
        keys(playwright, url)
        stops(playwright, url)
        review(playwright, url)


if __name__ == "__main__":
    main()

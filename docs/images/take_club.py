"""Take the pictures of a club: one on a wide screen, one on a phone held upright.

Usage: python docs/images/take_club.py

Two visitors of a real `thud serve` play each other.  It needs Chromium, playwright and Pillow.
"""

import os
import re
import shutil
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

HERE = Path(__file__).parent
sys.path[0] = str(HERE.parents[1] / "tests")  # and not here, where other modules are called alike

from club.serving import THUD, places  # noqa: E402 - the tests are found by now
from club.web.chromium import Visitor  # noqa: E402
from terminal.emulator import Terminal  # noqa: E402

WIDE = {"viewport": {"width": 1280, "height": 800}, "color_scheme": "dark"}
PHONE = {
    "viewport": {"width": 390, "height": 700},
    "is_mobile": True,
    "has_touch": True,
    "color_scheme": "dark",
}
MOVES = "M13-L13 G9-H10 G15-H14 G8-F7 J1-C7 F7-D7xC7 O11-O8 D7-C6xB5 A6-G12 C6-C5xC4"
"""The moves played; whoever opens the table has the dwarfs."""


@contextmanager
def open_club(directory: Path) -> Iterator[str]:
    """Run a club inside the block; yield its address with the invitation."""
    with Terminal([*THUD, "serve", "--web", "0"], (200, 24), places(directory)) as terminal:
        terminal.wait_for("Ctrl+C ends it.")
        found = re.search(r"http://127\.0\.0\.1:\d+/#\S{22}", terminal.text)
        assert found
        yield found[0]
        terminal.signal(signal.SIGTERM)
        terminal.wait_for_end()


def come(browser: Browser, url: str, name: str, screen: dict[str, object]) -> Visitor:
    """Open the lobby in a new browser context, under a name."""
    context = browser.new_context(**screen)  # type: ignore[arg-type]
    visitor = Visitor(context)
    visitor.come(url)
    visitor.wait_for("What is your name?")
    visitor.send(name, "\r")
    visitor.wait_for("No table is open")
    return visitor


def sit_down(host: Visitor, guest: Visitor) -> None:
    """Let the host open a table, and the guest take the free seat."""
    host.send("H")
    host.wait_for("Who is the table for?")
    host.send("\r")
    host.wait_for("Your table is open")
    host.send("\x1b")
    guest.wait_for("sit down")
    guest.send("J", "\r")
    guest.wait_for("Sit down")
    guest.send("\r")
    host.wait_for("has joined")


def play(host: Visitor, guest: Visitor) -> None:
    """Play the moves, host and guest in turn."""
    for number, move in enumerate(MOVES.split()):
        player = (host, guest)[number % 2]
        player.send(":")
        player.wait_for("or just")
        player.send(move, "\r")
        # A phone has no room for the list of moves.
        host.wait_for(move)
        guest.settle()
    host.settle()


def save(page: Page, name: str) -> None:
    """Save a page as PNG with 64 colours."""
    picture = Image.open(BytesIO(page.screenshot())).convert("RGB")
    few = picture.quantize(64, dither=Image.Dither.NONE)
    few.save(HERE / f"{name}.png", optimize=True)


def main() -> None:
    """Take both pictures."""
    os.environ |= {"TERM": "xterm-256color", "COLORTERM": "truecolor"}
    path = shutil.which("chromium") or shutil.which("google-chrome")
    with (
        TemporaryDirectory() as directory,
        open_club(Path(directory)) as url,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        host, guest = come(browser, url, "Esme", WIDE), come(browser, url, "Gytha", PHONE)
        sit_down(host, guest)
        play(host, guest)
        save(host.page, "club-wide")
        save(guest.page, "club-phone")
        browser.close()


if __name__ == "__main__":
    main()

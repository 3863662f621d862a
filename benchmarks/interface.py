"""Cost of a key from press to finished frame, in time and in bytes, and what becomes of many.

Usage: python benchmarks/interface.py

The keys are posted to the running app one by one.  Textual paints at most sixty times a second, so
that a last frame besides the first comes up to 17 ms after there was nothing left to do.  A key
that is held must not queue up: its last repetitions are to be shown as soon as the first.
"""

import asyncio
import gc
import os
import statistics
import sys
import tempfile
import time
from itertools import cycle, islice
from pathlib import Path
from typing import NamedTuple

from rich.console import RenderableType
from textual import events
from textual.screen import Screen

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from terminal.emulator import TIMEOUT, Terminal
from thud.rules.match import Match
from thud.rules.variants import VARIANTS
from thud.session.session import Session
from thud.tui.app import ThudApp
from thud.tui.start import Play

SIZES = ((80, 24), (160, 50))
SETTLED = 0.1
"""Seconds without a frame after which a key has certainly been dealt with."""

RATE = 30
REPEATS = 200
BURST = 500
"""Fewer bytes than a pseudo-terminal takes at once."""
FRAME = b"\x1b[?2026h"
"""What begins a frame in a terminal that paints whole frames."""


class TimedApp(ThudApp):
    """Notes when it sends something to the screen."""

    def __init__(self, match: Match) -> None:
        super().__init__(Play(Session(match)))
        self.frames: list[float] = []

    def _display(self, screen: Screen[object], renderable: RenderableType | None) -> None:
        super()._display(screen, renderable)
        self.frames.append(time.perf_counter())


class Cost(NamedTuple):
    """Milliseconds from a key to the first and the last frame it caused, and of processor time."""

    first: float
    last: float
    work: float


async def key_costs(app: TimedApp, keys: list[str]) -> list[Cost]:
    """Return the cost of each key."""
    costs = []
    for key in keys:
        app.frames.clear()
        begin, work = time.perf_counter(), time.process_time()
        app.post_message(events.Key(key, None))
        while not app.frames or time.perf_counter() - app.frames[-1] < SETTLED:
            await asyncio.sleep(SETTLED / 4)
        first, last = app.frames[0] - begin, app.frames[-1] - begin
        costs.append(Cost(first * 1e3, last * 1e3, (time.process_time() - work) * 1e3))
    return costs


async def keys(size: tuple[int, int]) -> None:
    # As the commands that draw do: the app goes on with it when all is loaded.
    gc.disable()
    app = TimedApp(Match(VARIANTS["classic"]))
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        moving = await key_costs(app, ["left", "right", "up", "down"] * 15)
        holding = await key_costs(app, ["tab", "enter", "tab", "escape"] * 10)
        for name, costs in (("cursor", moving), ("pick up and let go", holding)):
            medians = [statistics.median(column) for column in zip(*costs, strict=True)]
            print(
                f"{size[0]}×{size[1]} {name}, medians: first frame after {medians[0]:.1f} ms, "
                f"last after {medians[1]:.1f} ms, processor time {medians[2]:.1f} ms"
            )


def held(size: tuple[int, int], directory: str) -> None:
    """Hold an arrow key in a pseudo-terminal, at a keyboard's rate and as fast as it is taken."""
    environment = {"THUD_DATA_DIR": directory, "THUD_CONFIG_DIR": directory}
    with Terminal([sys.executable, "-m", "thud", "play"], size, environment) as terminal:
        terminal.wait_for("15")
        terminal.drain(0.5)
        before = terminal.received
        delays = [repeated(terminal, key) for key in cycle_of_arrows(REPEATS)]
        sent = (terminal.received - before) / REPEATS
        fifth = len(delays) // 5
        first, last = statistics.median(delays[:fifth]), statistics.median(delays[-fifth:])
        print(
            f"{size[0]}×{size[1]} {REPEATS} arrows at {RATE}/s in a pseudo-terminal, from key to "
            f"last byte: first fifth {first:.1f} ms, last fifth {last:.1f} ms, "
            f"{sent:.0f} bytes a key"
        )
        terminal.drain(0.5)
        frames, seconds = burst(terminal, "".join(cycle_of_arrows(BURST)))
        print(
            f"{size[0]}×{size[1]} {BURST} arrows at once: done {seconds * 1e3:.0f} ms after the "
            f"last ({seconds * 1e3 / BURST:.2f} ms a key), in {frames} frames"
        )


def cycle_of_arrows(number: int) -> list[str]:
    """Return arrow keys that go to and fro, as a terminal sends them."""
    return list(islice(cycle(["\x1b[C"] * 5 + ["\x1b[D"] * 5), number))


def repeated(terminal: Terminal, key: str) -> float:
    """Send a key and wait for the next one's turn; return when it was done, in milliseconds."""
    begin = time.perf_counter()
    terminal.send(key)
    while (left := begin + 1 / RATE - time.perf_counter()) > 0:
        terminal.receive(left)
    return (terminal.changed - begin) * 1e3


def burst(terminal: Terminal, keys: str) -> tuple[int, float]:
    """Send keys as fast as they are taken; return the frames, and the seconds after the last."""
    frames = bytearray()
    os.write(terminal.own, keys.encode())
    begin = time.perf_counter()
    while data := terminal.receive(0.5 if frames else TIMEOUT):
        frames += data
    return frames.count(FRAME), terminal.changed - begin


def main() -> None:
    for size in SIZES:
        asyncio.run(keys(size))
    with tempfile.TemporaryDirectory() as directory:
        for size in SIZES:
            held(size, directory)


if __name__ == "__main__":
    main()

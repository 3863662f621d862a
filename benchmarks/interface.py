"""Cost of a key press until its frame is finished, in time and bytes, also of many keys.

Usage: python benchmarks/interface.py

The keys are posted to the running app one by one.  Textual paints at most sixty times a second, so
a last frame after the first may come up to 17 ms after all work is done.  A held key must not
queue up: its last repetitions must be shown as quickly as the first.
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
from thud.rules.geometry import parse_square
from thud.rules.match import Match
from thud.rules.variants import VARIANTS
from thud.session.session import Session
from thud.tui.app import ThudApp
from thud.tui.board.widget import Board
from thud.tui.start import PlayMatch

SIZES = ((80, 24), (160, 50))
SETTLED = 0.1
"""Seconds without a frame after which a key has certainly been dealt with."""

RATE = 30
REPEATS = 200
BURST = 500
"""Number of keys; few enough that their bytes fit a pseudo-terminal's buffer."""
FRAME = b"\x1b[?2026h"
"""Start of a frame, in terminals with synchronized output."""


class TimedApp(ThudApp):
    """An app that records the times of its frames."""

    def __init__(self, match: Match) -> None:
        super().__init__(PlayMatch(Session(match)))
        self.frames: list[float] = []

    def _display(self, screen: Screen[object], renderable: RenderableType | None) -> None:
        super()._display(screen, renderable)
        self.frames.append(time.perf_counter())


class Cost(NamedTuple):
    """Milliseconds from a key to its first and last frame, and of processor time."""

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
    # As the drawing commands do; the app enables it again once everything is loaded.
    gc.disable()
    app = TimedApp(Match(VARIANTS["classic"]))
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        app.screen.query_one(Board).move_cursor(parse_square("H8"))
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
    """Hold arrow keys in a pseudo-terminal, at a keyboard's repeat rate and as a burst."""
    environment = {"THUD_DATA_DIR": directory, "THUD_CONFIG_DIR": directory}
    with Terminal([sys.executable, "-m", "thud", "play"], size, environment) as terminal:
        terminal.wait_for("15")
        # From D3, where the cursor begins, to the middle: at the edge an arrow draws nothing.
        terminal.send("33332")
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
    """Return arrow keys back and forth, as a terminal sends them."""
    return list(islice(cycle(["\x1b[C"] * 5 + ["\x1b[D"] * 5), number))


def repeated(terminal: Terminal, key: str) -> float:
    """Send a key, wait one repeat interval, and return the milliseconds to the last output."""
    begin = time.perf_counter()
    terminal.send(key)
    while (left := begin + 1 / RATE - time.perf_counter()) > 0:
        terminal.receive(left)
    return (terminal.changed - begin) * 1e3


def burst(terminal: Terminal, keys: str) -> tuple[int, float]:
    """Send all keys at once; return the number of frames, and the seconds to the last output."""
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

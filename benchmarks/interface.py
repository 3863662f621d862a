"""Cost of a key from press to finished frame, and of start-up, beside a bare Textual app.

Usage: python benchmarks/interface.py

The keys are posted to the running app one by one.  Textual paints at most sixty times a second, so
that the last frame comes up to 17 ms after there was nothing left to do: see the processor time.
Start-up is the wall time of a child process that leaves after its first frame.
"""

import asyncio
import statistics
import subprocess
import sys
import time
from typing import NamedTuple

from rich.console import RenderableType
from textual import events
from textual.screen import Screen

from thud.rules.match import Match
from thud.rules.variants import VARIANTS
from thud.tui.app import ThudApp

SIZES = ((80, 24), (160, 50))
STARTS = 9
SETTLED = 0.12
"""Seconds after which a key has certainly been dealt with."""

BARE = "from textual.app import App; app = App()"
GAME = (
    "from thud.tui.app import ThudApp; from thud.rules.match import Match; "
    "from thud.rules.variants import VARIANTS; app = ThudApp(Match(VARIANTS['classic']))"
)
PILOT = "\nasync def p(pilot):\n    await pilot.pause()\n    pilot.app.exit()\n"


class TimedApp(ThudApp):
    """Notes when it sends something to the screen."""

    def __init__(self, match: Match) -> None:
        super().__init__(match)
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
        await asyncio.sleep(SETTLED)
        first, last = app.frames[0] - begin, app.frames[-1] - begin
        costs.append(Cost(first * 1e3, last * 1e3, (time.process_time() - work) * 1e3))
    return costs


async def keys(size: tuple[int, int]) -> None:
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


def start_up(code: str) -> float:
    """Return the median seconds of a process that starts, paints and leaves."""
    script = f"{PILOT}\n{code}\napp.run(headless=True, auto_pilot=p)"
    times = []
    for _ in range(STARTS):
        begin = time.perf_counter()
        subprocess.run([sys.executable, "-c", script], check=True, capture_output=True)
        times.append(time.perf_counter() - begin)
    return statistics.median(times)


def main() -> None:
    for size in SIZES:
        asyncio.run(keys(size))
    bare, game = start_up(BARE), start_up(GAME)
    print(f"start to first frame: {game:.3f} s, {game / bare:.2f} × a bare Textual app")


if __name__ == "__main__":
    main()

"""How long the interface blocks while a long match is opened and replayed.

Usage: python benchmarks/opening.py

A task on the event loop wakes every millisecond; between two wake-ups no key is handled.  Measures
the longest time that the thread has worked between two wake-ups, in processor time, so that other
load on the machine does not count.  A short match in the same run is the baseline, most of which is
Textual's own work; a long match may add at most 50 ms.
"""

import asyncio
import gc
import random
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TypeAlias

from textual.pilot import Pilot

from thud.records.formats import write_file
from thud.records.record import Record
from thud.records.store import Store
from thud.rules.match import Match
from thud.rules.variants import VARIANTS
from thud.session.autosave import Autosave
from thud.session.session import Session
from thud.tui.app import ThudApp
from thud.tui.start import PlayMatch

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from tui.driver import work_done

LONG, SHORT = 3000, 30
SIZE = (160, 50)
Gaps: TypeAlias = dict[str, float]


class LoopLagProbe:
    """Measures the longest time the event loop's thread works without a pause."""

    def __init__(self) -> None:
        self.longest = 0.0

    async def run(self) -> None:
        """Measure until cancelled."""
        last = time.thread_time()
        while True:
            await asyncio.sleep(0.001)
            now = time.thread_time()
            self.longest, last = max(self.longest, now - last), now


async def longest_gap(doing: Awaitable[object]) -> float:
    """Return the longest gap while awaiting something, in milliseconds."""
    probe = LoopLagProbe()
    task = asyncio.create_task(probe.run())
    await asyncio.sleep(0.05)
    probe.longest = 0.0
    await doing
    await asyncio.sleep(0.2)
    task.cancel()
    return probe.longest * 1e3


def wandering(plies: int) -> Match:
    """Return a match of two equally long battles of random moves without captures."""
    variant, chooser = VARIANTS["classic"], random.Random(1)
    match = Match(variant)
    for number in (1, 2):
        while len(match.battle.moves) < plies:
            moves = variant.legal_moves(match.battle.position)
            match.battle.play(chooser.choice([move for move in moves if not move.captures]))
        match.battle.agree()
        if number == 1:
            match.next_battle()
    return match


async def in_replay(record: Record, store: Store) -> Gaps:
    saved = store.adopt(record)
    saved.close()
    app = ThudApp(PlayMatch(Session(Match(record.variant))), store=store)
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        # As the drawing commands do: exempt everything loaded so far from garbage collection.
        gc.collect()
        gc.freeze()

        async def show() -> None:
            screen = app.matches.replay_screen(record, name=saved.id)
            await app.push_screen(screen)
            await pilot.pause()

        return {"replay it": await longest_gap(show())} | {
            name: await longest_gap(pressed(pilot, *keys))
            for name, keys in {
                "go to its end": ["end"],
                "a move back": ["left"],
                "the other battle": ["b"],
                "begin a variation": ["colon", *"e2e6", "enter"],
                "go on with it": ["colon", *"g7h6", "enter"],
                "think of it": ["v"],
                "play on from it": ["p"],
            }.items()
        }


async def pressed(pilot: Pilot[None], *keys: str) -> None:
    await pilot.press(*keys)
    await pilot.pause(0.3)
    await work_done_but_thoughts(pilot)


async def work_done_but_thoughts(pilot: Pilot[None]) -> None:
    others = [worker for worker in pilot.app.workers if worker.group not in ("session", "analysis")]
    if others:
        await pilot.app.workers.wait_for_complete(others)


async def at_the_board(record: Record, directory: Path) -> Gaps:
    path = directory / f"{len(record.battles[0].moves)}.tgn"
    unfinished = record.battles[1]._replace(outcome=None)
    write_file(path, record._replace(battles=(record.battles[0], unfinished)))
    app = ThudApp(PlayMatch(Session(Match(record.variant), Autosave(None))))
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        # As the drawing commands do: exempt everything loaded so far from garbage collection.
        gc.collect()
        gc.freeze()

        async def open_it() -> None:
            await pilot.press("o", *str(path), "enter")
            await work_done(app)
            await pilot.pause(1.0)

        return {
            "open it to play on": await longest_gap(open_it()),
            "take back": await longest_gap(pressed(pilot, "u")),
            "look back": await longest_gap(pressed(pilot, "left_square_bracket")),
        }


async def gaps(plies: int, directory: Path) -> Gaps:
    record = Record.of(wandering(plies))
    replayed = await in_replay(record, Store(directory))
    return replayed | await at_the_board(record, directory)


def measured(measure: Callable[[int, Path], Awaitable[Gaps]], plies: int) -> Gaps:
    async def run() -> Gaps:
        with tempfile.TemporaryDirectory() as directory:
            return await measure(plies, Path(directory))

    return asyncio.run(run())


def main() -> None:
    short, long = measured(gaps, SHORT), measured(gaps, LONG)
    print(
        f"longest work without an answer: {LONG} moves a battle, {SHORT} moves, and the difference"
    )
    for name, gap in long.items():
        print(f"{name:<20} {gap:>6.0f} ms {short[name]:>6.0f} ms {gap - short[name]:>6.0f} ms")


if __name__ == "__main__":
    main()

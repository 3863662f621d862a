"""What players gain from the compiled core, compared with pure Python.

Usage: python benchmarks/core.py [stop] [perft] [lines] [hints]

stop   milliseconds from `stop` to `bestmove` in `thud engine`, 100 times
perft  seconds for `thud perft 3` and `thud perft 4`, without process start
lines  depth of three live lines after two seconds, in twenty positions of Classic
hints  depth of a level 7 hint: after one second with the core, after ten in Python

Depths are measured by processor time, so that other load on the machine does not matter.
"""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from random import Random
from statistics import fmean, median
from time import perf_counter, process_time, sleep

from search import positions, search

from thud.ai.core import OFF, REQUIRED, VARIABLE
from thud.ai.player import Limits, Thought
from thud.ai.thinker import Thinker, think_of_several
from thud.rules.position import Position
from thud.rules.variants import VARIANTS
from thud.rules.variants.classic import CLASSIC

THUD = (sys.executable, "-P", "-m", "thud")
KINDS = {OFF: "Python", REQUIRED: "core"}
STOPS = 100
LINES = 3
LINE_SECONDS = 2.0
HINT_SECONDS = {OFF: 10.0, REQUIRED: 1.0}


@contextmanager
def engine(which: str) -> Iterator["subprocess.Popen[str]"]:
    """Run an engine that searches in Python or with the core."""
    with subprocess.Popen(
        (*THUD, "engine"),
        env={**os.environ, VARIABLE: which},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        bufsize=1,
    ) as process:
        yield process
        tell(process, "quit")


def tell(process: "subprocess.Popen[str]", line: str) -> None:
    assert process.stdin
    process.stdin.write(f"{line}\n")
    process.stdin.flush()


def wait_for(process: "subprocess.Popen[str]", word: str) -> None:
    assert process.stdout
    for line in process.stdout:
        if line.startswith(word):
            return


def stops() -> None:
    """Print how long an engine takes to stop."""
    chance = Random(1)
    for which, name in KINDS.items():
        taken = []
        with engine(which) as process:
            for turn in range(STOPS):
                variant = [*VARIANTS][turn % len(VARIANTS)]
                tell(process, f"setoption name Variant value {variant}")
                tell(process, "position startpos")
                tell(process, "go infinite")
                wait_for(process, "info depth 3")
                sleep(chance.random() / 2)
                begin = perf_counter()
                tell(process, "stop")
                wait_for(process, "bestmove")
                taken.append(1000 * (perf_counter() - begin))
        told = f"median {median(taken):.1f} ms, worst {max(taken):.1f} ms"
        print(f"{name}: stop to bestmove {told} of {STOPS}", flush=True)


def counts() -> None:
    """Print the times of the perft commands."""

    def taken(which: str, depth: int) -> tuple[float, float, str]:
        """Return the wall-clock seconds, the processor seconds and the count."""
        begin, before = perf_counter(), os.times()
        command = (*THUD, "perft", str(depth))
        done = subprocess.run(
            command, env={**os.environ, VARIABLE: which}, capture_output=True, text=True, check=True
        )
        seconds, after = perf_counter() - begin, os.times()
        processor = after.children_user - before.children_user
        return seconds, processor, done.stdout.split()[-1]

    for which, depths in ((OFF, (1, 3)), (REQUIRED, (1, 3, 4))):
        start = 0.0, 0.0
        for depth in depths:
            runs = sorted(taken(which, depth) for _ in range(1 if depth == 4 else 5))
            clock, processor, count = runs[len(runs) // 2]
            clock, processor = clock - start[0], processor - start[1]
            told = ", with the start of the process" if depth == 1 else ""
            print(f"{KINDS[which]}: perft {depth} {count}: {clock:.2f} s", end="")
            print(f", of the processors {processor:.2f} s{told}", flush=True)
            start = start if depth > 1 else (clock, processor)


def lines() -> None:
    """Print the depths of live lines after a few seconds."""

    def depth(position: Position) -> float:
        deepest = [0] * LINES
        end = process_time() + LINE_SECONDS

        def hear(thought: Thought) -> None:
            deepest[thought.rank - 1] = thought.depth

        player = Thinker(CLASSIC, 1)
        think_of_several(
            player, [position], Limits(), LINES, stop=lambda: process_time() >= end, report=hear
        )
        return fmean(deepest)

    print_depths("lines", depth)


def hints() -> None:
    """Print the depths of hints."""

    def depth(position: Position) -> float:
        which = os.environ[VARIABLE]
        return search(which, CLASSIC, position, Limits(), HINT_SECONDS[which]).thought.depth

    print_depths("hints", depth)


def print_depths(what: str, depth: Callable[[Position], float]) -> None:
    """Print the depths in twenty positions, and in how many the core is at least as deep."""
    found = {}
    for which, name in KINDS.items():
        os.environ[VARIABLE] = which
        found[which] = [depth(position) for position in positions(CLASSIC)]
        told = " ".join(f"{each:g}" for each in found[which])
        print(f"{name}: {what} {fmean(found[which]):.1f} plies deep: {told}", flush=True)
    pairs = list(zip(found[REQUIRED], found[OFF], strict=True))
    print(f"{what}: deeper by {fmean(core - python for core, python in pairs):.1f} plies; ", end="")
    print(f"as deep in {sum(core >= python for core, python in pairs)} of {len(pairs)}", flush=True)


PARTS = {"stop": stops, "perft": counts, "lines": lines, "hints": hints}


def main() -> None:
    for name in sys.argv[1:] or PARTS:
        PARTS[name]()


if __name__ == "__main__":
    main()

"""What players notice of the compiled search: how soon it stops, how far it sees, what it needs.

Usage: python benchmarks/core.py [stop] [perft] [lines] [hints] [memory] [--variant NAME]

stop    milliseconds from `stop` to `bestmove` in `thud engine`, 100 times
perft   seconds for `thud perft 3` and `thud perft 4`, with process start
lines   depth of three live lines after two seconds, in the twenty positions of a game
hints   depth of a hint within its two seconds, in the same positions
memory  peak memory of `thud engine` after a search of 2,000,000 positions, in every variant

Depths are measured by processor time, so that other load on the machine matters little.  The peak
of the memory is the kernel's VmHWM, so that part runs on Linux only.
"""

import os
import re
import subprocess
import sys
from argparse import ArgumentParser
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from statistics import fmean, median
from time import perf_counter, process_time, sleep

from search import GAMES, positions

from thud.ai.core import description, searcher_for
from thud.ai.player import Limits, Thought
from thud.rules.position import Position
from thud.rules.variant import Variant
from thud.rules.variants import VARIANTS
from thud.session.advice import HINT_SECONDS

THUD = (sys.executable, "-P", "-m", "thud")
PARTS = ("stop", "perft", "lines", "hints", "memory")
STOPS = 100
LINES = 3
LINE_SECONDS = 2.0
SEARCHED = 2_000_000


@contextmanager
def engine(variant: str) -> Iterator["subprocess.Popen[str]"]:
    """Run an engine that is at the start of a variant."""
    with subprocess.Popen(
        (*THUD, "engine"), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
    ) as process:
        set_up(process, variant)
        yield process
        tell(process, "quit")


def set_up(process: "subprocess.Popen[str]", variant: str) -> None:
    tell(process, f"setoption name Variant value {variant}")
    tell(process, "position startpos")


def tell(process: "subprocess.Popen[str]", line: str) -> None:
    assert process.stdin
    process.stdin.write(f"{line}\n")
    process.stdin.flush()


def wait_for(process: "subprocess.Popen[str]", word: str) -> str:
    """Return the next line that begins with a word."""
    assert process.stdout
    for line in process.stdout:
        if line.startswith(word):
            return line
    raise EOFError(f"the engine ended before {word!r}")


def stops() -> None:
    """Print how long an engine takes to stop."""
    chance, taken = Random(1), []
    with engine("classic") as process:
        for turn in range(STOPS):
            set_up(process, [*VARIANTS][turn % len(VARIANTS)])
            tell(process, "go infinite")
            wait_for(process, "info depth 3")
            sleep(chance.random() / 2)
            begin = perf_counter()
            tell(process, "stop")
            wait_for(process, "bestmove")
            taken.append(1000 * (perf_counter() - begin))
    print(f"stop to bestmove: median {median(taken):.1f} ms, worst {max(taken):.1f} ms of {STOPS}")


def counts() -> None:
    """Print the times of the perft commands."""

    def taken(depth: int) -> tuple[float, float, str]:
        """Return the wall-clock seconds, the processor seconds and the count."""
        begin, before = perf_counter(), os.times()
        command = (*THUD, "perft", str(depth))
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        seconds, after = perf_counter() - begin, os.times()
        return seconds, after.children_user - before.children_user, done.stdout.split()[-1]

    for depth, runs in ((1, 5), (3, 5), (4, 1)):
        clock, processor, count = sorted(taken(depth) for _ in range(runs))[runs // 2]
        print(
            f"perft {depth} {count}: {clock:.2f} s, of the processors {processor:.2f} s", flush=True
        )


def depth(variant: Variant, position: Position, seconds: float, lines: int = 1) -> float:
    """Return the mean depth of the best lines after a processor time."""
    deepest = dict.fromkeys(range(1, lines + 1), 0)

    def hear(thought: Thought) -> None:
        deepest[thought.rank] = thought.depth

    end = process_time() + seconds
    searcher = searcher_for(variant, 1)
    searcher.search([position], Limits(), lambda: process_time() >= end, hear, lines=lines)
    return fmean(deepest.values())


def print_depths(what: str, games: Iterable[str], seconds: float, lines: int = 1) -> None:
    """Print the depths in each game's positions."""
    for game in games:
        variant = VARIANTS[game]
        found = [depth(variant, position, seconds, lines) for position in positions(variant)]
        each = " ".join(f"{one:.1f}".removesuffix(".0") for one in found)
        print(f"{what} in {game}: {fmean(found):.1f} plies deep: {each}", flush=True)


def memory() -> None:
    """Print the peak memory of an engine's process in each variant."""
    for variant in VARIANTS:
        with engine(variant) as process:
            tell(process, f"go nodes {SEARCHED}")
            wait_for(process, "bestmove")
            status = Path(f"/proc/{process.pid}/status").read_text()
        found = re.search(r"VmHWM:\s*(\d+) kB", status)
        assert found, "the kernel does not tell"
        print(f"memory in {variant}: {int(found[1]) / 1024:.1f} MB at most", flush=True)


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"of {', '.join(PARTS)}")
    parser.add_argument("--variant", choices=GAMES, help="for lines and hints; otherwise each")
    options = parser.parse_args()
    if unknown := set(options.parts) - set(PARTS):
        parser.error(f"no such part: {', '.join(unknown)}")
    games = [options.variant] if options.variant else GAMES
    print(f"The search is {description()}.")
    for part in options.parts or PARTS:
        match part:
            case "stop":
                stops()
            case "perft":
                counts()
            case "lines":
                print_depths("lines", games, LINE_SECONDS, LINES)
            case "hints":
                print_depths("hints", games, HINT_SECONDS)
            case "memory":
                memory()


if __name__ == "__main__":
    main()

"""Time from process start to the first painted screen, compared with a bare Textual app.

Usage: python benchmarks/startup.py [RUNS [PROGRAM]]

PROGRAM defaults to the installed one; it may be a single file (tools/make_single_file.py).  The
programs run in turn in a pseudo-terminal that answers queries as common terminals do, then in one
that never answers.  A frame counts when its last byte has arrived.  Processor time is that of the
process with its threads, the least of all runs, so that a busy machine does not matter; wall-clock
time is the median.  Fails if the processor time is above its limit.  Runs on Linux only.
"""

from __future__ import annotations

import re
import signal
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Final, NamedTuple

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from terminal.emulator import TIMEOUT, Terminal
from terminal.first_frame import BARE

RUNS: Final = 30
SIZES: Final = ((80, 24), (160, 50))
PLAY_LIMIT: Final = 1.3
"""Most processor time of `thud play`, as a multiple of the bare app's: 1.24 to 1.29 is measured."""

HELP_LIMIT: Final = 0.4
RANK: Final = re.compile(r"\s*(\d{1,2})\D")
QUIET: Final = 0.4
"""Seconds without output after which painting is over."""


class Cost(NamedTuple):
    """Seconds until the wanted screen is painted."""

    wall: float
    processor: float


def _shows_bare(terminal: Terminal) -> bool:
    return "bare" in terminal.text


def _shows_board(terminal: Terminal) -> bool:
    """Whether every rank has its number; the pieces are painted along with them."""
    starts = {int(found[1]) for line in terminal.lines if (found := RANK.match(line))}
    return starts >= set(range(1, 16))


def _shows_help(terminal: Terminal) -> bool:
    return "perft" in terminal.text


def cost_of(
    shows: Callable[[Terminal], bool],
    command: list[str],
    size: tuple[int, int],
    directory: str,
    *,
    answers: bool,
) -> Cost:
    """Run a command until its output shows what is wanted; return the time that took.

    The output is examined afterwards, so that the program never waits for its reader.
    """
    received: list[tuple[Cost, bytes]] = []
    with Terminal(command, size, {"THUD_DATA_DIR": directory}, answers=answers) as terminal:
        clock = _processor_clock(terminal.process.pid)
        while data := terminal.receive(QUIET if received else TIMEOUT):
            cost = Cost(terminal.changed - terminal.began, time.clock_gettime(clock))
            received.append((cost, data))
        # If killed, a single file would leave its unpacked files behind.
        terminal.signal(signal.SIGTERM)
        terminal.wait_for_end()
        for cost, data in received:
            terminal.show(data)
            if shows(terminal):
                return cost
    raise RuntimeError(f"{command} never painted what it should")


def _processor_clock(pid: int) -> int:
    """Return the clock id of a process's CPU time, as clock_getcpuclockid(3) does."""
    return ~pid << 3 | 2


def measure(size: tuple[int, int], runs: int, thud: str, *, answers: bool) -> bool:
    """Measure and report; return whether the processor time is within its limits."""
    with tempfile.TemporaryDirectory() as directory:
        bare = Path(directory, "bare.py")
        bare.write_text(f"{BARE}\nBare().run()")
        contests = {
            "bare Textual app": (_shows_bare, [sys.executable, str(bare)]),
            "thud play": (_shows_board, [thud, "play"]),
            "thud --help": (_shows_help, [thud, "--help"]),
        }
        costs: dict[str, list[Cost]] = {name: [] for name in contests}
        for _ in range(runs):
            for name, (shows, command) in contests.items():
                costs[name].append(cost_of(shows, command, size, directory, answers=answers))
    print(f"{size[0]}×{size[1]}, {'answering' if answers else 'silent'} terminal:")
    report("wall clock", {name: median(cost.wall for cost in each) for name, each in costs.items()})
    return report(
        "processor", {name: min(cost.processor for cost in each) for name, each in costs.items()}
    )


def report(what: str, seconds: dict[str, float]) -> bool:
    bare, play, helping = seconds.values()
    told = ", ".join(f"{name} {each * 1000:.0f} ms" for name, each in seconds.items())
    print(f"  {what}: {told}")
    print(f"    play {play / bare:.2f} × the bare app, limit {PLAY_LIMIT}")
    print(f"    help {helping / bare:.2f} × the bare app, limit {HELP_LIMIT}")
    return play / bare <= PLAY_LIMIT and helping / bare <= HELP_LIMIT


def main() -> None:
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else RUNS
    thud = sys.argv[2] if len(sys.argv) > 2 else str(Path(sys.executable).with_name("thud"))
    within = [measure(size, runs, thud, answers=True) for size in SIZES]
    within.append(measure(SIZES[0], runs, thud, answers=False))
    sys.exit(not all(within))


if __name__ == "__main__":
    main()

"""From the start of a process to what it paints first, beside a bare Textual app.

Usage: python benchmarks/startup.py [RUNS [PROGRAM]]

PROGRAM is the installed one if not given; it may be a single file (tools/make_single_file.py).
Everything runs by turns in a pseudo-terminal that answers as common terminals do, and once more in
one that answers nothing.  A frame counts from the moment when its last byte has arrived.
"""

from __future__ import annotations

import re
import signal
import statistics
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Final

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from terminal.emulator import TIMEOUT, Terminal

RUNS: Final = 21
SIZES: Final = ((80, 24), (160, 50))
PLAY_LIMIT: Final = 1.3
HELP_LIMIT: Final = 0.4
RANK: Final = re.compile(r"\s*(\d{1,2})\D")
QUIET: Final = 0.4
"""Seconds after which nothing more is being painted."""

BARE: Final = """
from textual.app import App
from textual.widgets import Static

class Bare(App):
    def compose(self):
        yield Static("bare")

Bare().run()
"""


def _shows_bare(terminal: Terminal) -> bool:
    return "bare" in terminal.text


def _shows_board(terminal: Terminal) -> bool:
    """Say whether every rank has its number; the pieces are painted with them."""
    starts = {int(found[1]) for line in terminal.lines if (found := RANK.match(line))}
    return starts >= set(range(1, 16))


def _shows_help(terminal: Terminal) -> bool:
    return "perft" in terminal.text


def seconds_to(
    shows: Callable[[Terminal], bool],
    command: list[str],
    size: tuple[int, int],
    directory: str,
    *,
    answers: bool,
) -> float:
    """Return the seconds until a terminal of some size shows what is wanted.

    What arrives is looked at afterwards, so that the program never waits for its reader.
    """
    received: list[tuple[float, bytes]] = []
    with Terminal(command, size, {"THUD_DATA_DIR": directory}, answers=answers) as terminal:
        while data := terminal.receive(QUIET if received else TIMEOUT):
            received.append((terminal.changed - terminal.began, data))
        # Killed, a single file would leave behind what it has unpacked.
        terminal.signal(signal.SIGTERM)
        terminal.wait_for_end()
        for seconds, data in received:
            terminal.show(data)
            if shows(terminal):
                return seconds
    raise RuntimeError(f"{command} never painted what it should")


def measure(size: tuple[int, int], runs: int, thud: str, *, answers: bool) -> None:
    with tempfile.TemporaryDirectory() as directory:
        bare = Path(directory, "bare.py")
        bare.write_text(BARE)
        contests = {
            "bare Textual app": (_shows_bare, [sys.executable, str(bare)]),
            "thud play": (_shows_board, [thud, "play"]),
            "thud --help": (_shows_help, [thud, "--help"]),
        }
        times: dict[str, list[float]] = {name: [] for name in contests}
        for _ in range(runs):
            for name, (shows, command) in contests.items():
                times[name].append(seconds_to(shows, command, size, directory, answers=answers))
    report(size, {name: statistics.median(each) for name, each in times.items()}, answers=answers)


def report(size: tuple[int, int], medians: dict[str, float], *, answers: bool) -> None:
    bare, play, helping = medians.values()
    told = ", ".join(f"{name} {seconds * 1000:.0f} ms" for name, seconds in medians.items())
    print(f"{size[0]}×{size[1]}, {'answering' if answers else 'silent'} terminal: {told}")
    print(f"  play {play / bare:.2f} × the bare app, limit {PLAY_LIMIT}")
    print(f"  help {helping / bare:.2f} × the bare app, limit {HELP_LIMIT}")


def main() -> None:
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else RUNS
    thud = sys.argv[2] if len(sys.argv) > 2 else str(Path(sys.executable).with_name("thud"))
    for size in SIZES:
        measure(size, runs, thud, answers=True)
    measure(SIZES[0], runs, thud, answers=False)


if __name__ == "__main__":
    main()

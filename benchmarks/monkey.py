"""Random keys, clicks, pastes and resizes in a real terminal: nothing may end the program badly.

Usage: python benchmarks/monkey.py NUMBER [--seed N] [--start NAME] [--jobs N] [--keep DIRECTORY]
       python benchmarks/monkey.py --script FILE [--start NAME]

A life begins on one of the screens and takes a few hundred inputs from the first millisecond on:
keys of all kinds, sequences cut in two, mouse presses without releases, answers of terminals that
nobody asked for, pastes, sizes from 1x1 to 500x200, being stopped and going on.  It fails if the
program ends with a traceback or another status than 0, draws nothing within a minute after its
size has changed, or leaves the terminal otherwise than it was.  What fails is played again with
fewer and fewer inputs, and the shortest list that still fails is written.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import select
import signal
import sys
import tempfile
import termios
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Final, NamedTuple, TypeAlias

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from records.matches import random_match
from terminal.emulator import Terminal
from thud.records.record import Record
from thud.records.store import Store
from thud.records.tgn.writer import tgn_text
from thud.rules.match import Match
from thud.rules.variants import VARIANTS

THUD: Final = [sys.executable, "-m", "thud"]
A_LIFE: Final = 400
"""Inputs until a program is asked to show that it still draws, and is ended."""

A_PIECE: Final = 5_000
"""Inputs after which whoever waits is told what was found."""

PATIENCE: Final = 60.0
"""Seconds in which a program has to take what is typed, and to draw."""

SHRINKING: Final = 60
"""So often a failure is played again to shorten it."""

_BEFORE: Final = {1, 130, -signal.SIGINT, -signal.SIGTERM, 0, 128 + signal.SIGTERM}
"""How a program may end that has not begun to draw when it is interrupted, or asked to end."""

STARTS: Final = {
    "front": ("thud",),
    **{name: ("thud", "play", "--variant", name) for name in VARIANTS},
    "computer": ("thud", "play", "--opponent", "1"),
    "clock": ("thud", "play", "--clock", "1+2"),
    "resume": ("thud", "resume"),
    "replay": ("thud", "replay", "{match}"),
    "mistakes": ("thud", "review", "{match}", "--learn", "dwarfs", "--nodes", "20"),
    "learn": ("thud", "learn"),
    "puzzles": ("thud", "puzzles"),
    "explore": ("thud", "explore", "{match}"),
    "edit": ("thud", "edit"),
    "rules": ("thud", "rules"),
    "host": ("thud", "host"),
}
"""Where a life may begin; `{match}` is a file of one."""

Step: TypeAlias = tuple[str, str | int | list[int]]
"""What is done: "type" a text, each character a byte; "size" columns and lines; "wait" so many
milliseconds; "stop" the program for so many."""

_NAMED: Final = (
    *("\x1b[A", "\x1b[B", "\x1b[C", "\x1b[D", "\r", "\t", "\x1b[Z", " ", "\x7f", "\x1b"),
    *("\x1b[H", "\x1b[F", "\x1b[5~", "\x1b[6~", "\x1b[2~", "\x1b[3~", "\x1bOP", "\x1b[15~"),
    *("\x10", "\x0e", "\x15", "\x17", "\x1a", "\x1b[1;5C", "\x1b[1;2A", "\x1b[13;5u", "\x1b[27u"),
)
_LETTERS: Final = "abcdefghijklmnoprstuvwxyzABCDEFGHIJKLMNOPRSTUVWXYZ0123456789?/!+-=[]{}<>.,;:'\"#"
_RARE: Final = (
    "q",
    "Q",
    "\x11",
    "\x03",
    "\x04",
    "\x1b[201~",
    "\x1b[200~",
    "\xff",
    "\xc3\xa9",
    "\0",
)
_ANSWERS: Final = (
    *("\x1b[?2026;2$y", "\x1b[?2048;1$y", "\x1b[24;80R", "\x1b[48;24;80;480;800t", "\x1b[I"),
    *(
        "\x1b[O",
        "\x1b[?62;4c",
        "\x1b[48;9999;99999;0;0t",
        "\x1b[99999999;5u",
        "\x1b]11;rgb:0/0/0\x07",
    ),
    *("\x1b[>0;1;2c", "\x1bP>|x\x1b\\", "\x1b_Gi=31;OK\x1b\\", "\x1b[8;24;80t", "\x1b[48;0;0;0;0t"),
)
_PASTES: Final = (
    *(
        "",
        "F1-F5",
        "x" * 3000,
        "\n" * 500,
        "dF1-F5 TG7-F6",
        "\u202e\u0301\u200b",
        "[link=x]",
        "1. d",
    ),
)


class Failure(NamedTuple):
    """How a life failed, and what had been done."""

    start: str
    what: str
    told: str
    script: list[Step]


def steps(lots: Random, number: int) -> Iterator[Step]:
    """Yield what a monkey does; half of them wait for the first screen after a few keys."""
    first = lots.choice((-1, lots.randint(0, 10)))
    for done in range(number):
        if done == first:
            yield "wait", 1000
        match lots.choices(range(8), (50, 25, 2, 10, 3, 2, 3, 5))[0]:
            case 0:
                yield "type", lots.choice(_LETTERS)
            case 1:
                yield "type", lots.choice(_NAMED)
            case 2:
                yield "type", lots.choice(_RARE)
            case 3:
                yield "type", _mouse(lots)
            case 4:
                yield "type", lots.choice(_ANSWERS)
            case 5:
                text = lots.choice(_PASTES).encode().decode("latin-1")
                yield "type", f"\x1b[200~{text}\x1b[201~"
            case 6:
                columns = lots.choice((1, 2, 8, 30, 79, 80, 81, 120, 160, lots.randint(1, 500)))
                yield "size", [columns, lots.choice((1, 2, 5, 23, 24, 40, lots.randint(1, 200)))]
            case _:
                yield from _pause(lots)


def _pause(lots: Random) -> Iterator[Step]:
    """Yield a pause: of the monkey, of the program, or in the middle of a sequence."""
    match lots.choices(range(3), (15, 4, 1))[0]:
        case 0:
            yield "wait", lots.randint(0, 60)
        case 1:
            whole = lots.choice((*_NAMED, *_ANSWERS))
            cut = lots.randint(0, len(whole))
            yield "type", whole[:cut]
            yield "wait", lots.randint(0, 150)
            yield "type", whole[cut:]
        case _:
            yield "stop", lots.randint(0, 50)


def _mouse(lots: Random) -> str:
    button = lots.choice((0, 0, 0, 1, 2, 32, 35, 35, 64, 65, 4, 16, 128))
    x, y = lots.choice((lots.randint(0, 80), 9999, 0)), lots.randint(0, 40)
    click = f"\x1b[<{button};{x};{y}M"
    return click + lots.choice(("", f"\x1b[<{button};{x};{y}m", click))


class Life:
    """A program in a terminal, from its start to its end.

    Args:
        start: where it begins.
        directory: where it keeps what it keeps.
    """

    def __init__(self, start: str, directory: Path) -> None:
        match = directory / "match.tgn"
        match.write_text(tgn_text(Record.of(random_match(VARIANTS["koom"], Random(1)))), "utf-8")
        begun = Match(VARIANTS["classic"], ("Ann", "Bob"))
        begun.battle.play(next(iter(begun.variant.legal_moves(begun.battle.position))))
        kept = Store(directory).adopt(Record.of(begun))
        kept.close(stays=True)
        _, *rest = STARTS[start]
        command = [*THUD, *(each.format(match=match) for each in rest)]
        places = {f"THUD_{name}_DIR": str(directory) for name in ("DATA", "CONFIG", "CACHE")}
        self._said = b""
        self._terminal = Terminal(command, environment=places)
        self._drawn = False
        self.inputs = 0
        self._mode = termios.tcgetattr(self._terminal.own)

    def live(self, script: Sequence[Step]) -> str:
        """Do something step by step; return what went wrong, nothing if nothing did."""
        with self._terminal:
            for kind, value in script:
                if self._is_over:
                    break
                self.inputs += 1
                if not self._do(kind, value):
                    return "hang: it takes no keys"
            if not self._is_over:
                self._terminal.resize(99, 33)
                if not self._wait(lambda: self._is_over or self._takes(0.05)):
                    return "hang: it draws nothing"
            if not self._is_over:
                os.killpg(self._terminal.process.pid, signal.SIGTERM)
            if not self._wait(lambda: self._is_over):
                return "hang: it does not end"
            while self._takes(0.05):
                pass
            return self._fault()

    @property
    def told(self) -> str:
        """The last that it has drawn or printed."""
        return self._said[-6000:].decode(errors="replace")

    @property
    def _is_over(self) -> bool:
        return self._terminal.process.poll() is not None

    def _do(self, kind: str, value: str | int | list[int]) -> bool:
        match kind, value:
            case "type", str(text):
                return self._type(text.encode("latin-1"))
            case "size", [int(columns), int(lines)]:
                self._terminal.resize(columns, lines)
            case "wait", int(milliseconds):
                self._takes(milliseconds / 1000)
            case "stop", int(milliseconds):
                with suppress(ProcessLookupError):
                    os.killpg(self._terminal.process.pid, signal.SIGTSTP)
                time.sleep(milliseconds / 1000)
                self._continue()
        return True

    def _type(self, data: bytes) -> bool:
        own, until = self._terminal.own, time.monotonic() + PATIENCE
        while data and not self._is_over:
            if time.monotonic() > until:
                return False
            self._continue()
            _, writable, _ = select.select([], [own], [], 0.01)
            if writable:
                data = data[os.write(own, data[:256]) :]
            self._takes(0)
        return True

    def _continue(self) -> None:
        """Let it go on if it is stopped: no shell brings it back after Ctrl+Z."""
        pid = self._terminal.process.pid
        with suppress(ProcessLookupError, FileNotFoundError):
            if ") T " in Path(f"/proc/{pid}/stat").read_text():
                os.killpg(pid, signal.SIGCONT)

    def _takes(self, seconds: float) -> bool:
        """Take what it draws, waiting for so long; say whether there was anything."""
        said = self._terminal.receive(seconds)
        self._said = (self._said + said)[-200_000:]
        self._drawn = self._drawn or b"\x1b[?1049h" in self._said
        return bool(said)

    def _wait(self, so: Callable[[], bool]) -> bool:
        until = time.monotonic() + PATIENCE
        while not so():
            if time.monotonic() > until:
                return False
            self._continue()
            self._takes(0.02)
        return True

    def _fault(self) -> str:
        """Return what is wrong after its end."""
        status = self._terminal.process.returncode
        if not self._drawn and status in _BEFORE:
            return ""  # Python itself was interrupted
        if b"Traceback" in self._said or b"\xe2\x95\xad\xe2\x94\x80" * 2 in self._said[-20_000:]:
            return f"traceback: {_error(self._said)}"
        if status not in {0, 128 + signal.SIGTERM}:
            return f"status {status}: {_error(self._said)}"
        on = {
            mode for mode, what in re.findall(rb"\x1b\[\?(\d+)([hl])", self._said) if what == b"h"
        }
        left = [mode.decode() for mode in on if self._is_left(mode)]
        mode = termios.tcgetattr(self._terminal.own)[:4]
        if left or mode != self._mode[:4]:
            return f"terminal left with modes {left}, {mode} where {self._mode[:4]} was"
        return ""

    def _is_left(self, mode: bytes) -> bool:
        found = re.findall(rb"\x1b\[\?%s([hl])" % mode, self._said)
        usual = b"h" if mode in {b"25", b"7"} else b"l"
        return bool(found) and found[-1] != usual


def _error(said: bytes) -> str:
    """Return the line of an error."""
    text = re.sub(r"\x1b\[[\d;?]*[a-zA-Z]", "", said.decode(errors="replace"))
    lines = [line.strip() for line in text.splitlines() if re.match(r"\s*\w+(\.\w+)*: ", line)]
    return lines[-1][:200] if lines else "?"


def life(start: str, script: Sequence[Step]) -> tuple[str, str, int]:
    """Live once; return what went wrong, what was seen last, and how many inputs were taken."""
    with tempfile.TemporaryDirectory(prefix="thud-monkey-") as directory:
        one = Life(start, Path(directory))
        return one.live(script), one.told, one.inputs


def shrunk(start: str, script: list[Step], what: str) -> list[Step]:
    """Return the shortest list found that fails in the same way."""
    left, size, kind = SHRINKING, len(script) // 2, what.partition(":")[0]
    while size and left > 0:
        for at in range(0, len(script), size):
            fewer = script[:at] + script[at + size :]
            left -= 1
            if left <= 0:
                break
            if life(start, fewer)[0].startswith(kind):
                script = fewer
                break
        else:
            size //= 2
    return script


def lives(seed: int, starts: Sequence[str], number: int) -> tuple[int, list[Failure]]:
    """Live by a seed until so many inputs were taken; return how many, and what went wrong."""
    lots, taken, failures = Random(seed), 0, []
    while taken < number:
        start, script = lots.choice(starts), list(steps(lots, A_LIFE))
        what, told, inputs = life(start, script)
        taken += inputs
        if what:
            failures.append(Failure(start, what, told, shrunk(start, script, what)))
    return taken, failures


def main() -> None:
    """Let monkeys live, and tell what they found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("number", type=int, nargs="?", default=10_000, help="inputs in all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--start", choices=STARTS, action="append", help="begin only here")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--keep", type=Path, help="a directory for the scripts that failed")
    parser.add_argument("--script", type=Path, help="play one of them again")
    given = parser.parse_args()
    starts = given.start or list(STARTS)
    if given.script:
        script = [tuple(each) for each in json.loads(given.script.read_text())]
        what, told, _ = life(starts[0], script)
        print(told[-3000:], what or "nothing is wrong", sep="\n")
        raise SystemExit(bool(what))
    began, failures, taken = time.monotonic(), list[Failure](), 0
    pieces = -(-given.number // A_PIECE)
    with ProcessPoolExecutor(given.jobs) as pool:
        seeds = [given.seed * 1_000_000 + each for each in range(pieces)]
        sizes = [min(A_PIECE, given.number)] * pieces
        for inputs, found in pool.map(lives, seeds, [starts] * pieces, sizes):
            taken += inputs
            failures += found
            for each in found:
                print(f"{each.start}, {len(each.script)} inputs: {each.what}", flush=True)
    if given.keep:
        given.keep.mkdir(parents=True, exist_ok=True)
        for number, each in enumerate(failures):
            (given.keep / f"{each.start}-{number}.json").write_text(json.dumps(each.script))
            (given.keep / f"{each.start}-{number}.txt").write_text(f"{each.what}\n{each.told}")
    seconds = time.monotonic() - began
    print(f"{taken} inputs in {seconds:.0f} s, seed {given.seed}: {len(failures)} failures")
    for what, number in Counter(each.what for each in failures).most_common():
        print(f"{number:4}  {what}")
    raise SystemExit(bool(failures))


if __name__ == "__main__":
    main()

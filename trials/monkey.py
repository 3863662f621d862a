"""Random keys, clicks, pastes and resizes in a real terminal: nothing may end the program badly.

Usage: python trials/monkey.py NUMBER [--seed N] [--start NAME] [--jobs N] [--life N]
                                   [--keep DIRECTORY] [--only LIFE] [--script FILE]

A life begins on one of the screens and takes inputs from the first millisecond on: keys of all
kinds, sequences cut in two, mouse presses without releases, pastes, sizes from 1x1 to 500x200,
being stopped and going on, answers of terminals that nobody asked for, whole, cut anywhere or never
ended, terminals that do not read for a while, and files that are damaged beneath it.  It is ended
by one of several signals, perhaps while the terminal does not read.  How often each screen, dialog
and question was reached is told at the end.  It fails if the program ends with a traceback, a
warning or another status than 0, if it stops taking keys, draws nothing after its size has changed,
does not end when told to, or leaves the terminal otherwise than it was, also while it is stopped.
An input counts once the program has read it.

Slowness is no failure: a program hangs that has used a minute of processor time for one answer, or
has waited a minute for nothing.  What fails is played again with fewer and fewer inputs, and the
shortest list that still fails is written.  A life is determined by the seed and its number, but
for the moments at which things happen: `--seed 7 --only 12` plays the twelfth of seed 7 again, and
`--script FILE --start NAME` a list of inputs that failed.
"""

from __future__ import annotations

import argparse
import fcntl
import json
import math
import os
import re
import select
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import termios
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from contextlib import ExitStack, suppress
from functools import cache
from pathlib import Path
from random import Random
from typing import Final, NamedTuple, TypeAlias

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from records.matches import play
from terminal.emulator import Terminal
from thud.records.record import Record
from thud.records.store import Store
from thud.records.tgn.writer import tgn_text
from thud.rules.match import Match
from thud.rules.variants import VARIANTS
from thud.visitor.profile import IN_LINES, LINKED, PLAIN_VARIABLE
from thud.visitor.tables import SOCKET

TIMEOUT: Final = 60.0
"""Seconds of processor time, or of waiting for nothing, in which a program has to answer."""

SHORT_TIMEOUT: Final = 20.0
"""The same while a failure is shortened."""

SHRINKING: Final = 300.0
"""Seconds for which a failure is played again to shorten it."""

LOG: Final = "log.txt"
REACHED: Final = "reached.txt"
_OWN: Final = {LOG, REACHED, "told", "fault.txt"}
"""Files of the monkey."""

_PYTHON: Final = (sys.executable, "-X", "faulthandler", "-P")
_NOTING: Final = (*_PYTHON, str(Path(__file__).with_name("states.py")), REACHED)
THUD: Final = (*_PYTHON, "-m", "thud", "--log", LOG)
PLAYED: Final = (*_NOTING, "thud", "--log", LOG)
VISITOR: Final = (*_NOTING, "thud.club.process")
KEEPER: Final = (sys.executable, "-P", "-m", "thud.club.keeper")
VISITOR_IDS: Final = ("0" * 32, "1" * 32)

_ENDING: Final = (signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGUSR1)
"""What ends a life: half of them by the first."""

SEASON: Final = """
name = "Spring"
until = 2999-01-01
game = "koom"
days = 3
"""

_REDRAWS: Final = 3000
"""Most keys that let a program draw until its terminal's buffer is full."""

_INTERRUPTED: Final = {1, 130, -signal.SIGINT, *(-number for number in _ENDING)}
"""How a program may also end that is interrupted, or asked to end, before it draws."""

_TOLD: Final = {0, *(s for n in (*_ENDING, signal.SIGINT) for s in (128 + n, -n))}
"""How it may end otherwise: a signal may come when it has restored the terminal and ends anyway,
and Ctrl+C is one while the program is stopped."""

_COMES_IN_ANEW: Final = {LINKED, IN_LINES}
"""How a visitor's program may end that the club starts anew."""

_BAD: Final = re.compile(
    rb"Traceback \(most|Warning: |never awaited|Exception ignored|never retrieved|was destroyed"
    rb"|Fatal Python error"
)
"""What is told of a fault."""

_LOGGED: Final = re.compile(
    rb"^.* (?:ERROR|CRITICAL|WARNING asyncio)(?! thud\.cli: ended by).*", re.M
)
"""What is logged of one that ends nothing; what cannot be done has a sentence, and ends thud."""

_CODES: Final = re.compile(rb"\x1b\[(?:\?([\d;]+)([hl])|([<>])\d*u)")
_LISTENS: Final = re.compile(rb"Type help|Your move:|What is your name|In the lobby")
"""What a program that speaks in lines says before it takes one."""

_UNFINISHED: Final = re.compile(rb"\x1b(?:\[[<>?\d;]*)?\Z")
_USUALLY_ON: Final = {7, 25}
"""Modes that a terminal begins with: lines wrap, and the cursor is shown."""


class Start(NamedTuple):
    """Where a life begins.

    Attributes:
        words: what is typed in a shell, `{match}` being a file; none is a visitor of a club.
        keys: what is pressed to get there.
        host: the words of a program that runs before.
        guest: those of one that comes once the keys are pressed.
        table: whether another visitor of the club has opened a table.
        in_lines: whether it speaks in lines of text, and words are typed besides keys.
    """

    words: tuple[str, ...] | None
    keys: tuple[str, ...] = ()
    host: tuple[str, ...] = ()
    guest: tuple[str, ...] = ()
    table: bool = False
    in_lines: bool = False


_MISTAKES: Final = ("review", "{match}", "--learn", "dwarfs", "--nodes", "20")
_HOST: Final = ("host", "--plain", "--names", "Ann")
_GUEST: Final = ("join", "--plain", "--name", "Bob")
_COMPUTERS: Final = ("--dwarfs", "cpu:1", "--trolls", "cpu:1")
_DOWN, _UP, _ESCAPE = "\x1b[B", "\x1b[A", "\x1b"
_DEVICES: Final = (_UP, _UP, _UP, "\r")
_SEASON: Final = (*[_UP] * 6, "\r")
"""Rows of the menu of a lobby, from its last."""

STARTS: Final = {
    "front": Start(()),
    **{name: Start(("play", "--variant", name)) for name in VARIANTS},
    "computer": Start(("play", "--opponent", "1", "--coach")),
    "computers": Start(("play", *_COMPUTERS)),
    "clock": Start(("play", "--clock", "1+2")),
    "resume": Start(("resume",)),
    "replay": Start(("replay", "{match}")),
    "review": Start(("replay", "{match}"), keys=("m",)),
    "summary": Start(_MISTAKES, keys=(_ESCAPE, "y", "m")),
    "mistakes": Start(_MISTAKES),
    "meanwhile": Start(("join",), keys=("E",), host=_HOST),
    "ticking": Start(("play", "--clock", "1+2"), keys=("E",)),
    "learn": Start(("learn",)),
    "puzzles": Start(("puzzles",)),
    "choosing": Start(("puzzles",), keys=("c",)),
    "explore": Start(("explore", "{match}")),
    "matches": Start(("explore", "{match}"), keys=("\r", "m")),
    "edit": Start(("edit",)),
    "players": Start(("edit",), keys=("p",)),
    "rules": Start(("rules",)),
    "contents": Start(("rules",), keys=("c",)),
    "card": Start((), keys=("?",)),
    "pair": Start((), keys=("t",)),
    "lessons": Start((), keys=("L",)),
    "lesson": Start((), keys=("L", "\r")),
    "unfinished": Start((), keys=("r",)),
    "history": Start((), keys=("p",)),
    "terms": Start((), keys=("H",)),
    "tables": Start((), keys=("J",), host=_HOST),
    "invited": Start((), keys=("J", "\r")),
    "settings": Start(("play",), keys=(",",)),
    "help": Start(("play",), keys=("\x1bOP",)),
    "keys": Start(("edit",), keys=("\x1bOP", "0")),
    "palette": Start(("play",), keys=("\x10",)),
    "themes": Start(("replay", "{match}"), keys=("\x10", "theme", _DOWN, "\r")),
    "type": Start(("play",), keys=(":", "f1")),
    "quit": Start(("resume",), keys=("q",)),
    "end": Start(("resume",), keys=("e",)),
    "resign": Start(("resume",), keys=("R",)),
    "over": Start(("resume",), keys=("R", "y")),
    "save": Start(("resume",), keys=("s",)),
    "picture": Start(("resume",), keys=("S",)),
    "open": Start(("play",), keys=("o",)),
    "play-from": Start(("replay", "{match}"), keys=("p",)),
    "comment": Start(("replay", "{match}"), keys=("c",)),
    "unsaved": Start(("replay", "{match}"), keys=("c", "x\r", "q")),
    "position": Start(("edit",), keys=(":",)),
    "save-position": Start(("edit",), keys=("s",)),
    "host": Start(("host",)),
    "hosting": Start(("host", "--names", "Ann"), keys=(_ESCAPE,), guest=_GUEST),
    "guest": Start(("join", "--name", "Bob"), host=_HOST),
    "talk": Start(("join", "--name", "Bob"), keys=('"',), host=_HOST),
    "chat": Start(("join", "--name", "Bob"), keys=('"', "Hi\r", "'"), host=_HOST),
    "watch": Start(("watch", "--name", "Eve"), host=_HOST),
    "visitor": Start(None),
    "lobby": Start(None, keys=("\r",), table=True),
    "table": Start(None, keys=("\r", "\t", "\r"), table=True),
    "visiting": Start(None, keys=("\r", "\t", "\r", "\r"), guest=_GUEST, table=True),
    "text": Start(None, keys=("\r", "\t", "\r", "\r", _ESCAPE, "s"), table=True),
    "looking-on": Start(None, keys=("\r", "\t", "\r", _DOWN, "\r"), table=True),
    "whom": Start(None, keys=("\r", "H"), table=True),
    "season": Start(None, keys=("\r", *_SEASON)),
    "joined-season": Start(None, keys=("\r", *_SEASON, "\r"), table=True),
    "offer": Start(None, keys=("\r", "H", _DOWN, "\r", "\t", "\r")),
    "visited": Start(None, keys=("\r", "H", "\r"), guest=_GUEST),
    "link": Start(None, keys=("\r", "H", _DOWN, "\r", "W")),
    "devices": Start(None, keys=("\r", *_DEVICES)),
    "word": Start(None, keys=("\r", *_DEVICES, "\r")),
    "other-word": Start(None, keys=("\r", *_DEVICES, _DOWN, "\r")),
    "leave": Start(None, keys=("\r", "q")),
    "play-in-lines": Start(("play", "--plain", "--opponent", "1"), in_lines=True),
    "join-in-lines": Start(_GUEST, host=_HOST, in_lines=True),
    "learn-in-lines": Start(("learn", "--plain"), in_lines=True),
    "solve-in-lines": Start(("puzzles", "--plain"), in_lines=True),
    "visit-in-lines": Start(None, in_lines=True),
    "tables-in-lines": Start(None, keys=("Eve\n",), table=True, in_lines=True),
    "sit-in-lines": Start(None, keys=("Eve\n", "1\n"), guest=_GUEST, table=True, in_lines=True),
}
"""Where a life may begin, by name."""

Step: TypeAlias = tuple[str, str | int | list[int]]
"""What is done, and with what: "type" a text, each character a byte; "size" columns and lines;
"stop" the program for milliseconds; let the "other" program have a line; "block" the terminal,
which does not read for milliseconds; "damage" the file of this number; "end" the program by a
signal, while the terminal reads or, with 1, does not.  Between those: "take" until all is read,
"wait" milliseconds, "settle" until nothing has been drawn for milliseconds, "drawn" until the
first frame, "see" until a text is shown; let the "guest" come."""

_COUNTED: Final = {"size", "stop", "other", "block", "damage"}
"""The steps that count, beside what is typed."""

_NAMED: Final = (
    *("\x1b[A", "\x1b[B", "\x1b[C", "\x1b[D", "\r", "\t", "\x1b[Z", " ", "\x7f", "\x1b"),
    *("\x1b[H", "\x1b[F", "\x1b[5~", "\x1b[6~", "\x1b[2~", "\x1b[3~", "\x1bOP", "\x1b[15~"),
    *("\x10", "\x0e", "\x15", "\x17", "\x1a", "\x1b[1;5C", "\x1b[1;2A", "\x1b[13;5u", "\x1b[27u"),
)
_LETTERS: Final = "abcdefghijklmnoprstuvwxyzABCDEFGHIJKLMNOPRSTUVWXYZ0123456789?/!+-=[]{}<>.,;:'\"#"
_RARE: Final = (
    *("q", "Q", "\x11", "\x03", "\x04", "\x1b[201~", "\x1b[200~", "\xff", "\xc3\xa9", "\0"),
)
_ANSWERS: Final = (
    *("\x1b[?2026;2$y", "\x1b[?2048;1$y", "\x1b[24;80R", "\x1b[48;24;80;480;800t", "\x1b[I"),
    *("\x1b[O", "\x1b[?62;4c", "\x1b[48;9999;99999;0;0t", "\x1b[99999999;5u"),
    *("\x1b]11;rgb:0/0/0\x07", "\x1b[>0;1;2c", "\x1bP>|x\x1b\\", "\x1b_Gi=31;OK\x1b\\"),
    *("\x1b[8;24;80t", "\x1b[48;0;0;0;0t", "\x1b[?64;1;2c", "\x1b[?0u", "\x1b[?997;1n"),
    *("\x1bP!|7E565445\x1b\\", "\x1b]l quit\x1b\\", "\x1bP1+r544e=71756974\x1b\\", "\x1bXq\x1b\\"),
    *("\x1b]52;c;cXVpdA==\x07", "\x1b^e y\x1b\\", "\x90>|R y\x9c", "\x9d11;rgb:e/e/e\x9c"),
    *("\x1b[1089::99;;1089u", "\x1b[0;;20320:22909u", "\x1b[1081::113;5u"),
)
_PASTES: Final = (
    *("", "F1-F5", "x" * 3000, "\n" * 500, "dF1-F5 TG7-F6", "\u202e\u0301\u200b", "[link=x]"),
    *("1. d", "/dev/null", "thud://x:1/y#z"),
)
_LINES: Final = (
    *("yes", "no", "undo", "end", "f1 f5", "g1 g5", "say Hello", "list", "g7 g6", "next"),
    *("f15 f9", "e2 e7", "hint", "who", "1", "quit"),
)
"""What the other program is told."""

_INSERTED: Final = ("\0", "\u200b", "\ufeff", "\x1b[2J", "\u2028", "{", "(", '"]', "]\n[", "\n\n")
"""What is inserted into files."""

_SAID: Final = (
    *_LINES,
    *("help", "tables", "sit 1", "watch 1", "open", "open koom 3d", "computer 1", "resume"),
    *("name Ann", "device", "device x", "2", "board", "moves", "coach", "resign", "claim", "swap"),
    *("open \0", "sit 99999", "computer 1 koom", "say \xff", "x" * 5000, "name \x1b[2J", ""),
)
"""What is typed in lines of text."""


class Failure(NamedTuple):
    """How a life failed, and what had been done."""

    life: int
    start: str
    what: str
    told: str
    script: list[Step]
    again: bool
    """Whether it went wrong a second time."""


def script_of(start: Start, rng: Random, length: int) -> list[Step]:
    """Return what a monkey does; half of them type before the first frame."""
    steps = list(_steps(start, rng, length))
    opening: list[Step] = []
    for key in start.keys:
        opening += [("settle", 200), ("type", key)]
    if start.guest:
        opening += [("settle", 200), ("guest", 0)]
    first = rng.choice((0, 0, rng.randint(0, 40)))
    if opening and not first:
        steps = [("drawn", 0), *opening, ("settle", 100), *steps]
    else:
        steps = [*steps[:first], ("drawn", 0), *opening, *steps[first:]]
    damages = rng.choice((0, 0, 0, 1, 20))
    steps = [*(("damage", rng.randrange(1 << 32)) for _ in range(damages)), *steps]
    number = rng.choice((_ENDING[0], rng.choice(_ENDING)))
    return [*steps, ("end", [number, int(rng.random() < 0.1)])]


def _steps(start: Start, rng: Random, number: int) -> Iterator[Step]:
    haste = rng.choice((0.02, 0.1, 0.4))  # how often the monkey waits for what it has typed
    for _ in range(number):
        match rng.choices(range(8), (50, 25, rng.choice((0, 1)), 10, 3, 2, 3, 5))[0]:
            case 0 if start.in_lines:
                yield "type", rng.choice((*_SAID, *_LETTERS)) + rng.choice(("\r", ""))
            case 0:
                yield "type", rng.choice(_LETTERS)
            case 1:
                yield "type", rng.choice(_NAMED)
            case 2:
                yield "type", rng.choice(_RARE)
            case 3:
                yield "type", _mouse(rng)
            case 4:
                yield "type", rng.choice(_ANSWERS)
            case 5:
                text = rng.choice(_PASTES).encode().decode("latin-1")
                yield "type", f"\x1b[200~{text}\x1b[201~"
            case 6:
                yield "size", _size(rng)
            case _:
                yield from _odd(start, rng)
        if rng.random() < haste:
            yield rng.choices(
                (("take", 0), ("wait", rng.randint(0, 60)), ("settle", 20)), (8, 1, 1)
            )[0]


def _odd(start: Start, rng: Random) -> Iterator[Step]:
    """Yield a broken sequence, a stop, a blocked terminal, or what the other place does."""
    other = 4 if start.host or start.guest else 0
    match rng.choices(range(6), (4, 1, other, 1, 2, 0.2))[0]:
        case 0:
            whole = rng.choice((*_NAMED, *_ANSWERS))
            cut = rng.randint(0, len(whole))
            yield "type", whole[:cut]
            yield "wait", rng.randint(0, 150)
            yield "type", whole[cut:]
        case 1:
            yield "stop", rng.randint(0, 50)
        case 3:
            yield "block", rng.choice((20, 200, rng.randint(0, 2000)))
        case 4:
            answer = rng.choice(_ANSWERS)
            yield "type", answer[: rng.randint(1, len(answer))]
        case 5:
            yield "damage", rng.randrange(1 << 32)
        case _:
            yield "other", rng.choice(_LINES[: rng.choice((-1, -1, len(_LINES)))])


def _size(rng: Random) -> list[int]:
    """Return columns and rows, most often with room for a board: elsewhere keys do nothing."""
    if rng.random() < 0.7:
        return rng.choice(([80, 24], [79, 23], [120, 40], [160, 50], [48, 34], [200, 60]))
    columns = rng.choice((1, 2, 8, 30, 79, 80, 81, rng.randint(1, 500)))
    return [columns, rng.choice((1, 2, 5, 23, 24, 40, rng.randint(1, 200)))]


def _mouse(rng: Random) -> str:
    button = rng.choice((0, 0, 0, 1, 2, 32, 35, 35, 64, 65, 4, 16, 128))
    x, y = rng.choice((rng.randint(0, 80), 9999, 0)), rng.randint(0, 40)
    click = f"\x1b[<{button};{x};{y}M"
    return click + rng.choice(("", f"\x1b[<{button};{x};{y}m", click))


@cache
def _kept() -> Path:
    """Return a directory with matches of all kinds, from which each life begins."""
    directory, rng = Path(tempfile.mkdtemp(prefix="thud-monkey-")), Random(1)
    for variant in VARIANTS.values():
        for over in (True, False):
            match = Match(variant, ("Ann", "Bob"))
            play(match.battle, rng, 20)
            if over and not match.battle.outcome:
                match.battle.agree()
                match.next_battle()
                play(match.battle, rng, 12)
                match.battle.agree()
            Store(directory).adopt(Record.of(match)).close(keep_empty=True)
            if over and variant.name == "classic":
                (directory / "match.tgn").write_text(tgn_text(Record.of(match)), "utf-8")
    return directory


def _damage(directory: Path, number: int) -> None:
    """Damage one of the files below a directory, which are the program's."""
    rng = Random(number)
    files = [
        path
        for path in sorted(directory.rglob("*"))
        if path.is_file() and path.name not in _OWN and "other" not in path.parts
    ]
    if not files:
        return
    path = rng.choice(files)
    data = path.read_bytes()
    place = rng.randrange(len(data) + 1)
    before, after = data[:place], data[place:]
    match rng.randrange(7):
        case 0:
            path.write_bytes(before)
        case 1:
            path.write_bytes(before + bytes(len(after)))
        case 2:
            path.write_bytes(
                before + bytes(byte ^ 1 << rng.randrange(8) for byte in after[:1]) + after[1:]
            )
        case 3:
            path.write_bytes(before + rng.choice(_INSERTED).encode() + after)
        case 4:
            path.write_bytes(rng.randbytes(len(data)))
        case 5:
            path.unlink()
        case _:
            path.unlink()
            path.mkdir()


class Deadline:
    """Tells whether a program hangs, however little of the processor it gets.

    Args:
        pid: the program; what it has started counts as part of it.
        most: seconds of processor time, or of waiting for nothing, after which it does.
    """

    def __init__(self, pid: int, most: float) -> None:
        self._pid = pid
        self._most = most
        self._looked = self._began = time.monotonic()
        self._idle = 0.0
        self._used: float | None = None

    @property
    def is_over(self) -> bool:
        """Whether it has had its time; asked again and again."""
        now = time.monotonic()
        if now - self._looked < 1.0:
            return False
        since, self._looked = min(now - self._looked, 2.0), now
        if not Path("/proc/self/stat").exists():
            return now - self._began > self._most
        used, runs = _work(self._pid)
        if self._used is None or used < self._used:
            self._used = used
        if not runs:
            self._idle += since
        return self._idle > self._most or used - self._used > self._most


def _work(pid: int) -> tuple[float, bool]:
    """Return the processor time of a program and all it has started, and whether one can run."""
    stats = dict[int, list[str]]()
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            stats[int(path.parent.name)] = path.read_text().rpartition(")")[2].split()
    ours, more = set[int](), {pid}
    while more:
        ours |= more
        more = {each for each, stat in stats.items() if int(stat[1]) in ours} - ours
    of_it = [stats[each] for each in ours if each in stats]
    ticks = sum(int(stat[11]) + int(stat[12]) for stat in of_it)
    return ticks / os.sysconf("SC_CLK_TCK"), any(stat[0] in "RD" for stat in of_it)


class Life:
    """A program in a terminal, from its start to its end.

    Args:
        start: where it begins.
        directory: where it keeps what it keeps.
        timeout: seconds of processor time, or of waiting for nothing, for each answer.
    """

    def __init__(self, start: Start, directory: Path, timeout: float = TIMEOUT) -> None:
        self._start = start
        self._timeout = timeout
        words = start.words
        self._club = directory / "club"
        if words is None:
            self._club.mkdir(mode=0o700)
            directory = self._club / "visitors" / VISITOR_IDS[0]
        self._directory = directory
        shutil.copytree(_kept(), directory, dirs_exist_ok=True)
        self._places = {
            f"THUD_{name}_DIR": str(directory / own)
            for name, own in (("DATA", ""), ("CONFIG", ""), ("CACHE", ""))
        }
        self._places |= {"THUD_RUN_DIR": str(self._club.with_name("run"))}
        self._places |= {"HOME": str(directory), "VISITOR_NAME": "Eve", "VISITOR_SSH": "ssh me {}"}
        self._places |= {PLAIN_VARIABLE: "1" if start.in_lines else ""}
        self._ends = ExitStack()
        self._other: subprocess.Popen[bytes] | None = None
        self._said = self._rest = b""
        self._bad: re.Match[bytes] | None = None
        self._on = set(_USUALLY_ON)
        self._pushed = 0
        self._drawn = self._damaged = False
        self._unread = 0
        self._size = (80, 24)
        self._reads_from = 0.0
        self.inputs = 0
        if start.host:
            self._other = self._begun((*THUD, *start.host))
            self._wait_for(self._other, b"thud join")
        if words is None:
            self._keep_tables()
        command = VISITOR if words is None else (*PLAYED, *words)
        match = str(directory / "match.tgn")
        self._terminal = Terminal(
            [each.format(match=match) for each in command],
            environment=self._places,
            directory=directory,
        )
        self._ends.enter_context(self._terminal)
        # A terminal that gets Ctrl+Z throws away what has been drawn and is not read: it shall not.
        self._mode = termios.tcgetattr(self._terminal.own)
        self._mode[3] |= termios.NOFLSH
        termios.tcsetattr(self._terminal.own, termios.TCSANOW, self._mode)

    # The program at the other place

    def _begun(self, command: Sequence[str], data: Path | None = None) -> subprocess.Popen[bytes]:
        """Return a program that runs until the life is over."""
        data = data or self._directory / "other"
        with (self._directory / "told").open("wb") as told:
            program = subprocess.Popen(
                command,
                env=os.environ | self._places | {"THUD_DATA_DIR": str(data)},
                cwd=self._directory,
                stdin=subprocess.PIPE,
                stdout=told,
                stderr=told,
            )
        self._ends.callback(self._end_other, program)
        return program

    def _keep_tables(self) -> None:
        """Keep a club with a season to join, and let another visitor in, who may open a table."""
        (self._club / "season.toml").write_text(SEASON)
        keeper = self._begun(KEEPER, self._club.parent)
        self._wait_for(keeper, b"open\n")
        line = self._ends.enter_context(socket.socket(socket.AF_UNIX))
        line.connect(str(self._club.with_name("run") / SOCKET))
        said: list[dict[str, object]] = [
            {"m": "enter", "visitor": VISITOR_IDS[1], "name": "Ann", "tokens": {}}
        ]
        if self._start.table:
            said.append({"m": "open", "variant": "classic"})
        line.sendall(b"".join(json.dumps(each).encode() + b"\n" for each in said))
        answer = b""
        while self._start.table and b'"done"' not in answer:
            heard = line.recv(1 << 16)
            assert heard, answer
            answer += heard

    @staticmethod
    def _end_other(other: subprocess.Popen[bytes]) -> None:
        other.kill()
        with suppress(OSError):
            other.communicate()

    def _wait_for(self, program: subprocess.Popen[bytes], words: bytes) -> None:
        while words not in (self._directory / "told").read_bytes():
            assert program.poll() is None, (self._directory / "told").read_text()
            time.sleep(0.02)

    def _tell_other(self, line: str) -> None:
        if self._other and self._other.stdin:
            with suppress(OSError):
                self._other.stdin.write(f"{line}\n".encode())
                self._other.stdin.flush()

    # What is done

    def live(self, script: Sequence[Step]) -> str:
        """Do something step by step; return what went wrong, nothing if nothing did."""
        with self._ends:
            try:
                self._live(script)
            except TimeoutError as hang:
                return f"hang: {hang}{self._stacks()}"
            except _LeftOn as left:
                return str(left)
            self._reads_from = 0.0  # it may have ended while the terminal did not read
            while self._hear(0.05):
                pass
            return next(self._faults(), "")

    def _live(self, script: Sequence[Step]) -> None:
        typed = b""
        for kind, value in script:
            if kind == "type":
                typed += str(value).encode("latin-1")
                self._unread += 1
                continue
            self._type(typed)
            typed = b""
            if self._is_over:
                return
            self._do(kind, value)
        self._type(typed)
        self._take_all()
        if not self._is_over:
            # It may not have begun to listen for sizes before it draws.
            self._until(lambda: self._drawn, "it never draws")
        if not self._is_over and not self._start.in_lines:
            received = self._terminal.received
            self._resize(columns := 99 if self._size != (99, 33) else 98, 33)
            if "?2048;1$y" in "".join(str(what) for kind, what in script if kind == "type"):
                # It believes that sizes are told among the keys, and hears no signal any more.
                self._type(f"\x1b[48;33;{columns};0;0t".encode())
            self._until(lambda: self._terminal.received > received, "it draws nothing")
        kind, how = script[-1] if script else ("", 0)
        number, blocked = how if kind == "end" and isinstance(how, list) else (signal.SIGTERM, 0)
        if blocked and not self._start.in_lines:
            self._block(math.inf)
        if not self._is_over:
            os.killpg(self._terminal.process.pid, number)
        self._until(lambda: False, "it does not end")

    def _block(self, seconds: float) -> None:
        """Let the terminal not read, and the program draw until it notices."""
        self._reads_from = time.monotonic() + seconds
        for _ in range(_REDRAWS if seconds == math.inf else 0):
            if not select.select([], [self._terminal.own], [], 0)[1]:
                break
            os.write(self._terminal.own, b"\x1b[C\x1b[B\x1b[D\x1b[A")
            time.sleep(0.001)

    def _do(self, kind: str, value: str | int | list[int]) -> None:
        self.inputs += kind in _COUNTED
        match kind, value:
            case "take", _:
                self._take_all()
            case "size", [int(columns), int(lines)]:
                self._resize(columns, lines)
            case "wait", int(milliseconds):
                self._hear(milliseconds / 1000)
            case "settle", int(milliseconds):
                until = time.monotonic() + 2.0
                while self._hear(milliseconds / 1000) and time.monotonic() < until:
                    pass
            case "drawn", _:
                self._until(lambda: self._drawn, "it never draws")
            case "see", str(text):
                self._until(lambda: text in _shown(self._said), f"{text!r} does not come")
            case "guest", _:
                self._other = self._begun((*THUD, *self._start.guest))
            case "stop", int(milliseconds):
                self._stop(milliseconds / 1000)
            case "block", int(milliseconds):
                self._block(milliseconds / 1000)
            case "other", str(line):
                self._tell_other(line)
            case "damage", int(number):
                self._damaged = True
                with suppress(OSError):  # the program writes files, too
                    _damage(self._directory, number)

    def _resize(self, columns: int, lines: int) -> None:
        self._terminal.resize(columns, lines)
        self._size = columns, lines

    def _stop(self, seconds: float) -> None:
        """Stop it as a shell's user does, see that the terminal is the shell's, and go on."""
        self._reads_from = 0.0  # it is stopped once its last output has been read
        with suppress(ProcessLookupError):
            os.killpg(self._terminal.process.pid, signal.SIGTSTP)
        until = time.monotonic() + seconds
        while time.monotonic() < until and not self._is_over:
            self._hear(0.01)
            if self._is_stopped:
                while self._hear(0):
                    pass
                if left := self._left_on():
                    raise _LeftOn(f"stopped, {left}")
                break
        self._continue()

    def _type(self, data: bytes) -> None:
        own = self._terminal.own
        while data and not self._is_over:
            self._until(
                lambda: bool(select.select([], [own], [], 0)[1]), "it takes no keys", pause=0.005
            )
            if not self._is_over:
                data = data[os.write(own, data[:256]) :]

    def _take_all(self) -> None:
        """Let it read all that has been typed."""
        if self._drawn and not self._is_over:
            self._until(lambda: not self._waiting, "it takes no keys", pause=0.01)
        if self._drawn and not self._is_over:
            self.inputs += self._unread
            self._unread = 0

    @property
    def _waiting(self) -> int:
        """How many bytes the program has not read."""
        number: int = struct.unpack(
            "i", fcntl.ioctl(self._terminal.other, termios.FIONREAD, bytes(4))
        )[0]
        return number

    # What becomes of it

    @property
    def reached(self) -> Counter[str]:
        """How often each screen, dialog and question was reached."""
        return Counter(self._read(REACHED).decode().splitlines())

    @property
    def told(self) -> str:
        """The last that it has drawn, printed or logged."""
        kept = b"".join(self._read(each)[-4000:] for each in ("fault.txt", "told", LOG))
        return (self._said[-12000:] + kept).decode(errors="replace")

    def _read(self, name: str) -> bytes:
        path = self._directory / name
        return path.read_bytes() if path.exists() else b""

    @property
    def _is_over(self) -> bool:
        return self._terminal.process.poll() is not None

    @property
    def _is_stopped(self) -> bool:
        with suppress(OSError):
            return ") T " in Path(f"/proc/{self._terminal.process.pid}/stat").read_text()
        return False

    def _continue(self) -> None:
        """Let it go on if it is stopped: no shell brings it back after Ctrl+Z."""
        with suppress(ProcessLookupError):
            if self._is_stopped:
                os.killpg(self._terminal.process.pid, signal.SIGCONT)

    def _until(self, so: Callable[[], bool], otherwise: str, pause: float = 0.02) -> None:
        """Wait until something is so, or the program has ended.

        Raises:
            TimeoutError: it hangs.
        """
        deadline = Deadline(self._terminal.process.pid, self._timeout)
        while not so() and not self._is_over:
            if deadline.is_over:
                raise TimeoutError(otherwise)
            self._continue()
            self._hear(pause)

    def _hear(self, seconds: float) -> bool:
        """Take what it draws, waiting for so long; say whether there was anything."""
        if time.monotonic() < self._reads_from:
            time.sleep(min(seconds, self._reads_from - time.monotonic()))
            return False
        said = self._terminal.receive(seconds)
        self._bad = self._bad or _BAD.search(self._said[-100:] + said)
        self._said = (self._said + said)[-200_000:]
        data = self._rest + said
        cut = _UNFINISHED.search(data)
        data, self._rest = (data[: cut.start()], data[cut.start() :]) if cut else (data, b"")
        for modes, end, push in _CODES.findall(data):
            if push:
                self._pushed = max(0, self._pushed + (1 if push == b">" else -1))
            for mode in map(int, filter(None, modes.split(b";"))):
                (self._on.add if end == b"h" else self._on.discard)(mode)
                self._drawn = self._drawn or mode == 1049
        if self._start.in_lines:
            self._drawn = self._drawn or bool(_LISTENS.search(self._said))
        return bool(said)

    def _left_on(self) -> str:
        """Return what of the terminal is otherwise than before."""
        modes = sorted(self._on ^ _USUALLY_ON) + ["keys"] * self._pushed
        now = termios.tcgetattr(self._terminal.own)
        if now != self._mode:
            modes += [f"{now} where {self._mode} was"]
        return f"terminal left with {modes}" if modes else ""

    def _faults(self) -> Iterator[str]:
        """Find what is wrong after its end."""
        status = self._terminal.process.returncode
        if left := self._left_on():
            yield left
        if not self._drawn and status in _INTERRUPTED and b"/thud/" not in self._said:
            return  # Python itself was interrupted
        if self._bad:
            yield f"{self._bad[0].decode()}: {_error(self._said)}"
        if fault := self._read("fault.txt"):
            yield f"fault: {_error(fault)}"
        if _BAD.search(other := self._read("told")):
            yield f"the other program: {_error(other)}"
        if logged := _LOGGED.search(self._read(LOG)):
            yield f"logged: {logged[0].decode()}"
        may_be = _TOLD if self._start.words is not None else _TOLD | _COMES_IN_ANEW
        if not self._drawn and self._other and self._other.poll() is not None:
            may_be = may_be | {2}  # the host has left before anybody joined
        if not self._drawn and self._damaged:
            may_be = may_be | {1, 2}
        if status not in may_be:
            yield f"status {status}: {_error(self._said)}"

    def _stacks(self) -> str:
        """Return where the program is that hangs, as far as it can tell."""
        with suppress(ProcessLookupError):
            os.killpg(self._terminal.process.pid, signal.SIGABRT)
        until = time.monotonic() + 5
        while not self._is_over and time.monotonic() < until:
            self._hear(0.05)
        while self._hear(0.05):
            pass
        said = self._said[self._said.rfind(b"Fatal Python error") :].decode(errors="replace")
        found = re.findall(r'File ".*/([\w.]+)", line (\d+) in (\w+)', said)
        return ", in " + " < ".join(":".join(each) for each in found[-3:]) if found else ""


class _LeftOn(Exception):
    """The terminal is not as it was; the text says in what."""


def _error(said: bytes) -> str:
    """Return the line of an error."""
    shown = _shown(said).splitlines()
    lines = [line.strip() for line in shown if re.match(r"\s*\w+(\.\w+)*: ", line)]
    return lines[-1][:200] if lines else "?"


def _shown(said: bytes) -> str:
    return re.sub(r"\x1b\[[\d;?]*[a-zA-Z]", "", said.decode(errors="replace"))


class Lived(NamedTuple):
    """A life that is over: what went wrong, what was seen last, and what was done and reached."""

    what: str
    told: str
    inputs: int
    reached: Counter[str]


def live(start: str, script: Sequence[Step], timeout: float = TIMEOUT) -> Lived:
    """Live once."""
    with tempfile.TemporaryDirectory(prefix="thud-monkey-") as directory:
        one = Life(STARTS[start], Path(directory), timeout)
        return Lived(one.live(script), one.told, one.inputs, one.reached)


def shrunk(start: str, script: list[Step], what: str) -> list[Step]:
    """Return the shortest list found that fails in the same way."""
    until, size, kind = time.monotonic() + SHRINKING, len(script) // 2, what.partition(":")[0]
    while size:
        for at in range(0, len(script), size):
            fewer = script[:at] + script[at + size :]
            if time.monotonic() > until:
                return script
            if live(start, fewer, SHORT_TIMEOUT).what.startswith(kind):
                script = fewer
                break
        else:
            size //= 2
    return script


def numbered(seed: str, number: int, starts: Sequence[str], length: int) -> tuple[str, list[Step]]:
    """Return where a life begins and what is done in it; every start has its turn."""
    rng = Random(f"{seed} {number}")
    order = Random(f"{seed} {number // len(starts)}").sample(starts, len(starts))
    start = order[number % len(starts)]
    length = rng.choice((length, length, length // 10, length // 100 + 10))
    return start, script_of(STARTS[start], rng, length)


def life(
    seed: str, number: int, starts: Sequence[str], length: int
) -> tuple[Lived, Failure | None]:
    """Live one life; return it, and what went wrong."""
    start, script = numbered(seed, number, starts, length)
    lived = live(start, script)
    if not lived.what:
        return lived, None
    again = bool(live(start, script).what)
    shortest = shrunk(start, script, lived.what) if again else script
    return lived, Failure(number, start, lived.what, lived.told, shortest, again)


def lives(
    seed: str, inputs: int, starts: Sequence[str], length: int, jobs: int
) -> Iterator[tuple[Lived, Failure | None]]:
    """Live until so many inputs have been read; yield each life, and what went wrong."""
    read = number = 0
    with ProcessPoolExecutor(jobs) as pool:
        running = set[Future[tuple[Lived, Failure | None]]]()
        while read < inputs or running:
            while read < inputs and len(running) < jobs:
                running.add(pool.submit(life, seed, number, starts, length))
                number += 1
            done, running = wait(running, return_when=FIRST_COMPLETED)
            for each in done:
                read += each.result()[0].inputs
                yield each.result()


def keep(directory: Path, failure: Failure) -> None:
    """Write what failed, and how to play it again."""
    directory.mkdir(parents=True, exist_ok=True)
    name = directory / f"{failure.start}-{failure.life}"
    name.with_suffix(".json").write_text(json.dumps(failure.script))
    name.with_suffix(".txt").write_text(f"{failure.what}\n{failure.told}")


def print_reached(reached: Counter[str]) -> None:
    """Print how often each screen, dialog and question was reached."""
    print(f"{len(reached)} screens, dialogs and questions were reached:")
    for state, times in reached.most_common():
        print(f"{times:7}  {state}")


def main() -> None:
    """Let monkeys live, and tell what they found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("number", type=int, nargs="?", default=10_000, help="inputs in all")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--start", choices=STARTS, action="append", help="begin only here")
    parser.add_argument("--jobs", type=int, default=2 * (os.cpu_count() or 1))
    parser.add_argument("--life", type=int, default=3000, help="inputs of a life at most")
    parser.add_argument("--keep", type=Path, help="a directory for the scripts that failed")
    parser.add_argument(
        "--confirm", action="store_true", help="fail only for what goes wrong twice in one script"
    )
    parser.add_argument("--only", type=int, help="the number of one life of the seed")
    parser.add_argument("--script", type=Path, help="play a script that failed again")
    given = parser.parse_args()
    for ending in _ENDING:
        signal.signal(ending, signal.SIG_DFL)  # what nohup ignores, the programs would, too
    starts = given.start or list(STARTS)
    if given.script or given.only is not None:
        if given.script:
            start, script = (
                starts[0],
                [tuple(each) for each in json.loads(given.script.read_text())],
            )
        else:
            start, script = numbered(given.seed, given.only, starts, given.life)
        what, told, inputs, reached = live(start, script)
        print(told[-6000:], f"{start}, {inputs} inputs: {what or 'nothing is wrong'}", sep="\n")
        print_reached(reached)
        raise SystemExit(bool(what))
    began, failures, taken, number = time.monotonic(), list[Failure](), 0, 0
    reached = Counter[str]()
    for lived, failure in lives(given.seed, given.number, starts, given.life, given.jobs):
        taken, number = taken + lived.inputs, number + 1
        reached += lived.reached
        if failure:
            failures.append(failure)
            where = f"life {failure.life}, {failure.start}, {len(failure.script)} steps"
            where += "" if failure.again else ", not a second time"
            print(f"{where}: {failure.what}\n{json.dumps(failure.script)[:500]}", flush=True)
            if given.keep:
                keep(given.keep, failure)
        if number % 20 == 0:
            print(f"{taken} inputs, {time.monotonic() - began:.0f} s", flush=True)
    seconds = time.monotonic() - began
    told = f"{taken} inputs in {number} lives, {seconds:.0f} s, seed {given.seed}"
    print(f"{told}: {len(failures)} failures")
    for what, times in Counter(each.what for each in failures).most_common():
        print(f"{times:4}  {what}")
    print_reached(reached)
    raise SystemExit(any(each.again or not given.confirm for each in failures))


if __name__ == "__main__":
    main()

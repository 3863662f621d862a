"""A terminal that answers queries, or does not."""

from __future__ import annotations

import os
import pty
import re
import select
import subprocess
import sys
import termios
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from thud.terminal.probe import GLYPHS, TIMEOUT

_QUESTION = re.compile(rb"\x1b\[(?:6n|c|>0q|\?u|\?(\d+)\$p)")


class Talk(NamedTuple):
    """The result of a command run in the terminal."""

    screen: bytes
    """All output."""
    status: int
    unread: bool
    """Whether part of an answer was left unread."""
    restored: bool
    """Whether the terminal's settings were restored."""

    @property
    def lines(self) -> list[str]:
        """The visible lines."""
        text = re.sub(rb"\x1b\[[0-9;>?$]*[A-Za-z]", b"", self.screen).decode()
        return [
            line.rpartition("\r")[2].rstrip() for line in text.replace("\r\n", "\n").split("\n")
        ]

    def value(self, label: str) -> str:
        """Return the text beside a label."""
        pattern = re.compile(rf"  {re.escape(label)} +(.*)")
        (value,) = (found[1] for line in self.lines if (found := pattern.fullmatch(line)))
        return value


PROGRAM = """
import sys, thud.terminal.probe
from thud.cli.main import main
thud.terminal.probe.TIMEOUT = float(sys.argv[1])
sys.exit(main(["doctor"]))
"""
BUSY = 60.0
"""Timeout in seconds for terminals that answer, long enough for a busy machine."""

Answer = Callable[[bytes, bytes], bytes]
"""Returns the answer to a query, given all output before it."""


def modern(question: bytes, before: bytes) -> bytes:
    """Answer all queries, as modern terminals do."""
    if question == b"\x1b[6n":
        return b"\x1b[1;%dR" % (2 if before.decode()[-1] in GLYPHS else 1)
    if question.endswith(b"$p"):
        return question.replace(b"$p", b";2$y")
    return {
        b"\x1b[?u": b"\x1b[?0u",
        b"\x1b[>0q": b"\x1bP>|Fake 1.0\x1b\\",
        b"\x1b[c": b"\x1b[?62;22c",
    }[question]


def wide(question: bytes, before: bytes) -> bytes:
    """Answer that a triangle is two columns wide, and that all modes are unknown."""
    if question == b"\x1b[6n":
        return b"\x1b[1;%dR" % (3 if before.decode().endswith("▲") else 2)
    if question.endswith(b"$p"):
        return question.replace(b"$p", b";0$y")
    return b"\x1b[?1;2c" if question == b"\x1b[c" else b""


def silent(_: bytes, __: bytes) -> bytes:
    """Answer nothing."""
    return b""


def babbling(question: bytes, _: bytes) -> bytes:
    """Answer with garbage."""
    return b"\x1b[999;x\xff\x00 hello \x1b[?1c"[: -1 if question != b"\x1b[c" else None]


def run(answer: Answer, directory: Path, **environment: str) -> Talk:
    """Run `thud doctor` in a terminal of 100 columns and 40 rows."""
    master, slave = pty.openpty()
    termios.tcsetwinsize(slave, (40, 100))
    before = termios.tcgetattr(slave)
    timeout = TIMEOUT if answer is silent else BUSY
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, str(timeout)],
        stdin=slave,
        stdout=slave,
        stderr=slave,
        env=bare_environment(directory) | environment,
        start_new_session=True,
    )
    screen = _talk(process, master, answer)
    unread = bool(select.select([slave], [], [], 0)[0])
    restored = termios.tcgetattr(slave) == before
    os.close(master)
    os.close(slave)
    return Talk(screen, process.returncode, unread, restored)


def _talk(process: subprocess.Popen[bytes], master: int, answer: Answer) -> bytes:
    screen, answered = b"", 0
    while process.poll() is None or select.select([master], [], [], 0)[0]:
        if not select.select([master], [], [], 0.05)[0]:
            continue
        screen += os.read(master, 4096)
        for question in _QUESTION.finditer(screen, answered):
            answered = question.end()
            os.write(master, answer(question[0], screen[: question.start()]))
    return screen


def bare_environment(directory: Path) -> dict[str, str]:
    """Return an environment without variables of the terminal that runs the tests."""
    unwanted = (
        "TERM",
        "COLORTERM",
        "NO_COLOR",
        "TMUX",
        "STY",
        "SSH",
        "LC_",
        "LANG",
        "TEXTUAL",
        "PYTHON",
        "COLUMNS",
        "LINES",
    )
    kept = {name: value for name, value in os.environ.items() if not name.startswith(unwanted)}
    return kept | {
        "THUD_DATA_DIR": str(directory),
        "THUD_CACHE_DIR": str(directory),
        "THUD_CONFIG_DIR": str(directory),
        "LANG": "C.UTF-8",
        "TERM": "xterm-256color",
    }

"""A terminal emulator for tests: a pseudo-terminal with a readable screen."""

from __future__ import annotations

import fcntl
import os
import re
import select
import signal
import struct
import subprocess
import termios
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

import pyte

TIMEOUT: Final = 60.0
"""Timeout in seconds, long enough for a busy machine."""

_OPEN: Final = 'exec "$@" 0<>"$0" 1>&0 2>&0'
"""A session leader gets the terminal it opens as its controlling terminal, as at login."""

_ANSWERS: Final = {
    b"\x1b[?2026$p": b"\x1b[?2026;2$y",
    b"\x1b[?2048$p": b"\x1b[?2048;0$y",
    b"\x1b[c": b"\x1b[?62;22c",
    b"\x1b[>0q": b"\x1bP>|emulator\x1b\\",
}
"""Answers of a common terminal: synchronized output, but no in-band resize reports."""

_UNKNOWN: Final = re.compile(
    rb"\x1b\[[<>=][0-9;]*[a-z]|\x1b\[\?[0-9]+\$p|\x1b\[\?u|\x1b_[^\x1b]*\x1b\\"
    rb"|\x1b\[[?0-9;]*(?=\x1b)|\x1b\[[0-9]*;[0-9;]*[^0-9;Hfrmhl]|\x1b\[([0-9]*;){2}[0-9;]*[Hfr]"
)
"""Sequences that pyte misinterprets or fails at, including truncated ones."""

_UNFINISHED: Final = re.compile(rb"\x1b(\[[<>=?]?[0-9;]*\$?|_[^\x1b]*\x1b?)?\Z")


class Picture:
    """A screen that shows a program's output, from any source.

    Args:
        size: columns and lines.
    """

    def __init__(self, size: tuple[int, int]) -> None:
        self._rest = b""
        self.screen = pyte.Screen(*size)
        self._stream = pyte.ByteStream(self.screen)
        self._lines = list[str]()

    @property
    def lines(self) -> list[str]:
        """The screen's lines, as in pyte's `display`, which takes most of the time of a test."""
        if self.screen.dirty or not self._lines:
            buffer, columns = self.screen.buffer, range(self.screen.columns)
            self._lines = [
                "".join(buffer[y][x].data for x in columns) for y in range(self.screen.lines)
            ]
            self.screen.dirty.clear()
        return self._lines

    @property
    def text(self) -> str:
        """The screen as one text."""
        return "\n".join(self.lines)

    def has_mode(self, number: int) -> bool:
        """Whether the program has enabled a private mode, such as 1049."""
        return number << 5 in self.screen.mode

    def show(self, data: bytes) -> None:
        """Process the program's output."""
        data = self._rest + data
        cut = _UNFINISHED.search(data)
        data, self._rest = (data[: cut.start()], data[cut.start() :]) if cut else (data, b"")
        self._stream.feed(_UNKNOWN.sub(b"", data))

    def read(self, seconds: float) -> bool:
        """Process output, waiting up to `seconds` for it; return whether there was any."""
        raise NotImplementedError

    def send(self, *keys: str) -> None:
        """Send keys as terminal sequences."""
        raise NotImplementedError

    def wait_for(self, shown: str | Callable[[], bool], seconds: float = TIMEOUT) -> None:
        """Read until the screen shows a text, or a condition holds.

        Raises:
            AssertionError: timeout; the message contains the screen.
        """
        so = shown if callable(shown) else lambda: shown in self.text
        deadline = time.monotonic() + seconds
        while not so():
            if time.monotonic() > deadline:
                raise AssertionError(f"{shown} did not come about; the screen shows:\n{self.text}")
            self.read(0.05)

    def settle(self, quiet: float = 0.3, seconds: float = TIMEOUT) -> None:
        """Read until there has been no output for `quiet` seconds."""
        deadline = time.monotonic() + seconds
        while self.read(quiet):
            assert time.monotonic() < deadline, "the program never stops drawing"


class Terminal(Picture):
    """Runs a command in a pseudo-terminal and shows its output.

    Args:
        command: the command to run.
        size: columns and lines.
        environment: additional environment variables.
        answers: whether to answer the program's terminal queries.
        directory: working directory; by default the current one.
    """

    def __init__(
        self,
        command: Sequence[str],
        size: tuple[int, int] = (80, 24),
        environment: Mapping[str, str] | None = None,
        *,
        answers: bool = True,
        directory: Path | None = None,
    ) -> None:
        self._answers = answers
        super().__init__(size)
        self.received = 0
        """Number of bytes of output so far."""
        self.changed = time.perf_counter()
        """Time of the last output."""
        self.own, self.other = os.openpty()
        self._set_size(*size)
        self.began = time.perf_counter()
        self.process = subprocess.Popen(
            ["sh", "-c", _OPEN, os.ttyname(self.other), *command],
            env=_environment(environment or {}),
            cwd=directory,
            start_new_session=True,
        )
        # Our copy of the program's end stays open: reads would fail before the program opens it.
        self._open = True

    def __enter__(self) -> Terminal:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Kill the program if it still runs, and close the terminal."""
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self.disconnect()

    def disconnect(self) -> None:
        """Close the terminal, as when its window is closed."""
        if self._open:
            os.close(self.own)
            os.close(self.other)
        self._open = False

    def send(self, *keys: str) -> None:
        """Type text, or send keys as terminal sequences."""
        for key in keys:
            self._write(key.encode())

    def _write(self, data: bytes) -> None:
        """Write all data while reading, since a program blocked on output reads no input."""
        while data:
            _, writable, _ = select.select([], [self.own], [], 0.01)
            if writable:
                data = data[os.write(self.own, data[:256]) :]
            self.read(0)

    def resize(self, columns: int, lines: int) -> None:
        """Change the size, as when the window is resized."""
        self.screen.resize(lines, columns)
        self._set_size(columns, lines)

    def _set_size(self, columns: int, lines: int) -> None:
        fcntl.ioctl(self.own, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))

    def receive(self, seconds: float) -> bytes:
        """Receive output without showing it, waiting up to `seconds`; answer queries in it."""
        readable, _, _ = select.select([self.own], [], [], seconds)
        if not readable:
            return b""
        data = os.read(self.own, 65536)
        self.changed = time.perf_counter()
        self.received += len(data)
        for question, answer in _ANSWERS.items() if self._answers else ():
            if question in data:
                os.write(self.own, answer * data.count(question))
        return data

    def read(self, seconds: float) -> bool:
        """Receive and show output, waiting up to `seconds`; return whether there was any."""
        data = self.receive(seconds)
        self.show(data)
        return bool(data)

    def drain(self, quiet: float) -> None:
        """Discard output until there has been none for `quiet` seconds."""
        while self.receive(quiet):
            pass
        self._rest = b""

    def wait_for_end(self, seconds: float = TIMEOUT) -> int:
        """Read until the program has ended, and all its output; return its exit status."""
        self.wait_for(lambda: self.process.poll() is not None, seconds)
        while self.read(0.1):
            pass
        return self.process.returncode

    def signal(self, number: signal.Signals) -> None:
        """Send the program a signal."""
        self.process.send_signal(number)


def _environment(more: Mapping[str, str]) -> dict[str, str]:
    """Return an environment without variables of the terminal that runs the tests."""
    ours = ("PATH", "HOME", "LANG", "LC_ALL", "PYTHONPATH", "VIRTUAL_ENV", "TMPDIR", "TEMP")
    kept = {name: value for name, value in os.environ.items() if name in ours}
    return (
        {"TERM": "xterm-256color", "COLORTERM": "truecolor", "LC_CTYPE": "C.UTF-8"}
        | kept
        | dict(more)
    )

"""A terminal for the program to run in: a pseudo-terminal with a screen that can be read."""

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
"""Seconds after which something will not happen any more, however busy the machine is."""

_OPEN: Final = 'exec "$@" 0<>"$0" 1>&0 2>&0'
"""A shell that leads a session gets the terminal it opens for its own, as at a login."""

_ANSWERS: Final = {
    b"\x1b[?2026$p": b"\x1b[?2026;2$y",
    b"\x1b[?2048$p": b"\x1b[?2048;0$y",
    b"\x1b[c": b"\x1b[?62;22c",
    b"\x1b[>0q": b"\x1bP>|emulator\x1b\\",
}
"""What a common terminal answers: it paints whole frames, and reports its size by a signal."""

_UNKNOWN: Final = re.compile(
    rb"\x1b\[[<>=][0-9;]*[a-z]|\x1b\[\?[0-9]+\$p|\x1b\[\?u|\x1b_[^\x1b]*\x1b\\"
    rb"|\x1b\[[?0-9;]*(?=\x1b)|\x1b\[[0-9]*;[0-9;]*[^0-9;Hfrmhl]|\x1b\[([0-9]*;){2}[0-9;]*[Hfr]"
)
"""What pyte would take for something else, or fail at: sequences that were cut off, too."""

_UNFINISHED: Final = re.compile(rb"\x1b(\[[<>=?]?[0-9;]*\$?|_[^\x1b]*\x1b?)?\Z")


class Picture:
    """A screen that shows what a program draws, wherever that comes from.

    Args:
        size: columns and lines.
    """

    def __init__(self, size: tuple[int, int]) -> None:
        self._rest = b""
        self.screen = pyte.Screen(*size)
        self._stream = pyte.ByteStream(self.screen)

    @property
    def lines(self) -> list[str]:
        """What the screen shows."""
        return list(self.screen.display)

    @property
    def text(self) -> str:
        """What the screen shows, as one text."""
        return "\n".join(self.lines)

    def has_mode(self, number: int) -> bool:
        """Say whether the program has switched on a private mode, such as 1049."""
        return number << 5 in self.screen.mode

    def show(self, data: bytes) -> None:
        """Show what the program sent."""
        data = self._rest + data
        cut = _UNFINISHED.search(data)
        data, self._rest = (data[: cut.start()], data[cut.start() :]) if cut else (data, b"")
        self._stream.feed(_UNKNOWN.sub(b"", data))

    def read(self, seconds: float) -> bool:
        """Show what the program draws, waiting for so long; return whether there was anything."""
        raise NotImplementedError

    def send(self, *keys: str) -> None:
        """Send what a terminal sends for keys."""
        raise NotImplementedError

    def wait_for(self, shown: str | Callable[[], bool], seconds: float = TIMEOUT) -> None:
        """Read until the screen shows a text, or until something else is so.

        Raises:
            AssertionError: it does not come about in time; the message is what is shown.
        """
        so = shown if callable(shown) else lambda: shown in self.text
        deadline = time.monotonic() + seconds
        while not so():
            if time.monotonic() > deadline:
                raise AssertionError(f"{shown} did not come about; the screen shows:\n{self.text}")
            self.read(0.05)

    def settle(self, quiet: float = 0.3, seconds: float = TIMEOUT) -> None:
        """Read until the program has sent nothing for a while."""
        deadline = time.monotonic() + seconds
        while self.read(quiet):
            assert time.monotonic() < deadline, "the program never stops drawing"


class Terminal(Picture):
    """Runs a command and shows what it draws.

    Args:
        command: what to run.
        size: columns and lines.
        environment: variables besides those of this process.
        answers: whether to answer the program's questions about the terminal.
        directory: where it runs; here, if that is not said.
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
        """How many bytes the program has sent."""
        self.changed = time.perf_counter()
        """When the program sent something last."""
        self.own, self.other = os.openpty()
        self._set_size(*size)
        self.began = time.perf_counter()
        self.process = subprocess.Popen(
            ["sh", "-c", _OPEN, os.ttyname(self.other), *command],
            env=_environment(environment or {}),
            cwd=directory,
            start_new_session=True,
        )
        # The other end is kept open: a program that has not opened it yet has not left.
        self._open = True

    def __enter__(self) -> Terminal:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the program, whatever it does, and let the terminal go."""
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self.hang_up()

    def hang_up(self) -> None:
        """Close the terminal, as a window that is closed."""
        if self._open:
            os.close(self.own)
            os.close(self.other)
        self._open = False

    def send(self, *keys: str) -> None:
        """Type something, or send what a terminal sends for a key."""
        for key in keys:
            self._write(key.encode())

    def _write(self, data: bytes) -> None:
        """Write it all, and read meanwhile: a program that waits for its reader reads nothing."""
        while data:
            _, writable, _ = select.select([], [self.own], [], 0.01)
            if writable:
                data = data[os.write(self.own, data[:256]) :]
            self.read(0)

    def resize(self, columns: int, lines: int) -> None:
        """Change the size, as a window that is dragged."""
        self.screen.resize(lines, columns)
        self._set_size(columns, lines)

    def _set_size(self, columns: int, lines: int) -> None:
        fcntl.ioctl(self.own, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))

    def receive(self, seconds: float) -> bytes:
        """Take what the program sends without showing it, waiting for so long; answer it."""
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
        """Show what the program sends, waiting for so long; return whether there was anything."""
        data = self.receive(seconds)
        self.show(data)
        return bool(data)

    def drain(self, quiet: float) -> None:
        """Throw away what the program sends until it has sent nothing for a while."""
        while self.receive(quiet):
            pass
        self._rest = b""

    def wait_for_end(self, seconds: float = TIMEOUT) -> int:
        """Read until the program has ended and all it sent is read; return its exit status."""
        self.wait_for(lambda: self.process.poll() is not None, seconds)
        while self.read(0.1):
            pass
        return self.process.returncode

    def signal(self, number: signal.Signals) -> None:
        """Send the program a signal."""
        self.process.send_signal(number)


def _environment(more: Mapping[str, str]) -> dict[str, str]:
    """Return an environment that says nothing of the terminal that the tests run in."""
    ours = ("PATH", "HOME", "LANG", "LC_ALL", "PYTHONPATH", "VIRTUAL_ENV", "TMPDIR", "TEMP")
    kept = {name: value for name, value in os.environ.items() if name in ours}
    return (
        {"TERM": "xterm-256color", "COLORTERM": "truecolor", "LC_CTYPE": "C.UTF-8"}
        | kept
        | dict(more)
    )

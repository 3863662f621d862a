"""A pseudo-terminal for one program, read and written without blocking."""

from __future__ import annotations

import asyncio
import os
import struct
from collections.abc import Callable
from typing import Final, NamedTuple

from thud.club.doors import USUAL_SIZE
from thud.terminal.cells import LARGEST

CHUNK: Final = 16384
"""Most bytes of output passed on at a time."""


_MOST_PIXELS: Final = 0xFFFF

_INPUT, _LOCAL = 0, 3


class TerminalSize(NamedTuple):
    """The size of a terminal in cells and, if known, in pixels."""

    columns: int
    lines: int
    width: int
    height: int


def bounded_size(columns: int, lines: int, width: int, height: int) -> TerminalSize:
    """Return the nearest size within bounds; zero columns or lines get the default."""
    return TerminalSize(
        min(columns or USUAL_SIZE[0], LARGEST[0]),
        min(lines or USUAL_SIZE[1], LARGEST[1]),
        min(width, _MOST_PIXELS),
        min(height, _MOST_PIXELS),
    )


class PseudoTerminal:
    """A pseudo-terminal, which has to be closed at the end.

    It is no controlling terminal: no key becomes a signal, and closing it sends none.

    Args:
        size: initial size.
        show: called with the program's output.
        drained: called when all input has been read.
        edited: None for raw keys; else canonical mode, with echo if True.  Flow control and
            signals are off.

    Attributes:
        program: the program's end, until `start` is called.
        ended: set when the program has closed its end and all its output was shown.
    """

    def __init__(
        self,
        size: TerminalSize,
        show: Callable[[bytes], None],
        drained: Callable[[], None],
        edited: bool | None = None,
    ) -> None:
        import termios

        self._loop = asyncio.get_running_loop()
        self._own, self.program = os.openpty()
        os.set_blocking(self._own, False)
        modes = termios.tcgetattr(self.program)
        # Enter stays Enter, also before the program has the terminal.
        modes[_INPUT] &= ~(termios.IXON if edited is not None else termios.IXON | termios.ICRNL)
        modes[_LOCAL] &= ~(termios.ISIG | termios.IEXTEN)
        if not edited:
            modes[_LOCAL] &= ~termios.ECHO
        if edited is None:
            modes[_LOCAL] &= ~termios.ICANON
        termios.tcsetattr(self.program, termios.TCSANOW, modes)
        self._show = show
        self._drained = drained
        self._typed = b""
        self._begun = False
        self.ended = asyncio.Event()
        self.resize(size)

    def start(self) -> None:
        """Close our copy of the program's end, and start reading its output."""
        os.close(self.program)
        self._begun = True
        self._loop.add_reader(self._own, self._read)

    def close(self) -> None:
        """Close the ends we still hold."""
        self._stop()
        if not self._begun:
            os.close(self.program)
        os.close(self._own)

    def resize(self, size: TerminalSize) -> None:
        """Set the size; the caller has to send SIGWINCH."""
        import fcntl
        import termios

        told = struct.pack("HHHH", size.lines, size.columns, size.width, size.height)
        fcntl.ioctl(self._own, termios.TIOCSWINSZ, told)

    def type(self, data: bytes) -> bool:
        """Write input; return whether the program has read all of it."""
        if not self.ended.is_set():
            self._typed += data
            self._write()
        return not self._typed

    def _read(self) -> None:
        try:
            data = os.read(self._own, CHUNK)
        except BlockingIOError:
            return
        except OSError:  # the other end is closed
            data = b""
        if data:
            self._show(data)
        else:
            self._stop()

    def _write(self) -> None:
        try:
            self._typed = self._typed[os.write(self._own, self._typed) :]
        except BlockingIOError:
            pass
        except OSError:
            self._typed = b""
        if self._typed:
            self._loop.add_writer(self._own, self._write)
        elif self._loop.remove_writer(self._own):
            self._drained()

    def _stop(self) -> None:
        self._typed = b""
        self._loop.remove_reader(self._own)
        self._loop.remove_writer(self._own)
        self.ended.set()

"""A program whose standard streams are a socket: opened in one place, used in another.

Threads carry what comes and goes, so that neither is tied to an event loop: the command line starts
the program while it can still ask at the terminal, and the board takes the socket over.
"""

from __future__ import annotations

import codecs
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from threading import Lock, Thread
from typing import IO, Final

from thud.engines.guard import Guard

_AT_A_TIME: Final = 2**16
_KEPT_ERRORS: Final = 4000
_GRACE: Final = 5.0
"""Seconds in which a program ends by itself once nothing more will be said to it."""
_ASKED: Final = 2.0
"""Seconds in which it ends after it was asked to."""


class Piped:
    """A running program, until it has ended or is closed.

    Args:
        command: the program and its arguments.
        asks: whether it may ask at the terminal, and what it complains about is shown there; if
            not, it has no terminal at all.

    Raises:
        OSError: it cannot be started.
    """

    def __init__(self, command: Sequence[str], *, asks: bool) -> None:
        self.asks = asks
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=not asks,
        )
        self._guard = self._guarded()
        self.socket, self._inner = socket.socketpair()
        self._errors = ""
        self._shows = asks
        self._showing = Lock()
        self._threads = [
            Thread(target=each, daemon=True) for each in (self._tell, self._listen, self._complain)
        ]
        for thread in self._threads:
            thread.start()

    @property
    def last_error(self) -> str:
        """The last line that it complained in, fit to be shown."""
        lines = (line.strip() for line in reversed(self._errors.split("\n")))
        return next((line for line in lines if line), "")

    def quieten(self) -> None:
        """Show no more of its complaints: something else is drawn now."""
        with self._showing:
            self._shows = False

    def status(self) -> int:
        """Wait until it has ended, and all it complained about has come; return its exit status."""
        for thread in self._threads[1:]:
            thread.join(_GRACE)
        return self._process.wait()

    def let_go(self) -> None:
        """Have no more to do with it: it ends by itself, or is ended, before long."""
        with suppress(OSError):
            self.socket.shutdown(socket.SHUT_RDWR)

    def close(self, *, at_once: bool = False) -> None:
        """End it, in order if that takes no more than a moment; closing twice does no harm."""
        self.let_go()
        self.socket.close()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(0 if at_once else _ASKED)
        self._end(_ASKED)
        for thread in self._threads:
            thread.join(_ASKED)

    def _guarded(self) -> Guard | None:
        if sys.platform != "win32":
            with suppress(OSError):
                return Guard(self._process.pid, group=not self.asks)
        return None

    def _tell(self) -> None:
        """Carry what we say to the program, until nothing more will come; then it has to end."""
        with suppress(OSError), self._pipe(self._process.stdin) as pipe:
            while data := self._inner.recv(_AT_A_TIME):
                pipe.write(data)
                pipe.flush()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_GRACE)
        self._end(_ASKED)

    def _listen(self) -> None:
        """Carry what the program says to us, until it says no more; then it is over."""
        with self._pipe(self._process.stdout) as pipe, suppress(OSError):
            while data := os.read(pipe.fileno(), _AT_A_TIME):
                self._inner.sendall(data)
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_GRACE)
        self._end(_ASKED)
        self._process.wait()
        if self._guard is not None:
            self._guard.dismiss()
        with suppress(OSError):
            self._inner.shutdown(socket.SHUT_RDWR)
        self._threads[0].join()
        self._inner.close()

    def _complain(self) -> None:
        """Keep the end of what the program complains about; show it while that is wanted."""
        decoder = codecs.getincrementaldecoder("utf-8")("replace")
        with self._pipe(self._process.stderr) as pipe:
            while data := os.read(pipe.fileno(), _AT_A_TIME):
                self._show(_printable(decoder.decode(data)))

    def _show(self, text: str) -> None:
        with self._showing:
            self._errors = (self._errors + text)[-_KEPT_ERRORS:]
            if self._shows:
                with suppress(OSError, ValueError):
                    sys.stderr.write(text)
                    sys.stderr.flush()

    def _end(self, grace: float) -> None:
        """Ask it to end, and make it if it does not."""
        self._signal("SIGTERM")
        try:
            self._process.wait(grace)
        except subprocess.TimeoutExpired:
            self._signal("SIGKILL")

    def _signal(self, name: str) -> None:
        if self._process.poll() is not None:
            return
        with suppress(ProcessLookupError):
            if self.asks or sys.platform == "win32":
                self._process.terminate() if name == "SIGTERM" else self._process.kill()
            else:
                os.killpg(self._process.pid, getattr(signal, name))

    @staticmethod
    def _pipe(pipe: IO[bytes] | None) -> IO[bytes]:
        assert pipe is not None
        return pipe


def _printable(text: str) -> str:
    """Return what a program complains about as nothing but letters and lines."""
    return "".join(
        each if each.isprintable() or each == "\n" else "" if each == "\r" else "?" for each in text
    )

"""Safe standard streams: always open, able to encode any text, and written to even when blocked."""

from __future__ import annotations

import codecs
import io
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from time import monotonic, sleep
from typing import Final, TextIO, TypeAlias

_Replacement: TypeAlias = tuple[str | bytes, int]

_PLAIN: Final = {
    "–": "-",
    "·": "-",
    "×": "x",
    "±": "+-",
    "½": " 1/2",
    "…": "...",
    "“": '"',
    "”": '"',
}
"""ASCII substitutes for our characters that an encoding lacks."""

_UNABLE: Final = ("strict", "surrogateescape")
"""Python's default error handlers, which raise for characters an encoding lacks."""

_FORCED_SECONDS: Final = 2.0
"""Seconds to try to write to a terminal that does not read."""

_POLL_INTERVAL: Final = 0.005


def report(text: str, stream: TextIO | None = None) -> None:
    """Print a text on standard output, or another stream; wrap its lines at words on a terminal."""
    stream = stream or sys.stdout
    if stream.isatty():
        from textwrap import wrap  # of no use to the board, which begins without it

        width, lines = text_width(stream), list[str]()
        for line in text.split("\n"):
            indent = " " * (len(line) - len(line.lstrip()))
            lines += wrap(
                line,
                width,
                subsequent_indent=indent,
                break_long_words=False,
                break_on_hyphens=False,
            ) or [""]
        text = "\n".join(lines)
    print(text, file=stream, flush=True)


def text_width(stream: TextIO) -> int:
    """Return the columns of text on a stream: its terminal's, but not more than are easily read."""
    from shutil import get_terminal_size

    size = os.terminal_size((80, 24))
    with suppress(OSError):
        size = os.get_terminal_size(stream.fileno())
    return max(40, min(get_terminal_size(size).columns, 100))


def at_terminal() -> bool:
    """Whether there is a terminal to read from and to write to."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def prepare() -> None:
    """Make sure that the three standard streams exist and encode any text.

    The file descriptors of streams that were closed before the program began must be taken, or a
    file opened later would get one and be written to like the screen.  The replacements of input
    and output have the wrong mode, so that they fail only when used; errors are discarded.
    """
    if sys.stdin is None:
        sys.stdin = os.fdopen(os.open(os.devnull, os.O_WRONLY), "r", closefd=False)
    if sys.stdout is None:
        sys.stdout = os.fdopen(os.open(os.devnull, os.O_RDONLY), "w", closefd=False)
    if sys.stderr is None:
        sys.stderr = os.fdopen(os.open(os.devnull, os.O_WRONLY), "w", closefd=False)
    for name, otherwise in (
        ("thud.replaced", codecs.replace_errors),
        ("thud.escaped", codecs.backslashreplace_errors),
    ):
        codecs.register_error(name, partial(_written_plainly, otherwise))
    if isinstance(sys.stdout, io.TextIOWrapper) and sys.stdout.errors in _UNABLE:
        sys.stdout.reconfigure(errors="thud.replaced")
    if isinstance(sys.stderr, io.TextIOWrapper) and sys.stderr.errors == "backslashreplace":
        sys.stderr.reconfigure(errors="thud.escaped")


def _written_plainly(
    otherwise: Callable[[UnicodeError], _Replacement], error: UnicodeError
) -> _Replacement:
    """Codec error handler: replace the first character that the encoding lacks."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    error.end = error.start + 1
    if plain := _PLAIN.get(error.object[error.start]):
        return plain, error.end
    return otherwise(error)


def flush_or_discard() -> None:
    """Flush the output, or discard it, so that Python cannot fail to do so at exit."""
    for stream in sys.stdout, sys.stderr:
        try:
            stream.flush()
        except OSError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def write_forced(terminal: int, text: str, interrupt: Callable[[], None]) -> None:
    """Write a text, discarding what the terminal has not read; later output is an error.

    Nothing is opened, as a sandbox might not allow it.

    Args:
        terminal: the file descriptor of the output.
        text: a few codes, fewer than an empty output buffer holds.
        interrupt: interrupts a thread that waits in the kernel for the terminal to read.

    Raises:
        OSError: it is no terminal, or is gone.
    """
    import fcntl
    import termios

    own, flags = os.dup(terminal), fcntl.fcntl(terminal, fcntl.F_GETFL)
    nobody, nowhere = os.pipe()
    os.close(nobody)
    os.dup2(nowhere, terminal)
    fcntl.fcntl(own, fcntl.F_SETFL, flags | os.O_NONBLOCK)
    data, until = text.encode(), monotonic() + _FORCED_SECONDS
    try:
        while monotonic() < until:
            with suppress(BlockingIOError):
                if os.write(own, data) == len(data):
                    return
            # Nobody may write while another thread waits for room: interrupted, it fails.
            interrupt()
            termios.tcflush(own, termios.TCOFLUSH)
            sleep(_POLL_INTERVAL)
    finally:
        # The shell has the same open file.
        fcntl.fcntl(own, fcntl.F_SETFL, flags)

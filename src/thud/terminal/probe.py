"""Queries a terminal's capabilities, and restores its state.

The queries are from xterm's control sequences
(https://invisible-island.net/xterm/ctlseqs/ctlseqs.html) and the Kitty keyboard protocol
(https://sw.kovidgoyal.net/kitty/keyboard-protocol/).  The last one, for the device attributes, is
answered by nearly every terminal: its answer means that all others have arrived.
"""

from __future__ import annotations

import os
import re
import select
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from time import monotonic
from typing import Final, NamedTuple

GLYPHS: Final = "▲■◆●○█▄▓▒▟▖╱×•½"
"""One character of each kind used in boards, panels and texts."""

TIMEOUT: Final = 0.5
FAR_TIMEOUT: Final = 1.5
"""Timeouts in seconds for a local and for a remote terminal."""

_WHERE: Final = "\x1b[6n"
_MOUSE: Final = "\x1b[?1006$p"
_SYNCHRONIZED: Final = "\x1b[?2026$p"
_KEYBOARD: Final = "\x1b[?u"
_NAME: Final = "\x1b[>0q"
_LAST: Final = "\x1b[c"
_CLEAR: Final = "\r\x1b[K"
_LONGEST: Final = 4096

_ATTRIBUTES: Final = re.compile(rb"\x1b\[\?[\d;]*c")
_CURSOR: Final = re.compile(rb"\x1b\[\d+;(\d+)R")
_MODE: Final = re.compile(rb"\x1b\[\?(\d+);(\d)\$y")
_FLAGS: Final = re.compile(rb"\x1b\[\?\d+u")
_VERSION: Final = re.compile(rb"\x1bP>\|([^\x1b]*)\x1b\\")


class Answers(NamedTuple):
    """A terminal's answers; None for no answer."""

    answered: bool = False
    """Whether it has answered anything."""
    widths: Mapping[str, int] = {}
    """Columns of each of the `GLYPHS`, empty if unknown."""
    mouse: bool | None = None
    """Whether it supports the mouse reports that the game uses."""
    synchronized: bool | None = None
    """Whether it supports synchronized output."""
    kitty_keyboard: bool = False
    """Whether it supports the Kitty keyboard protocol."""
    name: str = ""
    """The terminal's own name."""


def probe(terminal_in: int, terminal_out: int, environ: Mapping[str, str]) -> Answers:
    """Query a terminal; return its answers when complete or on a timeout.

    Args:
        terminal_in: the file descriptor of its input.
        terminal_out: that of its output; the cursor is at the beginning of a line.
        environ: the environment variables.

    Raises:
        OSError: it is no terminal, or is gone.
    """
    heard, timeout = b"", FAR_TIMEOUT if environ.get("SSH_CONNECTION") else TIMEOUT
    with _quiet(terminal_in):
        try:
            os.write(terminal_out, questions(environ).encode())
            end = monotonic() + timeout
            while not _ATTRIBUTES.search(heard) and len(heard) < _LONGEST:
                left = end - monotonic()
                if left <= 0 or not select.select([terminal_in], [], [], left)[0]:
                    break
                more = os.read(terminal_in, 1024)
                if not more:
                    break
                heard += more
            return understood(heard)
        finally:
            os.write(terminal_out, _CLEAR.encode())


def questions(environ: Mapping[str, str]) -> str:
    """Return the text to write: queries, and the glyphs to measure."""
    glyphs = "".join(f"\r{glyph}{_WHERE}" for glyph in GLYPHS)
    modes = _MOUSE + _SYNCHRONIZED
    if environ.get("TERM_PROGRAM") == "Apple_Terminal":
        # It does not understand mode queries, and prints their last letter.
        modes = ""
    return f"{glyphs}{_CLEAR}{modes}{_KEYBOARD}{_NAME}{_LAST}"


def understood(heard: bytes) -> Answers:
    """Parse a terminal's answers; other bytes are ignored."""
    columns = [int(column) for column in _CURSOR.findall(heard)]
    modes = {int(mode): int(state) for mode, state in _MODE.findall(heard)}
    version = _VERSION.search(heard)
    name = version[1].decode(errors="replace") if version else ""
    return Answers(
        bool(_ATTRIBUTES.search(heard) or columns or modes),
        dict(zip(GLYPHS, (column - 1 for column in columns), strict=True))
        if len(columns) == len(GLYPHS)
        else {},
        _known(modes.get(1006)),
        _known(modes.get(2026)),
        bool(_FLAGS.search(heard)),
        "".join(each for each in name if each.isprintable())[:60],
    )


def _known(state: int | None) -> bool | None:
    """Whether the terminal supports a mode, by its DECRQM state; None for no answer."""
    return None if state is None else state in (1, 2, 3)


@contextmanager
def _quiet(terminal_in: int) -> Iterator[None]:
    """Context manager: turn echo off, and drop remaining input."""
    try:
        import termios
        import tty
    except ImportError as error:
        raise OSError("this system has no such terminals") from error
    try:
        before = termios.tcgetattr(terminal_in)
        tty.setcbreak(terminal_in, termios.TCSAFLUSH)
    except termios.error as error:
        raise OSError(str(error)) from error
    try:
        yield
    finally:
        termios.tcsetattr(terminal_in, termios.TCSAFLUSH, before)

"""Queries a terminal's capabilities, and leaves it as it was.

The questions are those of xterm's control sequences
(https://invisible-island.net/xterm/ctlseqs/ctlseqs.html) and of the Kitty keyboard protocol
(https://sw.kovidgoyal.net/kitty/keyboard-protocol/).  The last one, for the device attributes, is
answered by nearly every terminal: with that answer there is nothing more to wait for.
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
"""One of each kind of character that boards, panels and texts are drawn with."""

TIMEOUT: Final = 0.5
FAR_TIMEOUT: Final = 1.5
"""Seconds that a terminal has to answer, at this computer or far away."""

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
    """A terminal's answers; None is no answer."""

    answered: bool = False
    """Whether it has answered anything."""
    widths: Mapping[str, int] = {}
    """The columns of each of the `GLYPHS`, empty if it does not say."""
    mouse: bool | None = None
    """Whether it knows the mouse reports that the game asks for."""
    synchronized: bool | None = None
    """Whether it can show a whole frame at once."""
    kitty_keyboard: bool = False
    """Whether it has the Kitty keyboard protocol."""
    name: str = ""
    """The terminal's own name."""


def probe(terminal_in: int, terminal_out: int, environ: Mapping[str, str]) -> Answers:
    """Ask a terminal, and return when it has answered or its time is over.

    Args:
        terminal_in: the file descriptor of its keyboard.
        terminal_out: that of its screen; the cursor is at the beginning of a line.
        environ: the environment variables.

    Raises:
        OSError: it is no terminal, or it is gone.
    """
    far = environ.get("SSH_CONNECTION")
    with _quiet(terminal_in):
        try:
            os.write(terminal_out, questions(environ).encode())
            return understood(_heard(terminal_in, FAR_TIMEOUT if far else TIMEOUT))
        finally:
            os.write(terminal_out, _CLEAR.encode())


def questions(environ: Mapping[str, str]) -> str:
    """Return what is written to a terminal: questions, and the glyphs that are measured."""
    glyphs = "".join(f"\r{glyph}{_WHERE}" for glyph in GLYPHS)
    modes = _MOUSE + _SYNCHRONIZED
    if environ.get("TERM_PROGRAM") == "Apple_Terminal":
        # It does not know questions about modes, and shows their last letter.
        modes = ""
    return f"{glyphs}{_CLEAR}{modes}{_KEYBOARD}{_NAME}{_LAST}"


def understood(heard: bytes) -> Answers:
    """Return what the bytes that a terminal has sent mean; other bytes are passed over."""
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
    """Say whether a mode is one that the terminal can switch on or has on for ever."""
    return None if state is None else state in (1, 2, 3)


def _heard(terminal_in: int, timeout: float) -> bytes:
    """Return what comes in until the last question is answered or the time is over."""
    heard, end = b"", monotonic() + timeout
    while not _ATTRIBUTES.search(heard) and len(heard) < _LONGEST:
        left = end - monotonic()
        if left <= 0 or not select.select([terminal_in], [], [], left)[0]:
            break
        more = os.read(terminal_in, 1024)
        if not more:
            break
        heard += more
    return heard


@contextmanager
def _quiet(terminal_in: int) -> Iterator[None]:
    """Turn echo off, and drop input that is left."""
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

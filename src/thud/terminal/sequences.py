"""Splits terminal input into keys, escape sequences and pastes, and drops control strings.

The grammar is that of ECMA-48 and of xterm's control sequences
(https://invisible-island.net/xterm/ctlseqs/ctlseqs.html).  Control strings (DCS, OSC, APC, PM, SOS)
only carry a terminal's answers to queries, perhaps of a program that ran before: no key is sent as
one.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from enum import Enum
from time import monotonic
from typing import Final, TypeAlias

from msgspec import Struct

ESC: Final = "\x1b"
PASTE_BEGIN: Final = "\x1b[200~"
PASTE_END: Final = "\x1b[201~"

LONGEST_SEQUENCE: Final = 1024
"""Most characters of an escape sequence: room for a long sentence of an input method."""

LONGEST_STRING: Final = 1 << 16
"""Most characters of a control string; what follows is input again."""

LONGEST_PASTE: Final = 1 << 20
"""Most characters of a paste; the rest of it is dropped."""

STALLED: Final = 1.0
"""Seconds without a character after which an unfinished sequence or string is given up."""

STRING_SECONDS: Final = 3.0
"""Most seconds of a control string: typed keys may be mistaken for more of an unfinished one."""

PASTE_STALLED: Final = 5.0
"""Seconds without a character after which an unfinished paste counts as finished."""

_STRINGS: Final = "P]X^_"
"""What introduces a control string, after ESC: DCS, OSC, SOS, PM, APC."""

_C1: Final = {chr(0x40 + ord(each)): each for each in f"O[\\{_STRINGS}"}
"""What an introducer of one character stands for, without its ESC."""

_BEL: Final = "\x07"
_ST: Final = "\x9c"


class InputKind(Enum):
    """What a piece of input is."""

    CHARACTER = "one character"
    KEY = "Escape, or Alt and a key"
    SEQUENCE = "a whole escape sequence: a key, a mouse event, or an answer"
    PASTE = "a whole bracketed paste with its marks, without other escape codes"


class Piece(Struct, frozen=True):
    """A piece of input that belongs together."""

    kind: InputKind
    text: str


Reading: TypeAlias = Generator[float | None, str, None]
"""Yields seconds to wait for a character, and is sent it, or '' if none has come."""


class Splitter:
    """Splits input, whose characters may come at any time, into pieces.

    Args:
        take: called with each piece.
        escape_delay: seconds after which ESC is the Escape key, or Alt and a key.
    """

    def __init__(self, take: Callable[[Piece], None], escape_delay: float) -> None:
        self._take = take
        self._escape_delay = escape_delay
        self._ahead = ""

    def run(self) -> Reading:
        """Read without end."""
        while True:
            char = yield from self._next(None)
            if char == ESC:
                yield from self._escaped((yield from self._next(self._escape_delay)))
            elif char in _C1:
                yield from self._escaped(_C1[char])
            else:
                self._take(Piece(InputKind.CHARACTER, char))

    def _next(self, timeout: float | None) -> Generator[float | None, str, str]:
        if self._ahead:
            char, self._ahead = self._ahead[0], self._ahead[1:]
            return char
        return (yield timeout)

    def _escaped(self, introducer: str) -> Reading:
        """Read what ESC and a character introduce."""
        if introducer in ("", ESC) or introducer in _C1:
            self._take(Piece(InputKind.KEY, ESC))
            self._ahead = introducer + self._ahead
        elif introducer in ("[", "O"):
            yield from self._sequence(ESC + introducer)
        elif introducer in _STRINGS:
            yield from self._string(introducer)
        elif introducer != "\\":  # the end of a string that has been given up
            self._take(Piece(InputKind.KEY, ESC + introducer))

    def _sequence(self, begun: str) -> Reading:
        """Read a sequence; drop it if it is broken off or too long."""
        text = begun
        while len(text) < LONGEST_SEQUENCE:
            char = yield from self._next(self._escape_delay if text == begun else STALLED)
            if not " " <= char <= "~":
                if text == begun:
                    self._take(Piece(InputKind.KEY, begun))
                self._ahead = char + self._ahead
                return
            text += char
            if text in ("\x1b[M", "\x1b[["):
                text += yield from self._fixed(3 if char == "M" else 1)
            elif " " <= char <= "?" and not (char == "$" and text[2:-1].isdigit()):
                # What ends with $ is a key with Shift in rxvt.
                continue
            if text == PASTE_BEGIN:
                yield from self._paste()
            else:
                self._take(Piece(InputKind.SEQUENCE, text))
            return

    def _fixed(self, count: int) -> Generator[float | None, str, str]:
        """Read the bytes of a mouse event in X10's encoding, or the letter of a Linux console."""
        text = ""
        while len(text) < count and (char := (yield from self._next(STALLED))):
            if char == ESC:
                self._ahead = char + self._ahead
                break
            text += char
        return text

    def _string(self, introducer: str) -> Reading:
        """Drop a control string, until its end, another control character, or the bounds."""
        length, until = 0, monotonic() + STRING_SECONDS
        while length < LONGEST_STRING and (left := until - monotonic()) > 0:
            timeout = min(left, STALLED) if length else self._escape_delay
            char = yield from self._next(timeout)
            if char == _ST or (char == _BEL and introducer == "]"):
                return
            if char == ESC and (yield from self._is_terminated()):
                return
            if (char < " " and char != _BEL) or char == "\x7f":
                if not length:
                    self._take(Piece(InputKind.KEY, ESC + introducer))
                self._ahead = char + self._ahead
                return
            length += 1

    def _is_terminated(self) -> Generator[float | None, str, bool]:
        """Whether ESC ends a string; otherwise it is a key, or begins something else."""
        char = yield from self._next(self._escape_delay)
        if char != "\\":
            self._ahead = char + self._ahead
        return char == "\\"

    def _paste(self) -> Reading:
        """Read a paste to its end."""
        parts: list[str] = []
        tail = ""
        while not tail.endswith(PASTE_END) and (char := (yield from self._next(PASTE_STALLED))):
            tail = (tail + char)[-len(PASTE_END) :]
            if len(parts) < LONGEST_PASTE:
                parts.append(char)
        text = "".join(parts).removesuffix(PASTE_END).replace(ESC, "")
        self._take(Piece(InputKind.PASTE, PASTE_BEGIN + text + PASTE_END))

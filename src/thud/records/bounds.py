"""Bounded reading of untrusted text files."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Final

from thud.disk.encoding import IS_UTF_16, is_utf_16
from thud.disk.small import open_regular
from thud.text import prints, quoted

MAX_BYTES: Final = 1 << 20
"""Largest file, in bytes, for any number of matches."""

MAX_MATCHES: Final = 1000

READABLE: Final = (".tgn", ".thud")
"""The suffixes of the formats that can be read."""

_LAYOUT: Final = "\n\t"
_CONTROLS: Final = r"[^\n\t -~]"


class BadRecord(ValueError):
    """A file that is not a record; the message gives the place and the reason.

    Attributes:
        line: the line's number, from 1.
        column: the character's number in its line, from 1; 0 for the whole line.
        reason: what is wrong there, in a sentence.
    """

    def __init__(self, line: int, reason: str, column: int = 0) -> None:
        where = f"line {line}, column {column}" if column else f"line {line}"
        super().__init__(f"{where}: {reason}")
        self.line = line
        self.column = column
        self.reason = reason

    def precedes(self, other: BadRecord | None) -> bool:
        """Whether it comes first in the text."""
        return other is None or (self.line, self.column) < (other.line, other.column)


def read_text(path: Path) -> str:
    """Read a text file of at most `MAX_BYTES`, whose size is checked first.

    Raises:
        BadRecord: it is too large or not UTF-8 text.
        OSError: it cannot be read.
    """
    with open_regular(path) as file:
        if os.fstat(file.fileno()).st_size > MAX_BYTES:
            raise _too_large()
        return text_of(file.read(MAX_BYTES + 1))


def text_of(data: bytes) -> str:
    """Decode a file's content, UTF-8 with or without a byte order mark.

    Other bytes become surrogates, for `clean` to report.

    Raises:
        BadRecord: it is too large, or UTF-16.
    """
    if len(data) > MAX_BYTES:
        raise _too_large()
    if is_utf_16(data):
        raise BadRecord(1, IS_UTF_16)
    return data.decode("utf-8-sig", "surrogateescape")


def clean(text: str) -> tuple[str, list[BadRecord]]:
    """Return text with normalized line ends and without unprintable characters, and the faults.

    Bytes that were no UTF-8 become U+FFFD.  The faults are the first of each line, and at most
    `MAX_MATCHES`.

    Raises:
        BadRecord: it is too large.
    """
    if len(text) > MAX_BYTES:
        raise _too_large()
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    if text.isascii() and not re.search(_CONTROLS, text):
        return text, []
    strange = {each for each in set(text) if not (each.isprintable() or each in _LAYOUT)}
    if not strange:
        return text, []
    faults: dict[int, BadRecord] = {}
    kept: list[str] = []
    line, begin = 1, 0
    for at, character in enumerate(text):
        if character == "\n":
            line, begin = line + 1, at + 1
        if character not in strange or prints(text, at):
            kept.append(character)
            continue
        byte = "\udc80" <= character <= "\udcff"
        kept.append("\ufffd" if byte else "")
        if line not in faults and len(faults) < MAX_MATCHES:
            reason = f"the character {quoted(character)} is not printable"
            if byte:
                reason = f"the byte 0x{ord(character) - 0xDC00:02x} is not UTF-8 text"
            faults[line] = BadRecord(line, reason, at - begin + 1)
    return "".join(kept), list(faults.values())


def _too_large() -> BadRecord:
    return BadRecord(1, f"the file is larger than {MAX_BYTES >> 20} MiB")

"""Size limits of records, and bounded reading of untrusted text."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from datetime import date
from pathlib import Path
from typing import Final

from thud.disk.encoding import IS_UTF_16, is_utf_16
from thud.text import is_printable, prints, quoted

MAX_BYTES: Final = 1 << 20
"""Largest file, in bytes, for any number of matches."""

MAX_MATCHES: Final = 1000
MAX_PLIES: Final = 5000
"""Longest line of moves in a battle, including moves taken back."""

MAX_VARIED: Final = 5000
"""Most moves of all variations of a battle together."""

MAX_DEPTH: Final = 20
"""Deepest nesting of variations; one of the battle itself has depth 1."""

MAX_QUIET: Final = 1000
MAX_COMMENT: Final = 4000
"""Longest comment, in characters."""

MAX_COMMENTS: Final = MAX_PLIES + 1000
"""Most comments in a battle and its variations: a review adds one to each move."""

MAX_TAGS: Final = 64
MAX_TAG_VALUE: Final = 400

_TAG_NAME: Final = r"[A-Z][A-Za-z0-9_]{0,31}"
_DATE: Final = r"(?a)(\d{4}|\?{4})[-./](\d\d|\?\?)[-./](\d\d|\?\?)"
_LAYOUT: Final = "\n\t"
_CONTROLS: Final = re.compile(r"[^\n\t -~]")


class InvalidRecord(ValueError):
    """A record that could not be read back."""


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


# Files


def read_text(path: Path) -> str:
    """Read a text file of at most `MAX_BYTES`, whose size is checked first.

    Raises:
        BadRecord: it is too large or not UTF-8 text.
        OSError: it cannot be read.
    """
    with path.open("rb") as file:
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
    if text.isascii() and not _CONTROLS.search(text):
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


# Tags, comments, dates


def check_tag(name: str, value: str) -> None:
    """Check that a tag can be written.

    Raises:
        InvalidRecord: its name is invalid, or its value too long or unprintable.
    """
    if not re.fullmatch(_TAG_NAME, name):
        raise InvalidRecord(
            f"{quoted(name)} is not the name of a tag: up to 32 letters, digits and _,"
            " a capital letter first"
        )
    if len(value) > MAX_TAG_VALUE:
        raise InvalidRecord(f"the tag {name} has more than {MAX_TAG_VALUE} characters")
    if not is_printable(value):
        raise InvalidRecord(f"the tag {name} has unprintable characters: {quoted(value)}")


def check_comment(text: str) -> None:
    """Check that a comment can be written.

    Raises:
        InvalidRecord: it is empty, too long, unprintable, or holds a brace.
    """
    if len(text) > MAX_COMMENT:
        raise InvalidRecord(f"a comment has more than {MAX_COMMENT} characters")
    if "{" in text or "}" in text:
        raise InvalidRecord(f"a comment has a brace in it: {quoted(text)}")
    if not is_printable(text) or text != " ".join(text.split()) or not text:
        raise InvalidRecord(f"a comment is one line of text, not {quoted(text)}")


def parse_date(text: str) -> str:
    """Parse a date; return it as `"2026-11-20"` or `"2026-11-??"`.

    Raises:
        InvalidRecord: it is not a date of the calendar, written year, month, day.
    """
    if found := re.fullmatch(_DATE, text):
        with suppress(ValueError):
            if "?" not in text:
                date(*map(int, found.groups()))
            return "-".join(found.groups())
    raise InvalidRecord(f"{quoted(text)} is not a date: write it like 2026-11-20 or 2026-11-??")


def parse_quiet_limit(text: str) -> int:
    """Parse a quiet limit, in turns without a capture.

    Raises:
        InvalidRecord: it is not a whole number from 1 to `MAX_QUIET`.
    """
    if text.isascii() and text.isdigit() and len(text) <= 4 and 1 <= int(text) <= MAX_QUIET:
        return int(text)
    raise InvalidRecord(
        f"a quiet limit is a whole number from 1 to {MAX_QUIET}, not {quoted(text)}"
    )

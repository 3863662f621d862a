"""From the bytes of an untrusted file to text that is safe to read and to show."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from thud.records.bounds import MAX_BYTES
from thud.wording.text import quoted

if TYPE_CHECKING:
    from thud.records.record import Record

_LAYOUT = "\n\t"


class BadRecord(ValueError):
    """A file that is not a record; says in which line it fails and why.

    Attributes:
        line: the number of the line, from 1.
        reason: what is wrong there, in a sentence.
        partial: the match as far as it could be read, None if that is nowhere.
        before: the matches before it in the same file.
    """

    def __init__(self, line: int, reason: str, partial: Record | None = None) -> None:
        super().__init__(f"line {line}: {reason}")
        self.line = line
        self.reason = reason
        self.partial = partial
        self.before: tuple[Record, ...] = ()


def read_text(path: Path) -> str:
    """Read a file of at most `MAX_BYTES`, which are counted before they are read.

    Raises:
        BadRecord: it is too large or not plain text.
        OSError: it cannot be read.
    """
    with path.open("rb") as file:
        if os.fstat(file.fileno()).st_size > MAX_BYTES:
            raise _too_large()
        return text_of(file.read(MAX_BYTES + 1))


def text_of(data: bytes) -> str:
    """Return the text of a file: UTF-8, with or without a byte order mark, any line ends.

    Raises:
        BadRecord: it is too large, not UTF-8, or has characters that do not print.
    """
    if len(data) > MAX_BYTES:
        raise _too_large()
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = data[: error.start].replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        reason = f"the byte 0x{data[error.start]:02x} is not UTF-8 text"
        raise BadRecord(before.count(b"\n") + 1, reason) from None
    return clean(text)


def clean(text: str) -> str:
    """Return text with plain line ends, all of whose characters print.

    Raises:
        BadRecord: it is too large or has control, formatting or unknown characters.
    """
    if len(text) > MAX_BYTES:
        raise _too_large()
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    strange = [character for character in set(text) if not _fit(character)]
    if strange:
        first = min(map(text.index, strange))
        reason = f"the character {quoted(text[first])} does not print"
        raise BadRecord(text.count("\n", 0, first) + 1, reason)
    return text


def _fit(character: str) -> bool:
    return character.isprintable() or character in _LAYOUT


def _too_large() -> BadRecord:
    return BadRecord(1, f"the file is larger than {MAX_BYTES >> 20} MiB")

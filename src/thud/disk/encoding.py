"""The encoding of text files: all are UTF-8; what some editors write instead is named."""

from __future__ import annotations

from typing import Final

IS_UTF_16: Final = "it is UTF-16 text: save it as UTF-8"

_MARKS: Final = (b"\xff\xfe", b"\xfe\xff")


def is_utf_16(data: bytes) -> bool:
    """Whether a file's content is UTF-16: by its byte order mark, or by two letters of ASCII."""
    zeros = [not byte for byte in data[:4]]
    return data.startswith(_MARKS) or zeros in ([True, False] * 2, [False, True] * 2)

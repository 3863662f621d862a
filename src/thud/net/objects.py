"""A line as the JSON object that it is, read within bounds."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, Final, NoReturn

from thud.wording.text import quoted

_LONGEST_NUMBER: Final = 32
"""The most characters of a number, whatever field it stands in."""


class Garbage(ValueError):
    """A line that is no message at all: nothing that comes after it can be trusted either."""


def object_in(line: bytes) -> dict[str, object]:
    """Return the object in a line.

    Raises:
        Garbage: there is none.
    """
    try:
        values = json.loads(
            line.decode(), parse_int=_bounded(int), parse_float=_bounded(float), parse_constant=_no
        )
    except (ValueError, RecursionError):
        raise Garbage(
            f"this is no message: {quoted(line[:80].decode('utf-8', 'replace'))}"
        ) from None
    if not isinstance(values, dict):
        raise Garbage("a message is an object")
    return values


def _bounded(read: Callable[[str], Any]) -> Callable[[str], Any]:
    def number(digits: str) -> Any:
        if len(digits) > _LONGEST_NUMBER:
            raise ValueError(digits)
        return read(digits)

    return number


def _no(constant: str) -> NoReturn:
    raise ValueError(constant)

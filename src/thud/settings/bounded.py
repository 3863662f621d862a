"""Reads TOML texts, and refuses those that nobody could mean as settings."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from typing import Any, Final

_DEEPEST: Final = 32
"""Tables and lists within one another; what writes the file again knows a hundred."""

_LARGEST: Final = 2**63
"""TOML 1.0 promises whole numbers of 64 bits, and asks for an error beyond."""

_TOO_DEEP: Final = "it is nested too deeply"
_TOO_LARGE: Final = "a number is too large"


class Excessive(ValueError):
    """Values that are nested too deeply, or numbers that are too large."""


def read_bounded(text: str) -> dict[str, Any]:
    """Return the values in a TOML text.

    Raises:
        tomllib.TOMLDecodeError: it is none.
        Excessive: they go beyond measure.
    """
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        raise
    except RecursionError:
        raise Excessive(_TOO_DEEP) from None
    except ValueError:
        # Python refuses to read numbers of thousands of digits.
        raise Excessive(_TOO_LARGE) from None
    _check(values)
    return values


def _check(values: dict[str, Any]) -> None:
    level: list[object] = [values]
    for _ in range(_DEEPEST):
        if any(isinstance(each, int) and abs(each) > _LARGEST for each in level):
            raise Excessive(_TOO_LARGE)
        level = [inner for each in level for inner in _within(each)]
    if level:
        raise Excessive(_TOO_DEEP)


def _within(value: object) -> Iterable[object]:
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()

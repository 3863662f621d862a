"""Bounded reading of TOML, with the line on which each value begins."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping
from tomllib import TOMLDecodeError
from typing import Any, Final, NamedTuple

_DEEPEST: Final = 32
"""Deepest nesting of tables and lists; the library that saves the file can do a hundred."""

_LARGEST: Final = 2**63
"""Largest integer: TOML 1.0 guarantees 64 bits, and asks for an error beyond."""

_TOO_DEEP: Final = "it is nested too deeply"
_TOO_LARGE: Final = "a number is too large"


class Excessive(ValueError):
    """Values nested too deeply, or numbers too large."""


def read_bounded(text: str) -> dict[str, Any]:
    """Return the values in a TOML text.

    Raises:
        tomllib.TOMLDecodeError: it is invalid.
        Excessive: it is nested too deeply, or has too large numbers.
    """
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        raise
    except RecursionError:
        raise Excessive(_TOO_DEEP) from None
    except ValueError:
        # Python refuses integers of thousands of digits.
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


_LONGEST_STATEMENT: Final = 200
"""Most lines of a statement: behind a longer one no lines are found."""


class _Statement(NamedTuple):
    """A statement of a TOML text, and the line on which it begins, from 1.

    Its values are None if they are `Excessive`.
    """

    line: int
    text: str
    values: Mapping[str, object] | None


def places(text: str) -> dict[str, int]:
    """Return the line, from 1, on which each value begins, by dotted name."""
    found: dict[str, int] = {}
    table = ""
    for line, statement, values in _statements(text):
        if values is None:
            break
        names = [name for name, _ in flattened(values, tables=True)]
        heading = statement.lstrip().startswith("[")
        if heading:
            table, names = "", names[-1:]
        found |= {f"{table}{name}": line for name in names}
        if heading:
            table = f"{names[0]}." if names else ""
    return found


def excess_line(text: str) -> int | None:
    """Return the line of the first `Excessive` value, if found."""
    return next((line for line, _, values in _statements(text) if values is None), None)


def _statements(text: str) -> Iterator[_Statement]:
    """Yield the statements one by one, since the library reports no lines."""
    statement, first = "", 1
    for number, line in enumerate(text.split("\n"), 1):
        statement += line + "\n"
        values: Mapping[str, object] | None = None
        try:
            values = read_bounded(statement)
        except TOMLDecodeError:
            if number - first >= _LONGEST_STATEMENT:
                return
            continue
        except Excessive:
            pass
        yield _Statement(first, statement, values)
        statement, first = "", number + 1


def flattened(
    values: Mapping[str, object], prefix: str = "", *, tables: bool = False
) -> Iterator[tuple[str, object]]:
    """Yield every value with its dotted name, optionally the tables as well."""
    for key, value in values.items():
        name = f"{prefix}{key}"
        if isinstance(value, dict):
            if tables:
                yield name, value
            yield from flattened(value, f"{name}.", tables=tables)
        else:
            yield name, value

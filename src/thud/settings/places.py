"""Where in a settings file each value begins."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from tomllib import TOMLDecodeError
from typing import Final, NamedTuple

from thud.settings.bounded import Excessive, read_bounded

_LONGEST_STATEMENT: Final = 200
"""Lines; a value that goes on for longer gives no lines from there on."""


class _Statement(NamedTuple):
    """A statement of a TOML text: the line on which it begins, from 1, and what it says.

    Its values are None where they go beyond measure.
    """

    line: int
    text: str
    values: Mapping[str, object] | None


def places(text: str) -> dict[str, int]:
    """Return the line, from 1, on which each value of a TOML text begins, by its dotted name."""
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
    """Return the line on which the first value that is beyond measure begins, if one is found."""
    return next((line for line, _, values in _statements(text) if values is None), None)


def _statements(text: str) -> Iterator[_Statement]:
    """Yield the statements one by one, since the library tells no lines."""
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
    """Yield every value with its dotted name, and on demand the tables as well."""
    for key, value in values.items():
        name = f"{prefix}{key}"
        if isinstance(value, dict):
            if tables:
                yield name, value
            yield from flattened(value, f"{name}.", tables=tables)
        else:
            yield name, value

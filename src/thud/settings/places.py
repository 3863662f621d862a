"""Where in a settings file each value begins."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from typing import Final

_LONGEST_STATEMENT: Final = 200
"""Lines; a value that goes on for longer gives no lines from there on."""


def places(text: str) -> dict[str, int]:
    """Return the line, from 1, on which each value of a TOML text begins, by its dotted name.

    The text is valid; its statements are read one by one, since the library tells no lines.
    """
    found: dict[str, int] = {}
    table, statement, first = "", "", 1
    for number, line in enumerate(text.split("\n"), 1):
        statement += line + "\n"
        try:
            names = [name for name, _ in flattened(tomllib.loads(statement), tables=True)]
        except ValueError:
            if number - first >= _LONGEST_STATEMENT:
                break
            continue
        if statement.lstrip().startswith("["):
            table = ""
            names = names[-1:]
        found |= {f"{table}{name}": first for name in names}
        if statement.lstrip().startswith("["):
            table = f"{names[0]}." if names else ""
        statement, first = "", number + 1
    return found


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

"""Small TOML files in a club's directory that its owner writes."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, get_type_hints

from thud.disk.small import open_regular
from thud.net.valid import valid
from thud.text import why

_MOST_BYTES: Final = 4096


def read_values(
    path: Path, kind: type, how: Mapping[str, str] | None = None
) -> dict[str, Any] | None:
    """Return the values in a file, checked by the fields of a named tuple; None without a file.

    Args:
        path: the file.
        kind: the named tuple.
        how: for each field, what a right value is, as a sentence goes on after "is"; without it,
            the file has secrets, and nothing of it is told.

    Raises:
        ValueError: the file is wrong; the text says in what, without a value.
    """
    try:
        with open_regular(path) as file:
            data = file.read(_MOST_BYTES + 1)
    except FileNotFoundError:
        return None
    except OSError as fault:
        raise ValueError(f"it cannot be read: {why(fault)}") from None
    if len(data) > _MOST_BYTES:
        raise ValueError(f"it has more than {_MOST_BYTES:,} bytes")
    if not data:
        return None
    try:
        values = tomllib.loads(data.decode())
    except (ValueError, RecursionError) as fault:
        where = f": {why(fault)}" if how and isinstance(fault, tomllib.TOMLDecodeError) else ""
        raise ValueError(f"it is not TOML{where}") from None
    kinds = get_type_hints(kind, include_extras=True)
    for name, value in values.items():
        if name not in kinds:
            raise ValueError(f"there is no setting of the name {name[:20]!a}")
        if valid(value, kinds[name]) is None:
            right = f"is {how[name]}" if how else "has a value of another kind"
            raise ValueError(f"{name} {right}")
    return values

"""Small TOML files in a club's directory that its owner writes."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any, Final, get_type_hints

from thud.disk.small import read_regular
from thud.net.valid import valid

_MOST_BYTES: Final = 4096


def read_values(path: Path, kind: type) -> dict[str, Any] | None:
    """Return the values in a file, checked by the fields of a named tuple; None without a file.

    Raises:
        ValueError: the file is wrong; the text says in what, without a value.
    """
    if not (data := read_regular(path, _MOST_BYTES)):
        return None
    try:
        values = tomllib.loads(data.decode())
    except ValueError:
        raise ValueError("it is not TOML") from None
    kinds = get_type_hints(kind, include_extras=True)
    for name, value in values.items():
        if name not in kinds:
            raise ValueError(f"there is no setting of the name {name[:20]!a}")
        if valid(value, kinds[name]) is None:
            raise ValueError(f"{name} has a value of another kind")
    return values

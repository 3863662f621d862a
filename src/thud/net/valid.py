"""Values from outside, checked by their types: what is invalid is left out."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Annotated, Any, TypeAlias, get_type_hints

from msgspec import Meta, convert

from thud.records.store import ID

Id: TypeAlias = Annotated[str, Meta(pattern=rf"^{ID}\Z")]
"""The id of a match, a table or a visitor."""


def valid(value: object, kind: Any, usual: Any = None) -> Any:
    """Return a value that has a type, else the usual one."""
    with suppress(ValueError):
        return convert(value, kind)
    return usual


def valid_fields(kind: type[Any], values: object) -> dict[str, Any]:
    """Return the valid values in an object, by the names of a named tuple's fields."""
    found = {}
    if isinstance(values, Mapping):
        for name, hint in get_type_hints(kind, include_extras=True).items():
            with suppress(KeyError, ValueError):
                found[name] = convert(values[name], hint)
    return found

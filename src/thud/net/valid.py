"""Values from outside, checked by their types: what is invalid is left out."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Annotated, Any, TypeAlias, TypeVar, get_type_hints

from msgspec import Meta, convert

from thud.records.store import ID

_Tuple = TypeVar("_Tuple")

Id: TypeAlias = Annotated[str, Meta(pattern=rf"^{ID}\Z")]
"""The id of a match, a table or a visitor."""


def valid(value: object, kind: Any, usual: Any = None) -> Any:
    """Return a value that has a type, else the usual one."""
    with suppress(ValueError):
        return convert(value, kind)
    return usual


def valid_tuple(kind: type[_Tuple], values: object) -> _Tuple:
    """Return a named tuple of an object's valid values; other fields have their defaults."""
    found = {}
    if isinstance(values, Mapping):
        for name, hint in get_type_hints(kind, include_extras=True).items():
            with suppress(KeyError, ValueError):
                found[name] = convert(values[name], hint)
    return kind(**found)

"""The library reference for the documentation site: everything in `thud.rules`."""

import ast
from collections.abc import Iterator
from importlib import import_module
from itertools import groupby
from pathlib import Path
from typing import Final, NamedTuple

from thud import rules

_TITLES: Final = {
    "geometry": "Squares",
    "position": "Positions and moves",
    "variant": "Variants",
    "battle": "Battles",
    "match": "Matches",
    "notation": "Texts of moves",
    "typed": "What people type",
    "threats": "Threats",
}
"""Titles of the modules that come first; the others follow under their own names."""


class Member(NamedTuple):
    """An importable name: its module, its name there, and its name in the library."""

    module: str
    own_name: str
    name: str


def members() -> list[Member]:
    """List the importable names by module, read from the source as type checkers do."""
    tree = ast.parse(Path(rules.__file__).read_text(encoding="utf-8"))
    found = [
        Member(str(each.module), alias.name, alias.asname or alias.name)
        for each in ast.walk(tree)
        if isinstance(each, ast.ImportFrom) and str(each.module).startswith("thud.rules.")
        for alias in each.names
    ]
    return sorted(found, key=lambda each: (_place(each.module), each.own_name))


def _place(module: str) -> tuple[int, str]:
    order, name = [*_TITLES], module.rsplit(".", maxsplit=1)[-1]
    return (order.index(name) if name in order else len(order)), name


def with_reference(text: str) -> str:
    """Return the page with the reference filled in."""
    return text.replace("<!-- reference -->", "\n".join(_lines()))


def _lines() -> Iterator[str]:
    for module, found in groupby(members(), key=lambda each: each.module):
        name = module.split(".")[-1]
        yield f"## {_TITLES.get(name, name.capitalize())}\n"
        for member in found:
            yield f"```{{eval-rst}}\n{_directive(member)}\n```\n"


def _directive(member: Member) -> str:
    value = getattr(import_module(member.module), member.own_name)
    where = f"{member.module}.{member.own_name}"
    named = f"\n\n   In ``thud.rules`` it is ``{member.name}``." * (member.name != member.own_name)
    if isinstance(value, type) and value.__module__ == member.module:
        kind = "exception" if issubclass(value, Exception) else "class"
        return f".. auto{kind}:: {where}\n   :members:{named}"
    if callable(value) and not isinstance(value, type):
        return f".. autofunction:: {where}{named}"
    return f".. autodata:: {where}\n   :no-value:{named}"

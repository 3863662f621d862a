"""Finds, by static analysis, the tests affected by a variant added to the registry.

Of a test parametrized by variant, only the run for the new one: the others have passed before.  Of
the rest, those that iterate over the registry, directly or through test helpers; that use a module
of the program which does; or that name the previously last variant, as lists of all variants do.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

import pytest

import thud
from thud.rules.variants import VARIANTS

TESTS: Final = Path(__file__).parent
REGISTRY: Final = "VARIANTS"


class Name(NamedTuple):
    """A name at the top level of a file."""

    path: Path
    name: str


def meeting(items: Collection[pytest.Item], added: str) -> Iterator[pytest.Item]:
    """Yield the tests affected by an added variant, and all doctests."""
    last = [name for name in VARIANTS if name != added][-1]
    runs_for_it = {_function(item) for item in items if _is_for(item, added)}
    for item in items:
        if not isinstance(item, pytest.Function) or _is_for(item, added):
            yield item
        elif _function(item) not in runs_for_it:
            function = _function(item)
            if any(_is_met(each, last) for each in {function} | _used(function)):
                yield item


def _function(item: pytest.Item) -> Name:
    return Name(item.path, getattr(item, "originalname", item.name))


def _is_for(item: pytest.Item, variant: str) -> bool:
    """Whether a test's id contains a variant as parameter."""
    return variant in re.findall(r"\w+", item.name.partition("[")[2])


@cache
def _is_met(name: Name, last: str) -> bool:
    """Whether a definition iterates over the registry, or names its last variant."""
    node = _defined(name.path).get(name.name)
    if isinstance(node, Name):
        return not node.path.is_relative_to(TESTS) and _walks(_tree(node.path))
    if node is None:
        return False
    texts = (each.value for each in ast.walk(node) if isinstance(each, ast.Constant))
    return _walks(node) or any(
        isinstance(text, str) and last in re.findall(r"\w+", text.lower()) for text in texts
    )


def _walks(tree: ast.AST) -> bool:
    """Whether code iterates over the registry, rather than only looking up a name in it."""
    looked_up = set[ast.AST]()
    for node in ast.walk(tree):
        if isinstance(node, ast.Subscript) or (
            isinstance(node, ast.Attribute) and node.attr == "get"
        ):
            looked_up.add(node.value)
        elif isinstance(node, ast.Compare):
            looked_up.update(node.comparators)
    return any(
        isinstance(node, ast.Name) and node.id == REGISTRY and node not in looked_up
        for node in ast.walk(tree)
    )


@cache
def _used(name: Name) -> frozenset[Name]:
    """Return all test helpers that a definition uses, and their imports from the program."""
    found, ahead = set[Name](), [name]
    while ahead:
        path, here = ahead.pop()
        node = _defined(path).get(here)
        if isinstance(node, Name):
            new = _meant(node) if node.path.is_relative_to(TESTS) else set()
        elif node is None:
            new = set(_fixtures(path, here))
        else:
            new = {Name(path, each) for each in _names_in(node)}
        ahead += new - found
        found |= new
    return frozenset(found)


def _meant(imported: Name) -> set[Name]:
    """Return the imported definition, or all definitions of an imported module."""
    defined = _defined(imported.path)
    return (
        {imported} if imported.name in defined else {Name(imported.path, each) for each in defined}
    )


def _names_in(node: ast.AST) -> Iterator[str]:
    for each in ast.walk(node):
        if isinstance(each, ast.Name):
            yield each.id
        elif isinstance(each, ast.arg):
            yield each.arg


def _fixtures(path: Path, name: str) -> Iterator[Name]:
    """Yield the `conftest.py` definition of a fixture used in a file, if it has one."""
    for folder in path.parents:
        shared = folder / "conftest.py"
        ours = folder.is_relative_to(TESTS) and shared != path and shared.exists()
        if ours and name in _defined(shared):
            yield Name(shared, name)
            return


@cache
def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def _defined(path: Path) -> Mapping[str, ast.AST | Name]:
    """Return a file's top-level definitions, and the sources of its imported names."""
    found: dict[str, ast.AST | Name] = {}
    for node in _tree(path).body:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                found[node.name] = node
            case ast.Assign(targets=targets):
                found.update((each, node) for target in targets for each in _names_in(target))
            case ast.AnnAssign(target=target):
                found.update((each, node) for each in _names_in(target))
            case ast.ImportFrom(module=str(module)):
                for alias in node.names:
                    if file := _file_of(module, alias.name):
                        found[alias.asname or alias.name] = Name(file, alias.name)
    return found


def _file_of(module: str, name: str) -> Path | None:
    """Return the file that defines an imported name, None if it is not ours."""
    for root in (TESTS, Path(thud.__file__).parents[1]):
        for dotted in (f"{module}.{name}", module):
            file = root.joinpath(*dotted.split(".")).with_suffix(".py")
            if file.exists():
                return file
    return None

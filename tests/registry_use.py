"""Which tests can tell that a variant was added to the registry, by their source.

Of a test that runs for each variant, that is the run for the new one: the others have passed
already.  Of any other it is one that goes through the registry, itself or by what it uses of the
tests; that uses a module of the program which does; or that names the last of the variants there
were, as whoever lists them all does.
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
    """Yield the tests that can tell that a variant was added, and all doctests."""
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
    """Say whether a test runs for a variant, by its id."""
    return variant in re.findall(r"\w+", item.name.partition("[")[2])


@cache
def _is_met(name: Name, last: str) -> bool:
    """Say whether a definition goes through the registry, or names the last variant in it."""
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
    """Say whether code goes through the registry, and does not merely look up a name in it."""
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
    """Return all that a definition uses of the tests, and what that imports of the program."""
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
    """Return the definition that is imported, or where that is a module, all of it."""
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
    """Yield the definition of a fixture for a file, if it is one of the tests' own."""
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
    """Return what a file defines at its top level, and where what it imports is defined."""
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
    """Return the file that an imported name is defined in, None where that is not ours."""
    for root in (TESTS, Path(thud.__file__).parents[1]):
        for dotted in (f"{module}.{name}", module):
            file = root.joinpath(*dotted.split(".")).with_suffix(".py")
            if file.exists():
                return file
    return None

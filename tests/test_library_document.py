"""docs/library.md runs as written, and covers everything that can be imported."""

import ast
import doctest
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from thud import rules

DOCUMENT = Path(__file__).parents[1] / "docs" / "library.md"
TEXT = DOCUMENT.read_text(encoding="utf-8")


def test_every_example_gives_what_it_says() -> None:
    found = doctest.testfile(str(DOCUMENT), module_relative=False, encoding="utf-8")
    assert found.attempted > 50
    assert not found.failed


def test_every_name_is_told() -> None:
    assert {*rules.__all__} <= {*re.findall(r"\w+", TEXT)}


def imported() -> dict[str, tuple[str, str]]:
    """Return the origin of each imported name, as type checkers see it: module and name."""
    tree = ast.parse(Path(rules.__file__).read_text(encoding="utf-8"))
    (block,) = (node for node in tree.body if isinstance(node, ast.If))
    return {
        alias.asname or alias.name: (str(node.module), alias.name)
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }


def test_what_is_loaded_is_what_type_checkers_see() -> None:
    names: dict[str, tuple[str, str]] = imported()
    assert sorted(names) == sorted(rules.__all__) == sorted(dir(rules))
    for name, (module, own_name) in names.items():
        value: Any = getattr(rules, name)
        assert value is getattr(import_module(module), own_name)


def test_every_error_of_the_rules_is_there() -> None:
    for name in "geometry", "position", "variant", "notation", "match", "typed":
        module = import_module(f"thud.rules.{name}")
        own = [each for each in vars(module).values() if isinstance(each, type)]
        errors = [each for each in own if issubclass(each, Exception)]
        assert all(getattr(rules, each.__name__) is each for each in errors)


def test_a_wrong_name_is_refused() -> None:
    with pytest.raises(ImportError, match="cannot import name 'chess'"):
        from thud.rules import chess  # noqa: F401


def test_the_board_alone_loads_nothing_else() -> None:
    code = "import sys, thud.rules.geometry; print(*(x for x in sys.modules if 'thud' in x))"
    command = [sys.executable, "-c", code]
    loaded = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    assert set(loaded) == {"thud", "thud.rules", "thud.rules.geometry", "thud.text"}

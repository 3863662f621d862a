"""The package has no circular imports."""

import ast
from collections.abc import Iterator, Mapping
from graphlib import TopologicalSorter
from pathlib import Path

import thud

SOURCE = Path(thud.__file__).parent


def modules(source: Path) -> dict[str, Path]:
    """Return the files of a package by module name."""
    return {
        ".".join(path.relative_to(source.parent).with_suffix("").parts).removesuffix(
            ".__init__"
        ): path
        for path in source.rglob("*.py")
    }


def imported(tree: ast.AST) -> Iterator[str]:
    """Yield all imports of a file, at any level: modules, and names that may be modules."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (each.name for each in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            assert not node.level, "imports name their module in full"
            yield from (f"{node.module}.{each.name}" for each in node.names)


def module_of(name: str, known: Mapping[str, Path]) -> str | None:
    """Return the module that a name is or belongs to."""
    return next((each for each in (name, name.rpartition(".")[0]) if each in known), None)


def graph(source: Path) -> Mapping[str, set[str]]:
    """Return the imports of each module of a package within the package."""
    known = modules(source)
    return {
        name: {
            module
            for each in imported(ast.parse(path.read_text(encoding="utf-8")))
            if (module := module_of(each, known)) and module != name
        }
        for name, path in known.items()
    }


def test_there_is_no_circle() -> None:
    """Or `prepare` raises an error that names the modules of one."""
    imports = graph(SOURCE)
    assert "thud.rules.battle" in imports["thud.rules.match"]
    TopologicalSorter(imports).prepare()


def test_a_session_never_prints() -> None:
    called = {
        node.func.id
        for path in (SOURCE / "session").glob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }
    assert "len" in called
    assert not called & {"print", "input", "open"}

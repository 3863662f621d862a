"""Write what a person would file of the fixes for Textual, each with its smallest program.

Usage: python tools/textual_reports.py [NAME ...] > reports.md

A report says what the comment "Fix NAME" in the sources says.  Its program is the fix's check in
`tests/textual_checks.py` with what that needs, and prints True where Textual is still at fault.
Reports that have a number, and what Python does, are left out unless they are named.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Final, NamedTuple

TOP: Final = Path(__file__).resolve().parents[1]
CHECKS: Final = TOP / "tests/textual_checks.py"
SOURCES: Final = ("tui/textual_fixes.py", "tui/dialog_fixes.py", "club/web/driver.py")

_FIX: Final = re.compile(r" *# Fix (\w+) \(([^)]*)\): ((?:.*\n)(?: *# (?!Fix ).*\n)*)")
"""A comment on a fix: its name, its report, and what is wrong until when."""

_UNREPORTED: Final = "not reported"


class Fix(NamedTuple):
    """What the sources say of a fix."""

    name: str
    report: str
    fault: str
    wanted: str
    """What is so once the fix is not needed."""


def fixes() -> Iterator[Fix]:
    """Yield the fixes in the order of the sources."""
    for source in SOURCES:
        for name, report, words in _FIX.findall((TOP / "src/thud" / source).read_text("utf-8")):
            text = " ".join(word for word in words.split() if word != "#")
            fault, _, wanted = text.rpartition(" Until ")
            yield Fix(name, report, fault[:1].upper() + fault[1:], wanted)


def program(name: str) -> str:
    """Return a program of its own that does what a check does, and prints what it says."""
    source = CHECKS.read_text("utf-8")
    body = ast.parse(source).body
    needed, found = {name}, set[str]()
    defined = {each: node for node in body for each in _defined(node)}
    while missing := needed - found:
        each = missing.pop()
        found.add(each)
        if node := defined.get(each):
            names = {inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name)}
            needed |= names & defined.keys() - {"check"}
    parts = [_written(source, node, found) for node in body if found & _defined(node)]
    runs = f"{name}()"
    if isinstance(defined[name], ast.AsyncFunctionDef):
        runs = f"asyncio.run({runs})"
        if "asyncio" not in found:
            parts.insert(0, "import asyncio")
    return "\n".join(["from __future__ import annotations\n", *parts, f"\nprint({runs})"])


def _defined(node: ast.stmt) -> set[str]:
    """Return the names that a statement of a module defines."""
    match node:
        case ast.Import(names) | ast.ImportFrom(names=names):
            return {(each.asname or each.name).split(".")[0] for each in names}
        case ast.FunctionDef(name) | ast.AsyncFunctionDef(name) | ast.ClassDef(name):
            return {name}
        case ast.AnnAssign(ast.Name(name)):
            return {name}
        case ast.Assign([ast.Name(name)]):
            return {name}
    return set()


def _written(source: str, node: ast.stmt, found: set[str]) -> str:
    """Return a statement as it is written, but for imports of what is not needed."""
    match node:
        case ast.ImportFrom(module, names):
            kept = [each for each in names if each.name in found]
            return ast.unparse(ast.ImportFrom(module, kept, 0))
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            return f"\n\n{ast.get_source_segment(source, node)}"
    return ast.get_source_segment(source, node) or ""


def report(fix: Fix) -> str:
    """Return a report in Markdown."""
    versions = f"Textual {version('textual')}, Python {sys.version.split()[0]}, {sys.platform}"
    return f"""## {fix.name} ({fix.report})

{fix.fault}

Expected: {fix.wanted}

{versions}. This prints `True`:

```python
{program(fix.name)}
```
"""


def main(names: Sequence[str]) -> None:
    """Print the reports."""
    chosen = [each for each in fixes() if each.name in names or not names]
    if not names:
        chosen = [each for each in chosen if each.report == _UNREPORTED]
    print("# Reports for Textual\n")
    for fix in chosen:
        print(report(fix))


if __name__ == "__main__":
    main(sys.argv[1:])

"""How many small faults in the sources the tests find.

Usage: python trials/mutants.py DIRECTORY [--each 50] [--seed 1] [--only rules net] [--jobs 2]

Makes mutants of six packages: an operator or a number exchanged, a condition negated, a call
deleted, nothing returned.  Each is tested in a copy of the tree with tests that run the changed
line, those of its own package first; a mutant with which they never end counts as killed.  Prints
the mutants that no test fails for, then a table.

DIRECTORY keeps which tests run which lines, and what became of each mutant: the same command goes
on where it was stopped, and more mutants contain the fewer ones.  Take another directory after a
change of sources or tests.

Needs `coverage`.  Changes nothing outside of functions.  What only other processes run counts as
run by no test.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from copy import deepcopy
from importlib import import_module
from itertools import accumulate
from multiprocessing import Pool
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any, Final, NamedTuple

import pytest

REPOSITORY: Final = Path(__file__).resolve().parents[1]
PACKAGES: Final = ("rules", "session", "records", "net", "tui", "plain")
LEFT_BEHIND: Final = shutil.ignore_patterns(".git", ".*_cache", ".hypothesis", "__pycache__")
RECORDS: Final = "THUD_MUTANTS"
"""The variable for the directory that this file, as a plugin of pytest, writes to."""

_OTHER: Final[dict[type[ast.AST], type[ast.AST]]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.And: ast.Or,
    ast.Or: ast.And,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}
"""What each operator is exchanged for."""


class Mutant(NamedTuple):
    """A changed piece of a file, by its place in bytes."""

    path: str
    line: int
    statement: int
    """The first line of the statement."""
    start: int
    end: int
    old: str
    new: str

    @property
    def key(self) -> str:
        """The same text for the same mutant in every run."""
        old, new = " ".join(self.old.split()), " ".join(self.new.split())
        return f"{self.path}:{self.line}: {old}  ->  {new}  @{self.start}"


class Tried(NamedTuple):
    """What became of a mutant."""

    key: str
    fate: str
    """`killed`, `lived`, `hung`, or `unrun` if no test runs its line."""
    by: str
    """The test that failed, or nothing."""
    tests: int
    left_out: int
    seconds: float


def main() -> None:
    """Measure what is not measured yet, try what is not tried yet, and print all."""
    parser = argparse.ArgumentParser(description=__doc__, add_help=False)
    parser.add_argument("directory", type=Path)
    parser.add_argument("--each", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", nargs="+", default=PACKAGES, choices=PACKAGES)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--most", type=float, default=30, help="seconds of own and of other tests")
    options = parser.parse_args()
    directory: Path = options.directory.resolve()
    directory.mkdir(exist_ok=True)
    results = directory / "results.jsonl"
    tried = {}
    if results.exists():
        for line in results.read_text().splitlines():
            tried[json.loads(line)["key"]] = Tried(**json.loads(line))
    chosen = {each: _mutants(each, options.seed)[: options.each] for each in options.only}
    _measure(directory, options.jobs)
    runs = _Runs(directory, options.most)
    tasks = [
        (mutant, package, *runs.tests(mutant, package))
        for package, mutants in chosen.items()
        for mutant in mutants
        if mutant.key not in tried
    ]
    with (
        TemporaryDirectory(prefix="thud-mutants-") as trees,
        results.open("a") as file,
        Pool(options.jobs, _prepare, (Path(trees),)) as pool,
    ):
        for result in pool.imap_unordered(_try, tasks):
            tried[result.key] = result
            print(json.dumps(result._asdict()), file=file, flush=True)
            print(f"{result.fate:6} {result.seconds:4.0f} s  {result.key}", file=sys.stderr)
    _report({name: [tried[each.key] for each in some] for name, some in chosen.items()})


def _report(results: dict[str, list[Tried]]) -> None:
    for package, some in results.items():
        for each in sorted(some):
            if each.fate in ("lived", "unrun"):
                text = each.key.rpartition("  @")[0]
                skipped = f", {each.left_out} left out" if each.left_out else ""
                print(f"{package}/{text}   ({each.tests} tests{skipped})")
    print("\n| Package | Mutants | Killed by its own tests | by others | Lived | Run by no test |")
    print("| --- | --- | --- | --- | --- | --- |")
    counts = {
        package: Counter(_fate(each, package) for each in results[package]) for package in results
    }
    for name, count in {**counts, "all": sum(counts.values(), Counter())}.items():
        numbers = [count[fate] for fate in ("own", "others", "lived", "unrun")]
        print("|", name, "|", sum(numbers), "|", *(f"{number} |" for number in numbers))


def _fate(tried: Tried, package: str) -> str:
    if tried.fate not in ("killed", "hung"):
        return tried.fate
    return "own" if not tried.by or tried.by.startswith(_own(package)) else "others"


# Making mutants.


def _mutants(package: str, seed: int) -> list[Mutant]:
    """Return all mutants of a package in an order of chance that is always the same."""
    top = REPOSITORY / "src" / "thud" / package
    found = [mutant for path in sorted(top.rglob("*.py")) for mutant in _of_file(path, top)]
    Random(f"{seed} {package}").shuffle(found)
    return found


def _of_file(path: Path, top: Path) -> Iterator[Mutant]:
    source = path.read_bytes()
    begins = [0, *accumulate(map(len, source.splitlines(keepends=True)))]
    for node, line, decides in _nodes(ast.parse(source)):
        for new in _replacements(node, decides):
            start = begins[node.lineno - 1] + node.col_offset
            end = begins[(node.end_lineno or 0) - 1] + (node.end_col_offset or 0)
            name, old = path.relative_to(top).as_posix(), source[start:end].decode()
            yield Mutant(name, node.lineno, line, start, end, old, new)


def _nodes(
    node: ast.AST, line: int = 0, inside: bool = False
) -> Iterator[tuple[ast.expr | ast.stmt, int, bool]]:
    """Yield what is inside functions, the line of its statement, and whether it is a condition."""
    for name, field in ast.iter_fields(node):
        for child in field if isinstance(field, list) else [field]:
            # Before Python 3.12 the parts of f-strings have no true places.
            left_out = ast.arguments | ast.pattern | ast.Assert | ast.JoinedStr
            if not isinstance(child, ast.AST) or isinstance(child, left_out):
                continue
            if name in {"annotation", "decorator_list", "returns"}:
                continue
            here = child.lineno if isinstance(child, ast.stmt) else line
            if inside and isinstance(child, ast.expr | ast.stmt):
                yield child, here, name in {"test", "ifs", "guard"}
            function = isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef)
            within = function or (inside and not isinstance(child, ast.ClassDef))
            yield from _nodes(child, here, within)


def _replacements(node: ast.expr | ast.stmt, decides: bool) -> Iterator[str]:
    """Yield other texts for a node."""
    match node:
        case ast.Compare(ops=[operator]):
            yield _changed(node, ops=[_OTHER[type(operator)]()])
            decides &= isinstance(operator, ast.Lt | ast.LtE | ast.Gt | ast.GtE)
        case ast.BoolOp(op=operator):
            yield _changed(node, op=_OTHER[type(operator)]())
        case ast.BinOp(op=operator) if type(operator) in _OTHER and not _has_text(node):
            yield _changed(node, op=_OTHER[type(operator)]())
        case ast.AugAssign(op=operator) if type(operator) in _OTHER and not _has_text(node):
            yield _changed(node, op=_OTHER[type(operator)]())
        case ast.UnaryOp(op=ast.Not()):
            yield f"({ast.unparse(node.operand)})"
            decides = False
        case ast.Constant(value=bool() as value):
            yield str(not value)
        case ast.Constant(value=int() as value):
            yield f"({value + 1})"
        case ast.Expr(value=ast.Call() | ast.Await()):
            yield "pass"
        case ast.Return(value=ast.expr() as value) if ast.unparse(value) != "None":
            yield "return None"
    if decides:
        yield f"(not ({ast.unparse(node)}))"


def _changed(node: ast.expr | ast.stmt, **fields: Any) -> str:
    new = deepcopy(node)
    for name, value in fields.items():
        setattr(new, name, value)
    return f"({ast.unparse(new)})" if isinstance(node, ast.expr) else ast.unparse(new)


def _has_text(node: ast.AST) -> bool:
    """Whether an operand cannot be subtracted: every test would find that."""
    return any(
        isinstance(each, ast.JoinedStr | ast.List | ast.Tuple | ast.ListComp)
        or (isinstance(each, ast.Constant) and isinstance(each.value, str | bytes))
        for each in ast.iter_child_nodes(node)
    )


# Which tests run which lines.


def _own(package: str) -> tuple[str, ...]:
    """Return what the names of a package's own tests begin with."""
    pictures = ["tests/snapshots/"] if package == "tui" else []
    return (f"tests/{package}/", f"src/thud/{package}/", *pictures)


def _measure(directory: Path, jobs: int) -> None:
    """Run all tests once, and keep the lines and seconds of each that passes."""
    if not (directory / "coverage").exists():
        data = directory / "parts"
        shutil.rmtree(data, ignore_errors=True)
        data.mkdir()
        # This file alone is put on the path: tests have modules that are named as others here.
        shutil.copy(__file__, data)
        command = [*_pytest("mutants"), "-n", str(jobs)]
        environment = {**_environment(REPOSITORY, data), RECORDS: str(data)}
        subprocess.run(command, cwd=REPOSITORY, env=environment, check=False)
        coverage = import_module("coverage")
        whole = coverage.CoverageData(str(directory / "coverage.new"))
        for part in data.glob("lines.*"):
            other = coverage.CoverageData(str(part))
            other.read()
            whole.update(other)
        whole.write()
        seconds = [path.read_text() for path in data.glob("seconds.*")]
        (directory / "seconds").write_text("".join(seconds))
        (directory / "coverage.new").rename(directory / "coverage")


def _pytest(plugin: str = "") -> list[str]:
    options = ["-p", plugin] if plugin else ["-x"]
    return [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *options]


def _environment(tree: Path, *others: Path) -> dict[str, str]:
    path = os.pathsep.join(map(str, (tree / "src", *others)))
    return {**os.environ, "PYTHONPATH": path, "COVERAGE_CORE": "ctrace"}


class _Runs:
    """Which tests run a line."""

    def __init__(self, directory: Path, most: float) -> None:
        self.most = most
        data = import_module("coverage").CoverageData(str(directory / "coverage"))
        data.read()
        self.lines: dict[str, dict[int, list[str]]] = {
            path: data.contexts_by_lineno(path) for path in data.measured_files()
        }
        self.size = Counter(
            name for lines in self.lines.values() for names in lines.values() for name in names
        )
        timed = (directory / "seconds").read_text().splitlines()
        self.seconds = {name: float(each) for each, name in (line.split("\t") for line in timed)}

    def tests(self, mutant: Mutant, package: str) -> tuple[list[str], int, float]:
        """Return tests that run a mutant's line, how many more do, and what they take, in seconds.

        Those of the package come first, and those that run the mutant's file more than others; a
        test of each file in turn.
        """
        path = REPOSITORY / "src" / "thud" / package / mutant.path
        lines = self.lines.get(str(path), {})
        of_file = Counter(name for names in lines.values() for name in names)
        names = {*lines.get(mutant.line, ()), *lines.get(mutant.statement, ())} & {*self.seconds}
        ordered = sorted(names, key=lambda name: (-of_file[name] / self.size[name], name))
        seen, place = Counter[str](), {}
        for name in ordered:
            file = name.partition("::")[0]
            place[name] = seen[file]
            seen[file] += 1
        ordered.sort(key=place.__getitem__)
        own = [name for name in ordered if name.startswith(_own(package))]
        others = [name for name in ordered if not name.startswith(_own(package))]
        chosen: list[str] = []
        total = 0.0
        for some in (own, others):
            until = total + self.most
            for name in some:
                if name == some[0] or total + self.seconds[name] <= until:
                    chosen.append(name)
                    total += self.seconds[name]
        return chosen, len(names) - len(chosen), total


class _Recorder:
    """A plugin for pytest that says which test runs which lines."""

    def __init__(self, directory: Path, sources: Path) -> None:
        self.seconds = (directory / f"seconds.{os.getpid()}").open("w")
        self.coverage = import_module("coverage").Coverage(
            data_file=str(directory / f"lines.{os.getpid()}"),
            config_file=False,
            source=[str(sources)],
        )
        self.coverage.start()

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        self.coverage.switch_context(item.nodeid)
        self.failed = False
        begun = perf_counter()
        result = yield
        self.coverage.switch_context("")
        if not self.failed:
            print(f"{perf_counter() - begun:.3f}\t{item.nodeid}", file=self.seconds, flush=True)
        return result

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.failed |= not report.passed

    def pytest_unconfigure(self) -> None:
        self.coverage.stop()
        self.coverage.save()


def pytest_configure(config: pytest.Config) -> None:
    """Record in the processes that run tests."""
    controls = config.getoption("numprocesses", default=None) and not hasattr(config, "workerinput")
    if not controls:
        directory = Path(os.environ[RECORDS])
        config.pluginmanager.register(_Recorder(directory, config.rootpath / "src"))


# Testing mutants, each worker in a tree of its own.

_tree: Path


def _prepare(trees: Path) -> None:
    global _tree  # noqa: PLW0603 - of this process, made once for many mutants
    _tree = trees / str(os.getpid())
    shutil.copytree(REPOSITORY, _tree, ignore=LEFT_BEHIND)


def _try(task: tuple[Mutant, str, list[str], int, float]) -> Tried:
    """Test a mutant."""
    mutant, package, tests, left_out, seconds = task
    if not tests:
        return Tried(mutant.key, "unrun", "", 0, 0, 0)
    path = _tree / "src" / "thud" / package / mutant.path
    source = path.read_bytes()
    compiled = path.parent / "__pycache__"
    begun = perf_counter()
    try:
        path.write_bytes(source[: mutant.start] + mutant.new.encode() + source[mutant.end :])
        shutil.rmtree(compiled, ignore_errors=True)
        fate, by = _run(tests, 60 + 3 * seconds)
    finally:
        path.write_bytes(source)
        shutil.rmtree(compiled, ignore_errors=True)
    return Tried(mutant.key, fate, by, len(tests), left_out, round(perf_counter() - begun, 1))


def _run(tests: list[str], seconds: float) -> tuple[str, str]:
    """Run tests up to the first that fails; return what that says of the mutant, and its name."""
    names, output = _tree / "tests.txt", _tree / "output.txt"
    names.write_text("\n".join(tests))
    with output.open("w") as file:
        process = subprocess.Popen(
            [*_pytest(), "--no-header", "--color=no", f"@{names}"],
            cwd=_tree,
            env=_environment(_tree),
            stdin=subprocess.DEVNULL,
            stdout=file,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    try:
        code = process.wait(seconds)
    except subprocess.TimeoutExpired:
        return "hung", ""
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    said = output.read_text()
    if code not in range(4) and not re.search("ERROR collecting|while loading conftest", said):
        raise RuntimeError(said[-2000:])
    failed = re.search(r"^(?:FAILED|ERROR) (.+?)(?: - |$)", said, re.MULTILINE)
    return ("killed" if code else "lived"), failed[1] if failed else ""


if __name__ == "__main__":
    main()

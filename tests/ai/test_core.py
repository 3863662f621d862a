"""Loading the compiled search: what it is, where it cannot be loaded, and what is kept."""

from __future__ import annotations

import ast
import hashlib
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest
import wasmtime

from build_core import MODULE, MOST, hash_of_sources, sections
from engines.conversation import COMMAND, conversation
from thud.ai import core
from thud.ai.by_rules import RulesSearcher
from thud.ai.player import Limits
from thud.ai.thinker import Thinker
from thud.disk.directories import CACHE_VARIABLE, COMPILED_VARIABLE
from thud.disk.trust import make_private
from thud.engines.client import Engine
from thud.rules.battle import Battle
from thud.rules.variants import VARIANTS

CLASSIC = VARIANTS["classic"]
GIVEN = os.environ[COMPILED_VARIABLE]
ANSWER = (
    '{"thought":{"depth":1,"score":0,"nodes":7,"microseconds":1,"line":"5-21","rank":1},'
    '"standing":0,"reliable":false}'
)
SMALL = """
(module
  (import "host" "now" (func (result i64)))
  (memory (export "memory") 1)
  (data (i32.const 64) "%s")
  (func (export "input") (param i32) (result i32) (i32.const 512))
  (func (export "answer") (result i64) %s))
"""
"""A module that does the same for each request, and is compiled in a moment."""
posix = pytest.mark.skipif(os.name != "posix", reason="POSIX permissions and signals")
linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux can forbid it")


@pytest.fixture(autouse=True)
def fresh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Load anew, before and after each test, with a cache of its own."""

    def forget() -> None:
        core.POOL.close()

    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path))
    monkeypatch.delenv(COMPILED_VARIABLE, raising=False)
    forget()
    yield
    forget()


def small(act: str = f"(i64.const {64 << 32 | len(ANSWER)})") -> bytes:
    """Return a small module; without an act, it answers with a legal move of Classic."""
    escaped = ANSWER.replace('"', '\\"')
    return bytes(wasmtime.wat2wasm(SMALL % (escaped, act)))


def use(module: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Use another module."""
    path = tmp_path / "other.wasm"
    path.write_bytes(module)
    monkeypatch.setattr(core, "MODULE", path)
    return path


def is_compiled() -> bool:
    """Whether the search is compiled here, and searches."""
    searcher = core.searcher_for(CLASSIC, 1)
    found = searcher.search([CLASSIC.start], Limits(nodes=700))
    CLASSIC.check(CLASSIC.start, found.move)
    return isinstance(searcher, core.CoreSearcher) and core.description().startswith(
        "compiled, with "
    )


def test_the_module_is_what_its_sources_make() -> None:
    module = MODULE.read_bytes()
    assert sections(module)["thud.sources"] == hash_of_sources()
    assert len(module) <= MOST
    assert core.MODULE == MODULE


# Where it does not load


def missing(monkeypatch: pytest.MonkeyPatch, path: Path) -> None:
    monkeypatch.setitem(sys.modules, "wasmtime", None)


def raises(error: Exception) -> Callable[[pytest.MonkeyPatch, Path], None]:
    class Raising:
        @staticmethod
        def find_spec(name: str, *_: object) -> None:
            if name == "wasmtime":
                raise error

    def spoil(monkeypatch: pytest.MonkeyPatch, path: Path) -> None:
        monkeypatch.delitem(sys.modules, "wasmtime")
        monkeypatch.setattr(sys, "meta_path", [Raising, *sys.meta_path])

    return spoil


def becomes(module: bytes) -> Callable[[pytest.MonkeyPatch, Path], None]:
    def spoil(monkeypatch: pytest.MonkeyPatch, path: Path) -> None:
        use(module, path, monkeypatch)

    return spoil


def unreadable(monkeypatch: pytest.MonkeyPatch, path: Path) -> None:
    monkeypatch.setattr(core, "MODULE", path)


SPOILED = {
    "no wasmtime": (missing, "wasmtime is not installed"),
    "no library": (raises(RuntimeError("no\nlibrary")), "wasmtime cannot be loaded: no library"),
    "a bad library": (raises(OSError("bad ELF")), "wasmtime cannot be loaded: bad ELF"),
    "half a wasmtime": (raises(ImportError("no ctypes")), "wasmtime cannot be loaded: no ctypes"),
    "empty": (becomes(b""), "other.wasm cannot be run: "),
    "truncated": (becomes(MODULE.read_bytes()[:300_000]), "other.wasm cannot be run: "),
    "foreign": (becomes(b"\0asm\1\0\0\0"), "other.wasm cannot be run: "),
    "a directory": (unreadable, " cannot be read: "),
}


@pytest.mark.parametrize(("spoil", "why"), SPOILED.values(), ids=SPOILED)
def test_where_it_cannot_be_loaded_the_rules_play_and_say_why(
    spoil: Callable[[pytest.MonkeyPatch, Path], None],
    why: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    spoil(monkeypatch, tmp_path)
    assert why in core.weakness()
    assert core.description() == f"by the rules alone, which is weak: {core.weakness()}"
    assert core.description().isprintable()
    assert isinstance(core.searcher_for(CLASSIC, 1), RulesSearcher)
    assert not is_compiled()
    assert Thinker(CLASSIC, 1).decide([CLASSIC.start], Limits(nodes=50)).thought


USED = sorted(
    {
        name
        for node in ast.walk(ast.parse(Path(core.__file__).read_text("utf-8")))
        for name in (
            [node.attr]
            if isinstance(node, ast.Attribute) and ast.unparse(node.value) == "wasmtime"
            else [each.name for each in node.names]
            if isinstance(node, ast.ImportFrom) and node.module == "wasmtime"
            else []
        )
    }
)
"""What the program uses of wasmtime."""


@pytest.mark.parametrize("name", [*USED, "Memory.read", "Memory.write"])
def test_a_wasmtime_that_lacks_what_is_used_is_not_used(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert {"Config", "Engine", "Linker", "WasmtimeError"} <= {*USED}
    monkeypatch.delattr(f"wasmtime.{name}")
    assert "core.wasm cannot be run: " in core.weakness()
    assert isinstance(core.searcher_for(CLASSIC, 1), RulesSearcher)


LIMITED = """
import ctypes, resource, sys
from concurrent.futures import ThreadPoolExecutor
{}
from thud.ai import core
from thud.ai.player import Limits
from thud.rules.variants import VARIANTS
def search(variant):
    searcher = core.searcher_for(variant, 1)
    assert isinstance(searcher, core.CoreSearcher), core.description()
    found = searcher.search([variant.start], Limits(nodes=9000))
    return found.thought.nodes, core.description()
# Each thread takes 64 MB and more.
at_once = 1 if resource.getrlimit(resource.RLIMIT_AS)[0] <= 512 << 20 else 4
with ThreadPoolExecutor(at_once) as pool:
    for told in pool.map(search, filter(core.knows, VARIANTS.values())):
        print(*told)
"""


def of_address_space(megabytes: int) -> str:
    return f"resource.setrlimit(resource.RLIMIT_AS, ({megabytes} << 20,) * 2)"


LIMITS = {
    "no new machine code": ("assert ctypes.CDLL(None).prctl(65, 1, 0, 0, 0) == 0", "interpreted"),
    "little memory": (
        f"{of_address_space(512)}; resource.setrlimit(resource.RLIMIT_DATA, (256 << 20,) * 2)",
        "compiled",
    ),
    **{
        f"{each} MB": (of_address_space(each), "compiled")
        for each in (400, 4300, 6000, 8500, 16000)
    },
}


@pytest.mark.slow
@linux
@pytest.mark.parametrize(("limit", "how"), LIMITS.values(), ids=LIMITS)
def test_it_searches_where_a_system_allows_little(limit: str, how: str) -> None:
    command = [sys.executable, "-c", LIMITED.format(limit)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if "AssertionError" in done.stderr and "prctl" in done.stderr:
        pytest.skip("this Linux cannot forbid machine code")
    assert (done.returncode, done.stderr) == (0, "")
    assert all(f" {how}" in line for line in done.stdout.splitlines())
    assert len(done.stdout.splitlines()) == sum(map(core.knows, VARIANTS.values()))


class Scarce:
    """Lets a number of instances be made in each way, as where address space is limited."""

    def __init__(self, most: dict[bool, int], monkeypatch: pytest.MonkeyPatch) -> None:
        self.most = most
        self.made = list[core.Instance]()
        make = core.Instance.__init__

        def limited(instance: core.Instance, loaded: core.Core) -> None:
            if self.of(loaded.way.spare) == most[loaded.way.spare]:
                raise wasmtime.WasmtimeError("no address space")
            make(instance, loaded)
            instance.spare = loaded.way.spare  # type: ignore[attr-defined]
            self.made.append(instance)

        monkeypatch.setattr(core.Instance, "__init__", limited)

    def of(self, spare: bool) -> int:
        return sum(each.spare is spare for each in self.made)  # type: ignore[attr-defined]


@pytest.mark.parametrize("roomy", [0, 1, 2])
def test_where_instances_are_scarce_later_ones_are_spare_and_searches_wait(
    roomy: int,
    compiling: Compiling,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    scarce = Scarce({False: roomy, True: 2}, monkeypatch)
    meeting = Barrier(4)

    def search(_: int) -> bool:
        meeting.wait()
        return is_compiled()

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(search, range(40)))
    assert scarce.of(False) <= roomy
    assert scarce.of(True) <= 2 * (scarce.of(False) == roomy)
    assert capsys.readouterr().err == ""
    assert core.weakness() == ""


def test_where_none_can_be_made_the_rules_play_until_one_can(
    compiling: Compiling, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    scarce = Scarce({False: 1, True: 0}, monkeypatch)
    assert is_compiled()
    core.POOL._idle.pop().close()
    why = "thud: moves are found by the rules alone: other.wasm cannot be run: no address space\n"
    for _ in range(3):
        assert is_compiled()
        assert core.POOL._idle == []
    assert capsys.readouterr().err == why
    scarce.most[True] = 1
    assert is_compiled()
    assert len(core.POOL._idle) == 1


@linux
def test_instances_free_their_address_space(compiling: Compiling) -> None:
    def size() -> int:
        return int(Path("/proc/self/statm").read_text().split()[0]) * os.sysconf("SC_PAGESIZE")

    assert is_compiled()
    before = size()
    for _ in range(20):
        core.Instance().close()
        with core.POOL.instance() as instance:
            instance.usable = False
    assert size() - before < 1 << 32


INTERRUPTED = """
import random, signal, threading
from thud.ai import core
from thud.ai.player import Limits
from thud.rules.variants import VARIANTS
chance, searcher = random.Random(1), core.CoreSearcher(VARIANTS["classic"], None)
def search(stop=None, **limits):
    return searcher.search([VARIANTS["classic"].start], Limits(**limits), stop=stop).thought.line
def soon():  # the search is under way
    if not signal.getitimer(signal.ITIMER_REAL)[0]:
        signal.setitimer(signal.ITIMER_REAL, chance.uniform(0.001, 0.02))
    return False
before = search(nodes=2000)
signal.signal(signal.SIGALRM, signal.default_int_handler)
for _ in range(40):
    try:
        search(soon)
    except KeyboardInterrupt:
        signal.setitimer(signal.ITIMER_REAL, 0)
        print("interrupted")
assert search(nodes=2000) == before
"""


@posix
def test_an_exception_of_a_signal_ends_a_search_and_nothing_else() -> None:
    """Raised inside of wasmtime it would be a segmentation fault."""
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED],
        env=os.environ | {COMPILED_VARIABLE: GIVEN},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr, done.stdout) == (0, "", "interrupted\n" * 40)


# What is kept


def kept(tmp_path: Path) -> list[Path]:
    return sorted((tmp_path / "core").iterdir())


class Compiling:
    """Counts how often the module is compiled."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.times = 0
        make = wasmtime.Module.__init__

        def counted(*args: object) -> None:
            self.times += 1
            make(*args)  # type: ignore[arg-type]

        monkeypatch.setattr(wasmtime.Module, "__init__", counted)

    def again(self) -> bool:
        """Load anew, and return whether it had to be compiled."""
        core.POOL.close()
        before = self.times
        assert is_compiled()
        return self.times > before


@pytest.fixture
def compiling(
    monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> Compiling:
    use(small(), tmp_path_factory.mktemp("small"), monkeypatch)
    return Compiling(monkeypatch)


def test_it_is_compiled_once_and_a_directory_that_is_given_is_only_read(
    compiling: Compiling, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert compiling.again()
    (path,) = kept(tmp_path)
    assert path.suffix == ".bin"
    if os.name == "posix":
        assert [each.stat().st_mode & 0o777 for each in (path.parent, path)] == [0o700, 0o600]
    assert not compiling.again()
    monkeypatch.setenv(COMPILED_VARIABLE, str(path.parent))
    assert not compiling.again()
    path.unlink()
    assert compiling.again()
    assert kept(tmp_path) == []


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-1000])


def flipped(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)


def emptied(path: Path) -> None:
    path.write_bytes(b"")


def of_others(path: Path) -> None:
    """As another version of wasmtime would have kept it: whole, but foreign."""
    code = b"\x7fELF of another machine"
    path.write_bytes(hashlib.sha256(code).digest() + code)


def writable(path: Path) -> None:
    path.chmod(0o620)


def a_link(path: Path) -> None:
    path.rename(path.with_name("target"))
    path.symlink_to("target")


def a_pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def a_directory(path: Path) -> None:
    path.unlink()
    path.mkdir()


DAMAGES = (cut, flipped, emptied, of_others)
ONLY_POSIX = (writable, a_link, a_pipe)


@pytest.mark.parametrize(
    "damage",
    [*DAMAGES, *(pytest.param(each, marks=posix) for each in ONLY_POSIX)],
    ids=lambda damage: damage.__name__,
)
def test_what_is_damaged_or_could_be_others_is_compiled_and_kept_anew(
    damage: Callable[[Path], None], compiling: Compiling, tmp_path: Path
) -> None:
    assert compiling.again()
    (path,) = kept(tmp_path)
    damage(path)
    assert compiling.again()
    (tmp_path / "core" / "target").unlink(missing_ok=True)
    assert kept(tmp_path) == [path]
    assert not compiling.again()


def no_directory(tmp_path: Path) -> None:
    (tmp_path / "core").write_text("a file")


def not_writable(tmp_path: Path) -> None:
    (tmp_path / "core").mkdir()
    (tmp_path / "core" / "x").touch()
    tmp_path.chmod(0o500)
    (tmp_path / "core").chmod(0o500)


def taken(tmp_path: Path) -> None:
    """Directories stand where the files would be written."""
    assert is_compiled()
    for path in kept(tmp_path):
        a_directory(path)


def others_can_write_above(tmp_path: Path) -> None:
    tmp_path.chmod(0o777)


def others_can_write_there(tmp_path: Path) -> None:
    make_private(tmp_path / "core")
    (tmp_path / "core").chmod(0o770)


def link_to_precious_files(tmp_path: Path) -> None:
    make_private(tmp_path / "precious")
    (tmp_path / "core").symlink_to("precious")


@pytest.mark.parametrize(
    "spoil",
    [
        no_directory,
        taken,
        *(
            pytest.param(each, marks=posix)
            for each in (
                not_writable,
                others_can_write_above,
                others_can_write_there,
                link_to_precious_files,
            )
        ),
    ],
)
def test_where_nothing_can_be_kept_it_is_compiled_each_time(
    spoil: Callable[[Path], None], compiling: Compiling, tmp_path: Path
) -> None:
    spoil(tmp_path)
    found = tree(tmp_path)
    if os.geteuid() or spoil is not not_writable:
        assert compiling.again()
        assert compiling.again()
        assert "; anew each time: " in core.description()
        assert tree(tmp_path) | {"core": 0} == found | {"core": 0}
    tmp_path.chmod(0o700)


def tree(directory: Path) -> dict[str, int]:
    """Return the names and modes in a directory."""
    return {str(path.relative_to(directory)): path.lstat().st_mode for path in directory.rglob("*")}


def test_only_code_of_older_versions_and_what_was_half_written_is_deleted(
    tmp_path: Path, compiling: Compiling
) -> None:
    make_private(tmp_path / "core")
    hers = {"disk.bin", "0.bin", f".{0:032x}.bin", f"{0:032x}.bin.tmp", ".disk.bin.01234567.tmp"}
    old = [f"{age:032x}.bin" for age in range(9)]
    half = f".{0:032x}.bin.01234567.tmp"
    for name in (*hers, *old, half):
        path = tmp_path / "core" / name
        path.write_bytes(b"")
        age = old.index(name) if name in old else 0
        os.utime(path, (age, age))
    writing = tmp_path / "core" / f".{1:032x}.bin.01234567.tmp"
    writing.write_bytes(b"by another process")
    assert compiling.again()
    names = {path.name for path in kept(tmp_path)}
    assert names > hers | {*old[7:], writing.name}
    assert len(names) == len(hers) + 1 + core._MOST_KEPT


ELSEWHERE = """
import os, signal, sys
from pathlib import Path
from thud.ai import core
core.MODULE = Path(sys.argv[1])
if "killed" in sys.argv:
    os.replace = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
print(core.description())
"""


def elsewhere(*how: str) -> subprocess.Popen[str]:
    """Load the module in another process."""
    command = [sys.executable, "-c", ELSEWHERE, str(core.MODULE), *how]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


@posix
def test_who_is_killed_while_it_compiles_leaves_nothing_wrong(compiling: Compiling) -> None:
    with elsewhere("killed") as process:
        assert process.wait() == -signal.SIGKILL
    assert compiling.again()
    assert not compiling.again()


@pytest.mark.slow
def test_several_processes_and_threads_may_load_it_at_once(
    compiling: Compiling, tmp_path: Path
) -> None:
    running = [elsewhere() for _ in range(2)]
    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(lambda _: is_compiled(), range(4)))
    assert {process.communicate()[0] for process in running} == {f"{core.description()}\n"}
    assert not compiling.again()
    assert len(kept(tmp_path)) == 1


# Where it fails

FAILURES = {
    "a trap": "unreachable",
    "an answer outside its memory": "(i64.const 0x7fffffff00000010)",
    "no JSON": "(i64.const 0x0000000000000004)",
    "endless recursion": "(i64.add (i64.const 1) (call 2))",
}


@pytest.mark.parametrize("fails", FAILURES.values(), ids=FAILURES)
def test_a_failure_inside_ends_that_search_only(
    fails: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    use(small(fails), tmp_path, monkeypatch)
    searcher = core.searcher_for(CLASSIC, 1)
    assert isinstance(searcher, core.CoreSearcher)
    for _ in range(2):
        found = searcher.search([CLASSIC.start], Limits(nodes=40))
        assert found == RulesSearcher(CLASSIC, 1).search(
            [CLASSIC.start], Limits(nodes=40)
        )._replace(thought=found.thought)
    told = capsys.readouterr().err
    assert told.startswith("thud: moves are found by the rules alone: ")
    assert told.count("\n") == 1
    assert core.POOL._idle == []


async def test_a_weak_engine_says_so_once_before_it_is_ready(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "wasmtime.py").write_text("raise RuntimeError('no library here')")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    why = "the computer is weak on this machine: wasmtime cannot be loaded: no library here"
    with conversation() as engine:
        engine.say("isready", "go nodes 20")
        heard = engine.hear_until("bestmove")
        engine.say("isready")
        heard += engine.hear_until("readyok")
        assert heard[:2] == [f"info string {why}", "readyok"]
        assert sum(why in line for line in heard) == 1
        engine.say("quit")
    with conversation("--player", "random") as engine:
        engine.say("isready")
        assert engine.hear() == "readyok"
        engine.say("quit")
    told: list[str] = []
    monkeypatch.setattr(Engine, "on_weakness", told.append)
    for _ in range(2):
        async with Engine(COMMAND, "the computer", {"Seed": 1}) as program:
            assert (await program.decide(Battle(CLASSIC), Limits(nodes=20))).move
    assert told == [why]


# Who loads it


def test_it_is_compiled_once_for_all_processes_of_the_tests() -> None:
    """Else hundreds of them would compile it, which takes each most of a second."""
    assert list(Path(GIVEN).glob("*.bin"))


LOADED = """
import sys
from thud.cli.main import main
from thud.session import advice
assert "thud.ai.core" not in sys.modules
advice.HINT_SECONDS = 0.1
playing = ["play", "--plain", "--opponent", "1", "--names", "Ann"]
for command in ["show"], playing, ["perft", "2"]:
    main(command)
    print("wasmtime" in sys.modules, file=sys.stderr)
"""


@pytest.mark.slow
def test_only_processes_that_search_load_it(tmp_path: Path) -> None:
    """Neither the command line nor a diagram nor a match, whose computer has its own process."""
    done = subprocess.run(
        [sys.executable, "-c", LOADED],
        env=os.environ | {"THUD_DATA_DIR": str(tmp_path), COMPILED_VARIABLE: GIVEN},
        input="f1 f5\nhint\nlist\nquit\n",
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr == "False\nFalse\nTrue\n"
    assert "1. dF1-F5 T" in done.stdout

"""The compiled search and counts: `core.wasm`, run by wasmtime, in this process.

Questions are lines of text and answers JSON; core/src/core.rs describes both.  wasmtime is imported
and the module loaded at the first question, so only the processes that search pay for it.
"""

from __future__ import annotations

import hashlib
import json
import mmap
import re
import sys
from _thread import start_new_thread
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import repeat
from math import inf
from pathlib import Path
from random import Random
from struct import pack
from threading import Condition, Lock, current_thread, main_thread
from time import perf_counter_ns
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from thud.ai.by_rules import RulesSearcher
from thud.ai.player import Limits, Report, Stop, Thought, since_capture
from thud.ai.scores import goal_in
from thud.ai.searcher import Found, Searcher
from thud.disk.atomic import target_of_temporary, write_atomic
from thud.disk.directories import compiled_directory
from thud.disk.trust import make_private, read_trusted, trusted_directory
from thud.rules.geometry import squares_of
from thud.rules.position import Move, Position, Side
from thud.rules.variant import Variant
from thud.text import why

if TYPE_CHECKING:
    import wasmtime

MODULE: Final = Path(__file__).with_name("core.wasm")

_ROOM: Final = 4 << 30
"""Address space in bytes that the module's memory takes at least, where there is enough."""

_RESERVED: Final = 64 << 20
"""Address space in bytes for the module's memory where little is allowed."""

clock: Callable[[], int] = perf_counter_ns
"""The searches' clock in nanoseconds, the wall's; a comparison may set it to processor time."""

_AT_MOST_DEAF: Final = 1.0
"""Seconds after which Windows, which interrupts no wait, notices a signal."""

_MOST: Final = (1 << 63) - 1

_MOST_KEPT: Final = 3
"""Most files of machine code: a program and its next version may be used by turns."""

_MOST_CODE: Final = 32 << 20
"""Most bytes of such a file."""

_NAMES: Final = re.compile(r"[0-9a-f]{32}\.bin")
"""Their names."""


class Unavailable(Exception):
    """The compiled search cannot be used here; the message says why."""


class CoreRefused(ValueError):
    """The module refuses a request, such as a position that no battle reaches."""


class CoreFailed(Exception):
    """A search ended by a bug in the module, or for lack of memory."""


def knows(variant: Variant) -> bool:
    """Whether the module can search a variant."""
    return bool(variant.core)


def searcher_for(variant: Variant, seed: int | None) -> Searcher:
    """Return the best searcher for a variant on this machine.

    Args:
        variant: any variant.
        seed: makes the choice among equally good moves repeatable; None for their usual order.
    """
    if knows(variant) and not weakness():
        return CoreSearcher(variant, seed)
    return RulesSearcher(variant, seed or 0)


def weakness() -> str:
    """Return why the compiled search cannot be used here, empty if it can."""
    try:
        POOL.core()
    except Unavailable as error:
        return str(error)
    return ""


def description() -> str:
    """Return the search in use, such as `"compiled, with wasmtime 50.0.1"`."""
    if why := weakness():
        return f"by the rules alone, which is weak: {why}"
    from importlib.metadata import PackageNotFoundError, version

    loaded = POOL.core()
    how = "interpreted, which is slow" if loaded.way.interpreted else "compiled"
    with suppress(PackageNotFoundError):
        how += f", with wasmtime {version('wasmtime')}"
    return f"{how}; anew each time: {loaded.unkept}" if loaded.unkept else how


# Loading


class Way(NamedTuple):
    """A way to run the module."""

    interpreted: bool
    """Where this machine forbids new machine code; it is slow."""
    spare: bool
    """With little address space reserved, which costs some speed."""


class Core(NamedTuple):
    """The module, ready to be instantiated."""

    engine: wasmtime.Engine
    module: wasmtime.Module
    way: Way
    unkept: str = ""
    """Why its machine code is not in the cache, empty if it is."""


def _ways() -> list[Way]:
    """Return the ways to run the module here, best first."""
    if _forbids_code():
        return [Way(True, True)]
    spare = [Way(False, True), Way(True, True)]
    return spare if _address_space() < _ROOM else [Way(False, False), *spare]


def _address_space() -> float:
    """Return the address space in bytes that this process may have."""
    if sys.platform == "win32" or sys.platform == "emscripten":
        return inf
    import resource

    most, _ = resource.getrlimit(resource.RLIMIT_AS)
    return inf if most == resource.RLIM_INFINITY else most


def _load(way: Way) -> Core:
    """Load the module: machine code from the cache, or newly compiled.

    Raises:
        Unavailable: wasmtime cannot be imported, or the module not be read.
        wasmtime.WasmtimeError: it cannot be run in this way.
    """
    try:
        import wasmtime
    except ImportError as error:
        if error.name == "wasmtime":
            raise Unavailable("wasmtime is not installed") from None
        raise Unavailable(f"wasmtime cannot be loaded: {_line(error)}") from None
    except (OSError, RuntimeError) as error:
        if isinstance(error.__cause__, KeyboardInterrupt):
            raise error.__cause__ from None  # so Python 3.11 wraps what interrupts `__set_name__`
        # Its wheel for any platform has no library, and says so when it is imported.
        raise Unavailable(f"wasmtime cannot be loaded: {_line(error)}") from None
    try:
        module = MODULE.read_bytes()
    except OSError as error:
        raise Unavailable(f"{MODULE.name} cannot be read: {error.strerror}") from None
    config = wasmtime.Config()
    if way.spare:
        config.parallel_compilation = False  # each thread takes 64 MB and more
        config.memory_reservation, config.memory_guard_size = _RESERVED, 0
        config.memory_reservation_for_growth = 0
    if way.interpreted:
        config.target = "pulley64"
    engine = wasmtime.Engine(config)
    variety = f"{'pulley' if way.interpreted else 'native'}{'-spare' if way.spare else ''}"
    compiled, unkept = _compiled(engine, module, variety)
    return Core(engine, compiled, way, unkept)


def _forbids_code() -> bool:
    """Whether this process may make no machine code (Linux), which is tried with one page."""
    if sys.platform != "linux":
        return False
    try:
        prot = mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC
        mmap.mmap(-1, mmap.PAGESIZE, prot=prot).close()
    except PermissionError:
        return True
    return False


def _line(error: object) -> str:
    """Return an error on one line."""
    return " ".join(str(error).split())[:200]


def _compiled(engine: wasmtime.Engine, module: bytes, variety: str) -> tuple[wasmtime.Module, str]:
    """Return a module's machine code from the cache, and why it is not kept there, if it is not.

    Raises:
        wasmtime.WasmtimeError: it cannot be compiled or run here.
    """
    import wasmtime

    key = hashlib.sha256(module + variety.encode()).hexdigest()
    directory, writable = compiled_directory()
    path = directory / f"{key[:32]}.bin"
    if code := _trusted(path):
        # Code of another machine or version is refused.
        with suppress(wasmtime.WasmtimeError):
            return wasmtime.Module.deserialize(engine, code), ""
    compiled = wasmtime.Module(engine, module)
    if not writable:
        return compiled, f"{directory} has none that fits"
    try:
        _keep(path, bytes(compiled.serialize()))
    except OSError as error:
        return compiled, why(error)
    return compiled, ""


def _trusted(path: Path) -> bytes:
    """Return kept machine code; empty if it is not whole, or others could have written it."""
    try:
        content = read_trusted(path, _MOST_CODE)
    except OSError:
        return b""
    digest, code = content[:32], content[32:]
    return code if hashlib.sha256(code).digest() == digest else b""


def _keep(path: Path, code: bytes) -> None:
    """Keep machine code, and delete what older versions, and writers that were killed, have left.

    Raises:
        OSError: it cannot be written, or others could replace it.
    """
    make_private(path.parent)
    directory = trusted_directory(path.parent)
    path = directory / path.name
    if path.is_symlink() or not path.is_file():
        path.unlink(missing_ok=True)  # writing would follow a link, and wait for a pipe's reader
    write_atomic(path, hashlib.sha256(code).digest() + code, private=True)
    with suppress(OSError):  # another process may be deleting them, too
        newest = path.stat().st_mtime
        kept = list[tuple[float, Path]]()
        for each in directory.iterdir():
            changed = each.lstat().st_mtime
            if _NAMES.fullmatch(each.name):
                kept.append((changed, each))
            elif _NAMES.fullmatch(target_of_temporary(each.name) or "") and changed < newest - 3600:
                each.unlink()
        for _, old in sorted(kept)[:-_MOST_KEPT]:
            old.unlink()


# Questions and answers


class Instance:
    """A running copy of the module, with its own memory; for one thread at a time.

    Args:
        core: the module; None for this machine's.

    Attributes:
        usable: whether no request was cut short by an error.

    Raises:
        Unavailable: the module cannot be loaded.
        wasmtime.WasmtimeError: it cannot be instantiated, such as for lack of address space.
    """

    def __init__(self, core: Core | None = None) -> None:
        from wasmtime import Func, FuncType, Linker, Store, Trap, ValType, WasmtimeError

        core = core or POOL.core()
        self._answering = Lock()
        self.usable = True
        self._store = Store(core.engine)
        self._stop: Stop | None = None
        self._report: Callable[[str], None] | None = None
        self._chance: Random | None = None
        linker = Linker(core.engine)
        i32, i64 = ValType.i32(), ValType.i64()
        host: tuple[tuple[str, list[ValType], list[ValType], Callable[..., Any]], ...] = (
            ("now", [], [i64], lambda: clock() // 1000),
            ("should_stop", [], [i32], lambda: int(self._stop is not None and self._stop())),
            ("report", [i32, i32], [], self._take_report),
            ("shuffle", [i32, i32], [], self._shuffle),
        )
        for name, given, returned, call in host:
            func = Func(self._store, FuncType(given, returned), call)
            linker.define(self._store, "host", name, func)
        try:
            exports: Any = linker.instantiate(self._store, core.module).exports(self._store)
            self._input, self._answer = exports["input"], exports["answer"]
            memory = exports["memory"]
            self._read_memory, self._write_memory = memory.read, memory.write
            self._failures = Trap, WasmtimeError
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Free its memory, which its functions for the module would keep for ever."""
        self._stop = _at_once
        with self._answering:
            self._store.close()

    def ask(
        self,
        request: str,
        *,
        stop: Stop | None = None,
        report: Callable[[str], None] | None = None,
        chance: Random | None = None,
    ) -> dict[str, Any]:
        """Return the answer to a request.

        Args:
            request: its lines.
            stop: polled every few milliseconds; True ends a search.
            report: called with the JSON of each thought.
            chance: orders equally good moves if the request says so.

        Raises:
            CoreRefused: the request is refused.
            CoreFailed: the module failed; this instance cannot be used any more.
        """
        self._stop, self._report, self._chance = stop, report, chance
        if current_thread() is not main_thread():
            return self._answered(request)
        # Only the main thread handles signals.  If a handler raised an exception on the way from
        # the module into a function of the host, the process would end by a segmentation fault.
        # A bare lock and thread: an exception of a handler may leave those of `threading` broken.
        answers: list[dict[str, Any]] = []
        faults: list[BaseException] = []
        running = Lock()
        running.acquire()

        def run() -> None:
            try:
                answers.append(self._answered(request))
            except BaseException as fault:
                faults.append(fault)
            finally:
                running.release()

        self.usable = False
        try:
            start_new_thread(run, ())
        except RuntimeError as error:
            raise CoreFailed(f"the compiled search has no thread: {error}") from error
        try:
            while not running.acquire(timeout=_AT_MOST_DEAF):
                pass
        except BaseException:
            self._stop = _at_once
            running.acquire(timeout=_AT_MOST_DEAF)
            raise
        for fault in faults:
            raise fault
        return answers[0]

    def _answered(self, request: str) -> dict[str, Any]:
        with self._answering:
            data = request.encode()
            self.usable = False
            try:
                self._write_memory(self._store, data, self._input(self._store, len(data)))
                where = self._answer(self._store)
            except self._failures as error:
                raise CoreFailed(f"the compiled search failed: {_line(error)}") from None
            try:
                answer: dict[str, Any] = json.loads(
                    self._read(where >> 32 & 0xFFFFFFFF, where & 0xFFFFFFFF)
                )
            except (ValueError, IndexError) as error:
                raise CoreFailed(f"the compiled search answered nonsense: {_line(error)}") from None
            self.usable = True
        if "refused" in answer:
            raise CoreRefused(answer["refused"])
        return answer

    def _read(self, place: int, size: int) -> bytes:
        return bytes(self._read_memory(self._store, place, place + size))

    def _take_report(self, place: int, size: int) -> None:
        if self._report is not None:
            self._report(self._read(place & 0xFFFFFFFF, size).decode())

    def _shuffle(self, place: int, size: int) -> None:
        order = list(range(size))
        if self._chance is not None:
            self._chance.shuffle(order)
        self._write_memory(self._store, pack(f"<{size}I", *order), place & 0xFFFFFFFF)


def _at_once() -> bool:
    return True


class Pool:
    """Instances that wait for a request, and the way in which the module is run here.

    If an instance cannot be made, such as for lack of address space, later ones are made in the
    next way.  In the last one, requests wait until an instance is free.
    """

    def __init__(self) -> None:
        self._changed = Condition()
        self._idle: list[Instance] = []
        self._used = 0
        self._ways: list[Way] = []
        self._core: Core | None = None
        self._failed = ""
        self._told = set[str]()

    def core(self) -> Core:
        """Return the module in the way in which it can be run here.

        Raises:
            Unavailable: it cannot be run.
        """
        with self._changed:
            if self._core is None:
                with self.instance():
                    pass
            assert self._core is not None
            return self._core

    @contextmanager
    def instance(self) -> Iterator[Instance]:
        """Context manager: an instance for this thread, kept for the next one if it did not fail.

        Raises:
            Unavailable: there is none, and none can be made.
        """
        with self._changed:
            while (instance := self._idle.pop() if self._idle else self._made()) is None:
                self._changed.wait()
            self._used += 1
        try:
            yield instance
        finally:
            with self._changed:
                self._used -= 1
                if instance.usable:
                    self._idle.append(instance)
                else:
                    instance.close()
                self._changed.notify()

    def close(self) -> None:
        """Free the instances that are not used, and forget how they were made."""
        with self._changed:
            while self._idle:
                self._idle.pop().close()
            self._ways, self._core, self._failed = [], None, ""
            self._told.clear()

    def warn(self, text: str) -> None:
        """Write a warning to standard error, once."""
        if text not in self._told:
            self._told.add(text)
            print(f"thud: {text}", file=sys.stderr)

    def _made(self) -> Instance | None:
        """Make an instance, in the next way if need be; None while others may become free.

        Raises:
            Unavailable: none can be made.
        """
        if self._failed:
            raise Unavailable(self._failed)
        try:
            self._ways = self._ways or _ways()
            core = self._core if self._core and self._core.way == self._ways[0] else None
            while True:
                try:
                    core = core or _load(self._ways[0])
                    instance = Instance(core)
                except Unavailable:
                    raise
                except Exception as error:  # a later wasmtime may fail in any way
                    # Code that runs here need not be interpreted: what is missing is memory.
                    if self._ways[1:] and not (self._core and self._ways[0].spare):
                        del self._ways[0]
                        core = None
                        continue
                    if self._used:
                        return None
                    raise Unavailable(f"{MODULE.name} cannot be run: {_line(error)}") from None
                self._core = core
                return instance
        except Unavailable as error:
            if self._core is None:
                self._failed = str(error)
            raise


POOL: Final = Pool()


def position_line(position: Position) -> str:
    """Return a position as requests have it: masks in hexadecimal, by the pieces' letters."""
    dwarfs, trolls, stone, side = position
    return f"d{dwarfs:x} T{trolls:x} R{1 << stone:x} >{side.value}"


def _move(text: str) -> Move:
    origin, rest = text.split("-")
    destination, *captured = map(int, rest.split("x"))
    return Move(int(origin), destination, sum(1 << square for square in captured))


def thought_in(told: dict[str, Any]) -> Thought:
    """Return the thought of an answer or a report."""
    return Thought(
        told["depth"],
        told["score"],
        told["nodes"],
        told["microseconds"] / 1e6,
        tuple(map(_move, told["line"].split())),
        goal_in(told["score"]),
        told["rank"],
    )


class CoreSearcher:
    """Searches a variant in the compiled module.

    Args:
        variant: one that the module knows.
        seed: varies the play, with moves as good; None for the usual one.
    """

    def __init__(self, variant: Variant, seed: int | None) -> None:
        self._variant = variant
        self._seed = seed

    def search(
        self,
        positions: Sequence[Position],
        limits: Limits,
        stop: Stop | None = None,
        report: Report | None = None,
        *,
        without: Collection[Move] = (),
        lines: int = 1,
    ) -> Found:
        """Search the last position; see `Searcher`."""
        found = None
        request = self.request(positions, limits, without, lines)

        def tell(text: str) -> None:
            if report is not None:
                report(thought_in(json.loads(text)))

        try:
            with POOL.instance() as instance:
                chance = self.chance(positions[-1])
                found = instance.ask(request, stop=stop, report=tell, chance=chance)
        except (Unavailable, CoreFailed, MemoryError, CoreRefused) as error:
            POOL.warn(f"moves are found by the rules alone: {_line(error)}")
        if found is None or found["thought"] is None:
            # Only captures of fewer pieces than possible are left, which the module does not list.
            rules = RulesSearcher(self._variant, self._seed or 0)
            return rules.search(positions, limits, stop, report, without=without, lines=lines)
        return Found(thought_in(found["thought"]), found["standing"], found["reliable"])

    def chance(self, position: Position) -> Random | None:
        """Return what orders equally good moves; None for their usual order."""
        if self._seed is None:
            return None
        # The choices depend on the pieces, the side, and a stone that moves.
        dwarfs, trolls, stone, to_move = position
        state: tuple[int, ...] = dwarfs, trolls, int(to_move is Side.TROLLS)
        state = state if self._variant.counts_points else (*state, stone)
        return Random(f"{self._seed} {state}")

    def request(
        self, positions: Sequence[Position], limits: Limits, without: Collection[Move], lines: int
    ) -> str:
        """Return the request for a search."""
        seconds, nodes, depth = limits
        request = [
            "search",
            f"variant {self._variant.core}",
            f"lines {lines}",
            f"position {position_line(positions[-1])}",
            *(f"before {position_line(each)}" for each in since_capture(positions)[:-1]),
        ]
        if seconds is not None:
            request.append(f"microseconds {min(max(0, round(seconds * 1e6)), _MOST)}")
        if nodes is not None:
            request.append(f"nodes {min(max(0, nodes), _MOST)}")
        if depth:
            request.append(f"depth {min(depth, 1000)}")
        if without:
            texts = (
                f"{move.origin}-{move.destination}"
                + "".join(f"x{square}" for square in squares_of(move.captures))
                for move in without
            )
            request.append(f"without {' '.join(texts)}")
        if self._seed is not None:
            request += ["shuffled", f"turned {self._seed % 8}"]
        return "\n".join(request)


def perft(variant: Variant, position: Position, depth: int, processors: int) -> int | None:
    """Count the sequences of legal moves; None for a variant or position unknown to the module.

    Raises:
        Unavailable: the module cannot be loaded.
        CoreFailed: it failed.
    """
    if not knows(variant):
        return None
    stopped = False

    def count(root: Position, depth: int) -> int:
        request = f"perft\nvariant {variant.core}\ndepth {depth}\nposition {position_line(root)}"
        with POOL.instance() as instance:
            found: int | None = instance.ask(request, stop=lambda: stopped)["count"]
        return found or 0

    try:
        # Three moves take some 20 ms: less than it takes to ask for their parts.
        if depth <= 3 or variant.outcome(position) is not None:
            return count(position, depth)
        from concurrent.futures import ThreadPoolExecutor

        POOL.core()  # what forbids the compiled search is told here, not by each thread
        # Only the main thread receives Ctrl+C, and then stops the others.
        with ThreadPoolExecutor(processors) as pool:
            try:
                children = (position.after(move) for move in variant.legal_moves(position))
                return sum(pool.map(count, children, repeat(depth - 1)))
            except BaseException:
                stopped = True
                pool.shutdown(cancel_futures=True)
                raise
    except CoreRefused:
        return None

"""Shared fixtures and hooks of all tests.

Hypothesis profiles: every run tries the same examples, `--hypothesis-profile=search` new ones.
`-m slow` runs each property test in full, where ordinary runs only sample.  A run that leaves files
behind fails.  There are also fixtures for a fifth variant.
"""

import gc
import logging
import os
import signal
import subprocess
import sys
from collections.abc import Generator, Iterator
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from _pytest.doctest import DoctestModule
from hypothesis import HealthCheck, is_hypothesis_test, settings

from pauses import draw_at_rest, nothing_left
from stylesheets import share_stylesheets
from thud.ai import core
from thud.disk.directories import CACHE_VARIABLE, COMPILED_VARIABLE
from thud.rules.variant import Variant
from toy_variant import COMMAND, registered

settings.register_profile(
    "laws",
    derandomize=True,
    deadline=None,
    max_examples=4,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.register_profile("full", settings.get_profile("laws"), max_examples=50)
settings.register_profile(
    "search", settings.get_profile("laws"), derandomize=False, max_examples=1000
)


def pytest_xdist_auto_num_workers() -> int:
    """Start 1.5 workers per processor, since a third of the time is spent waiting."""
    return (os.cpu_count() or 1) * 3 // 2


def in_full(config: pytest.Config) -> bool:
    """Whether this is the slow run."""
    return bool(config.option.markexpr == "slow")


SHARDS = 7
"""Parts of the tests of which one runs with Textual's own styles and frames."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option for a Textual that is not patched for speed."""
    parser.addoption(
        "--unpatched",
        type=int,
        choices=range(SHARDS),
        help=f"run each {SHARDS}th test, from this one on, with Textual's own styles and frames",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Choose the Hypothesis profile, and patch Textual and the disk for speed."""
    gc.disable()
    keep_compiled(config)
    config.pluginmanager.register(DoctestsWhereThereAre())
    keep_bytecode()
    # No test cuts the power, so syncing to disk would prove nothing.
    os.fsync = lambda fd: None
    # Every app asks for this set a dozen times, which makes it anew each time.
    signal.valid_signals = cache(signal.valid_signals)
    if config.option.unpatched is None:
        share_stylesheets()
        draw_at_rest()
    for module in ("app", "pilot"):
        pytest.MonkeyPatch().setattr(f"textual.{module}.wait_for_idle", nothing_left)
    settings.load_profile("full" if in_full(config) else "laws")


def keep_compiled(config: pytest.Config) -> None:
    """Compile the computers' search once for all processes, and away from the user's cache."""
    if COMPILED_VARIABLE not in os.environ:
        kept_in = config.rootpath / ".pytest_cache/thud"
        kept = [path.stat().st_mtime for path in kept_in.glob("core/*.bin")]
        if not kept or max(kept) < core.MODULE.stat().st_mtime:
            command = [sys.executable, "-c", "from thud.ai import core; core.weakness()"]
            subprocess.run(command, env={**os.environ, CACHE_VARIABLE: str(kept_in)}, check=True)
        os.environ[COMPILED_VARIABLE] = str(kept_in / "core")


def pytest_unconfigure() -> None:
    """Let go of the search while wasmtime can still free it: what is frozen is never collected."""
    core.POOL.close()


def keep_bytecode() -> None:
    """Write bytecode, whatever the environment says: tests start hundreds of processes.

    Without it each process would compile the program again, and each run all assert rewriting.
    """
    sys.dont_write_bytecode = False
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


class DoctestsWhereThereAre:
    """Skips files without doctests: searching them all took most of the collection time."""

    @staticmethod
    @pytest.hookimpl(wrapper=True)
    def pytest_collect_file(
        file_path: Path,
    ) -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
        found = yield
        if any(isinstance(each, DoctestModule) for each in found) and (
            b">>> " not in file_path.read_bytes()
        ):
            return [each for each in found if not isinstance(each, DoctestModule)]
        return found


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Choose a part of the tests, and mark for the slow run those that otherwise only sample."""
    if (first := config.option.unpatched) is not None:
        config.hook.pytest_deselected(items=list(set(items) - set(items[first::SHARDS])))
        items[:] = items[first::SHARDS]
    for item in items if in_full(config) else ():
        if isinstance(item, pytest.Function) and (
            is_hypothesis_test(item.obj) or "full" in item.fixturenames
        ):
            item.add_marker("slow")


def pytest_collection_finish() -> None:
    """Freeze what stays allocated: collecting it again and again took a fifth of the run time."""
    gc.collect()
    gc.freeze()
    gc.enable()
    gc.set_threshold(20_000, 20, 20)


@pytest.fixture(scope="session")
def full(pytestconfig: pytest.Config) -> bool:
    """Whether to try all cases, not only a sample."""
    return in_full(pytestconfig)


REPOSITORY = Path(__file__).parents[1]
PASSED_OVER = {"__pycache__", "build", "dist"}
FILES_BEFORE: pytest.StashKey[set[Path]] = pytest.StashKey()
FILES_LEFT: pytest.StashKey[list[Path]] = pytest.StashKey()


def files() -> set[Path]:
    """Return the files of the repository, without caches and build output."""
    found = set()
    for folder, folders, names in os.walk(REPOSITORY):
        folders[:] = [each for each in folders if each[0] != "." and each not in PASSED_OVER]
        found |= {Path(folder, name) for name in names}
    return found


def pytest_sessionstart(session: pytest.Session) -> None:
    """Remember the existing files, in the main process only."""
    taking_pictures = session.config.getoption("update_snapshots", default=False)
    if not hasattr(session.config, "workerinput") and not taking_pictures:
        session.config.stash[FILES_BEFORE] = files()


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Fail the run if it leaves files behind."""
    stash = session.config.stash
    before = stash.get(FILES_BEFORE, None)
    if before is not None and (left := sorted(files() - before)):
        stash[FILES_LEFT] = left
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """List the files left behind."""
    for path in config.stash.get(FILES_LEFT, []):
        terminalreporter.write_line(f"A test left {path.relative_to(REPOSITORY)} behind", red=True)


@pytest.fixture(autouse=True)
def listeners_failed() -> Iterator[list[str]]:
    """Fail a test in which a session's listener fails; tests that expect it clear the list."""
    failed: list[str] = []
    handler = logging.Handler(logging.ERROR)
    handler.emit = lambda record: failed.append(handler.format(record))  # type: ignore[method-assign]
    logger = logging.getLogger("thud.session")
    logger.addHandler(handler)
    yield failed
    logger.removeHandler(handler)
    assert not failed, "\n".join(failed)


@pytest.fixture
def short_path() -> Iterator[Path]:
    """A temporary directory with a path short enough for Unix sockets on every system."""
    top = "/tmp" if os.name == "posix" else None
    with TemporaryDirectory(prefix="thud-", dir=top, ignore_cleanup_errors=True) as directory:
        yield Path(directory).resolve()


@pytest.fixture
def rough(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw the board of pictures without antialiasing, which takes most of their time."""
    monkeypatch.setattr("thud.pictures.raster._FINE", 1)


@pytest.fixture
def skirmish() -> Iterator[Variant]:
    """A fifth variant, registered like the others."""
    with registered() as variant:
        yield variant


@pytest.fixture
def skirmish_engines(skirmish: Variant, monkeypatch: pytest.MonkeyPatch) -> Variant:
    """The fifth variant, also registered in the processes of our own engines."""
    monkeypatch.setattr("thud.engines.spec.OWN_ENGINE", COMMAND)
    return skirmish

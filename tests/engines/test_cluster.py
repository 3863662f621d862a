"""The arena on a cluster: here a scheduler and workers as local processes."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from importlib.util import find_spec
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pytest

from thud.ai.player import Limits
from thud.cli.arena import manned
from thud.cli.main import main
from thud.engines.arena import Plan
from thud.engines.cluster import ClusterFault, PlanMessage, Workers
from thud.engines.spec import parse_contender
from thud.rules.clock import parse_control
from thud.rules.variant import Variant
from thud.rules.variants import VARIANTS

NEEDED = pytest.mark.skipif(not find_spec("distributed"), reason="Dask's distributed is missing")
PROCESSES = pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="needs a Linux kernel")
FAR = ["--no-dashboard"]


@pytest.fixture(autouse=True)
def _own_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("THUD_DATA_DIR", str(tmp_path / "data"))


def plan(variant: Variant, first: str, second: str) -> Plan:
    contenders = parse_contender(first), parse_contender(second)
    return Plan(variant, contenders, 7, Limits(nodes=50), 3, 1, 5, "2026-11-20")


@pytest.mark.parametrize("who", ["cpu:1", "cpu", "material", "random", "engine:./mine 'a b'"])
def test_a_plan_is_the_same_after_its_words(who: str) -> None:
    for variant in VARIANTS.values():
        there = PlanMessage.of(plan(variant, who, "cpu:4")).plan()
        assert there == plan(variant, who, "cpu:4")._replace(matches=1)
    timed = plan(variant, who, "cpu:4")._replace(matches=1, control=parse_control("15/3x30"))
    assert PlanMessage.of(timed).plan() == timed


def test_a_worker_of_another_version_is_refused() -> None:
    message = PlanMessage.of(plan(VARIANTS["classic"], "cpu", "random"))._replace(version="0.0.0")
    with pytest.raises(ClusterFault, match=r"it has Thud .* instead of 0\.0\.0"):
        message.plan()


def test_who_is_at_work_is_told() -> None:
    assert manned(Workers(0, 0)) == "no worker yet"
    assert manned(Workers(1, 4)) == "one worker, four threads"


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """Run an arena that fails; return its one-line error message."""
    assert main(["arena", "random", "random", *arguments]) == 2
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    return err


def test_what_is_missing_is_said_in_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    err = refused(capsys, "--scheduler", "tcp://localhost:1")
    assert err.endswith("needs Dask's distributed: install Thud as '.[cluster]' instead of '.'\n")
    assert not list(tmp_path.glob("data/arena/*"))


@pytest.mark.parametrize("address", ["nowhere at all", "host", "chess://a:1", "h:1\n", "h:654321"])
def test_an_address_is_checked(address: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert "address is like tcp://host:8786, not " in refused(capsys, "--scheduler", address)


@pytest.mark.parametrize("address", ["h:1", "tcp://a.b-c:8786", "tls://[::1]:8786", "10.0.0.1:99"])
def test_addresses_are_known(
    address: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert "a scheduler needs" in refused(capsys, "--scheduler", address)


def test_workers_have_threads_instead_of_jobs(capsys: pytest.CaptureFixture[str]) -> None:
    assert "--jobs is for this machine" in refused(
        capsys, "--scheduler", "tcp://localhost:1", "--jobs", "2"
    )


class Cluster:
    """A scheduler, and workers that each play one match at a time."""

    def __init__(self, directory: Path, processes: ExitStack) -> None:
        self._file, self._processes = directory / "scheduler.json", processes
        self.scheduler = self._started("scheduler", "--port", "0")
        until(self._file.exists)
        self.workers = [self.worker(), self.worker()]

    @property
    def address(self) -> str:
        return str(json.loads(self._file.read_text())["address"])

    def worker(self) -> subprocess.Popen[bytes]:
        return self._started("worker", "--nthreads", "1", "--no-nanny")

    def _started(self, what: str, *arguments: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", f"distributed.cli.dask_{what}", *arguments, *FAR]
        process = subprocess.Popen(
            [*command, "--scheduler-file", str(self._file)],
            cwd=self._file.parent,
            stderr=subprocess.DEVNULL,
        )
        self._processes.callback(process.wait)
        self._processes.callback(process.kill)
        return process

    def programs(self) -> list[str]:
        """Return the process ids of the players of all workers."""
        return [child for each in self.workers for child in children(each.pid)]


@pytest.fixture
def machines(tmp_path: Path) -> Iterator[Cluster]:
    with ExitStack() as processes:
        yield Cluster(tmp_path, processes)


def until(true: Callable[[], object]) -> None:
    """Wait until a condition holds."""
    end = monotonic() + 120
    while not true():
        assert monotonic() < end
        sleep(0.05)


def children(parent: int) -> list[str]:
    lists = Path(f"/proc/{parent}/task").glob("*/children")
    return [child for each in lists for child in each.read_text().split()]


def arena(output: Path, *arguments: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "thud", "arena", *arguments, "-o", str(output)]
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=output.parent
    )


def finished(process: subprocess.Popen[str], status: int = 0) -> str:
    """Wait for a process's end with the expected status and no errors; return its output."""
    out, errors = process.communicate(timeout=120)
    assert (process.returncode, errors) == (status, "")
    return out


def report(out: str) -> dict[str, Any]:
    """Parse an arena's JSON report, with paths reduced to file names."""
    told: dict[str, Any] = json.loads(out)
    for match in told["matches"]:
        match["file"] = Path(match["file"]).name
    return told


def texts(directory: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in directory.glob("*.tgn")}


@NEEDED
@pytest.mark.slow
def test_no_scheduler_is_told(tmp_path: Path) -> None:
    process = arena(tmp_path / "o", "random", "random", "--scheduler", "127.0.0.1:1")
    _, errors = process.communicate(timeout=120)
    assert errors == "thud arena: no scheduler answers at '127.0.0.1:1'\n"
    assert process.returncode == 2


@NEEDED
@PROCESSES
@pytest.mark.slow
def test_a_lost_worker_changes_nothing(machines: Cluster, tmp_path: Path) -> None:
    what = ["material", "random", "--matches", "5", "--seed", "3", "--variant", "koom", "--json"]
    here = arena(tmp_path / "here", *what)
    there = arena(tmp_path / "there", *what, "--scheduler", machines.address)
    lost = machines.workers[0]
    until(lambda: children(lost.pid))
    programs = children(lost.pid)
    lost.kill()
    assert report(finished(there)) == report(finished(here))
    assert texts(tmp_path / "there") == texts(tmp_path / "here")
    assert len(texts(tmp_path / "here")) == 5
    until(lambda: not any(Path(f"/proc/{each}").exists() for each in programs))
    assert lost.wait() == -signal.SIGKILL


@NEEDED
@PROCESSES
@pytest.mark.slow
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_nothing_is_left_running_at_the_workers(
    machines: Cluster, tmp_path: Path, how: signal.Signals
) -> None:
    what = ["material", "random", "--matches", "1000"]
    process = arena(tmp_path / "there", *what, "--scheduler", machines.address)
    until(lambda: texts(tmp_path / "there") and machines.programs())
    process.send_signal(how)
    out, errors = process.communicate(timeout=60)
    assert errors == ""
    if how == signal.SIGINT:
        assert process.returncode == 130
        assert "Material against Random: " in out
    until(lambda: not machines.programs())
    sleep(1)
    assert not machines.programs()
    # The workers are still available.
    again = ["material", "random", "--matches", "2", "--scheduler", machines.address]
    assert "Material against Random: " in finished(arena(tmp_path / "again", *again))


@NEEDED
@pytest.mark.slow
def test_a_lost_scheduler_ends_the_arena_with_the_result_so_far(
    machines: Cluster, tmp_path: Path
) -> None:
    what = ["material", "random", "--matches", "1000"]
    process = arena(tmp_path / "there", *what, "--scheduler", machines.address)
    until(lambda: texts(tmp_path / "there"))
    machines.scheduler.kill()
    out, errors = process.communicate(timeout=120)
    assert process.returncode == 2
    assert errors.endswith("is lost\n")
    assert errors.count("\n") == 1
    assert "Material against Random: " in out


@NEEDED
@PROCESSES
@pytest.mark.slow
def test_a_match_that_loses_worker_after_worker_is_given_up(
    machines: Cluster, tmp_path: Path
) -> None:
    # A match far longer than a minute, so that it cannot end before it is abandoned.
    what = ["cpu:6", "cpu:6", "--matches", "1", "--scheduler", machines.address]
    process = arena(tmp_path / "there", *what)

    def ended() -> bool:
        for busy in [each for each in machines.workers if children(each.pid)]:
            machines.workers.remove(busy)
            machines.workers.append(machines.worker())
            busy.kill()
            busy.wait()
        return process.poll() is not None

    until(ended)
    _, errors = process.communicate()
    told = "thud arena: match 1 was abandoned: several workers were lost\n"
    assert (process.returncode, errors) == (2, told)


@NEEDED
@pytest.mark.slow
def test_a_program_that_a_worker_does_not_have_ends_the_arena(
    machines: Cluster, tmp_path: Path
) -> None:
    process = arena(tmp_path / "o", "random", "engine:/nowhere/x", "--scheduler", machines.address)
    _, errors = process.communicate(timeout=120)
    assert process.returncode == 2
    assert "x cannot be started: No such file or directory (at the worker tcp://" in errors
    assert errors.count("\n") == 1


@NEEDED
@pytest.mark.slow
def test_a_fault_of_a_program_is_told_as_it_is_here(machines: Cluster, tmp_path: Path) -> None:
    fake = f"engine:{sys.executable} {Path(__file__).with_name('fake_engine.py')} illegal"
    what = ["random", fake, "--matches", "2", "--openings", "0", "--seed", "1", "--json"]
    there = arena(tmp_path / "there", *what, "--scheduler", machines.address)
    told = report(finished(there, status=1))
    assert told == report(finished(arena(tmp_path / "here", *what), status=1))
    assert texts(tmp_path / "there") == texts(tmp_path / "here")
    assert [match["culprit"] for match in told["matches"]] == [1, 1]


def test_the_command_line_loads_no_cluster() -> None:
    code = "import sys, thud.cli.arena; print('distributed' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "False\n"

"""The fork server: what its processes inherit, and what happens when it or they are killed."""

from __future__ import annotations

import asyncio
import json
import os
import pty
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from subprocess import PIPE

import pytest

from club.web.conftest import Browser
from thud.club import jail
from thud.club.club import ClubServer
from thud.club.doors import LOOPBACK, DoorOptions
from thud.club.forks import ForkedProcess, ForkServer
from thud.club.sandbox import NAME
from thud.club.storage import Visitors
from thud.club.web.door import open_web
from waiting import gone, runs, until

if sys.platform != "linux":
    pytest.skip("visitors are forked on Linux alone", allow_module_level=True)
needs_jail = pytest.mark.skipif(bool(jail.why_not()), reason=jail.why_not())

_STARTED = """
import os, sys
from thud.club import fork_server, process
fork_server._preload = lambda: None
process.main = lambda: exec(os.environ["DO"], {})
sys.exit(fork_server.main())
"""
"""A fork server whose processes run what their environment says."""

_TELL = "import json, os, random, signal, sys; tell = lambda *all: print(json.dumps(all)); "


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Start servers whose processes run what their environment says."""
    monkeypatch.setattr("thud.club.forks._SERVER", (sys.executable, "-P", "-c", _STARTED))
    monkeypatch.setattr("thud.club.forks._AGAIN", 0.0)


@asynccontextmanager
async def running(*own: Path, **more: str) -> AsyncIterator[ForkServer]:
    server = ForkServer()
    task = asyncio.create_task(server.run({"PATH": os.environ["PATH"], **more}, own))
    try:
        await server.ready.wait()
        yield server
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


@pytest.fixture
async def server(small: None) -> AsyncIterator[ForkServer]:
    async with running() as found:
        yield found


async def forked(server: ForkServer, do: str, streams: int = PIPE, **more: str) -> ForkedProcess:
    return await server.fork({"DO": _TELL + do, **more}, streams, ())


async def printed(process: ForkedProcess, status: int = 0) -> str:
    """Return what a process prints, once it has ended as expected."""
    assert process.stdout
    assert process.stderr
    found = await process.stdout.read()
    assert (await process.stderr.read()).decode() == ""
    assert await process.wait() == process.returncode == status
    return found.decode()


async def told(process: ForkedProcess) -> list[object]:
    """Return what a process tells, once it has ended."""
    return list(json.loads(await printed(process)))


async def test_a_process_has_nothing_but_what_it_is_given(
    small: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    about = "tell(dict(os.environ), os.listdir('/proc/self/fd'), os.getppid(), os.getsid(0), "
    about += "os.getpid(), random.random(), signal.getsignal(signal.SIGTERM) == 0, os.getcwd(), "
    about += "[*signal.pthread_sigmask(signal.SIG_BLOCK, ())], len(os.listdir('/proc/self/task')))"
    monkeypatch.setenv("OF_THE_CLUB", "secret")
    async with running(OF_THE_SERVER="x") as server:
        processes = [await forked(server, about, MINE=each) for each in "ab"]
        chances = set()
        for each, mine in zip(processes, "ab", strict=True):
            variables, files, parent, session, pid, chance, *rest = await told(each)
            assert isinstance(variables, dict)
            del variables["DO"]
            assert variables == {"MINE": mine}
            assert files == ["0", "1", "2", "3"]  # the last is the listing's own
            assert (parent, session, pid) == (os.getpid(), each.pid, each.pid)
            assert rest == [True, "/", [], 1]
            chances.add(chance)
        assert len(chances) == 2


async def test_the_server_knows_nothing_of_what_the_club_tells(server: ForkServer) -> None:
    word = b"the-secret-of-one".hex()
    await told(await forked(server, "tell(0)", PROOF=word))
    memory = b""
    with open(f"/proc/{server.pid}/mem", "rb", 0) as file:
        for line in Path(f"/proc/{server.pid}/maps").read_text().splitlines():
            place, mode, *_ = line.split()
            first, last = (int(each, 16) for each in place.split("-"))
            if mode.startswith("rw"):
                file.seek(first)
                memory += file.read(last - first)
    assert word.encode() not in memory


async def test_a_process_is_the_clubs_own_child(server: ForkServer) -> None:
    leaves = await forked(server, "sys.exit(75)")
    await printed(leaves, 75)
    waits = await forked(server, "signal.pause()")
    waits.terminate()
    await printed(waits, -signal.SIGTERM)
    waits.terminate()  # it has ended: nothing happens
    dies = await forked(server, "signal.pause()")
    os.kill(dies.pid, signal.SIGKILL)
    await printed(dies, -signal.SIGKILL)
    with pytest.raises(ChildProcessError):
        os.waitpid(dies.pid, os.WNOHANG)


_LOADED_IN_ADVANCE = """
import sys
from rich.cells import cell_len
from thud.club import fork_server
from thud.exercises.puzzles.book import puzzles
from thud.rules.variants import VARIANTS
fork_server._preload()
loaded, read = set(sys.modules), puzzles.cache_info().currsize
cell_len("\N{DRAGON FACE}\N{VARIATION SELECTOR-16}")
print(read, [each.measured for each in VARIANTS.values()] == [], set(sys.modules) - loaded)
"""


def test_the_tables_that_every_visitor_reads_are_loaded_in_advance() -> None:
    command = (sys.executable, "-P", "-c", _LOADED_IN_ADVANCE)
    found = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    assert found.stdout == "1 False set()\n"


async def test_visitors_live_on_when_the_server_dies_and_another_is_started(
    server: ForkServer,
) -> None:
    lives = await forked(server, "tell(input())")
    first = server.pid
    assert first
    os.kill(first, signal.SIGKILL)
    with pytest.raises(OSError, match=r"."):
        await forked(server, "tell(0)")
    await until(lambda: server.ready.is_set() and server.pid != first)
    assert await told(await forked(server, "tell(1)")) == [1]
    assert lives.stdin
    lives.stdin.write(b"hello\n")
    assert await told(lives) == ["hello"]


async def test_a_server_that_hangs_is_replaced(
    server: ForkServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = server.pid
    assert first
    monkeypatch.setattr("thud.club.forks._ANSWER_SECONDS", 0.05)
    os.kill(first, signal.SIGSTOP)
    with pytest.raises(OSError, match=r".|^$"):
        await forked(server, "tell(0)")
    monkeypatch.setattr("thud.club.forks._ANSWER_SECONDS", 10.0)
    await until(lambda: server.ready.is_set() and server.pid != first)
    assert await told(await forked(server, "tell(1)")) == [1]


async def test_a_process_that_nobody_waits_for_any_longer_ends(server: ForkServer) -> None:
    pid = 0

    def answered(number: int, pipes: object) -> ForkedProcess:
        nonlocal pid
        pid = number
        raise OSError("no file is left")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("thud.club.forks.ForkedProcess", answered)
        with pytest.raises(OSError, match="no file"):
            await forked(server, "signal.pause()")
    await gone(pid)
    os.waitpid(pid, 0)


async def test_starts_leave_nothing_behind(server: ForkServer, full: bool) -> None:
    def files() -> list[int]:
        return [len(os.listdir(f"/proc/{each}/fd")) for each in ("self", server.pid)]

    def children() -> set[int]:
        found = Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()
        return {each for each in map(int, found) if runs(each)}

    await told(await forked(server, "tell(0)"))
    before, there = files(), children()
    for number in range(200 if full else 20):
        assert await told(await forked(server, f"tell({number})")) == [number]
    await until(lambda: all(now <= then for now, then in zip(files(), before, strict=True)))
    assert children() <= there


@pytest.mark.parametrize(
    "variables", [{}, {"LC_ALL": "C"}, {"LC_CTYPE": "C.UTF-8"}, {"LANG": "xx_XX.ISO-8859-1"}]
)
async def test_its_streams_are_those_of_a_new_python(
    server: ForkServer, variables: dict[str, str]
) -> None:
    about = "tell(*((each.encoding, each.errors, each.line_buffering, each.isatty()) for each in "
    about += "(sys.stdin, sys.stdout, sys.stderr)), sys.__stdout__ is sys.stdout)"
    ours, theirs = pty.openpty()
    try:
        for streams in (theirs, PIPE):
            fresh = subprocess.Popen(
                [sys.executable, "-P", "-c", _TELL + about],
                env=variables,
                stdin=streams,
                stdout=streams,
                stderr=streams,
            )
            assert fresh.wait() == 0
            process = await server.fork({"DO": _TELL + about, **variables}, streams, ())
            if streams == PIPE:
                assert (await printed(process)).encode() == fresh.communicate()[0]
            else:
                await process.wait()
                lines = os.read(ours, 10000).splitlines()
                assert lines[0] == lines[1]
    finally:
        os.close(ours)
        os.close(theirs)


_BREAKS_OUT = """
import runpy
sys.argv = ["jailed.py", *os.environ["ARGUMENTS"].split()]
runpy.run_path(sys.argv[1] + "/jailed.py")
"""


@needs_jail
async def test_nothing_gets_out_of_a_jail_that_is_put_on_after_the_fork(
    small: None, short_path: Path
) -> None:
    """The server is jailed to all visitors' directories, each process to its own."""
    own, other = short_path / "visitors" / "own", short_path / "visitors" / "other"
    own.mkdir(parents=True)
    (other / "empty").mkdir(parents=True)
    (other / "secret").write_text("secret")
    (own / "link").symlink_to(other / "secret")
    (own / "program").write_bytes(Path("/bin/true").read_bytes())
    (own / "program").chmod(0o700)
    (own / "jailed.py").write_bytes(Path(__file__).with_name("jailed.py").read_bytes())
    async with running(short_path / "visitors") as server:
        victim = await forked(server, "signal.pause()")
        arguments = f"{own} {other} {victim.pid}"
        process = await forked(server, _BREAKS_OUT, ARGUMENTS=arguments)
        result = await printed(process)
        assert "ESCAPED" not in result
        assert int(result.split()[0]) > 200
        assert victim.returncode is None
        victim.terminate()
        await printed(victim, -signal.SIGTERM)
        for attempt in ("open('/etc/passwd')", "os.listdir('/')", "open('/tmp/x', 'w')"):
            refused = f"""
try: {attempt}
except PermissionError: tell(1)
"""
            assert await told(await forked(server, refused)) == [1]
    assert (other / "secret").read_text() == "secret"


def _killed_first(pid: int | str) -> int:
    """Return how much sooner than its size says Linux kills a process when memory runs short."""
    return int(Path(f"/proc/{pid}/oom_score_adj").read_text())


async def seen(pid: int, *names: str) -> list[str]:
    status = await asyncio.to_thread(Path(f"/proc/{pid}/status").read_text)
    values = dict(line.split(":\t", 1) for line in status.splitlines() if ":\t" in line)
    return [values[name] for name in names]


@needs_jail
@pytest.mark.parametrize("is_open", [True, False])
async def test_a_club_forks_its_visitors(
    is_open: bool, short_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("THUD_RUN_DIR", str(short_path / "run"))
    club = ClubServer(Visitors(short_path / "visitors"), most=2, idle=60.0, is_open=is_open)
    tasks = [asyncio.create_task(each) for each in (club.prepare_visits(), club.end_orphans())]
    door = await open_web(club, DoorOptions(LOOPBACK, 0, "the-secret"))
    browser = Browser(door.invitation[1].strip().partition("/#")[0].rstrip("/"))
    try:
        await club._forks.ready.wait()
        assert (await browser.enter("" if is_open else "the-secret"))[0] == 204
        board = await browser.sit_down()
        await board.seen()
        (inside,) = club.inside()
        filters = ["1", "2", "2"] if is_open else ["0", "0", "0"]
        found = await seen(
            inside.session, "Name", "PPid", "NoNewPrivs", "Seccomp", "Seccomp_filters"
        )
        assert found == [NAME.decode(), str(os.getpid()), *filters]
        ours, theirs = (_killed_first(each) for each in ("self", inside.session))
        assert theirs > ours
    finally:
        await browser.session.close()
        await door.close()
        for each in tasks:
            each.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    await gone(inside.session)

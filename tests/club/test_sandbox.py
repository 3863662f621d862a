"""The sandbox of a visitor's process: forbidden actions, tried in a real process."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest

from thud.disk.directories import COMPILED_VARIABLE

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the club is POSIX")

BEGIN = dedent("""\
    import os, socket, subprocess, sys
    from pathlib import Path
    from thud.club.sandbox import enclose
    from thud.engines.parent_death import SHELL
    enclose()
    host, other, *attempts = Path(sys.argv[1]), Path(sys.argv[2]), *sys.argv[3:]
    for attempt in attempts:
        try:
            exec(attempt)
        except PermissionError as refusal:
            print("refused:", refusal.strerror)
        else:
            print("done")
""")

REFUSED = "refused: not allowed in a club"


class Places:
    """A host's files, including two visitors'.

    Args:
        directory: the host's directory.
    """

    def __init__(self, directory: Path) -> None:
        self.host = directory
        self.own, self.other = (directory / "visitors" / name for name in ("own", "other"))
        self.run = directory / "run"
        for each in (self.own, self.other):
            each.mkdir(parents=True)
        self.run.mkdir(mode=0o700)
        (directory / "secret").write_text("of the host's")
        (self.other / "secret").write_text("of another visitor's")
        (self.own / "link").symlink_to(directory / "secret")
        (self.own / "way-out").symlink_to(directory, target_is_directory=True)

    def tried(self, *attempts: str) -> list[str]:
        """Run attempts in a sandboxed process; return their results."""
        environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(self.own),
            "THUD_DATA_DIR": str(self.own),
            "THUD_RUN_DIR": str(self.run),
            COMPILED_VARIABLE: os.environ[COMPILED_VARIABLE],
        }
        return subprocess.run(
            [sys.executable, "-P", "-c", BEGIN, str(self.host), str(self.other), *attempts],
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        ).stdout.splitlines()

    def let_through(self, attempts: list[str]) -> list[str]:
        """Return the attempts that are not refused."""
        results = zip(attempts, self.tried(*attempts), strict=True)
        return [attempt for attempt, result in results if result != REFUSED]


@pytest.fixture
def places(short_path: Path) -> Places:
    return Places(short_path)


READING = [
    "open('/etc/passwd').read()",
    "(host / 'secret').read_text()",
    "(other / 'secret').read_text()",
    "Path('link').read_text()",
    "Path('way-out/secret').read_text()",
    "Path('../other/secret').read_text()",
    "open(b'/etc/hostname')",
    "open('/proc/self/environ')",
]

CHANGING = [
    "(host / 'new').write_text('')",
    "Path('link').write_text('')",
    "Path('way-out/new').write_text('')",
    "Path(sys.prefix, 'new').write_text('')",
    "os.open(host / 'secret', os.O_RDWR)",
    "(host / 'secret').unlink()",
    "(host / 'new').mkdir()",
    "other.rmdir()",
    "(host / 'secret').rename('mine')",
    "Path('link').rename(host / 'new')",
    "os.symlink(host / 'secret', 'new')",
    "os.symlink('../other/secret', 'new')",
    "os.symlink('link', host / 'new')",
    "os.link(host / 'secret', 'new')",
    "os.truncate(host / 'secret', 0)",
    "os.chmod(host / 'secret', 0o777)",
    "os.chmod('link', 0o777)",
    "os.utime(host / 'secret')",
    "os.remove('secret', dir_fd=os.open('.', os.O_RDONLY))",
    "__import__('sqlite3').connect(host / 'new')",
    "__import__('sqlite3').connect(f'file:{host}/new', uri=True)",
    "__import__('tempfile').mkstemp(dir='/tmp')",
]

SIGNALS = [
    "os.kill(os.getppid(), 0)",
    "os.kill(1, 0)",
    "os.kill(0, 0)",
    "os.kill(-1, 0)",
    "os.killpg(os.getpgid(os.getppid()), 0)",
]

LOOKING = [
    "os.listdir(host)",
    "next(os.scandir(other.parent))",
    "list(Path('way-out').iterdir())",
    "os.chdir(host)",
]

ENGINE = "[sys.executable, '-P', '-m', 'thud', 'engine']"

STARTING = [
    "subprocess.run(['/bin/sh', '-c', 'id'])",
    "subprocess.run(['/bin/sh', '-c', 'read -r _; id'])",
    "subprocess.run([sys.executable, '-c', ''])",
    "subprocess.run([sys.executable, '-P', '-m', 'thud', 'host'])",
    "subprocess.run([sys.executable, '-P', '-m', 'http.server'])",
    "subprocess.run([sys.executable, '-P', '-m', 'thud', 'engine'], executable='/bin/sh')",
    f"subprocess.run({ENGINE}, env={{'PYTHONPATH': str(other)}})",
    f"subprocess.run({ENGINE}, env={{'LD_PRELOAD': 'x'}})",
    f"subprocess.run({ENGINE}, cwd=other)",
    "os.environ.update(PYTHONPATH='x')",
    "os.putenv('PYTHONSTARTUP', 'x')",
    f"subprocess.run([*{ENGINE}, '--log', str(host / 'new')])",
    f"subprocess.run([*{ENGINE}, '--level', '1', '--log', str(host / 'new')])",
    "os.system('id')",
    "os.fork()",
    "os.execv('/bin/sh', ['sh'])",
    "os.posix_spawn('/bin/sh', ['sh'], {})",
    "__import__('pty').fork()",
    "__import__('pty').spawn('sh')",
]

REACHING = [
    "socket.create_connection(('127.0.0.1', {port}))",
    "socket.create_server(('127.0.0.1', 0))",
    "socket.socket()",
    "socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)",
    "socket.getaddrinfo('localhost', {port})",
    "socket.gethostbyname('localhost')",
    "socket.gethostname()",
    "socket.socket(socket.AF_UNIX).connect(str(host / 'socket'))",
    "socket.socket(socket.AF_UNIX).connect('\\0abstract')",
    "socket.socket(socket.AF_UNIX).bind(str(other / 'socket'))",
    "socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM).sendto(b'', str(host / 'socket'))",
]

CALLING = [
    f"__import__('ctypes').{call}"
    for call in ("CDLL(None)", "string_at(1)", "c_int.from_address(1)", "pythonapi.Py_GetVersion")
]


def test_nothing_outside_is_read_changed_started_or_reached(places: Places) -> None:
    before = {path: path.lstat().st_mtime_ns for path in sorted(places.host.rglob("*"))}
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port = str(listening.getsockname()[1])
        reaching = [attempt.replace("{port}", port) for attempt in REACHING]
        attempts = [*READING, *CHANGING, *SIGNALS, *LOOKING, *STARTING, *reaching, *CALLING]
        assert places.let_through(attempts) == []
    assert {path: path.lstat().st_mtime_ns for path in sorted(places.host.rglob("*"))} == before


def test_a_supervisor_ends_only_engines_of_the_process(places: Places) -> None:
    """The attempts aim at a process of the test's own: if one gets through, nothing else ends."""
    waiting = "read -r _"
    with subprocess.Popen(
        ["/bin/sh", "-c", waiting], stdin=subprocess.PIPE, start_new_session=True
    ) as other:
        attempts = [
            f"subprocess.run([*SHELL, '{sign}{other.pid}', '{name}'], stdin=-3)"
            for sign in ("", "-")
            for name in ("KILL", "TERM")
        ]
        assert places.let_through(attempts) == []
        assert other.poll() is None


STARTED = """
import asyncio
from thud.engines.program import Program
from thud.engines.spec import level_contender, parse_contender
async def start():
    for each in level_contender(1), parse_contender("random"):
        program = await Program.start(each.command)
        assert program._supervisor
        await program.close(0.1)
asyncio.run(start())
"""


NEEDED = [
    "Path('own').write_text('') and None",
    "(Path('below/it').mkdir(parents=True), Path('below/it').rmdir())",
    "Path('link').unlink()",
    "os.symlink('visitor.json', 'new')",
    "open(os.devnull, 'w')",
    "open('/dev/urandom', 'rb')",
    "__import__('sqlite3').connect('index')",
    "os.kill(os.getpid(), 0)",
    "subprocess.Popen([sys.executable, '-P', '-m', 'thud', 'engine'], stdin=-1).kill()",
    "socket.socketpair()",
    "socket.socket(socket.AF_UNIX).bind(os.environ['THUD_RUN_DIR'] + '/socket')",
    "os.listdir(os.environ['THUD_RUN_DIR'])",
    "__import__('thud.rulebook.chapters').rulebook.chapters.chapters()",
    "__import__('zoneinfo').available_timezones()",
    "subprocess.run([sys.executable, '-P', '-m', 'thud', 'engine'], stdin=-3, stdout=-3)",
    f"subprocess.run([*{ENGINE}, '--level', '1'], stdin=-3, stdout=-3)",
    STARTED,
    f"del os.waitid\n{STARTED}",
    "__import__('thud.tui.club.club')",
]


@pytest.mark.slow
def test_what_is_needed_is_let_through(places: Places) -> None:
    results = zip(NEEDED, places.tried(*NEEDED), strict=True)
    assert [attempt for attempt, result in results if result != "done"] == []


def test_memory_and_files_are_limited_and_others_go_first(places: Places) -> None:
    attempt = """
        import resource as r, thud.club.sandbox as b
        assert r.getrlimit(r.RLIMIT_FSIZE)[1] <= b.LARGEST_FILE
        assert r.getrlimit(r.RLIMIT_CORE) == (0, 0)
        assert os.nice(0) >= b.NICENESS
        try:
            Path('large').write_bytes(bytes(b.LARGEST_FILE + 1))
        except OSError as full:
            print(full.errno == __import__('errno').EFBIG, end=' ')
    """
    assert places.tried(dedent(attempt)) == ["True done"]


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has such a policy")
def test_whoever_has_been_busy_lets_all_others_go_first(places: Places) -> None:
    attempt = """
        import signal, thud.club.sandbox as b
        assert signal.getitimer(signal.ITIMER_PROF)[1] == b.BUSY
        for share, policy in ((float('inf'), os.SCHED_OTHER), (0.0, os.SCHED_IDLE)):
            b.BUSY_SHARE = share
            signal.raise_signal(signal.SIGPROF)
            assert os.sched_getscheduler(0) == policy
    """
    assert places.tried(dedent(attempt)) == ["done"]


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux counts the bytes of data")
def test_nobody_takes_all_the_memory(places: Places) -> None:
    attempt = """
        try:
            bytes(2 << 30)
        except MemoryError:
            print('no more', end=' ')
    """
    assert places.tried(dedent(attempt)) == ["no more done"]


SEARCHED = """
import asyncio
from thud.engines.client import Engine
from thud.engines.refutation import refutation
from thud.rules.variants import VARIANTS
Engine.on_weakness = print
variant = VARIANTS["classic"]
assert asyncio.run(refutation(variant, variant.start))
assert "wasmtime" not in sys.modules
"""


def test_the_computers_are_asked_from_inside_and_search_compiled(places: Places) -> None:
    assert places.tried(SEARCHED) == ["done"]

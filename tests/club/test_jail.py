"""The jail of an open club: attempts to break out, from inside, without Python's own sandbox."""

import asyncio
import os
import socket
import struct
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import pytest

from records.test_listing import kept
from thud.club import jail
from thud.club.broker import BROKER_VARIABLE, Broker, use_broker
from thud.net.transports import sockets
from thud.records.store import Store

if sys.platform != "linux":
    pytest.skip("the jail is Linux's", allow_module_level=True)
needs_jail = pytest.mark.skipif(bool(jail.why_not()), reason=jail.why_not())

_TRIES = Path(__file__).with_name("jailed.py")


@pytest.fixture
def places(short_path: Path) -> Iterator[tuple[Path, Path]]:
    """Make a directory of the jailed process's own, and one with things that are not its own."""
    own, other = short_path / "own", short_path / "other"
    own.mkdir()
    (other / "empty").mkdir(parents=True)
    (other / "secret").write_text("secret")
    (own / "link").symlink_to(other / "secret")
    (own / "program").write_bytes(Path("/bin/true").read_bytes())
    (own / "program").chmod(0o700)
    with (
        socket.socket(socket.AF_UNIX) as stream,
        socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as datagrams,
        socket.socket(socket.AF_UNIX) as abstract,
    ):
        stream.bind(str(other / "stream"))
        datagrams.bind(str(other / "datagrams"))
        abstract.bind(f"\0thud-jail-{os.getpid()}")
        stream.listen()
        abstract.listen()
        yield own, other


_LEFT = """
import os, subprocess, sys, time
from thud.club import jail
jail.adopt_orphans()
plain = subprocess.Popen(["sleep", "600"])
child = subprocess.Popen([sys.executable, "-c", sys.argv[1]], stdout=subprocess.PIPE, text=True)
names = child.stdout.readline().split()
child.wait()
jail.end_orphans(lambda: {0})
print(*map(os.path.exists, names))
jail.end_orphans(lambda: {plain.pid})
print(plain.poll(), *map(os.path.exists, names))
plain.kill()
"""
_LEAVES = """
import os, time
from thud.club import jail
jail.confine([], [])
names = []
for _ in range(3):
    reading, writing = os.pipe()
    if os.fork() == 0:
        os.setsid()
        if grandchild := os.fork():
            os.write(writing, f"/proc/{grandchild} ".encode())
            os._exit(0)
        time.sleep(600)
    names.append(os.read(reading, 100).decode())
print(*names, flush=True)
"""


@needs_jail
def test_what_a_jailed_process_leaves_running_is_ended() -> None:
    command = [sys.executable, "-c", _LEFT, _LEAVES]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert done.stderr == ""
    assert done.stdout == "True True True\nNone False False False\n"


@needs_jail
def test_nothing_gets_out_of_the_jail(places: tuple[Path, Path]) -> None:
    own, other = places
    with subprocess.Popen(["sleep", "600"]) as victim:
        try:
            command = [sys.executable, str(_TRIES), str(own), str(other), str(victim.pid)]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            alive = victim.poll() is None
        finally:
            victim.kill()
    assert done.stderr == ""
    assert "ESCAPED" not in done.stdout
    assert int(done.stdout.split()[0]) > 200
    assert alive
    assert (other / "secret").read_text() == "secret"
    assert sorted(each.name for each in other.iterdir()) == (
        ["datagrams", "empty", "secret", "stream"]
    )


_COMES_BACK = """
import os
from thud.club.sandbox import enclose
enclose()
from thud.disk.directories import data_directory
from thud.records.store import Store
saves = Store(data_directory())
(found,) = saves.listing().unfinished
discarded = saves.discard(found.id)
saves.put_back(discarded)
print(saves.listing().unfinished == [found])
"""


_LOOKS_AROUND = """
import sys
from pathlib import Path
from thud.club.sandbox import enclose
enclose()
for each in (Path(sys.argv[1]) / "0123abcd.json", Path(sys.argv[1]) / ".lock"):
    try:
        print(each.read_bytes())
    except PermissionError:
        pass
"""


@needs_jail
def test_a_visitors_process_reads_nothing_of_private_tables_and_holds_no_lock_of_the_clubs(
    tmp_path: Path,
) -> None:
    run, data = tmp_path / "run", tmp_path / "data"
    for each in (run, data):
        each.mkdir(mode=0o700)
    (run / "0123abcd.json").write_text("a private table")
    (run / ".lock").touch()
    assert enclosed(_LOOKS_AROUND, data, run) == ""


@needs_jail
def test_a_visitors_process_puts_a_deleted_match_back_as_it_was(tmp_path: Path) -> None:
    data = tmp_path / "data"
    kept(Store(data), age=60)
    assert enclosed(_COMES_BACK, data, tmp_path / "run") == "True\n"


def enclosed(program: str, data: Path, run: Path) -> str:
    """Run a program in the jail of a visitor; return what it prints."""
    own, theirs = socket.socketpair()
    with own, theirs:
        done = subprocess.run(
            [sys.executable, "-c", program, str(run)],
            env=os.environ
            | {"THUD_DATA_DIR": str(data), "THUD_RUN_DIR": str(run)}
            | {BROKER_VARIABLE: str(theirs.fileno())},
            pass_fds=[theirs.fileno()],
            capture_output=True,
            text=True,
            check=False,
        )
    assert done.stderr == ""
    return done.stdout


@pytest.mark.parametrize(
    ("version", "said"), [(-1, "has no Landlock"), (5, "Landlock has version 5"), (6, "")]
)
def test_it_says_why_strangers_cannot_be_jailed(
    monkeypatch: pytest.MonkeyPatch, version: int, said: str
) -> None:
    class Kernel:
        @staticmethod
        def syscall(*_: object) -> int:
            return version

    monkeypatch.setattr(jail, "_libc", Kernel)
    assert said in jail.why_not()
    assert bool(said) == bool(jail.why_not())


def test_it_needs_a_processor_whose_calls_it_knows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "uname", lambda: SimpleNamespace(machine="riscv64"))
    assert "x86-64" in jail.why_not()


def test_a_filter_fits_each_processor(monkeypatch: pytest.MonkeyPatch) -> None:
    for machine, (column, _) in jail._ARCHITECTURES.items():
        monkeypatch.setattr(os, "uname", partial(SimpleNamespace, machine=machine))
        program = [*jail._program()]
        assert all(at + 1 + max(each[1:3]) < len(program) for at, each in enumerate(program[:-1]))
        numbers = [each[column] for each in jail._REFUSED.values() if each[column] >= 0]
        assert len({*numbers}) == len(numbers)


def verdict(machine: str, number: int, *arguments: int) -> int:
    """Return what the filter says to a call: its program, run here."""
    _, architecture = jail._ARCHITECTURES[machine]
    words = struct.pack("=IIQ6Q", number, architecture, 0, *arguments, *[0] * (6 - len(arguments)))
    program, at, value = [*jail._program()], 0, 0
    while True:
        code, if_true, if_false, operand = program[at]
        at += 1
        match code:
            case jail._LOAD:
                (value,) = struct.unpack_from("=I", words, operand)
            case jail._MASK:
                value &= operand
            case jail._EQUAL:
                at += if_true if value == operand else if_false
            case jail._AT_LEAST:
                at += if_true if value >= operand else if_false
            case jail._ANY_BIT:
                at += if_true if value & operand else if_false
            case _:
                return operand


@pytest.mark.parametrize("machine", jail._ARCHITECTURES)
def test_calls_are_refused_by_their_arguments(
    monkeypatch: pytest.MonkeyPatch, machine: str
) -> None:
    monkeypatch.setattr(os, "uname", lambda: SimpleNamespace(machine=machine))
    column, _ = jail._ARCHITECTURES[machine]

    def allows(numbers: tuple[int, int], *arguments: int) -> bool:
        return verdict(machine, numbers[column], *arguments) == jail._ALLOW

    process, group, user = range(3)
    assert allows(jail._SETPRIORITY, process, 0, 5)
    assert not any(allows(jail._SETPRIORITY, each, 0, 5) for each in (group, user))
    assert not allows(jail._SETPRIORITY, process, 1, 5)
    assert allows(jail._PRLIMIT, 0)
    assert not allows(jail._PRLIMIT, 1)
    assert allows(jail._IOCTL, 0, 0x5413)
    assert not any(allows(jail._IOCTL, 0, each) for each in jail._CONTROLS)
    assert not any(allows(jail._IOCTL, 0, 1 << 32 | each) for each in jail._CONTROLS)
    assert allows(jail._SOCKETPAIR, socket.AF_UNIX, socket.SOCK_STREAM | socket.SOCK_CLOEXEC)
    assert not allows(jail._SOCKETPAIR, socket.AF_UNIX, socket.SOCK_DGRAM)
    assert not allows(jail._SOCKETPAIR, socket.AF_INET, socket.SOCK_STREAM)
    assert allows(jail._UTIMENSAT, 3, 0)
    assert not any(allows(jail._UTIMENSAT, 3, each) for each in (1, 1 << 32))
    assert allows(jail._CLONE, 0x11)
    assert not any(allows(jail._CLONE, each) for each in (0x20000, 0x10000000, 0x40000000))
    assert allows((0, 63))  # read


async def test_the_broker_connects_to_the_clubs_own_sockets_alone(
    places: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    own, other = places
    (other / "stream").rename(other / "0123abcd.socket")
    os.symlink(other / "0123abcd.socket", own / "other.socket")
    broker = Broker(other)
    monkeypatch.setattr("thud.club.broker._PAUSE", 0.0)
    monkeypatch.setattr(sockets, "brokered", None)
    asked = use_broker(os.dup(broker.theirs.fileno()))
    brokered = sockets.brokered
    assert brokered
    try:
        monkeypatch.setattr(sockets, "brokered", None)  # the broker is in this process, too
        for name in ("secret", "datagrams", "x" * 200, "club.tables", "89abcdef.socket", ".."):
            with pytest.raises(ConnectionRefusedError):
                await asyncio.to_thread(brokered, Path(name))
        with await asyncio.to_thread(brokered, Path("0123abcd.socket")) as found:
            assert found.getpeername().endswith("stream")
    finally:
        asked.close()
        broker.close()
        broker.close()


async def test_whoever_reads_no_answer_of_the_broker_is_not_heard_without_pause(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broker = Broker(tmp_path)
    broker.theirs.setblocking(False)

    async def heard(times: int) -> int:
        """Ask that often, reading no answer; return how many questions found room."""
        found = 0
        for _ in range(times):
            with suppress(BlockingIOError):
                broker.theirs.send(b"x")
                found += 1
            for _ in range(3):
                await asyncio.sleep(0)
        return found

    try:
        monkeypatch.setattr("thud.club.broker._PAUSE", 0.0)
        await heard(2000)  # until no answer finds room
        monkeypatch.setattr("thud.club.broker._PAUSE", 600.0)
        assert await heard(2000) < 2000
    finally:
        broker.close()

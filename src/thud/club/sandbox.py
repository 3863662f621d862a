"""The sandbox of a visitor's process: resource limits, and an audit hook.

The hook is a second barrier against our own mistakes: a screen that accepts a file name, a text
taken for a path.  It is no jail for foreign code, none of which runs here.  System calls without an
audit event pass unseen (`stat`, `pwd`, C libraries, `os.mkfifo`, `os.mknod`, SQL `ATTACH`, whatever
is below `subprocess`); `os.open` does not report its `dir_fd`; a link can be swapped after it was
resolved; and engines have no sandbox of their own, so only our code is started as one.  Only the
system can keep a user's files from a process for certain: see docs/serve.md.
"""

from __future__ import annotations

import errno
import os
import signal
import socket
import sys
import sysconfig
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, NoReturn, TypeAlias

from thud.club import jail
from thud.club.broker import BROKER_VARIABLE, use_broker
from thud.disk.directories import compiled_directory, data_directory, run_directories
from thud.engines.analyst import Analyst
from thud.engines.parent_death import SHELL
from thud.engines.program import Program
from thud.engines.spec import NICENESS_VARIABLE, OWN_ENGINE
from thud.rulebook.chapters import DOCUMENT
from thud.visitor.profile import SHOWN_VARIABLES

_Check: TypeAlias = Callable[..., None]
"""Checks an audit event's arguments; raises PermissionError to refuse it."""

_WRITES: Final = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND

_OF_THE_SYSTEM: Final = (
    "/dev/null",
    "/dev/tty",
    "/dev/urandom",
    "/etc/localtime",
    "/etc/terminfo",
    "/lib/terminfo",
    "/usr/lib/terminfo",
    "/usr/share/terminfo",
    "/usr/share/zoneinfo",
)
"""Readable paths besides Python and the program."""

_REFUSED: Final = (
    *("os.exec", "os.fork", "os.forkpty", "os.spawn", "os.startfile", "os.system", "pty.spawn"),
    *("ctypes.call_function", "ctypes.cdata", "ctypes.cdata/buffer", "ctypes.dlopen"),
    *("ctypes.dlsym", "ctypes.dlsym/handle", "ctypes.string_at", "ctypes.wstring_at"),
    *("socket.getaddrinfo", "socket.gethostbyaddr", "socket.gethostbyname", "socket.gethostname"),
    *("socket.getnameinfo", "socket.sethostname", "sqlite3.load_extension", "webbrowser.open"),
)
"""Audit events that are always refused."""

_LOADING: Final = ("PYTHON", "LD_", "DYLD_")
"""How variables begin that make Python or the system's loader load other code."""

_READING: Final = ("os.chdir", "os.getxattr", "os.listdir", "os.listxattr", "os.scandir")
_WRITING: Final = ("os.removexattr", "os.setxattr", "os.truncate")
"""Events whose first argument is a path, and which have no `dir_fd`."""


class Sandbox:
    """Refuses whatever a visitor's process does not need.

    Args:
        own: directories where files may be written and sockets reached.
        read: files and directories that may only be read.
    """

    def __init__(self, own: Iterable[Path], read: Iterable[str | Path]) -> None:
        self._own = {os.path.realpath(path) for path in own}
        self._known = self._own | {os.path.realpath(path) for path in read}

    def install(self) -> None:
        """Start the sandbox for the rest of this process's life."""
        checks: dict[str, _Check] = {
            **dict.fromkeys(_REFUSED, _refuse),
            **dict.fromkeys(_READING, self._check_reading),
            **dict.fromkeys(_WRITING, self._check_writing),
            "open": self._check_opening,
            "os.chmod": lambda path, _, at: self._check_writing(path, at),
            "os.chown": lambda path, _, __, at: self._check_writing(path, at),
            "os.kill": _check_signal,
            "os.killpg": _check_group_signal,
            "os.link": self._check_link,
            "os.mkdir": lambda path, _, at: self._check_entry(path, at),
            "os.posix_spawn": lambda path, command, _: _refuse(path),
            "os.putenv": lambda name, _: _check_variables([name]),
            "os.remove": self._check_entry,
            "os.rename": self._check_renaming,
            "os.rmdir": self._check_entry,
            "os.symlink": self._check_link,
            "os.utime": lambda path, _, __, at: self._check_writing(path, at),
            "socket.__new__": _check_kind,
            "socket.bind": self._check_socket,
            "socket.connect": self._check_socket,
            "socket.sendmsg": self._check_socket,
            "socket.sendto": self._check_socket,
            "sqlite3.connect": self._check_database,
            "subprocess.Popen": self._check_program,
        }

        def hook(event: str, arguments: tuple[Any, ...]) -> None:
            if check := checks.get(event):
                check(*arguments)

        sys.addaudithook(hook)

    # Files

    def _check_opening(self, path: Any, mode: str | None, flags: int) -> None:
        if flags & _WRITES and path != os.devnull:
            self._check_writing(path)
        else:
            self._check_reading(path)

    def _check_reading(self, path: Any) -> None:
        """Allow known paths; a number is a file descriptor already open."""
        if not isinstance(path, int):
            _require_below(self._known, os.path.realpath(_text(path)))

    def _check_database(self, path: Any) -> None:
        """Allow a file path; refuse URIs, which may name any file."""
        if _text(path).startswith("file:"):
            _refuse(path)
        self._check_writing(path)

    def _check_writing(self, path: Any, at: int = -1, *_: object) -> None:
        if not isinstance(path, int):
            _require_below(self._own, os.path.realpath(_text(path, at)))

    def _check_entry(self, path: Any, at: int = -1) -> None:
        """Check a directory entry itself, without following it if it is a link."""
        above, name = os.path.split(os.path.abspath(_text(path, at)))
        _require_below(self._own, os.path.join(os.path.realpath(above), name))

    def _check_renaming(self, path: Any, then: Any, at: int = -1, then_at: int = -1) -> None:
        self._check_entry(path, at)
        self._check_entry(then, then_at)

    def _check_link(self, path: Any, link: Any, at: int = -1, link_at: int = -1) -> None:
        """Allow a link from our directories into them."""
        self._check_entry(link, link_at)
        above = os.path.dirname(os.path.abspath(_text(link)))
        self._check_writing(os.path.join(above, _text(path)))

    # Programs, and the network

    def _check_program(self, program: Any, command: Any, directory: Any, variables: Any) -> None:
        """Allow our engines and their supervisors, without variables that load other code."""
        words = tuple(command) if isinstance(command, list | tuple) else ()
        allowed = False
        if words[: len(OWN_ENGINE)] == OWN_ENGINE:
            match words[len(OWN_ENGINE) :]:
                case () | ("--level" | "--player", str()):
                    allowed = True
        elif words[: len(SHELL)] == SHELL:
            match words[len(SHELL) :]:
                case (target, "KILL") if target[:1] == "-" and target[1:].isdecimal():
                    allowed = Program.leads(int(target[1:]))
        if not allowed or program != words[0] or directory is not None:
            _refuse(program)
        _check_variables(variables or ())

    def _check_socket(self, _: object, address: Any = None) -> None:
        """Allow paths of Unix sockets, and sockets already connected."""
        if isinstance(address, str | bytes) and address:
            self._check_writing(address)
        elif address is not None:
            _refuse(address)


def _text(path: Any, at: int = -1) -> str:
    """Return a path as text; refuse NUL characters and a `dir_fd`."""
    text = os.fsdecode("." if path is None else path)
    if at != -1 or "\0" in text:
        _refuse(path)
    return text


def _require_below(places: Iterable[str], path: str) -> None:
    if not any(path == each or path.startswith(each + os.sep) for each in places):
        _refuse(path)


def _check_kind(_: object, family: int, *__: object) -> None:
    """Allow Unix sockets, and sockets made from an open file descriptor."""
    if family not in (-1, getattr(socket, "AF_UNIX", -1)):
        _refuse("the network")


def _check_variables(names: Iterable[str | bytes]) -> None:
    """Refuse environment variables that make a program load other code."""
    for name in map(os.fsdecode, names):
        if name.startswith(_LOADING):
            _refuse(name)


def _check_signal(process: int, _: int) -> None:
    """Allow signals to this process, and to its children not yet reaped."""
    if process == os.getpid():
        return
    if process <= 0:
        _refuse(process)
    if not hasattr(os, "waitid"):  # macOS before Python 3.13
        _check_group_signal(process, 0)
        return
    try:
        os.waitid(os.P_PID, process, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except OSError:
        _refuse(process)


def _check_group_signal(group: int, _: int) -> None:
    """Allow signals to the process groups of our engines."""
    if not Program.leads(group):
        _refuse(group)


def _refuse(*about: object) -> NoReturn:
    what = str(about[0]) if about else ""
    raise PermissionError(errno.EACCES, "not allowed in a club", what)


MEMORY: Final = 1 << 30
"""Data limit in bytes of a visitor's process, and of each of its engines."""

LARGEST_FILE: Final = 16 << 20
"""Largest file in bytes that a visitor's process can write."""

NICENESS: Final = 5
"""Niceness of a visitor's process above the doors', which serve everybody."""

BUSY: Final = 5.0
"""Seconds of processor time after which a visitor's process sees whether it is busy."""

BUSY_SHARE: Final = 1 / 3
"""Share of a processor above which it is: holding a key down takes less."""

COMPUTER_NICENESS: Final = 5
"""Niceness of a visitor's engines, on top of that."""

MOST_JUDGES: Final = 2
"""Engines of one visitor that review a match at a time."""

MOST_COMPUTERS: Final = 4 + MOST_JUDGES
"""Engines of one visitor at a time: two players, one for hints, one that analyses another
position, and the reviewers."""


NAME: Final = b"thud-visitor"
"""The name of visitors' processes for `ps`, where processes have names."""


def enclose() -> None:
    """Limit this process and its children, and start its sandbox, for good."""
    import resource

    if sys.platform == "linux":
        jail.name_process(NAME)
    # Whoever is only shown a table needs no computer.
    Program.most = 0 if SHOWN_VARIABLES[0] in os.environ else MOST_COMPUTERS
    Program.niceness = COMPUTER_NICENESS
    Analyst.most = MOST_JUDGES
    for kind, most in (
        (resource.RLIMIT_DATA, MEMORY),
        (resource.RLIMIT_FSIZE, LARGEST_FILE),
        (resource.RLIMIT_CORE, 0),
    ):
        # The limit may already be lower, or unsupported here.
        with suppress(OSError, ValueError):
            _, hard = resource.getrlimit(kind)
            bounded = most if hard == resource.RLIM_INFINITY else min(most, hard)
            resource.setrlimit(kind, (bounded, bounded))
    os.nice(NICENESS)
    _yield_when_busy()
    sys.dont_write_bytecode = True
    directory = data_directory()
    if broker := os.environ.get(BROKER_VARIABLE):
        os.environ[NICENESS_VARIABLE] = str(COMPUTER_NICENESS)
        # Not the runtime directory: private tables are listed there, and whoever can read a lock
        # file can hold the lock.
        confine([directory])
        use_broker(int(broker))
    # This user's programs find one another in the runtime directories.
    Sandbox((directory, *run_directories()), _readable()).install()
    os.chdir(directory)


def _yield_when_busy() -> None:
    """Let this process run only while no other wants to, once it has been busy, for good.

    Someone sends it more than a person could.  A lower niceness would let others wait for it still.
    """
    if sys.platform != "linux":  # there is no such policy
        return
    since = time.monotonic()

    def look(*_: object) -> None:
        nonlocal since
        elapsed, since = time.monotonic() - since, time.monotonic()
        if BUSY_SHARE * elapsed < BUSY:
            signal.setitimer(signal.ITIMER_PROF, 0)
            with suppress(OSError):
                os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))

    signal.signal(signal.SIGPROF, look)
    signal.setitimer(signal.ITIMER_PROF, BUSY, BUSY)


def confine(own: Iterable[Path]) -> None:
    """Jail this process with all that it starts, for good.

    Args:
        own: directories where files may be written.

    Raises:
        OSError: the kernel refuses.
    """
    jail.confine(own, [*_readable(), compiled_directory()[0]])


def _readable() -> tuple[str | Path, ...]:
    """Return what visitors may read of Python and its packages, this program's among them."""
    paths = sysconfig.get_paths()
    python = [paths[name] for name in ("stdlib", "platstdlib", "purelib", "platlib")]
    python += filter(os.path.isabs, sys.path)
    return (*_OF_THE_SYSTEM, *python, Path(__file__).parents[1], DOCUMENT)

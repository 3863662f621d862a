"""Makes a process behave as on Windows, as far as that is possible elsewhere.

Modules and functions missing on Windows are hidden from all later imports, `sys.platform` is
"win32", and `msvcrt` locks files as there.  The file system, terminals, and the start and end of
processes are not simulated.
"""

from __future__ import annotations

import asyncio
import os
import platform
import signal
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Mapping
from errno import EACCES
from functools import partial
from types import MappingProxyType, ModuleType
from typing import Any, Final

import platformdirs
import rich.console

LOADED_BEFORE: Final = asyncio, platformdirs, rich.console, sqlite3, subprocess
"""Third-party modules that detect the platform on import, and so must be loaded before."""

LACKING: Final = frozenset(
    {"curses", "fcntl", "grp", "pty", "pwd", "readline", "resource", "syslog", "termios", "tty"}
)
NOT_IN: Final[Mapping[ModuleType, tuple[str, ...]]] = MappingProxyType(
    {
        os: (
            *("fchmod", "fork", "forkpty", "getpgid", "getuid", "geteuid", "killpg", "mkfifo"),
            *("openpty", "sched_getaffinity", "setsid", "uname", "O_NOFOLLOW", "O_DIRECTORY"),
        ),
        signal: ("SIGHUP", "SIGUSR1", "SIGWINCH", "SIGTSTP", "SIGPIPE"),
        socket: ("AF_UNIX",),
    }
)


class _Lacking:
    """An import hook that hides modules missing on Windows."""

    def find_spec(self, name: str, *_: object) -> None:
        if name in LACKING:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


def pretend() -> None:
    """Remove what Windows lacks, and add its replacements."""
    platform.uname()  # cached
    asyncio.new_event_loop().close()  # its class is cached since Python 3.14
    sys.modules["msvcrt"] = _locks()
    for name in LACKING:
        sys.modules.pop(name, None)
    socket.socketpair = partial(socket.socketpair, socket.AF_UNIX)
    finders: list[Any] = sys.meta_path
    finders.insert(0, _Lacking())
    vars(os)["process_cpu_count"] = os.cpu_count  # the original needs a removed function
    for module, names in NOT_IN.items():
        for name in names:
            vars(module).pop(name, None)
    type.__setattr__(asyncio.SelectorEventLoop, "add_signal_handler", _unheard)
    sys.platform = "win32"


def _locks() -> ModuleType:
    """Return a fake `msvcrt` with file locking, based on `fcntl`."""
    import fcntl

    def locking(descriptor: int, mode: int, size: int) -> None:
        assert (mode, size) == (2, 1)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise PermissionError(EACCES, "Permission denied") from None

    module = ModuleType("msvcrt")
    functions: dict[str, int | Callable[..., None]] = {"LK_NBLCK": 2, "locking": locking}
    vars(module).update(functions)
    return module


def _unheard(*_: object) -> None:
    raise NotImplementedError

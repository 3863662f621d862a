"""Ends another process when this one ends, in whatever way."""

from __future__ import annotations

import subprocess
from typing import Final

_WAIT: Final = 'read -r _ || kill -s "$1" -- "$0"'
"""The shell's script: its input is never written to, and ends with this program."""

SHELL: Final = ("/bin/sh", "-c", _WAIT)
"""The command of a supervisor."""


class ParentDeathSupervisor:
    """A shell that ends another process after this program has ended.

    It works even if this program is killed.  Linux's parent-death signal would not reach the
    process's children, and is sent as soon as the thread that started the process ends.

    Args:
        process: the process id.
        group: whether to kill the process group it leads; else the process alone gets SIGTERM, so
            that it can restore a terminal.

    Raises:
        OSError: there is no shell.
    """

    def __init__(self, process: int, *, group: bool = True) -> None:
        target = (f"-{process}", "KILL") if group else (str(process), "TERM")
        self._shell = subprocess.Popen(
            [*SHELL, *target],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )

    def dismiss(self) -> None:
        """Stop watching: it has ended, and its id may be reused."""
        self._shell.kill()
        self._shell.wait()
        assert self._shell.stdin is not None
        self._shell.stdin.close()

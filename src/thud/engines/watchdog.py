"""Ends another process when this one ends, however it does."""

from __future__ import annotations

import subprocess
from typing import Final

_WAIT: Final = 'read -r _ || kill -s "$1" -- "$0"'
"""Nothing is ever written to the shell that runs this: its input ends with this program."""

SHELL: Final = ("/bin/sh", "-c", _WAIT)
"""The command of a watchdog."""


class Watchdog:
    """A shell that waits until this program has ended, and then ends another.

    It needs no help from a program that was killed.  A signal that Linux sends at the death of a
    parent would not reach what the group's leader has started, and comes already when the thread
    that started it ends.

    Args:
        process: its number.
        group: whether it leads a group that is ended with it, at once; a program that is alone
            is asked to end, so that it can leave a terminal as it was.

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

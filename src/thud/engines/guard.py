"""Ends a program when this one is gone, however it went."""

from __future__ import annotations

import subprocess
from typing import Final

_WAIT: Final = 'read -r _ || kill -s KILL -- "-$0"'
"""Nothing is ever written to the shell that runs this: its input ends with this program."""


class Guard:
    """A shell that waits until this program has ended, and then ends a group of processes.

    It needs no help from a program that was killed.  A signal that Linux sends at the death of a
    parent would not reach what the group's leader has started, and comes already when the thread
    that started it ends.

    Args:
        group: the number of the group.

    Raises:
        OSError: there is no shell.
    """

    def __init__(self, group: int) -> None:
        self._shell = subprocess.Popen(
            ["/bin/sh", "-c", _WAIT, str(group)],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )

    def dismiss(self) -> None:
        """Let the group be: it has ended, and its number may become another's."""
        self._shell.kill()
        self._shell.wait()
        assert self._shell.stdin is not None
        self._shell.stdin.close()

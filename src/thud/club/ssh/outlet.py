"""Where what a program draws flows out, as fast as somebody takes it."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from thud.club.ssh.bounds import MOST_UNTAKEN


class Outlet:
    """Keeps what is not taken yet: if the program waited for its reader, so would its table.

    Args:
        write: sends something on; it may call `hold`.
        overflow: called when more waits than is kept for anybody.
    """

    def __init__(self, write: Callable[[bytes], None], overflow: Callable[[], None]) -> None:
        self._write = write
        self._overflow = overflow
        self._waiting: deque[bytes] = deque()
        self._untaken = 0
        self._held = False

    def put(self, data: bytes) -> None:
        """Let something flow out, as soon as that can be."""
        self._waiting.append(data)
        self._untaken += len(data)
        self._flow()
        if self._untaken > MOST_UNTAKEN:
            self._waiting.clear()
            self._untaken = 0
            self._overflow()

    def hold(self) -> None:
        """Send nothing on for now."""
        self._held = True

    def go_on(self) -> None:
        """Send on what waits."""
        self._held = False
        self._flow()

    def pour(self) -> None:
        """Send on everything, whoever takes it: nothing more will be drawn."""
        while self._waiting:
            self._send()

    def _flow(self) -> None:
        while self._waiting and not self._held:
            self._send()

    def _send(self) -> None:
        data = self._waiting.popleft()
        self._untaken -= len(data)
        self._write(data)

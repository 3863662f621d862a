"""One visit: a process that plays with a visitor, and is gone when the visit is over."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Mapping
from contextlib import suppress
from typing import IO, Final

from thud.club.bounds import GRACE_SECONDS
from thud.club.visitors import Visitor
from thud.disk.directories import CACHE_VARIABLE, DATA_VARIABLE, RUN_VARIABLE, SETTINGS_VARIABLE
from thud.engines.watchdog import Watchdog

_TOLD: Final = (
    "PATH",
    "LANG",
    "LC_ALL",
    "LC_CTYPE",
    "TZ",
    "TMPDIR",
    "XDG_RUNTIME_DIR",
    RUN_VARIABLE,
)
"""What a visitor's process is told of the surroundings, among which the host's passwords may be."""

_PROGRAM: Final = (sys.executable, "-P", "-m", "thud.club.visitor")
_DYING: Final = 5.0
_PIECE: Final = 1 << 16


class Visit:
    """A visitor's process, until it is ended; `Club.visit` makes one.

    It leads a session of its own: whatever it has started ends with it, and it with this program.

    Attributes:
        visitor: who has come.
        process: the program that plays with them.
    """

    def __init__(self, visitor: Visitor, process: asyncio.subprocess.Process) -> None:
        self.visitor = visitor
        self.process = process
        self._guard = Watchdog(process.pid)
        self._last_act = asyncio.get_running_loop().time()

    @classmethod
    async def start(
        cls,
        visitor: Visitor,
        *,
        streams: int | IO[bytes],
        surroundings: Mapping[str, str],
    ) -> Visit:
        """Start the program.

        Args:
            visitor: who has come.
            streams: its standard streams: `asyncio.subprocess.PIPE`, or one end of a terminal.
            surroundings: what else it is told in its environment, such as `TERM`.

        Raises:
            OSError: it cannot be started.
        """
        process = await asyncio.create_subprocess_exec(
            *_PROGRAM,
            stdin=streams,
            stdout=streams,
            stderr=streams,
            cwd=visitor.directory,
            env=environment(visitor) | dict(surroundings),
            start_new_session=True,
        )
        try:
            return cls(visitor, process)
        except BaseException:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            await process.wait()
            raise

    def acted(self) -> None:
        """Note that the visitor has done something just now."""
        self._last_act = asyncio.get_running_loop().time()

    @property
    def idle(self) -> float:
        """Seconds since the visitor has done something last."""
        return asyncio.get_running_loop().time() - self._last_act

    async def end(self) -> None:
        """End the process in good order, or else anyhow; nothing of it is left."""
        draining = asyncio.gather(*map(_drain, (self.process.stdout, self.process.stderr)))
        self._signal(signal.SIGTERM)
        try:
            await self._gone(GRACE_SECONDS)
        finally:
            self._signal(signal.SIGKILL)
        await self._gone(_DYING)
        self._guard.dismiss()
        with suppress(TimeoutError):
            await asyncio.wait_for(draining, _DYING)

    def _signal(self, number: signal.Signals) -> None:
        """Send a signal to the process, or, to kill it, to all that it has started as well."""
        with suppress(ProcessLookupError, PermissionError):
            if number == signal.SIGKILL:
                os.killpg(self.process.pid, number)
            elif self.process.returncode is None:
                self.process.send_signal(number)

    async def _gone(self, seconds: float) -> None:
        with suppress(TimeoutError):
            await asyncio.wait_for(self.process.wait(), seconds)


async def _drain(source: asyncio.StreamReader | None) -> None:
    """Pass over what a process says still: it may wait for somebody to listen, and never end."""
    while source and await source.read(_PIECE):
        pass


def environment(visitor: Visitor) -> dict[str, str]:
    """Return what a visitor's process is told of its surroundings: where it keeps what it keeps."""
    own = {
        DATA_VARIABLE: str(visitor.directory),
        SETTINGS_VARIABLE: str(visitor.directory / "settings"),
        CACHE_VARIABLE: str(visitor.directory / "cache"),
        "HOME": str(visitor.directory),
    }
    return {name: os.environ[name] for name in _TOLD if name in os.environ} | own

"""A child process with line-based input and output, for asyncio."""

from __future__ import annotations

import asyncio
import errno
import os
import signal
import subprocess
import sys
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from typing import ClassVar, Final, cast

from thud.engines.parent_death import ParentDeathSupervisor
from thud.engines.protocol import MAX_LINE

_INPUT, _OUTPUT, _ERRORS = 0, 1, 2
_MOST_UNREAD: Final = 1000
_AT_A_TIME: Final = 256
_KEPT_ERRORS: Final = 2000
_DYING: Final = 5.0
_APART: Final = getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)
"""Flag that keeps Ctrl+C from a program on Windows, which has no sessions."""


class LineTooLong(ValueError):
    """The program writes an endless line."""


class Program(asyncio.SubprocessProtocol):
    """A running program; made by `start`.

    It leads its own process session: Ctrl+C at the terminal does not reach it, and it can be ended
    together with its children, even if this program is killed.

    Attributes:
        most: most programs at a time; None for no limit.
        niceness: their niceness above this program's.
    """

    most: ClassVar[int | None] = None
    niceness: ClassVar[int] = 0
    _starting: ClassVar[set[Program]] = set()
    _there: ClassVar[set[Program]] = set()

    def __init__(self) -> None:
        self._transport: asyncio.SubprocessTransport
        self._lines: deque[bytes] = deque()
        self._begun = b""
        self._errors = b""
        self._over = self._killed = False
        self._listening = True
        self._news = asyncio.Event()
        self._ended = asyncio.Event()
        self._supervisor: ParentDeathSupervisor | None = None

    @classmethod
    async def start(cls, command: Sequence[str]) -> Program:
        """Start a program, with a supervisor and the priority of these programs.

        Raises:
            OSError: it does not exist, cannot be run, or too many run already.
        """
        running = len(cls._starting) + sum(each.running for each in cls._there)
        if cls.most is not None and running >= cls.most:
            raise OSError(errno.EAGAIN, "too many computers are running here already")
        loop, program = asyncio.get_running_loop(), cls()
        cls._starting.add(program)
        try:
            await loop.subprocess_exec(
                lambda: program, *command, start_new_session=True, creationflags=_APART
            )
        finally:
            cls._starting.discard(program)
        if program.running and sys.platform != "win32":
            with suppress(OSError):  # where there is no shell, nothing ends it with this program
                program._supervisor = ParentDeathSupervisor(program._transport.get_pid())
        if program.running and cls.niceness:
            with suppress(AttributeError, OSError):
                nice = os.getpriority(os.PRIO_PROCESS, 0) + cls.niceness
                os.setpriority(os.PRIO_PROCESS, program._transport.get_pid(), nice)
        return program

    @classmethod
    def leads(cls, group: int) -> bool:
        """Whether a process group belongs to one of our programs, so that it may be killed."""
        return any(each._transport.get_pid() == group for each in cls._there)

    @property
    def running(self) -> bool:
        """Whether it has neither ended nor been killed."""
        return not self._killed and self.status is None

    @property
    def status(self) -> int | None:
        """The exit status, None while it runs; below 0, the signal that ended it."""
        return self._transport.get_returncode()

    @property
    def last_error(self) -> str:
        """The last line of its standard error, which never reaches the terminal."""
        lines = self._errors.decode(errors="replace").split("\n")
        return next((line.strip() for line in reversed(lines) if line.strip()), "")

    @property
    def has_more(self) -> bool:
        """Whether a line is waiting to be read."""
        return bool(self._lines)

    def send(self, *lines: str) -> None:
        """Write lines to the program; ignored if it has ended."""
        pipe = self._pipe(_INPUT)
        if self.running and not pipe.is_closing():
            cast("asyncio.WriteTransport", pipe).write("".join(f"{x}\n" for x in lines).encode())

    async def line(self) -> str:
        """Return the next line; invalid UTF-8 is replaced.

        Raises:
            EOFError: the program has closed its output.
            LineTooLong: the line is too long.
        """
        while not self._lines:
            if len(self._begun) > MAX_LINE:
                raise LineTooLong
            if self._over:
                raise EOFError
            self._news.clear()
            self._listen(True)
            await self._news.wait()
        if len(self._lines) % _AT_A_TIME == 0:
            # A program that writes without pause must not starve other tasks.
            await asyncio.sleep(0)
        return self._lines.popleft().decode(errors="replace")

    async def wait(self, seconds: float) -> None:
        """Wait until it has ended, with a timeout."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._ended.wait()

    def kill(self) -> None:
        """Kill it with its children."""
        if not self.running:
            return
        self._killed = True
        if sys.platform == "win32":
            with suppress(ProcessLookupError):
                self._transport.kill()
        else:
            self._kill_group()

    def _kill_group(self) -> None:
        """Kill what is left of its process group."""
        if sys.platform != "win32":
            with suppress(ProcessLookupError, PermissionError):  # none is left
                os.killpg(self._transport.get_pid(), signal.SIGKILL)

    async def close(self, grace: float) -> None:
        """Close its input, and kill it after a grace period in seconds, or if cancelled."""
        try:
            self._pipe(_INPUT).close()
            await self.wait(grace)
        finally:
            # A cancelled task waits, too: the event loop must not be closed before.
            self.kill()
            await self.wait(_DYING)
            self._transport.close()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the transport."""
        self._transport = cast("asyncio.SubprocessTransport", transport)
        self._starting.discard(self)
        self._there.add(self)

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        """Queue the lines of its output, and keep the end of its standard error."""
        if fd == _ERRORS:
            self._errors = (self._errors + data)[-_KEPT_ERRORS:]
            return
        *lines, self._begun = (self._begun + data).split(b"\n")
        self._lines += lines
        if len(self._lines) > _MOST_UNREAD or len(self._begun) > MAX_LINE:
            self._listen(False)
        self._news.set()

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:
        """Note the end of its output."""
        if fd == _OUTPUT:
            self._over = True
            self._news.set()

    def process_exited(self) -> None:
        """Kill its children, and note its end."""
        self._kill_group()
        self._there.discard(self)
        if self._supervisor is not None:
            self._supervisor.dismiss()
            self._supervisor = None
        self._ended.set()

    def _pipe(self, fd: int) -> asyncio.BaseTransport:
        pipe = self._transport.get_pipe_transport(fd)
        assert pipe is not None
        return pipe

    def _listen(self, whether: bool) -> None:
        """Resume or pause reading its output."""
        pipe = cast("asyncio.ReadTransport", self._pipe(_OUTPUT))
        # Before Python 3.11.4 not every transport can be asked whether it is being read.
        if not pipe.is_closing() and self._listening is not whether:
            self._listening = whether
            (pipe.resume_reading if whether else pipe.pause_reading)()


async def answer_of(command: Sequence[str], question: str, seconds: float) -> str:
    """Start a program, return its answer to one line, and end it.

    Raises:
        TimeoutError: it takes longer than `seconds`.
        OSError: it cannot be started.
        ValueError: it does not answer; the message is the last line of its errors.
    """
    program = await Program.start(command)
    try:
        program.send(question)
        return await asyncio.wait_for(program.line(), seconds)
    except (EOFError, LineTooLong):
        raise ValueError(program.last_error) from None
    finally:
        await program.close(0)

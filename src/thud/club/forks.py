"""Visitors' processes, forked: the club's side of `thud.club.fork_server`.

Only Linux has what this needs; elsewhere libraries may not survive a fork, either.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
from asyncio import StreamReader, StreamReaderProtocol, StreamWriter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from typing import IO, Final

from thud.club import jail

_SERVER: Final = (sys.executable, "-P", "-m", "thud.club.fork_server")
_SPARING: Final = {
    "MALLOC_ARENA_MAX": "1",
    "MALLOC_TOP_PAD_": "0",
    "MALLOC_TRIM_THRESHOLD_": "65536",
}
"""Environment variables by which the C library keeps little spare memory in each process."""

_AGAIN: Final = 1.0
_ANSWER_SECONDS: Final = 10.0
_LONGEST: Final = 64
_STREAMS: Final = 3


class ForkedProcess:
    """A forked process, with what the club needs of `asyncio.subprocess.Process`.

    Args:
        pid: its process id; it is a child of this process, or becomes one before it ends.
        pipes: its standard streams, if they are pipes.
    """

    def __init__(self, pid: int, pipes: _Pipes) -> None:
        self.pid = pid
        self.stdin, self.stdout, self.stderr = pipes.stdin, pipes.stdout, pipes.stderr
        self.returncode: int | None = None
        self._ended = asyncio.Event()
        self._descriptor = os.pidfd_open(pid)
        asyncio.get_running_loop().add_reader(self._descriptor, self._reap)

    async def wait(self) -> int:
        """Wait until it has ended; return the exit status, below 0 the signal that ended it."""
        await self._ended.wait()
        return self.returncode or 0

    def send_signal(self, number: int) -> None:
        """Send it a signal, unless it has ended."""
        if self.returncode is None:
            os.kill(self.pid, number)

    def terminate(self) -> None:
        """Send it SIGTERM, unless it has ended."""
        self.send_signal(signal.SIGTERM)

    def _reap(self) -> None:
        asyncio.get_running_loop().remove_reader(self._descriptor)
        os.close(self._descriptor)
        if self.stdin:
            self.stdin.close()
        self.returncode = -signal.SIGKILL
        with suppress(ChildProcessError):  # somebody was faster
            self.returncode = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        self._ended.set()


class _Pipes:
    """The pipes to the standard streams of a process.

    Attributes:
        theirs: the process's ends.
    """

    def __init__(self) -> None:
        self.theirs: list[int] = []
        self.stdin: StreamWriter | None = None
        self.stdout: StreamReader | None = None
        self.stderr: StreamReader | None = None
        self._transports: list[asyncio.BaseTransport] = []

    async def open(self) -> None:
        """Open them.

        Raises:
            OSError: too many files are open.
        """
        loop = asyncio.get_running_loop()
        theirs, ours = os.pipe()
        self.theirs.append(theirs)
        transport, protocol = await loop.connect_write_pipe(
            lambda: StreamReaderProtocol(StreamReader()), os.fdopen(ours, "wb", 0)
        )
        self._transports.append(transport)
        self.stdin = StreamWriter(transport, protocol, None, loop)
        self.stdout, self.stderr = await self._output(), await self._output()

    async def _output(self) -> StreamReader:
        ours, theirs = os.pipe()
        self.theirs.append(theirs)
        reader = StreamReader()
        transport, _ = await asyncio.get_running_loop().connect_read_pipe(
            lambda: StreamReaderProtocol(reader), os.fdopen(ours, "rb", 0)
        )
        self._transports.append(transport)
        return reader

    def close(self) -> None:
        """Close the process's ends, once it has them."""
        for each in self.theirs:
            os.close(each)

    def abandon(self) -> None:
        """Close our ends."""
        for each in self._transports:
            each.close()


class ForkServer:
    """The fork server as the club sees it.

    Attributes:
        ready: set while there is a server that has imported the program.
    """

    def __init__(self) -> None:
        self._process: asyncio.subprocess.Process | None = None
        self._asking: socket.socket
        self.ready = asyncio.Event()

    @property
    def pid(self) -> int | None:
        """The server's process id, if there is one."""
        return self._process.pid if self._process else None

    async def run(self, variables: Mapping[str, str], own: Iterable[Path]) -> None:
        """Keep a server running until cancelled, restarting it whenever it ends.

        Args:
            variables: its environment.
            own: directories to which the server jails itself, with all that it forks; none for no
                jail.
        """
        if not _can_fork():
            return
        jail.adopt_orphans()
        while True:
            with suppress(OSError):  # files or processes run short, which passes
                await self._run_once(variables, own)
            await asyncio.sleep(_AGAIN)

    async def _run_once(self, variables: Mapping[str, str], own: Iterable[Path]) -> None:
        asking, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with asking:
            asking.setblocking(False)
            with theirs:
                self._process = server = await asyncio.create_subprocess_exec(
                    *(*_SERVER, str(theirs.fileno()), *map(str, own)),
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    cwd="/",
                    env={**variables, **_SPARING},
                    start_new_session=True,
                    pass_fds=[theirs.fileno()],
                )
            try:
                if await asyncio.get_running_loop().sock_recv(asking, 1):  # it is ready
                    self._asking = asking
                    self.ready.set()
                await server.wait()
            finally:
                self.ready.clear()
                with suppress(ProcessLookupError):
                    server.kill()
                await server.wait()
                self._process = None

    async def fork(
        self, variables: Mapping[str, str], streams: int | IO[bytes], broker: Sequence[int]
    ) -> ForkedProcess:
        """Fork a visitor's process.

        Args:
            variables: its environment.
            streams: `PIPE`, or a file for all its standard streams.
            broker: its end of the broker, if there is one, and it jails itself.

        Raises:
            OSError: there is no server, or it does not answer.
        """
        if not self._process:
            raise ConnectionRefusedError("no fork server is running")
        async with asyncio.timeout(_ANSWER_SECONDS):
            await self.ready.wait()
        pipes = _Pipes()
        asked, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with asked, closing(pipes), ExitStack() as failed:
            with theirs:
                socket.send_fds(self._asking, [b"+"], [theirs.fileno()])
            failed.callback(pipes.abandon)
            if streams == subprocess.PIPE:
                await pipes.open()
                files = pipes.theirs
            else:
                files = [streams if isinstance(streams, int) else streams.fileno()] * _STREAMS
            process = ForkedProcess(await self._answer(asked), pipes)
            socket.send_fds(asked, [json.dumps(dict(variables)).encode()], [*files, *broker])
            failed.pop_all()
        return process

    async def _answer(self, asked: socket.socket) -> int:
        """Return the process id that a new process tells.

        Raises:
            OSError: there is none, or it takes too long.
        """
        asked.setblocking(False)
        try:
            async with asyncio.timeout(_ANSWER_SECONDS):
                answer = await asyncio.get_running_loop().sock_recv(asked, _LONGEST)
        except TimeoutError:
            if self._process:
                with suppress(ProcessLookupError):
                    self._process.kill()
            raise
        if not answer:
            raise ConnectionResetError("the fork server has ended, or cannot fork")
        return int(answer)


def _can_fork() -> bool:
    """Whether this system has what forked processes need."""
    if sys.platform != "linux":
        return False
    with suppress(OSError):
        os.close(os.pidfd_open(os.getpid()))
        return True
    return False

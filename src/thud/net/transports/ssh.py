"""Transport over ssh: the system's client, and `thud relay` at the far end.

`connect` makes the first connection, before the interface starts: ssh may prompt at the terminal,
and its errors show there.  The first `open` returns that connection; later ones reconnect silently,
with ssh's prompts disabled.
"""

from __future__ import annotations

import asyncio
import codecs
import os
import shlex
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from threading import Lock, Thread
from typing import IO, Final

from thud.disk.small import parse_small
from thud.engines.parent_death import ParentDeathSupervisor
from thud.net.transports.invitation import OverSsh
from thud.net.transports.local import OpenMatch, read_open
from thud.net.transports.transport import MustAsk, Streams, Unreachable
from thud.text import legible, quoted, why

_AT_A_TIME: Final = 2**16
_KEPT_ERRORS: Final = 4000
_GRACE: Final = 5.0
"""Grace period in seconds for a program to exit after its input ends."""
_ASKED: Final = 2.0
"""Grace period in seconds after SIGTERM."""


class ChildProcess:
    """A running program, its standard streams bridged to a socket.

    Args:
        command: the program and its arguments.
        asks: whether it may prompt at the terminal and show its errors there; else it has no
            terminal.

    Raises:
        OSError: it cannot be started.
    """

    def __init__(self, command: Sequence[str], *, asks: bool) -> None:
        self.asks = asks
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=not asks,
        )
        self._guard: ParentDeathSupervisor | None = None
        if sys.platform != "win32":
            with suppress(OSError):
                self._guard = ParentDeathSupervisor(self._process.pid, group=not asks)
        self.socket, self._inner = socket.socketpair()
        self._handed_over = False
        self._errors = ""
        self._shows = asks
        self._showing = Lock()
        self._threads = [
            Thread(target=each, daemon=True) for each in (self._tell, self._listen, self._complain)
        ]
        for thread in self._threads:
            thread.start()

    @property
    def last_error(self) -> str:
        """The last line of its standard error, made printable."""
        lines = (line.strip() for line in reversed(self._errors.split("\n")))
        return next((line for line in lines if line), "")

    def quieten(self) -> None:
        """Stop showing its errors: the interface starts."""
        with self._showing:
            self._shows = False

    def status(self) -> int:
        """Wait for its end and its remaining output; return its exit status."""
        for thread in self._threads[1:]:
            thread.join(_GRACE)
        return self._process.wait()

    def hand_over(self) -> socket.socket:
        """Return the socket; the caller owns it, and closes it in the thread that reads it."""
        self._handed_over = True
        return self.socket

    def let_go(self) -> None:
        """Shut down the socket: the program exits soon, or is ended."""
        with suppress(OSError):
            self.socket.shutdown(socket.SHUT_RDWR)

    def close(self, *, at_once: bool = False) -> None:
        """End the program, after a short grace period; closing twice does no harm."""
        self.let_go()
        if not self._handed_over:
            self.socket.close()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(0 if at_once else _ASKED)
        self._end()
        for thread in self._threads:
            thread.join(_ASKED)

    def _tell(self) -> None:
        """Copy our bytes to the program until we hang up; then end it."""
        with suppress(OSError), self._pipe(self._process.stdin) as pipe:
            while data := self._inner.recv(_AT_A_TIME):
                pipe.write(data)
                pipe.flush()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_GRACE)
        self._end()

    def _listen(self) -> None:
        """Copy the program's output to us until it closes; then end it and clean up."""
        with self._pipe(self._process.stdout) as pipe, suppress(OSError):
            while data := os.read(pipe.fileno(), _AT_A_TIME):
                self._inner.sendall(data)
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_GRACE)
        self._end()
        self._process.wait()
        if self._guard is not None:
            self._guard.dismiss()
        with suppress(OSError):
            self._inner.shutdown(socket.SHUT_RDWR)
        self._threads[0].join()
        self._inner.close()

    def _complain(self) -> None:
        """Keep the end of the program's standard error; show it until `quieten`."""
        decoder = codecs.getincrementaldecoder("utf-8")("replace")
        with self._pipe(self._process.stderr) as pipe:
            while data := os.read(pipe.fileno(), _AT_A_TIME):
                text = decoder.decode(data).replace("\r", "")
                text = "\n".join(map(legible, text.split("\n")))
                with self._showing:
                    self._errors = (self._errors + text)[-_KEPT_ERRORS:]
                    if self._shows:
                        with suppress(OSError, ValueError):
                            sys.stderr.write(text)
                            sys.stderr.flush()

    def _end(self) -> None:
        """Send SIGTERM, and SIGKILL after a grace period."""
        for name in ("SIGTERM", "SIGKILL"):
            if self._process.poll() is not None:
                return
            with suppress(ProcessLookupError):
                if self.asks or sys.platform == "win32":
                    self._process.terminate() if name == "SIGTERM" else self._process.kill()
                else:
                    os.killpg(self._process.pid, getattr(signal, name))
            if name == "SIGTERM":
                with suppress(subprocess.TimeoutExpired):
                    self._process.wait(_ASKED)

    @staticmethod
    def _pipe(pipe: IO[bytes] | None) -> IO[bytes]:
        assert pipe is not None
        return pipe


VARIABLE: Final = "THUD_SSH_COMMAND"
"""Environment variable with a command to use in place of ssh."""

TIMEOUT: Final = 30.0
"""Timeout for the far side's answer when ssh cannot prompt."""

_OPTIONS: Final = (
    *("-T", "-a", "-x", "-e", "none"),
    *("-o", "ControlMaster=no"),  # a shared connection would stay open, and could not be ended
    *("-o", "ClearAllForwardings=yes"),
    *("-o", "PermitLocalCommand=no"),
    *("-o", "RemoteCommand=none"),
    *("-o", "ServerAliveInterval=15", "-o", "ServerAliveCountMax=3"),
    *("-o", "ConnectTimeout=20"),
)
_SILENT: Final = ("-o", "BatchMode=yes")
_NOT_FOUND: Final = (126, 127)
_FAILED: Final = 255
_MOST_NOISE: Final = 2**16
_LONGEST_LINE: Final = 2**14
_LONGEST_REASON: Final = 300
_MOST_MATCHES: Final = 100
_QUESTIONS: Final = ("Permission denied", "Host key verification failed", "passphrase")


class SshTransport:
    """Reaches a match on a machine over ssh; `close` ends the ssh client.

    Args:
        goal: the destination.
        thud: the program's name or path at the far side.

    Attributes:
        secret: the secret of another user's host at the far side.
    """

    def __init__(self, goal: OverSsh, thud: str = "thud") -> None:
        self.secret = goal.secret
        self._goal = goal
        self._thud = thud
        self._first: ChildProcess | None = None
        self._now: ChildProcess | None = None

    def connect(self) -> None:
        """Make the first connection, prompting at the terminal, without a timeout.

        Raises:
            Unreachable: it cannot be made.
        """
        child = self._started([self._goal.match] if self._goal.match else [], asks=True)
        try:
            self._greeted(child, None)
        except BaseException:
            child.close(at_once=True)
            raise
        child.quieten()
        self._first = child

    async def open(self) -> Streams:
        """Return the first connection's streams; afterwards, make a new one.

        Raises:
            Unreachable: it cannot be made, or not without prompting.
        """
        child, self._first = self._first, None
        if child is None:
            child = await self._anew()
        return await asyncio.open_connection(sock=child.hand_over())

    def matches(self) -> tuple[OpenMatch, ...]:
        """Return the matches open there; ssh may prompt at the terminal.

        Raises:
            Unreachable: they cannot be listed.
        """
        child = self._started(["--list"], asks=True)
        found: list[OpenMatch] = []
        try:
            while (line := _line(child.socket, None)) is not None and len(found) < _MOST_MATCHES:
                if match := read_open(parse_small(line)):
                    found.append(match)
            if line is None and child.status():
                raise self._why(child)
        finally:
            child.close()
        return tuple(found)

    def close(self) -> None:
        """End the connection, if there is one."""
        if self._now is not None:
            self._now.close()
        self._first = self._now = None

    async def _anew(self) -> ChildProcess:
        if self._now is not None:
            self._now.let_go()
        child = self._started([self._goal.match] if self._goal.match else [], asks=False)

        def greet() -> None:
            try:
                self._greeted(child, time.monotonic() + TIMEOUT)
            except BaseException:
                child.close(at_once=True)
                raise

        try:
            await asyncio.to_thread(greet)
        except asyncio.CancelledError:
            child.let_go()  # the thread waiting for it closes it
            raise
        return child

    def _started(self, arguments: list[str], *, asks: bool) -> ChildProcess:
        command = command_to(self._goal, [self._thud, "relay", *arguments], asks=asks)
        try:
            self._now = ChildProcess(command, asks=asks)
        except OSError as error:
            raise Unreachable(f"{quoted(command[0])} cannot be started: {why(error)}") from None
        return self._now

    def _greeted(self, child: ChildProcess, until: float | None) -> None:
        """Read the relay's first line, skipping any output of the login before it.

        Raises:
            Unreachable: the far side refuses, or does not answer, or ends.
        """
        noise = 0
        while noise < _MOST_NOISE:
            try:
                line = _line(child.socket, until)
            except TimeoutError:
                raise Unreachable(f"{self._goal.account} does not answer") from None
            if line is None:
                raise self._why(child)
            said = parse_small(line)
            if said.get("m") == "relay":
                return
            if said.get("m") == "closed":
                because = said.get("because")
                reason = because if isinstance(because, str) else "it does not say why not"
                raise Unreachable(f"{self._goal.account}: {_fit(reason)}")
            noise += len(line)
        raise Unreachable(f"there is no Thud host at {self._goal.account}")

    def _why(self, child: ChildProcess) -> Unreachable:
        """Return the error of a connection that ended before the first line."""
        status, last = child.status(), _fit(child.last_error)
        account = self._goal.account
        if status in _NOT_FOUND:
            program = quoted(self._thud, 100)
            return Unreachable(f"there is no {program} at {account}: say where, with --thud PATH")
        if status != _FAILED:
            return Unreachable(f"thud at {account} has ended: {last or f'its status is {status}'}")
        if not child.asks and any(each in last for each in _QUESTIONS):
            return MustAsk(
                f"cannot connect to {account}: {last.rstrip('.')}; ssh needs to ask you something",
                self.connect,
            )
        return Unreachable(f"cannot connect to {account}: {last or 'ssh does not say why'}")


def command_to(goal: OverSsh, command: list[str], *, asks: bool) -> list[str]:
    """Return the command line that runs a command at the far side.

    Raises:
        Unreachable: the environment variable cannot be parsed.
    """
    try:
        program = shlex.split(os.environ.get(VARIABLE, "")) or ["ssh"]
    except ValueError as error:
        raise Unreachable(f"{VARIABLE} cannot be read: {error}") from None
    port = () if goal.port is None else ("-p", str(goal.port))
    silent = () if asks else _SILENT
    # A shell expands `~/` only where it is not quoted.
    home = "~/" if command[0].startswith("~/") else ""
    remote = f"{home}{shlex.join([command[0].removeprefix(home), *command[1:]])}"
    return [*program, *_OPTIONS, *silent, *port, "--", goal.account, remote]


def _line(source: socket.socket, until: float | None) -> bytes | None:
    """Read a line and nothing beyond it; None at the end.

    Raises:
        TimeoutError: it does not arrive in time.
    """
    read = b""
    while len(read) < _LONGEST_LINE:
        source.settimeout(None if until is None else max(0.001, until - time.monotonic()))
        try:
            seen = source.recv(_LONGEST_LINE, socket.MSG_PEEK)
        except ConnectionError:
            seen = b""
        if not seen:
            return None
        read += source.recv(seen.find(b"\n") + 1 or len(seen))
        if read.endswith(b"\n"):
            break
    return read


def _fit(text: str) -> str:
    """Return the far side's text, printable and cut, for use in one line."""
    return legible(text[:_LONGEST_REASON])

"""The way over ssh: the system's own program, as git uses it, and `thud relay` at the far end.

The first line is opened by `Ssh.connect`, before anything is drawn: whatever ssh has to ask, it
asks at the terminal, and what it complains about is seen there.  Whoever calls `Ssh.open` first
gets that line; when it has broken, others are opened in silence, where ssh may ask nothing.
"""

from __future__ import annotations

import asyncio
import json
import os
import shlex
import socket
import time
from typing import Any, Final

from thud.net.ways.about import Open, read_open
from thud.net.ways.invitation import OverSsh
from thud.net.ways.piped import Piped
from thud.net.ways.way import GUESTS_LIMIT, Streams, Unreachable
from thud.wording.text import quoted

VARIABLE: Final = "THUD_SSH_COMMAND"
"""The environment variable with the program to use, and its first arguments, in place of ssh."""

PATIENCE: Final = 30.0
"""Seconds in which the far side has to answer, where nobody is asked anything."""

_OPTIONS: Final = (
    *("-T", "-a", "-x", "-e", "none"),
    *("-o", "ControlMaster=no"),  # a line that others share would stay, and could not be ended
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


class Ssh:
    """The way to a match on a machine that ssh reaches; `close` ends what it has started.

    Args:
        goal: where the match is.
        thud: the program at the far side, where it is not simply called thud.
    """

    def __init__(self, goal: OverSsh, thud: str = "thud") -> None:
        self._goal = goal
        self._thud = thud
        self._first: Piped | None = None
        self._now: Piped | None = None

    @property
    def secret(self) -> str:
        """What another user's host at the far side wants to hear."""
        return self._goal.secret

    def connect(self) -> None:
        """Open the first line, at the terminal; it takes as long as a person does.

        Raises:
            Unreachable: that is not possible.
        """
        piped = self._started([self._goal.match] if self._goal.match else [], asks=True)
        try:
            self._greeted(piped, None)
        except BaseException:
            piped.close(at_once=True)
            raise
        piped.quieten()
        self._first = piped

    async def open(self) -> Streams:
        """Hand over the first line; open another when that has been had.

        Raises:
            Unreachable: that is not possible, or not without asking.
        """
        piped, self._first = self._first, None
        if piped is None:
            piped = await self._anew()
        return await asyncio.open_connection(sock=piped.socket, limit=GUESTS_LIMIT)

    def matches(self) -> tuple[Open, ...]:
        """Return the matches that are open there, asked for at the terminal.

        Raises:
            Unreachable: that is not possible.
        """
        piped = self._started(["--list"], asks=True)
        found: list[Open] = []
        try:
            while (line := _line(piped.socket, None)) is not None and len(found) < _MOST_MATCHES:
                if match := read_open(_object(line)):
                    found.append(match)
            if line is None and piped.status():
                raise self._why(piped)
        finally:
            piped.close()
        return tuple(found)

    def describe(self) -> str:
        """Say which way it is."""
        return f"over ssh to {self._goal.account}"

    def close(self) -> None:
        """End the line, if there is one."""
        if self._now is not None:
            self._now.close()
        self._first = self._now = None

    async def _anew(self) -> Piped:
        if self._now is not None:
            self._now.let_go()
        piped = self._started([self._goal.match] if self._goal.match else [], asks=False)
        try:
            await asyncio.to_thread(self._greeted_or_closed, piped)
        except asyncio.CancelledError:
            piped.let_go()  # and who waits for it closes it
            raise
        return piped

    def _started(self, arguments: list[str], *, asks: bool) -> Piped:
        command = command_to(self._goal, [self._thud, "relay", *arguments], asks=asks)
        try:
            self._now = Piped(command, asks=asks)
        except OSError as error:
            raise Unreachable(f"{quoted(command[0])} cannot be started: {error.strerror}") from None
        return self._now

    def _greeted_or_closed(self, piped: Piped) -> None:
        try:
            self._greeted(piped, time.monotonic() + PATIENCE)
        except BaseException:
            piped.close(at_once=True)
            raise

    def _greeted(self, piped: Piped, until: float | None) -> None:
        """Read until the far side's first line; what a login there writes before it is noise.

        Raises:
            Unreachable: the far side refuses, or does not answer, or ends.
        """
        noise = 0
        while noise < _MOST_NOISE:
            try:
                line = _line(piped.socket, until)
            except TimeoutError:
                raise Unreachable(f"{self._goal.account} does not answer") from None
            if line is None:
                raise self._why(piped)
            said = _object(line)
            if said.get("m") == "relay":
                return
            if said.get("m") == "closed":
                because = said.get("because")
                reason = because if isinstance(because, str) else "it does not say why not"
                raise Unreachable(f"{self._goal.account}: {_fit(reason)}")
            noise += len(line)
        raise Unreachable(f"what answers at {self._goal.account} is no host of Thud")

    def _why(self, piped: Piped) -> Unreachable:
        """Return why a line has ended before anything was said."""
        status, last = piped.status(), _fit(piped.last_error)
        account = self._goal.account
        if status in _NOT_FOUND:
            program = quoted(self._thud, 100)
            return Unreachable(f"there is no {program} at {account}: say where, with --thud PATH")
        if status != _FAILED:
            return Unreachable(f"thud at {account} has ended: {last or f'its status is {status}'}")
        hint = "; join again, for ssh has to ask you" if _would_ask(piped, last) else ""
        return Unreachable(f"no line to {account}: {last or 'ssh does not say why'}{hint}")


def command_to(goal: OverSsh, command: list[str], *, asks: bool) -> list[str]:
    """Return the command line that has a command run where a match is.

    Raises:
        Unreachable: the environment names a program in a way that cannot be read.
    """
    try:
        program = shlex.split(os.environ.get(VARIABLE, "")) or ["ssh"]
    except ValueError as error:
        raise Unreachable(f"{VARIABLE} cannot be read: {error}") from None
    port = () if goal.port is None else ("-p", str(goal.port))
    silent = () if asks else _SILENT
    remote = " ".join([_quoted(command[0]), *map(shlex.quote, command[1:])])
    return [*program, *_OPTIONS, *silent, *port, "--", goal.account, remote]


def _quoted(program: str) -> str:
    """Return a program for a shell; a path may begin in the home directory there."""
    if program.startswith("~/"):
        return f"~/{shlex.quote(program[2:])}"
    return shlex.quote(program)


def _would_ask(piped: Piped, complaint: str) -> bool:
    return not piped.asks and any(each in complaint for each in _QUESTIONS)


def _line(source: socket.socket, until: float | None) -> bytes | None:
    """Read a line and nothing beyond it; None if there is none to come.

    Raises:
        TimeoutError: it has not come in time.
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


def _object(line: bytes) -> dict[str, Any]:
    """Return the object of JSON in a line, an empty one if it is anything else."""
    try:
        said = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return said if isinstance(said, dict) else {}


def _fit(text: str) -> str:
    """Return what the far side says as part of one line that is not too long."""
    return "".join(each if each.isprintable() else "?" for each in text[:_LONGEST_REASON])

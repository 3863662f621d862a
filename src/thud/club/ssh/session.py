"""An ssh session: the board in a pseudo-terminal, until either side ends it."""

from __future__ import annotations

import asyncio
import re
import signal
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, Final

from asyncssh import SSHServerChannel, SSHServerSession

from thud.club.club import Club, Full, Visit
from thud.club.ssh.connection import FlowControl, SshConnection
from thud.club.ssh.terminal import Terminal, TerminalSize, fitting
from thud.club.storage import Visitor
from thud.terminal.signals import KILLED_BY
from thud.tui.club.profile import NAME_VARIABLE

MOST_UNTAKEN: Final = 4 << 20
"""So many bytes of what their board draws wait for somebody; none waits for more."""


class OutputBuffer:
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


STALLED_SECONDS: Final = 30.0
"""So long somebody may not take what their board draws, before they are parted with."""

PARTING_SECONDS: Final = 2.0
"""So long the end may take to reach somebody."""


_NO_TERMINAL: Final = "The board needs a terminal: 'ssh -t' makes one, without a command."
_NO_COMMAND: Final = "There is nothing here but the board: leave the command out."
_NO_SUCH_TERMINAL: Final = "TERM has to be the name of a terminal, such as xterm-256color."
_NO_ROOM: Final = "No board can be set up on this machine just now: come again in a while."

_TERM: Final = re.compile(r"[A-Za-z0-9.+-]{1,64}", re.ASCII)
_VARIABLE: Final = re.compile(rb"LANG|LC_[A-Z]{1,20}|COLORTERM")
_VALUE: Final = re.compile(rb"[A-Za-z0-9_.@+-]{0,64}")
_LANGUAGE: Final = ("LANG", "LC_ALL", "LC_CTYPE")

_DRAWING: Final = b"\x1b[?1049h"
_DRAWN: Final = b"\x1b[?1049l"
_RESTORED: Final = (
    b"\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1006l\x1b[?1015l\x1b[?1016l\x1b[?1004l\x1b[?2004l"
    b"\x1b[?2026l\x1b[?2048l\x1b[<u\x1b[?7h\x1b[0m\x1b[?1049l\x1b[?25h"
)
"""Leaves a terminal as a program should that had no time to: mouse, paste, keys, screen, cursor."""

_SHOWN_SECONDS: Final = 1.0


class SshSession(SSHServerSession[bytes]):
    """One session of one visitor: there is never another on the same line.

    Args:
        club: lets them in.
        visitor: who has come.
        name: proposed by them.
        line: to them.

    Attributes:
        output: what they are shown flows through it.
        task: what is done for them, once they have asked for it.
    """

    _channel: SSHServerChannel[bytes]

    def __init__(self, club: Club, visitor: Visitor, name: str, line: SshConnection) -> None:
        self._club = club
        self._visitor = visitor
        self._name = name
        self._line = line
        self._open = False
        self._fault = _NO_TERMINAL
        self._term = ""
        self._size: TerminalSize | None = None
        self._terminal: Terminal | None = None
        self._visit: Visit | None = None
        self._drawing = False
        self._farewell = ""
        self._left = asyncio.Event()
        self._timeout: asyncio.TimerHandle | None = None
        self._buffer = OutputBuffer(self._write, line.abort)
        self.output = FlowControl(self._hold, self._go_on)
        self.task: asyncio.Task[None] | None = None

    # What the other side asks for.

    def connection_made(self, chan: SSHServerChannel[bytes]) -> None:
        """Know where to speak."""
        self._channel = chan
        self._open = True

    def pty_requested(
        self, term_type: str, term_size: tuple[int, int, int, int], term_modes: Mapping[int, int]
    ) -> bool:
        """Note which terminal somebody has."""
        self._term, self._size = term_type, fitting(*term_size)
        self._fault = "" if _TERM.fullmatch(term_type) else _NO_SUCH_TERMINAL
        return True

    def shell_requested(self) -> bool:
        """Give them the board in place of a shell."""
        return True

    def exec_requested(self, command: str) -> bool:
        """Say that no command is run."""
        self._fault = _NO_COMMAND
        return True

    def subsystem_requested(self, subsystem: str) -> bool:
        """Refuse files and everything else that has a name."""
        return False

    def session_started(self) -> None:
        """Begin, now that everything is known."""
        self._line.content()
        self.task = asyncio.create_task(self._last())

    def data_received(self, data: bytes, datatype: int | None) -> None:
        """Type for the visitor."""
        if self._visit and self._terminal:
            self._visit.acted()
            if not self._terminal.type(data):
                self._channel.pause_reading()

    def terminal_size_changed(self, width: int, height: int, pixwidth: int, pixheight: int) -> None:
        """Have the board drawn for another size."""
        self._size = fitting(width, height, pixwidth, pixheight)
        if self._terminal:
            self._terminal.resize(self._size)
        if self._visit:
            with suppress(ProcessLookupError):
                self._visit.process.send_signal(signal.SIGWINCH)

    def eof_received(self) -> bool:
        """Know that nothing will be typed any more; what is still to be said can be said."""
        self._left.set()
        return True

    def connection_lost(self, exc: Exception | None) -> None:
        """Know that nobody is there any more."""
        self.part("")

    def pause_writing(self) -> None:
        """Draw nothing more for now."""
        self.output.hold("window")

    def resume_writing(self) -> None:
        """Draw again."""
        self.output.free("window")

    # What we do.

    @property
    def variables(self) -> int:
        """How many variables of their environment they have offered."""
        return len(self._channel.get_environment_bytes()) if self._open else 0

    def part(self, farewell: str) -> None:
        """End it in good order, with a sentence."""
        self._farewell = farewell
        self._left.set()

    async def _last(self) -> None:
        try:
            status = await self._received()
            with suppress(OSError):
                self._channel.exit(status)
        finally:
            self._set_timeout(None)
            self._line.expect(PARTING_SECONDS)

    async def _received(self) -> int:
        """Show the board, or say why not; return the exit status."""
        if self._fault or not self._size:
            self._say(self._fault, error=True)
            return 1
        try:
            return await self._shown(self._size)
        except Full as full:
            self._say(str(full))
        except OSError:
            self._say(_NO_ROOM)
        return 1

    async def _shown(self, size: TerminalSize) -> int:
        """Show the board until one of us leaves."""
        told = environment(self._term, self._name, self._channel.get_environment_bytes())
        with Terminal(size, self._draw, self._channel.resume_reading) as terminal:
            self._terminal = terminal
            async with self._club.visit(
                self._visitor, streams=terminal.program, variables=told
            ) as visit:
                terminal.begin()
                self._visit = visit
                await self._until_over(visit)
            with suppress(TimeoutError):
                await asyncio.wait_for(terminal.ended.wait(), _SHOWN_SECONDS)
            self._terminal = None
        self._leave_in_order()
        status = visit.process.returncode or 0
        return KILLED_BY - status if status < 0 else status

    async def _until_over(self, visit: Visit) -> None:
        """Return when the program has ended, somebody has left, or nothing was done for long."""
        going = asyncio.create_task(self._club.sent_away(visit))
        waiting: set[asyncio.Task[Any]] = {
            going,
            asyncio.create_task(visit.process.wait()),
            asyncio.create_task(self._left.wait()),
        }
        try:
            done, _ = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
            if going in done:
                self._farewell = going.result()
        finally:
            for each in waiting:
                each.cancel()
            await asyncio.gather(*waiting, return_exceptions=True)

    def _draw(self, data: bytes) -> None:
        self._note(data)
        self._buffer.put(data)

    def _note(self, data: bytes) -> None:
        """Remember whether the program is drawing on a screen of its own."""
        began, ended = data.rfind(_DRAWING), data.rfind(_DRAWN)
        if began != ended:
            self._drawing = began > ended

    def _leave_in_order(self) -> None:
        self._buffer.pour()
        if self._drawing:
            self._write(_RESTORED)
        if self._farewell:
            self._say(self._farewell)

    def _say(self, sentence: str, *, error: bool = False) -> None:
        self._write(f"{sentence}\r\n".encode(), error=error)

    def _write(self, data: bytes, *, error: bool = False) -> None:
        with suppress(OSError):  # they have hung up
            (self._channel.write_stderr if error else self._channel.write)(data)

    def _hold(self) -> None:
        loop = asyncio.get_running_loop()
        self._set_timeout(loop.call_later(STALLED_SECONDS, self._line.abort))
        self._buffer.hold()

    def _go_on(self) -> None:
        self._set_timeout(None)
        self._buffer.go_on()

    def _set_timeout(self, timeout: asyncio.TimerHandle | None) -> None:
        if self._timeout:
            self._timeout.cancel()
        self._timeout = timeout


def environment(term: str, name: str, offered: Mapping[bytes, bytes]) -> dict[str, str]:
    """Return what a visitor's program is told of their terminal, of all that they offer.

    Of their environment only languages and colours are taken, if they look like that; whoever
    says nothing of languages reads UTF-8.
    """
    taken = {
        name.decode(): value.decode()
        for name, value in offered.items()
        if _VARIABLE.fullmatch(name) and _VALUE.fullmatch(value)
    }
    usual = dict.fromkeys(_LANGUAGE, "")
    if not any(taken.get(each) for each in _LANGUAGE):
        usual["LC_CTYPE"] = "C.UTF-8"
    return usual | taken | {"TERM": term, NAME_VARIABLE: name}

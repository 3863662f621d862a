"""An ssh session: the board in a pseudo-terminal, until either side ends it."""

from __future__ import annotations

import asyncio
import re
import signal
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import closing, suppress
from typing import Any, Final

from asyncssh import SSHServerChannel, SSHServerSession

from thud.club.club import ClubFull, ClubServer, InLine, Visit
from thud.club.doors import MOST_QUEUED
from thud.club.ssh.connection import FlowControl, SshConnection
from thud.club.ssh.terminal import PseudoTerminal, TerminalSize, bounded_size
from thud.club.storage import Visitor
from thud.net.transports.listener import network_of
from thud.terminal.environment import can_be_drawn_on
from thud.terminal.signals import KILLED_BY
from thud.text import quoted
from thud.visitor.profile import IN_LINES, LINKED, NAME_VARIABLE, PLAIN_VARIABLE, TABLE_VARIABLE
from thud.visitor.tables import split_link


class OutputBuffer:
    """Buffers output while the client does not read, so that the program never waits.

    Args:
        write: sends output; it may call `pause`.
        overflow: called when more than `MOST_QUEUED` bytes are buffered.
    """

    def __init__(self, write: Callable[[bytes], None], overflow: Callable[[], None]) -> None:
        self._write = write
        self._overflow = overflow
        self._waiting: deque[bytes] = deque()
        self._queued = 0
        self._paused = False

    def put(self, data: bytes) -> None:
        """Write output, now or when resumed."""
        self._waiting.append(data)
        self._queued += len(data)
        self.flush(even_if_paused=False)
        if self._queued > MOST_QUEUED:
            self._waiting.clear()
            self._queued = 0
            self._overflow()

    def pause(self) -> None:
        """Buffer from now on."""
        self._paused = True

    def resume(self) -> None:
        """Write what is buffered."""
        self._paused = False
        self.flush(even_if_paused=False)

    def flush(self, *, even_if_paused: bool = True) -> None:
        """Write what is buffered; everything even if paused, since the output is complete."""
        while self._waiting and (even_if_paused or not self._paused):
            data = self._waiting.popleft()
            self._queued -= len(data)
            self._write(data)


STALLED_SECONDS: Final = 30.0
"""Seconds without reading until a client is cut off."""

LINE_PAUSE: Final = 3.0
"""Seconds between two questions whether there is a place now."""

PARTING_SECONDS: Final = 2.0
"""Timeout for the end of a session to reach the client."""


_TERM: Final = re.compile(r"[A-Za-z0-9.+-]{1,64}", re.ASCII)
_VARIABLE: Final = re.compile(rb"LANG|LC_[A-Z]{1,20}|COLORTERM")
_VALUE: Final = re.compile(rb"[A-Za-z0-9_.@+-]{0,64}")
_LANGUAGE: Final = ("LANG", "LC_ALL", "LC_CTYPE")

_RESTORED: Final = (
    b"\x1b[?1000l\x1b[?1002l\x1b[?1003l\x1b[?1006l\x1b[?1015l\x1b[?1016l\x1b[?1004l\x1b[?2004l"
    b"\x1b[?2026l\x1b[?2048l\x1b[<u\x1b[?7h\x1b[0m\x1b[?1049l\x1b[?25h"
)
"""Resets the modes a killed program may have left on: mouse, paste, keys, screen, cursor."""


class SshSession(SSHServerSession[bytes]):
    """The one session of an ssh connection: the visitor's board.

    Args:
        club: starts the visitor's process.
        visitor: whose session it is.
        name: the name they propose.
        connection: carries the session.
        entered: called when the visitor has come in.

    Attributes:
        output: pauses the output.
        task: runs the session, once it has started.
    """

    _channel: SSHServerChannel[bytes]

    def __init__(
        self,
        club: ClubServer,
        visitor: Visitor,
        name: str,
        connection: SshConnection,
        entered: Callable[[], None] = lambda: None,
    ) -> None:
        self._club = club
        self._visitor = visitor
        self._name = name
        self._connection = connection
        self._entered = entered
        self._open = False
        self._fault = "The board needs a terminal: add -t after ssh."
        self._link = ""
        self._plain = False
        self._term = ""
        self._early = b""
        self._size: TerminalSize | None = None
        self._terminal: PseudoTerminal | None = None
        self._visit: Visit | None = None
        self._drawing = False
        self._echoes = True
        self._farewell = self._place = ""
        self._left = asyncio.Event()
        self._timeout: asyncio.TimerHandle | None = None
        self._buffer = OutputBuffer(self._write, connection.abort)
        self.output = FlowControl(self._pause, self._resume)
        self.task: asyncio.Task[None] | None = None

    # The client's requests

    def connection_made(self, chan: SSHServerChannel[bytes]) -> None:
        """Keep the channel."""
        self._channel = chan
        self._open = True

    def pty_requested(
        self, term_type: str, term_size: tuple[int, int, int, int], term_modes: Mapping[int, int]
    ) -> bool:
        """Keep the terminal's name and size."""
        self._term, self._size = term_type, bounded_size(*term_size)
        self._fault = ""
        if not _TERM.fullmatch(term_type):
            self._fault = "TERM has to be the name of a terminal, such as xterm-256color."
        elif not can_be_drawn_on({"TERM": term_type}):
            self._fault = (
                f"The board cannot be drawn on a {quoted(term_type)} terminal: "
                "add plain to the command, to play in lines of text."
            )
        return True

    def shell_requested(self) -> bool:
        """Show the board in place of a shell."""
        return True

    def exec_requested(self, command: str) -> bool:
        """Take `plain`, a table's link, or both as the command; refuse all others."""
        first, _, rest = command.strip().partition(" ")
        self._plain = first == "plain"
        self._link = rest.strip() if self._plain else command.strip()
        if not split_link(self._link)[0] and not (self._plain and not self._link):
            self._fault = (
                "There are no commands here: leave the command out, or name a table, or 'plain'."
            )
        elif self._plain and not self._size:
            # Plain text needs no terminal.
            self._term, self._size, self._fault = "dumb", bounded_size(0, 0, 0, 0), ""
            self._echoes = False
        elif self._plain and _TERM.fullmatch(self._term):
            self._fault = ""
        return True

    def subsystem_requested(self, subsystem: str) -> bool:
        """Refuse sftp and all other subsystems."""
        return False

    def session_started(self) -> None:
        """Run the session."""
        self._connection.keep()
        self.task = asyncio.create_task(self._run())

    def data_received(self, data: bytes, datatype: int | None) -> None:
        """Pass input on to the visitor's process, also before it runs."""
        if not self._terminal and self._place:  # in the line before a full club
            if b"\x03" in data:  # Ctrl+C
                self._left.set()
        elif not self._terminal:
            self._early += data
            self._channel.pause_reading()
        else:
            if self._visit:
                self._visit.acted()
            if self._plain and b"\x03" in data:  # Ctrl+C
                self._left.set()
            if not self._terminal.type(data):
                self._channel.pause_reading()

    def terminal_size_changed(self, width: int, height: int, pixwidth: int, pixheight: int) -> None:
        """Resize the pseudo-terminal."""
        self._size = bounded_size(width, height, pixwidth, pixheight)
        if self._terminal:
            self._terminal.resize(self._size)
        if self._visit:
            with suppress(ProcessLookupError):
                self._visit.process.send_signal(signal.SIGWINCH)

    def eof_received(self) -> bool:
        """End the session, in plain text after the input so far; output can still be sent."""
        if self._plain:
            self.data_received(b"\x04", None)  # Ctrl+D
        else:
            self._left.set()
        return True

    def connection_lost(self, exc: Exception | None) -> None:
        """End the session without a farewell."""
        self.part("")

    def pause_writing(self) -> None:
        """Pause output."""
        self.output.pause("window")

    def resume_writing(self) -> None:
        """Resume output."""
        self.output.resume("window")

    # Our side

    @property
    def variables(self) -> int:
        """Number of environment variables the client has set."""
        return len(self._channel.get_environment_bytes()) if self._open else 0

    def part(self, farewell: str) -> None:
        """End the session with a farewell."""
        self._farewell = farewell
        self._left.set()

    async def _run(self) -> None:
        try:
            status = await self._serve()
            with suppress(OSError):
                self._channel.exit(status)
        finally:
            self._set_timeout(None)
            self._connection.abort_after(PARTING_SECONDS)

    async def _serve(self) -> int:
        """Show the board, or say why not; return the exit status."""
        if self._fault or not self._size:
            self._say(self._fault, error=True)
            return 1
        try:
            status = LINKED
            while status in (LINKED, IN_LINES):
                self._plain = self._plain or status == IN_LINES
                try:
                    status = await self._play(self._size)
                except InLine as full:
                    self._terminal = None
                    if not await self._stand(str(full)):
                        return 1
            return status
        except ClubFull as full:
            self._say(str(full))
        except OSError:
            self._say("The club cannot start another board now: try again later.")
        return 1

    async def _stand(self, place: str) -> bool:
        """Tell a new place in the line, and wait; return whether the client is still there."""
        if self._place != place:
            self._place = place
            self._say(f"{place} You come in by yourself; Ctrl+C leaves.")
        with suppress(TimeoutError):
            await asyncio.wait_for(self._left.wait(), LINE_PAUSE)
        return not self._left.is_set()

    async def _play(self, size: TerminalSize) -> int:
        """Show the board until either side ends it; return the exit status."""
        self._visitor = self._club.visitors.known_as(self._visitor)
        told = environment(self._term, self._name, self._channel.get_environment_bytes())
        told[TABLE_VARIABLE] = self._link
        told[PLAIN_VARIABLE] = "1" if self._plain else ""
        edited = self._echoes if self._plain else None
        network, peer = "", self._connection.get_extra_info("peername") or ("",)
        with suppress(ValueError):
            network = network_of(str(peer[0]))
        terminal = PseudoTerminal(size, self._draw, self._channel.resume_reading, edited)
        with closing(terminal):
            self._terminal = terminal
            self._type_early()
            async with self._club.visit(
                self._visitor, streams=terminal.program, variables=told, network=network
            ) as visit:
                self._entered()
                terminal.start()
                self._visit = visit
                await self._until_over(visit)
            with suppress(TimeoutError):
                await asyncio.wait_for(terminal.ended.wait(), 1.0)
            self._terminal = None
        self._buffer.flush()
        if self._drawing:
            self._write(_RESTORED)
        if self._farewell:
            self._say(self._farewell)
        status = visit.process.returncode or 0
        return KILLED_BY - status if status < 0 else status

    def _type_early(self) -> None:
        """Type what came before there was a terminal."""
        early, self._early = self._early, b""
        if early:
            self._channel.resume_reading()
            self.data_received(early, None)

    async def _until_over(self, visit: Visit) -> None:
        """Wait until the program ends, the session ends, or the visitor has to go."""
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
        """Take the program's output, and note whether it uses the alternate screen."""
        began, ended = data.rfind(b"\x1b[?1049h"), data.rfind(b"\x1b[?1049l")
        if began != ended:
            self._drawing = began > ended
        self._buffer.put(data)

    def _say(self, sentence: str, *, error: bool = False) -> None:
        self._write(f"{sentence}\r\n".encode(), error=error)

    def _write(self, data: bytes, *, error: bool = False) -> None:
        with suppress(OSError):  # they have hung up
            (self._channel.write_stderr if error else self._channel.write)(data)

    def _pause(self) -> None:
        loop = asyncio.get_running_loop()
        self._set_timeout(loop.call_later(STALLED_SECONDS, self._connection.abort))
        self._buffer.pause()

    def _resume(self) -> None:
        self._set_timeout(None)
        self._buffer.resume()

    def _set_timeout(self, timeout: asyncio.TimerHandle | None) -> None:
        if self._timeout:
            self._timeout.cancel()
        self._timeout = timeout


def environment(term: str, name: str, offered: Mapping[bytes, bytes]) -> dict[str, str]:
    """Return the terminal's environment variables, filtered from those the client offers.

    Without a locale, LC_CTYPE is set to UTF-8.
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

"""The broker of a jailed visitor's process, which makes no socket and gets the club's own."""

from __future__ import annotations

import asyncio
import os
import re
import socket
from contextlib import suppress
from pathlib import Path
from threading import Lock
from typing import Final

from thud.net.token_bucket import TokenBucket
from thud.net.transports import sockets
from thud.visitor.tables import SOCKET

BROKER_VARIABLE: Final = "VISITOR_BROKER"
"""Environment variable with the number of the process's end; set, the process jails itself."""

_NAME: Final = re.compile(rf"[0-9a-f]{{8}}\.socket|{re.escape(SOCKET)}", re.ASCII)
_LONGEST: Final = 64
_A_SECOND, _AT_ONCE = 2.0, 20
"""Rate limit of a visitor's connections: refill a second, and burst."""

_PAUSE: Final = 0.5
"""Seconds without an answer after a refusal."""

_YES, _NO = b"+", b"-"


class Broker:
    """Connects one visitor's process to sockets in the club's directory, and to no others.

    Args:
        directory: the club's runtime directory.

    Attributes:
        theirs: the process's end.
    """

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._own, self.theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._own.setblocking(False)
        self._bucket = TokenBucket(_A_SECOND, _AT_ONCE)
        self._loop = asyncio.get_running_loop()
        self._listen()

    def close(self) -> None:
        """Close both ends; closing twice does no harm."""
        if self._own.fileno() >= 0:
            self._loop.remove_reader(self._own)
        self._own.close()
        self.theirs.close()

    def _listen(self) -> None:
        if self._own.fileno() >= 0:
            self._loop.add_reader(self._own, self._answer)

    def _answer(self) -> None:
        try:
            if not (name := self._own.recv(_LONGEST).decode("ascii", "replace")):
                self.close()
            elif not (_NAME.fullmatch(name) and self._bucket.try_acquire()):
                # Whoever asks without pause is not heard for a while, nor who reads no answer.
                self._loop.remove_reader(self._own)
                self._loop.call_later(_PAUSE, self._listen)
                self._own.send(_NO)
            else:
                self._connect(name)
        except BlockingIOError:
            pass
        except OSError:
            self.close()

    def _connect(self, name: str) -> None:
        try:
            # At once or not at all: this is the event loop of all visitors.
            found = sockets.connected(self._directory / name, 0.0)
        except (OSError, ValueError):
            self._own.send(_NO)
            return
        with found:
            socket.send_fds(self._own, [_YES], [found.fileno()])


def use_broker(number: int) -> socket.socket:
    """Let this process take its connections from the broker; return its end, by its number."""
    asked, asking = socket.socket(fileno=number), Lock()
    os.set_inheritable(number, False)
    asked.settimeout(sockets.TIMEOUT)

    def connected(path: Path) -> socket.socket:
        with asking:
            asked.send(path.name.encode())
            _, numbers, *_ = socket.recv_fds(asked, 1, 1)
        if not numbers:
            raise ConnectionRefusedError(f"nobody listens at {path.name}")
        found = socket.socket(fileno=numbers[0])
        with suppress(OSError):
            os.set_inheritable(numbers[0], False)
        found.settimeout(sockets.TIMEOUT)
        return found

    sockets.brokered = connected
    return asked

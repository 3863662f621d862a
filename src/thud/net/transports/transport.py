"""The contract of a transport: the guest's end, and the host's."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final, Protocol, TypeAlias

Streams: TypeAlias = tuple[asyncio.StreamReader, asyncio.StreamWriter]

HOSTS_LIMIT: Final = 2**13
"""Bytes that a host holds of what a guest sends and nobody has read yet."""


class Unreachable(ValueError):
    """The host cannot be reached; the message says why."""


class MustAsk(Unreachable):
    """The host cannot be reached before whoever sits here has answered, at the terminal.

    Attributes:
        connect: asks there and reaches the host, which takes as long; raises `Unreachable`.
    """

    def __init__(self, because: str, connect: Callable[[], None]) -> None:
        super().__init__(because)
        self.connect = connect


class Transport(Protocol):
    """Connects to a host, again whenever the connection breaks."""

    @property
    def secret(self) -> str:
        """The secret for the host; empty where the transport itself is trusted."""

    async def open(self) -> Streams:
        """Reach the host, anew each time.

        Raises:
            MustAsk: that is not possible without asking somebody.
            Unreachable: that is not possible now.
        """


class Serve(Protocol):
    """Serves one client until its streams are closed.

    Whoever comes without being trusted has to tell a secret first.  What the secret was worth is
    told to the `auth_throttle.AuthThrottle` of the listener.
    """

    async def __call__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, trusted: bool
    ) -> None:
        """Serve a client; the streams are closed when this returns."""
        ...

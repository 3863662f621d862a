"""Interfaces of a transport: the guest's end, and the host's."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final, Protocol, TypeAlias

Streams: TypeAlias = tuple[asyncio.StreamReader, asyncio.StreamWriter]

HOSTS_LIMIT: Final = 2**13
"""Most bytes of a guest's input that a host buffers."""


class Unreachable(ValueError):
    """The host cannot be reached; the message says why."""


class MustAsk(Unreachable):
    """The host cannot be reached until the user has answered a prompt at the terminal.

    Attributes:
        connect: prompts there and connects; raises `Unreachable`.
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
        """Make a new connection to the host.

        Raises:
            MustAsk: that needs a prompt at the terminal.
            Unreachable: the host cannot be reached now.
        """


class Serve(Protocol):
    """Serves one client until its streams are closed.

    A client that is not trusted has to show a secret first; the listener's
    `auth_throttle.AuthThrottle` is told whether it was right.
    """

    async def __call__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, trusted: bool
    ) -> None:
        """Serve a client; the streams are closed when this returns."""
        ...

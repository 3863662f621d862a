"""What both doors share: options, interface, and errors while accepting."""

from __future__ import annotations

import errno
import sys
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol

if TYPE_CHECKING:
    import asyncio

FAREWELL: Final = "The club is closing. Come back when it is open."
"""Message to visitors when the doors close."""

USUAL_SIZE: Final = (80, 24)
"""Columns and lines of a board for whoever does not say how large it can be."""


MOST_UNTAKEN: Final = 4 << 20
"""Bytes of drawing that wait for a visitor who takes them slowly; beyond that they are cut off."""

WEB_PORT: Final = 4780
"""Default port for browsers."""

SSH_PORT: Final = 4722
"""Default port for ssh."""

MOST_VISITORS: Final = 16
"""Visitors at a time, by default."""

IDLE_MINUTES: Final = 30
"""Idle minutes until a visit ends, by default."""

LOOPBACK: Final = "127.0.0.1"
"""Addresses that only this machine reaches."""


class DoorOptions(NamedTuple):
    """Where a door listens, its secret, and its public address.

    Attributes:
        address: of this machine, to listen at, such as 127.0.0.1, or 0.0.0.0 for all.
        port: to listen at; 0 takes any that is free.
        secret: what whoever is invited can show.
        public_url: where browsers find the door behind a proxy, such as `https://club.example`;
            empty if there is none.
    """

    address: str
    port: int
    secret: str
    public_url: str = ""

    @property
    def reach(self) -> str:
        """Who can reach the door: the beginning of a sentence."""
        address = ip_address(self.address)
        if address.is_loopback:
            return "Anybody on this machine"
        place = "any of its addresses" if address.is_unspecified else self.address
        return f"Anybody who can reach {place}"


class Door(Protocol):
    """An open door."""

    @property
    def invitation(self) -> tuple[str, ...]:
        """The lines to print: who can come, and what they open or type."""

    @property
    def link(self) -> tuple[str, str]:
        """How links to tables are formed: a variable of `LINK_VARIABLES` and its value."""

    async def close(self) -> None:
        """Close the door and all connections; closing twice does no harm."""


_SHORTAGES: Final = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM})
_EVERY: Final = 60.0
"""Seconds until it is logged again, so that strangers cannot fill the log."""


class AcceptErrors:
    """Handles errors of accepting connections that no task of ours sees."""

    def __init__(self) -> None:
        self._told: float | None = None

    def __call__(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """Tell who runs the club of a shortage, which passes; whatever else it is, as usual."""
        fault = context.get("exception")
        if not ("socket" in context and isinstance(fault, OSError) and fault.errno in _SHORTAGES):
            loop.default_exception_handler(context)
        elif self._told is None or loop.time() - self._told > _EVERY:
            self._told = loop.time()
            print(f"Nobody else can come in now: {fault.strerror}.", file=sys.stderr)

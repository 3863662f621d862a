"""Shared by both doors: options, interface, and errors while accepting."""

from __future__ import annotations

import errno
import sys
from collections.abc import Mapping
from datetime import datetime
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol
from urllib.parse import urlsplit

from thud.net.transports.sockets import reached_at
from thud.text import why

if TYPE_CHECKING:
    import asyncio

FAREWELL: Final = "The club is closing. Come back when it is open."
"""Message to visitors when the doors close."""

USUAL_SIZE: Final = (80, 24)
"""Default terminal size, in columns and lines, when the client gives none."""


MOST_QUEUED: Final = 4 << 20
"""Most bytes of output buffered for a slow visitor before they are cut off."""

WEB_PORT: Final = 4780
"""Default port for browsers."""

SSH_PORT: Final = 4722
"""Default port for ssh."""

LOG_TIME: Final = "%Y-%m-%d %H:%M:%S"
"""How times are written in the log."""

MOST_VISITORS: Final = 16
"""Default limit of visitors at a time."""

IDLE_MINUTES: Final = 30
"""Default idle minutes until a visit ends."""

LOOPBACK: Final = "127.0.0.1"
"""Address that only this machine can reach."""

OURS: Final = frozenset({"", LOOPBACK, "::"})
"""Networks that stand for nobody: an unknown one, and this machine, or a proxy on it."""


OPEN_FLAG: Final = "--open"
"""Flag of the keeper's process, and option of `thud serve`, for a club open to strangers."""


class DoorOptions(NamedTuple):
    """Where a door listens, its secret, and its public address.

    Attributes:
        address: local address to listen on, such as 127.0.0.1, or 0.0.0.0 for all.
        port: port to listen on; 0 takes any free one.
        secret: the invitation's secret.
        public_url: the address at which browsers reach the door, such as `https://club.example`;
            empty if that is the one it listens on.
        proxies: how many trusted proxies a request passes, where there is a public address.
        page: the file of the page that runs the program in a browser; empty for none.
    """

    address: str
    port: int
    secret: str
    public_url: str = ""
    proxies: int = 1
    page: str = ""

    @property
    def host(self) -> str:
        """The host that visitors name: that of the public address where others reach the door."""
        if self.public_url and not ip_address(self.address).is_loopback:
            return urlsplit(self.public_url).hostname or ""
        return reached_at(self.address)[0]

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
    def links(self) -> Mapping[str, str]:
        """How links to tables are formed, by a variable of `LINK_VARIABLES` or `SHOW_VARIABLES`."""

    def renew(self, secret: str) -> None:
        """Take over a new invitation's secret."""

    async def close(self) -> None:
        """Close the door and all connections; closing twice does no harm."""


_SHORTAGES: Final = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM})
_EVERY: Final = 60.0
"""Seconds between two log lines, so that strangers cannot fill the log."""


def tell_owner(words: str) -> None:
    """Write a line with the time to the club's log, which is standard error."""
    print(f"{datetime.now():{LOG_TIME}}  {words}", file=sys.stderr, flush=True)


class AcceptErrors:
    """An event loop's exception handler for failed accepts, which no task of ours sees."""

    def __init__(self) -> None:
        self._told: float | None = None

    def __call__(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """Log a passing shortage of resources; leave other errors to the default handler."""
        fault = context.get("exception")
        # A second after each failed accept asyncio serves again, even if the door has closed.
        if isinstance(fault, ValueError) and "_start_serving" in context["message"]:
            return
        if not ("socket" in context and isinstance(fault, OSError) and fault.errno in _SHORTAGES):
            loop.default_exception_handler(context)
        elif self._told is None or loop.time() - self._told > _EVERY:
            self._told = loop.time()
            tell_owner(f"Nobody else can come in now: {why(fault)}.")

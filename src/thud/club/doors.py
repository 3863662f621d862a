"""Where visitors come in: what every door is opened with, and what is done with it then."""

from __future__ import annotations

from ipaddress import ip_address
from typing import Final, NamedTuple, Protocol

WEB_PORT: Final = 4780
"""Where browsers come in, if nothing else is said."""

SSH_PORT: Final = 4722
"""Where terminals come in, if nothing else is said."""

LOOPBACK: Final = "127.0.0.1"
"""Where nobody comes from elsewhere."""


class Terms(NamedTuple):
    """On which terms a door is opened.

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
        """Who gets as far as the door, as the beginning of a sentence."""
        address = ip_address(self.address)
        if address.is_loopback:
            return "Whoever is on this machine"
        place = "any of its addresses" if address.is_unspecified else self.address
        return f"Whoever reaches this machine at {place}"


class Door(Protocol):
    """A door that is open, until it is closed."""

    @property
    def invitation(self) -> tuple[str, ...]:
        """The lines to print: who can come, and what they open or type."""

    async def close(self) -> None:
        """Let nobody in any more, and part with all who are in; closing twice does no harm."""

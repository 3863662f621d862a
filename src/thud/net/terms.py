"""What a host agrees to: who can come, and what they may do."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from thud.net.bounds import MAX_ONLOOKERS, WATCHERS

_LONGEST_ADDRESS: Final = 300


class Terms(NamedTuple):
    """On which terms a match is open to others; whoever is the same user can come always."""

    neighbours: bool = False
    """Whether other users of this machine can come who are invited."""
    listen: tuple[str, int] | None = None
    """The address and the port at which anybody can who is invited."""
    watchers: int = WATCHERS
    """How many may look on at a time."""
    hints: bool = False
    """Whether those who play may ask a computer."""
    chat: bool = True
    """Whether they may say something to one another."""
    waits: bool = False
    """Whether the clock stands still while a player at another place is away."""


def read_terms(values: object) -> Terms:
    """Return the terms in an object of JSON; what is wrong in it is as by itself."""
    if not isinstance(values, Mapping):
        return Terms()
    return Terms(
        values.get("neighbours") is True,
        _place(values.get("listen")),
        _watchers(values.get("watchers")),
        values.get("hints") is True,
        values.get("chat") is not False,
        values.get("waits") is True,
    )


def _place(value: Any) -> tuple[str, int] | None:
    match value:
        case [str(address), int(port)] if len(address) <= _LONGEST_ADDRESS and 0 <= port < 2**16:
            return address, port
    return None


def _watchers(value: object) -> int:
    return value if isinstance(value, int) and 0 <= value <= MAX_ONLOOKERS else WATCHERS

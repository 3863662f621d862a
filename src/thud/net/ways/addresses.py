"""The addresses of this machine, asked of nobody but its own system."""

from __future__ import annotations

import socket
from contextlib import suppress
from typing import Final

_OLD: Final = ("192.0.2.1", "192.168.0.1", "10.0.0.1", "172.16.0.1")
_NEW: Final = ("2001:db8::1", "fd00::1")
_ANY_PORT: Final = 9


def reached_at(address: str) -> tuple[str, ...]:
    """Return the addresses to put into invitations where a host listens at one.

    For all networks, those are this machine's own, as far as a system tells how it would send
    something to somewhere: the first is that of the way into the world.  Nothing is sent.
    """
    if address not in {"0.0.0.0", "::"}:
        return (address,)
    found = [_from(socket.AF_INET, far) for far in _OLD]
    if address == "::":
        found += [_from(socket.AF_INET6, far) for far in _NEW]
    return tuple(dict.fromkeys(each for each in found if each)) or ("127.0.0.1",)


def _from(family: socket.AddressFamily, far: str) -> str:
    """Return the address that something to another one would come from; empty if there is none."""
    with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as found:
        found.connect((far, _ANY_PORT))
        return str(found.getsockname()[0])
    return ""

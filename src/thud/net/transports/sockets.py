"""Sockets: listening at an address, or Unix sockets at a path, long paths included."""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from thud.text import quoted

_OLD: Final = ("192.0.2.1", "192.168.0.1", "10.0.0.1", "172.16.0.1")
_NEW: Final = ("2001:db8::1", "fd00::1")
_ANY_PORT: Final = 9


def reached_at(address: str) -> tuple[str, ...]:
    """Return the addresses for invitations to a host that listens at one.

    For a wildcard address these are this machine's own addresses, found by asking the system for
    its routes to example addresses: the first is that of the default route.  Nothing is sent.
    """
    if address not in {"0.0.0.0", "::"}:
        return (address,)
    found = [_from(socket.AF_INET, far) for far in _OLD]
    if address == "::":
        found += [_from(socket.AF_INET6, far) for far in _NEW]
    return tuple(dict.fromkeys(each for each in found if each)) or ("127.0.0.1",)


def _from(family: socket.AddressFamily, far: str) -> str:
    """Return this machine's source address for a destination; empty if there is no route."""
    with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as found:
        found.connect((far, _ANY_PORT))
        return str(found.getsockname()[0])
    return ""


LONGEST_PATH: Final = 100
"""Longest path of a Unix socket on every system, in bytes."""

TIMEOUT: Final = 5.0
"""Timeout for a connection on the same machine."""


class PathTooLong(ValueError):
    """The path is too long for a socket on this system."""


def bound_at(address: str, port: int) -> socket.socket:
    """Return a socket listening at an address, 0.0.0.0 or :: for all, and a port, 0 for any.

    Raises:
        ValueError: that address is not this machine's, or the port is taken.
    """
    try:
        family = socket.getaddrinfo(address, port, type=socket.SOCK_STREAM)[0][0]
        both = address == "::" and socket.has_dualstack_ipv6()
        return socket.create_server((address, port), family=family, dualstack_ipv6=both)
    except UnicodeError:
        raise ValueError(f"there is no machine called {quoted(address)}") from None
    except OSError as error:
        found = isinstance(error, socket.gaierror) or not error.errno
        reason = (error.strerror or str(error)) if found else os.strerror(error.errno or 0)
        told = f"cannot listen on {address}, port {port}: {reason.lower()}"
        raise ValueError(told) from None


def bound(path: Path) -> socket.socket:
    """Return a Unix socket bound to a path, which must not exist.

    Raises:
        PathTooLong: for this system.
        OSError: the path exists, or cannot be made.
    """
    return _unix_socket(path, socket.socket.bind)


brokered: Callable[[Path], socket.socket] | None = None
"""Returns a connected socket, in a process that may not make one; None anywhere else."""


def connected(path: Path, seconds: float = TIMEOUT) -> socket.socket:
    """Return a socket connected to the Unix socket at a path, within a timeout.

    Raises:
        PathTooLong: for this system.
        OSError: nobody listens there.
    """
    if brokered:
        return brokered(path)
    return _unix_socket(path, socket.socket.connect, seconds)


def _unix_socket(
    path: Path, take: Callable[[socket.socket, str], None], seconds: float | None = None
) -> socket.socket:
    """Return a Unix socket bound or connected to a path, by `take`, within a timeout."""
    found = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    found.settimeout(seconds)
    try:
        with _short(path) as name:
            take(found, name)
    except BaseException:
        found.close()
        raise
    return found


@contextmanager
def _short(path: Path) -> Iterator[str]:
    """Context manager: yield a path short enough, on Linux through an open directory."""
    if len(os.fsencode(path)) <= LONGEST_PATH:
        yield str(path)
        return
    if sys.platform != "linux":
        raise PathTooLong(f"{quoted(str(path), 200)} is too long a path for a socket")
    directory = os.open(path.parent, os.O_PATH | os.O_DIRECTORY)
    try:
        yield f"/proc/self/fd/{directory}/{path.name}"
    finally:
        os.close(directory)

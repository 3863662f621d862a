"""The users of this machine: which one a program runs for, and which one is at a socket."""

from __future__ import annotations

import os
import socket
import struct
from contextlib import suppress
from typing import Final

_CREDENTIALS: Final = struct.Struct("3i")


def user_of(client: socket.socket) -> int | None:
    """Return the number of the user at the other end of a Unix socket, if the system tells it."""
    option = getattr(socket, "SO_PEERCRED", None)
    if option is None:
        return None
    _, user, _ = _CREDENTIALS.unpack(
        client.getsockopt(socket.SOL_SOCKET, option, _CREDENTIALS.size)
    )
    return int(user)


def user_name(user: int | None) -> str:
    """Return what a user of this machine is called."""
    if user is None:
        return "somebody"
    with suppress(ImportError, KeyError):
        import pwd

        return pwd.getpwuid(user).pw_name
    return f"user {user}"


def own_user() -> int | None:
    """Return the number of the user that this program runs for, if the system has such numbers."""
    return os.geteuid() if hasattr(os, "geteuid") else None

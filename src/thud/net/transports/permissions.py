"""Checks that files and directories are private, and which user is at a socket."""

from __future__ import annotations

import json
import os
import secrets
import socket
import stat
import struct
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from thud.wording.text import quoted

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


_PRIVATE: Final = 0o700
_OWN: Final = 0o600
_OTHERS: Final = 0o077
_WRITABLE: Final = 0o022
_ROOT: Final = 0
_CAREFUL: Final = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)


def made_private(directory: Path) -> Path:
    """Return a directory that only this user can look into, made now if it was not there.

    Raises:
        ValueError: somebody else could: it is theirs, or open, or a link.
        OSError: it cannot be made.
    """
    with suppress(FileExistsError):
        directory.parent.mkdir(parents=True, exist_ok=True)
        directory.mkdir(_PRIVATE)
    if fault := fault_of(directory):
        raise ValueError(fault)
    return directory


def is_private(directory: Path) -> bool:
    """Say whether a directory is there and only this user can look into it."""
    try:
        return not fault_of(directory)
    except OSError:
        return False


def fault_of(directory: Path) -> str:
    """Return why somebody else could reach what is in a directory; nothing if nobody can.

    Raises:
        OSError: it is not there.
    """
    found = directory.lstat()
    if not stat.S_ISDIR(found.st_mode):
        return f"{quoted(str(directory), 200)} is not a directory"
    if own_user() is None:  # a system that keeps users apart by where their directories are
        return ""
    if found.st_uid != own_user():
        return f"{quoted(str(directory), 200)} belongs to somebody else"
    if found.st_mode & _OTHERS:
        return f"{quoted(str(directory), 200)} is open to others: only you may reach it (chmod 700)"
    return parent_fault(directory, found.st_uid)


def parent_fault(directory: Path, owner: int) -> str:
    """Return why somebody but its owner, and root, could put another directory in its place.

    Returns:
        The reason; nothing if nobody can.

    Raises:
        OSError: that cannot be told.
    """
    above = directory.parent.stat()
    if above.st_uid not in {owner, _ROOT}:
        return f"{quoted(str(directory.parent), 200)} belongs to somebody else"
    if above.st_mode & _WRITABLE and not above.st_mode & stat.S_ISVTX:
        return f"{quoted(str(directory.parent), 200)} can be changed by everybody"
    return ""


def read_object(path: Path, most: int) -> dict[str, Any]:
    """Return the JSON object in a file of so many bytes at most.

    What is not there, no file but a link, a pipe or a device, too long, or wrong is empty.
    """
    try:
        values = json.loads(read_bytes(path, most))
    except (OSError, ValueError, RecursionError):
        return {}
    return values if isinstance(values, dict) else {}


def read_bytes(path: Path, most: int) -> bytes:
    """Return what is in a file of so many bytes at most; nothing if it is longer, or no file.

    Raises:
        OSError: it cannot be read, or is a link.
    """
    descriptor = os.open(path, os.O_RDONLY | _CAREFUL)
    with os.fdopen(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            return b""
        data = file.read(most + 1)
    return data if len(data) <= most else b""


def keep_new(path: Path, data: bytes) -> None:
    """Write a file that only its owner can read, unless somebody else has done so just now.

    Raises:
        OSError: it cannot be written.
    """
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(4)}.tmp")
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _OWN)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(descriptor)
        with suppress(FileExistsError):
            os.link(temporary, path)
    finally:
        temporary.unlink()

"""Checks of private files and directories, and of the user at the other end of a socket."""

from __future__ import annotations

import getpass
import os
import secrets
import socket
import stat
import struct
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from thud.disk.small import parse_small
from thud.text import quoted

_CREDENTIALS: Final = struct.Struct("3i")


def user_of(client: socket.socket) -> int | None:
    """Return the user id of a Unix socket's peer, if the system provides it."""
    option = getattr(socket, "SO_PEERCRED", None)
    if option is None:
        return None
    _, user, _ = _CREDENTIALS.unpack(
        client.getsockopt(socket.SOL_SOCKET, option, _CREDENTIALS.size)
    )
    return int(user)


def user_name(user: int | None) -> str:
    """Return a user's name on this machine."""
    if user is None:
        return "somebody"
    with suppress(ImportError, KeyError):
        import pwd

        return pwd.getpwuid(user).pw_name
    return f"user {user}"


def own_name() -> str:
    """Return the name of this process's user, or a stand-in if the system knows none."""
    with suppress(ImportError, KeyError, OSError):
        return getpass.getuser()
    return user_name(own_user())


def own_user() -> int | None:
    """Return this process's user id, if the system has user ids."""
    return os.geteuid() if hasattr(os, "geteuid") else None


_PRIVATE: Final = 0o700
_OWN: Final = 0o600
_OTHERS: Final = 0o077
_WRITABLE: Final = 0o022
_ROOT: Final = 0
_CAREFUL: Final = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)


def made_private(directory: Path) -> Path:
    """Return a private directory, made if missing.

    Raises:
        ValueError: it is not private: it belongs to others, is open to them, or is a link.
        OSError: it cannot be made.
    """
    with suppress(FileExistsError):
        directory.parent.mkdir(parents=True, exist_ok=True)
        directory.mkdir(_PRIVATE)
    if fault := fault_of(directory):
        raise ValueError(fault)
    return directory


def is_private(directory: Path) -> bool:
    """Whether a directory exists and is private."""
    try:
        return not fault_of(directory)
    except OSError:
        return False


def fault_of(directory: Path) -> str:
    """Return why a directory is not private; empty if it is.

    Raises:
        OSError: it does not exist.
    """
    found = directory.lstat()
    if not stat.S_ISDIR(found.st_mode):
        return f"{quoted(str(directory), 200)} is not a directory"
    if own_user() is None:  # a system that separates users by where their directories are
        return ""
    if found.st_uid != own_user():
        return f"{quoted(str(directory), 200)} belongs to somebody else"
    if found.st_mode & _OTHERS:
        return f"{quoted(str(directory), 200)} is open to others: only you may reach it (chmod 700)"
    return parent_fault(directory, found.st_uid)


def parent_fault(directory: Path, owner: int) -> str:
    """Return why anybody but its owner or root could replace a directory; empty if nobody can.

    Raises:
        OSError: the parent directory cannot be checked.
    """
    above = directory.parent.stat()
    if above.st_uid not in {owner, _ROOT}:
        return f"{quoted(str(directory.parent), 200)} belongs to somebody else"
    if above.st_mode & _WRITABLE and not above.st_mode & stat.S_ISVTX:
        return f"{quoted(str(directory.parent), 200)} can be changed by everybody"
    return ""


def read_object(path: Path, most: int) -> dict[str, Any]:
    """Return the JSON object in a file of at most `most` bytes.

    Empty if the file is missing, too long, invalid, or no regular file (a link, pipe or device).
    """
    with suppress(OSError):
        return parse_small(read_bytes(path, most))
    return {}


def read_bytes(path: Path, most: int) -> bytes:
    """Return the content of a file of at most `most` bytes; empty if longer or no regular file.

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
    """Write a private file; if another process has just made it, that one stays.

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

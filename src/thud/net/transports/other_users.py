"""A second socket for invited users of the same machine.

Its directory belongs to the host; others can pass through it but not list it, and its name is
random.  Still, clients have to show a secret.  A guest checks that the directory's owner is the
user who answers: nobody else can have put a socket there.
"""

from __future__ import annotations

import asyncio
import os
import secrets
import socket
import stat
from contextlib import suppress
from pathlib import Path
from typing import Final

from thud.net.transports import sockets
from thud.net.transports.auth_throttle import AuthThrottle
from thud.net.transports.listener import StreamListener
from thud.net.transports.permissions import own_user, parent_fault, user_name, user_of
from thud.net.transports.transport import Serve, Streams, Unreachable
from thud.text import quoted

PLACES: Final = (Path("/tmp"), Path("/var/tmp"))
"""Directories where all users can create entries, and none can change another's."""

_PASSABLE: Final = 0o711
_FOR_ALL: Final = 0o666
_WRITABLE: Final = 0o022


class OtherUserTransport:
    """Reaches a match of another user of this machine.

    Args:
        path: the socket's path.
        secret: the secret for the host.
    """

    def __init__(self, path: str, secret: str) -> None:
        self._path = Path(path)
        self.secret = secret

    async def open(self) -> Streams:
        """Reach the host.

        Raises:
            Unreachable: nobody listens there, or not the socket's owner.
        """
        reached = await asyncio.to_thread(connected, str(self._path))
        return await asyncio.open_connection(sock=reached)


def connected(path: str) -> socket.socket:
    """Return a socket connected to another user's host, after checking that it is their process.

    Raises:
        Unreachable: nobody listens there, or not the socket's owner.
    """
    owner = _owner(Path(path))
    try:
        reached = sockets.connected(Path(path))
    except (OSError, ValueError):
        raise Unreachable(f"no host is at {quoted(path, 200)} any more") from None
    if user_of(reached) not in {owner, None}:
        answers = user_name(user_of(reached))
        reached.close()
        raise Unreachable(
            f"{quoted(path, 200)} is {user_name(owner)}'s, but {answers} answers: nothing was sent"
        )
    return reached


class OpenListener:
    """A match open to other users; made by `listen`."""

    def __init__(self, path: Path, listener: StreamListener) -> None:
        self.path = path
        self._listener = listener

    async def close(self) -> None:
        """Stop listening."""
        _clear(self.path.parent)
        await self._listener.close()


async def listen(
    match: str, serve: Serve, throttle: AuthThrottle, places: tuple[Path, ...] = PLACES
) -> OpenListener:
    """Open a match to other users of this machine who have a secret.

    Raises:
        ValueError: there is no directory where they could reach it.
        OSError: it cannot be opened.
    """
    if not hasattr(socket, "AF_UNIX"):
        raise ValueError("this system cannot tell its users apart: use --listen")
    place = _shared(places)
    _sweep(place)
    directory = place / f"thud-{own_user()}-{secrets.token_hex(4)}"
    directory.mkdir(0o700)
    try:
        path = directory / match
        listening = sockets.bound(path)
        path.chmod(_FOR_ALL)
        directory.chmod(_PASSABLE)
    except BaseException:
        _clear(directory)
        raise
    return OpenListener(path, StreamListener(listening, serve, trusted=False, throttle=throttle))


def _shared(places: tuple[Path, ...]) -> Path:
    """Return a directory that all users can pass, and where nobody can change our entries."""
    for each in places:
        with suppress(OSError):
            if stat.S_IMODE(each.stat().st_mode) & 0o1001 == 0o1001 and os.access(each, os.W_OK):
                return each
    named = " or ".join(str(each) for each in places)
    raise ValueError(f"there is no folder where others can reach a match: {named}")


def _owner(path: Path) -> int:
    """Return the only user who can have put a socket there.

    Raises:
        Unreachable: there is no socket, or it could be anybody's.
    """
    try:
        directory, found = path.parent.lstat(), path.lstat()
        fault = parent_fault(path.parent, directory.st_uid)
    except OSError:
        raise Unreachable(f"no host is at {quoted(str(path), 200)}") from None
    if not (stat.S_ISDIR(directory.st_mode) and stat.S_ISSOCK(found.st_mode)):
        raise Unreachable(f"{quoted(str(path), 200)} is not a match")
    if fault or directory.st_mode & _WRITABLE or found.st_uid != directory.st_uid:
        raise Unreachable(f"{quoted(str(path), 200)} could be anybody's: nothing was sent")
    return int(found.st_uid)


def _sweep(place: Path) -> None:
    """Delete directories left by killed processes of this user."""
    for directory in place.glob(f"thud-{own_user()}-*"):
        with suppress(OSError):
            found = directory.lstat()
            if not stat.S_ISDIR(found.st_mode) or found.st_uid != own_user():
                continue
            for path in directory.iterdir():
                with suppress(ConnectionRefusedError):
                    sockets.connected(path).close()
                    break  # its process still runs
            else:
                _clear(directory)


def _clear(directory: Path) -> None:
    with suppress(OSError):
        for path in directory.iterdir():
            path.unlink()
        directory.rmdir()

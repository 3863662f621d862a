"""One user's open matches on one machine: a socket for each.

The sockets are in a private directory, so every client is trusted.  Beside each socket is a small
file with the match's details.  Each club has a directory of its own in there, to which its
processes are limited: the user finds the tables of all clubs, a club's visitor only its own.  On a
system without Unix sockets a match is reached through the loopback interface instead, and its file
holds the port and a password.
"""

from __future__ import annotations

import asyncio
import os
import secrets
import socket
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from threading import Lock as ThreadLock
from typing import Annotated, Any, Final, NamedTuple, TypeAlias

from msgspec import Meta

from thud.disk.atomic import target_of_temporary
from thud.disk.directories import run_directories
from thud.disk.lock import Lock, Locked
from thud.disk.small import write_small
from thud.net.transports import sockets
from thud.net.transports.auth_throttle import AuthThrottle
from thud.net.transports.listener import StreamListener
from thud.net.transports.permissions import is_private, made_private, read_object
from thud.net.transports.transport import Serve, Streams, Unreachable
from thud.net.valid import Id, valid
from thud.records.store import is_id
from thud.rules.match import LONGEST_NAME
from thud.rules.variants import VARIANTS
from thud.text import legible, quoted

_SIDES: Final = ("dwarfs", "trolls")
_Moment: TypeAlias = Annotated[float, Meta(ge=0, lt=2**40)]
_ProcessId: TypeAlias = Annotated[int, Meta(ge=0, lt=2**40)]


class MatchInfo(NamedTuple):
    """A match's details in a list.

    Args:
        variant: its variant's name.
        players: both names, first the player who begins with the dwarfs.
        wanted: the sides still free: "dwarfs", "trolls".
        since: when it was opened, in seconds since 1970.
    """

    variant: str
    players: tuple[str, str]
    wanted: tuple[str, ...]
    since: float


class OpenMatch(NamedTuple):
    """A match that can be joined now.

    Args:
        id: its id.
        about: its details.
        pid: the process id of its host, 0 if unknown.
    """

    id: str
    about: MatchInfo
    pid: int = 0

    def as_json(self) -> dict[str, Any]:
        """Return it as a JSON object."""
        variant, players, wanted, since = self.about
        return {
            "id": self.id,
            "variant": variant,
            "players": [*players],
            "wanted": [*wanted],
            "since": since,
            "pid": self.pid,
        }

    def description(self) -> str:
        """Return a description in a few words."""
        title = VARIANTS[self.about.variant].title
        first, second = (name or "nobody yet" for name in self.about.players)
        place = f", {' and '.join(self.about.wanted)} free" if self.about.wanted else ""
        return f"{self.id} ({title}: {first} and {second}{place})"


def read_open(values: Mapping[str, Any]) -> OpenMatch | None:
    """Return the match in a JSON object; None if there is none.

    Anybody may have written it: invalid values are left out or cut.
    """
    name, variant = valid(values.get("id"), Id), values.get("variant")
    if name is None or not (isinstance(variant, str) and variant in VARIANTS):
        return None
    first, second = valid(values.get("players"), tuple[str, str], ("", ""))
    wanted = valid(values.get("wanted"), list[str], [])
    about = MatchInfo(
        variant,
        (_fit(first), _fit(second)),
        tuple(side for side in _SIDES if side in wanted),
        valid(values.get("since"), _Moment, 0.0),
    )
    return OpenMatch(name, about, valid(values.get("pid"), _ProcessId, 0))


def _fit(name: str) -> str:
    return legible(name[:LONGEST_NAME])


UNIX: Final = hasattr(socket, "AF_UNIX")
"""Whether the system has Unix sockets."""

MOST: Final = 1000
"""Most files of a directory looked at: two for each open match."""

MOST_TOLD: Final = 20
"""Most open matches named where one has to be chosen."""

_SOCKET: Final = ".socket"
_ABOUT: Final = ".json"
_CLUB: Final = "club-"
_MAX_BYTES: Final = 4096
_LOOPBACK: Final = "127.0.0.1"
_TRIES: Final = 100
_BETWEEN_TRIES: Final = 0.02


class LocalTransport:
    """Reaches a match of this user on this machine.

    Args:
        match: its id.
        secret: its secret, if it needs one even from this user.
    """

    def __init__(self, match: str, secret: str = "") -> None:
        self._match = match
        self.secret: Final = secret

    async def open(self) -> Streams:
        """Reach the host.

        Raises:
            Unreachable: the match is not open.
        """
        reached = await asyncio.to_thread(connected, self._match)
        return await asyncio.open_connection(sock=reached)


def open_matches() -> tuple[OpenMatch, ...]:
    """Return the matches open to this user, latest first; delete dead sockets."""
    found = {match.id: match for each in _places() for match in _open_in(each)}
    return tuple(sorted(found.values(), key=lambda match: match.about.since, reverse=True))


def only() -> OpenMatch:
    """Return the only match open to this user.

    Raises:
        Unreachable: there is none, or there are several, which are named.
    """
    matches = open_matches()
    if not matches:
        raise Unreachable("no match is open here: open one with 'thud host'")
    if len(matches) > 1:
        told = "; ".join(match.description() for match in matches[:MOST_TOLD])
        raise Unreachable(f"several matches are open here; choose one: {told}")
    return matches[0]


def connected(match: str) -> socket.socket:
    """Return a socket connected to a match's host.

    Raises:
        Unreachable: it is not open.
    """
    for directory in _places() if is_id(match) else ():
        with suppress(OSError, ValueError):
            return _connected(directory, match)
    raise Unreachable(f"no match {quoted(match, 70)} is open here")


class OpenListing:
    """A match listed as open; made by `listen`."""

    def __init__(
        self, match: OpenMatch, directory: Path, extra: dict[str, Any], listener: StreamListener
    ) -> None:
        self._match = match
        self._directory = directory
        self._extra = extra
        self._listener = listener
        self._listed = True
        self._writing = ThreadLock()

    def tell(self, about: MatchInfo) -> None:
        """Update its listed details, as long as it is listed.

        Raises:
            OSError: they cannot be written.
        """
        with self._writing:
            if self._listed and about != self._match.about:
                match = self._match._replace(about=about)
                # Listing matches sweeps, and would take a half-written file for a leftover.
                with _locked(self._directory):
                    _write(self._directory, match, self._extra)
                self._match = match

    async def close(self) -> None:
        """Stop listening, and remove it from the list."""

        def take_off() -> None:
            with self._writing:
                self._listed = False
                _clear(self._directory, self._match.id)

        await asyncio.to_thread(take_off)
        await self._listener.close()


async def listen(
    match: str, about: MatchInfo, serve: Serve, *, throttle: AuthThrottle | None = None
) -> OpenListing:
    """Open a match to this user's other programs on this machine.

    Args:
        match: its id.
        about: its details.
        serve: called for each client.
        throttle: limits clients, where each has to show a secret; None trusts all.

    Raises:
        ValueError: it is open already, or no directory is private.
        OSError: it cannot be opened.
    """
    directory = await asyncio.to_thread(place_of_matches)
    known = OpenMatch(match, about, os.getpid())
    listening, extra = await asyncio.to_thread(_begun, directory, known)
    listener = StreamListener(
        listening,
        serve,
        trusted=throttle is None,
        throttle=throttle,
        password=extra.get("password", ""),
    )
    return OpenListing(known, directory, extra, listener)


def _places() -> tuple[Path, ...]:
    own = [each for each in run_directories() if is_private(each)]
    clubs = (club for each in own for club in sorted(each.glob(f"{_CLUB}*")) if is_private(club))
    return (*own, *clubs)


def place_of_matches() -> Path:
    """Return the preferred private directory for matches' sockets.

    Raises:
        ValueError: none is private.
        OSError: none can be made.
    """
    faults: list[Exception] = []
    for directory in run_directories():
        try:
            return made_private(directory)
        except (OSError, ValueError) as fault:
            faults.append(fault)
    raise faults[0]


def place_of_club(data: Path) -> Path:
    """Return the private directory for the sockets of the club whose files are in a directory.

    Raises:
        ValueError: none is private.
        OSError: none can be made.
    """
    name = sha256(os.fsencode(data.resolve())).hexdigest()[:8]
    return made_private(place_of_matches().resolve() / f"{_CLUB}{name}")


def _begun(directory: Path, match: OpenMatch) -> tuple[socket.socket, dict[str, Any]]:
    """Return a listening socket, and the extra details to reach it; list the match."""
    with _locked(directory):
        if _answers(directory, match.id):
            raise ValueError(f"the match {match.id} is open already")
        _sweep(directory)
        _clear(directory, match.id)
        extra: dict[str, Any] = {}
        if UNIX:
            listening = sockets.bound(directory / f"{match.id}{_SOCKET}")
        else:
            listening = socket.create_server((_LOOPBACK, 0))
            port = listening.getsockname()[1]
            extra = {"port": port, "password": secrets.token_urlsafe(24)}
        try:
            listening.listen()  # before anybody finds nobody listening
            _write(directory, match, extra)
        except BaseException:
            listening.close()
            _clear(directory, match.id)
            raise
    return listening, extra


def _write(directory: Path, match: OpenMatch, extra: dict[str, Any]) -> None:
    write_small(directory / f"{match.id}{_ABOUT}", match.as_json() | extra)


def _connected(directory: Path, match: str) -> socket.socket:
    """Return a socket connected to a host, with the password sent if it needs one."""
    values = read_object(directory / f"{match}{_ABOUT}", _MAX_BYTES)
    port = values.get("port")
    if not (isinstance(port, int) and 0 < port < 2**16):
        if not UNIX:
            raise FileNotFoundError
        return sockets.connected(directory / f"{match}{_SOCKET}")
    reached = socket.create_connection((_LOOPBACK, port), sockets.TIMEOUT)
    reached.sendall(f"{values.get('password')}\n".encode())
    return reached


def _answers(directory: Path, match: str) -> bool:
    """Whether a host listens; one too busy to answer does."""
    try:
        _connected(directory, match).close()
    except (FileNotFoundError, ConnectionRefusedError, sockets.PathTooLong):
        return False
    except (OSError, ValueError):
        return True
    return True


def _open_in(directory: Path) -> Iterator[OpenMatch]:
    """Yield the matches open in a directory; sweep it, unless another process does so now."""
    try:
        lock = Lock(directory / ".lock")
    except (Locked, OSError):
        lock = None
    try:
        for name in _names(directory):
            if match := _looked_at(directory, name, sweep=lock is not None):
                yield match
    finally:
        if lock is not None:
            lock.release()


def _sweep(directory: Path) -> None:
    """Delete files left by killed hosts, but none of this process."""
    for name in _names(directory):
        path = directory / name
        about = read_object(path.with_suffix(_ABOUT), _MAX_BYTES) if _is_ours(path) else {}
        if about.get("pid") != os.getpid():
            _looked_at(directory, name, sweep=True)


def _names(directory: Path) -> list[str]:
    with suppress(OSError), os.scandir(directory) as entries:
        return [entry.name for entry, _ in zip(entries, range(MOST), strict=False)]
    return []


def _looked_at(directory: Path, name: str, *, sweep: bool) -> OpenMatch | None:
    """Return the match a file describes, if it is open; delete leftovers if `sweep`."""
    path = directory / name
    if sweep and (target := target_of_temporary(name)) and _is_ours(Path(target)):
        path.unlink(missing_ok=True)
    if not _is_ours(path):
        return None
    if not _answers(directory, path.stem):
        if sweep:
            _clear(directory, path.stem)
        return None
    found = read_open(read_object(path, _MAX_BYTES)) if path.suffix == _ABOUT else None
    return found if found and found.id == path.stem else None


def _is_ours(path: Path) -> bool:
    return is_id(path.stem) and path.suffix in {_SOCKET, _ABOUT}


def _clear(directory: Path, match: str) -> None:
    for suffix in (_ABOUT, _SOCKET):
        with suppress(OSError):
            (directory / f"{match}{suffix}").unlink()


@contextmanager
def _locked(directory: Path) -> Iterator[None]:
    """Context manager: exclude other processes that open or sweep.

    Raises:
        OSError: another process holds the lock for too long.
    """
    for _ in range(_TRIES):
        try:
            lock = Lock(directory / ".lock")
        except Locked:
            time.sleep(_BETWEEN_TRIES)
            continue
        try:
            yield
        finally:
            lock.release()
        return
    raise TimeoutError(f"another program is using {directory}")

"""Exclusive file lock, released when its owner dies.

It is a lock of the operating system on a small file beside the guarded one.  The system releases it
when its holder ends in any way, so a crash leaves no stale lock, and no process id has to be
trusted.

Some network drives and containers have no such locks.  There the file itself is the lock (a soft
lock): it names the process that holds it, and whoever finds it checks whether that process lives.
That works on one machine.  Of another machine only the file's age is known: its holder renews it
with `held`.
"""

from __future__ import annotations

import contextlib
import errno
import os
import sys
import time
from pathlib import Path
from typing import Final

from thud.disk.small import read_regular

if sys.platform == "win32":
    import msvcrt

    def _seize(descriptor: int) -> None:
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _seize(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


_NO_LINKS: Final = getattr(os, "O_NOFOLLOW", 0)

_UNSUPPORTED: Final = {
    errno.ENOLCK,
    errno.EOPNOTSUPP,
    errno.ENOTSUP,
    errno.ENOSYS,
    errno.EIO,
}
"""Errors of the system where a file cannot be locked."""

_SOFT: Final = b"not locked by the system\n"
"""First line of the lock file of a soft lock."""

_LONGEST: Final = 400
"""Bytes of an owner's description."""

_ABANDONED: Final = 24 * 3600
"""Age in seconds of an abandoned lock file of another machine."""

_WRITTEN: Final = 2
"""Age in seconds at which a lock file's owner is written in any case."""


class Locked(Exception):
    """The lock is held already."""


class Lock:
    """A held lock, until `release`.

    Args:
        path: the lock's own file, created if missing.
        new: whether the file must not exist.

    Attributes:
        soft: whether the system has no locks there, so that other machines are kept out only
            as long as the lock is used.

    Raises:
        Locked: another process, or this one, holds it.
        FileExistsError: the file exists despite `new`.
        OSError: the file cannot be created.
    """

    def __init__(self, path: Path, *, new: bool = False) -> None:
        self.soft = False
        self._path = path
        self._owner = b""
        self._descriptor: int | None = None
        while self._descriptor is None:
            self._descriptor = self._try(new=new)

    @property
    def held(self) -> bool:
        """Whether the lock is still ours: not released, and its file not removed.

        Asking renews it for other machines.
        """
        if self._descriptor is None or not _is_at(self._path, self._descriptor):
            return False
        if self.soft and _read(self._path) != self._owner:
            return False
        with contextlib.suppress(OSError):
            os.utime(self._path)
        return True

    def release(self) -> None:
        """Release the lock and delete its file; releasing twice does no harm."""
        if self._descriptor is None:
            return
        held, descriptor = self.held, self._descriptor
        self._descriptor = None
        if held and sys.platform != "win32":
            # Once closed, the file could be locked by another process.
            _delete(self._path)
        # Nobody reads any more what an error would be about.
        with contextlib.suppress(OSError):
            os.close(descriptor)
        if held and sys.platform == "win32":  # Windows cannot delete an open file
            _delete(self._path)

    def _try(self, *, new: bool) -> int | None:
        """Return the descriptor of the locked file, None if it was deleted meanwhile."""
        flags, created = os.O_RDWR | _NO_LINKS, True
        try:
            descriptor = os.open(self._path, flags | os.O_CREAT | os.O_EXCL, 0o666)
        except FileExistsError:
            if new:
                raise
            created = False
            try:
                descriptor = os.open(self._path, flags)
            except FileNotFoundError:
                if self._path.is_symlink():
                    raise
                return None
        try:
            if self._seized(descriptor, created=created) and _is_at(self._path, descriptor):
                return descriptor
        except BaseException:
            os.close(descriptor)
            raise
        os.close(descriptor)
        return None

    def _seized(self, descriptor: int, *, created: bool) -> bool:
        """Lock an open file, and name its owner; return False if it has to be tried again.

        Raises:
            Locked: another process, or this one, holds it.
        """
        owner = b"" if created else _read(self._path)
        try:
            _seize(descriptor)
        except (BlockingIOError, PermissionError):
            raise Locked from None
        except OSError as error:
            if error.errno not in _UNSUPPORTED:
                raise
            if not created:
                if _is_alive(owner, self._path):
                    raise Locked from None
                _take_away(self._path, owner)
                return False
            self.soft = True
        else:
            if owner.startswith(_SOFT) and _is_alive(owner, self._path):
                raise Locked  # by a process for which the system has no locks
        process = os.getpid()
        words = _machine(), process, _started(process), os.urandom(8).hex()
        kind = _SOFT if self.soft else b"locked\n"
        self._owner = kind + "\n".join(map(str, words)).encode()
        try:
            os.truncate(descriptor, 0)
            os.write(descriptor, self._owner)
        except OSError:
            if self.soft:
                _delete(self._path)
                raise
        return True


def _is_at(path: Path, descriptor: int) -> bool:
    """Whether an open file is still the one at a path: its last holder may have deleted it."""
    try:
        return os.path.samestat(path.stat(), os.fstat(descriptor))
    except OSError:
        return False


def _delete(path: Path) -> None:
    with contextlib.suppress(OSError):
        path.unlink()


# Soft locks


def _read(path: Path) -> bytes:
    """Return the owner in a lock file, empty if there is none."""
    return read_regular(path, _LONGEST)


def _machine() -> str:
    """Return this machine's name, and that of the space in which process ids are unique."""
    name = os.environ.get("COMPUTERNAME", "") if sys.platform == "win32" else os.uname().nodename
    with contextlib.suppress(OSError):
        return f"{name} {os.readlink('/proc/self/ns/pid')}"
    return name


def _started(process: int) -> str:
    """Return when a process started, by the system's count; empty if that is unknown."""
    with contextlib.suppress(OSError, IndexError):
        status = Path("/proc", str(process), "stat").read_text(errors="replace")
        return status.rpartition(")")[2].split()[19]
    return ""


def _is_alive(owner: bytes, path: Path) -> bool:
    """Whether the owner in a lock file holds it still."""
    _, machine, process, started, *_ = [*owner.decode(errors="replace").split("\n"), *[""] * 4]
    if not process.isdecimal():
        return _age(path) < _WRITTEN  # it may be about to be written
    if sys.platform == "win32" or machine != _machine():
        return _age(path) < _ABANDONED
    try:
        os.kill(int(process), 0)
    except PermissionError:
        return True
    except (OSError, OverflowError):
        return False
    return started == _started(int(process))


def _age(path: Path) -> float:
    """Return the seconds since a file was written; another machine's clock may be ahead."""
    try:
        return abs(time.time() - path.stat().st_mtime)
    except OSError:
        return _ABANDONED


def _take_away(path: Path, owner: bytes) -> None:
    """Remove the lock file of an owner that has died.

    It is renamed first, and looked at again: meanwhile it may be another's, who gets it back.

    Raises:
        OSError: it cannot be removed.
    """
    aside = path.with_name(f".{path.name}.{os.urandom(4).hex()}.tmp")
    with contextlib.suppress(FileNotFoundError):
        path.rename(aside)
        if _read(aside) != owner and not path.exists():
            aside.rename(path)
        else:
            aside.unlink()

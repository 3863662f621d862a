"""Exclusive file lock, released when its owner dies.

It is a lock of the operating system on a small file beside the guarded one.  The system releases it
when its holder ends in any way, so a crash leaves no stale lock, and no process id has to be
trusted.
"""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path
from typing import Final

if sys.platform == "win32":
    import msvcrt

    def _seize(descriptor: int) -> None:
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _seize(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


_NO_LINKS: Final = getattr(os, "O_NOFOLLOW", 0)


class Locked(Exception):
    """The lock is held already."""


class Lock:
    """A held lock, until `release`.

    Args:
        path: the lock's own file, created if missing.
        new: whether the file must not exist.

    Raises:
        Locked: another process, or this one, holds it.
        FileExistsError: the file exists despite `new`.
        OSError: the file cannot be created.
    """

    def __init__(self, path: Path, *, new: bool = False) -> None:
        self._path = path
        self._descriptor: int | None = None
        while self._descriptor is None:
            self._descriptor = _try(path, new=new)

    @property
    def held(self) -> bool:
        """Whether the lock is still ours: not released, and its file not removed."""
        return self._descriptor is not None and _is_at(self._path, self._descriptor)

    def release(self) -> None:
        """Release the lock and delete its file; releasing twice does no harm."""
        if self._descriptor is None:
            return
        if not self.held:  # the file there now is somebody else's
            os.close(self._descriptor)
        elif sys.platform == "win32":  # Windows cannot delete an open file
            os.close(self._descriptor)
            _delete(self._path)
        else:  # once closed, the file could be locked by another process
            _delete(self._path)
            os.close(self._descriptor)
        self._descriptor = None


def _try(path: Path, *, new: bool) -> int | None:
    """Return the descriptor of the locked file, None if it was deleted meanwhile."""
    flags = os.O_RDWR | os.O_CREAT | _NO_LINKS | (os.O_EXCL if new else 0)
    descriptor = os.open(path, flags, 0o666)
    try:
        try:
            _seize(descriptor)
        except (BlockingIOError, PermissionError):
            raise Locked from None
        if _is_at(path, descriptor):
            return descriptor
    except BaseException:
        os.close(descriptor)
        raise
    os.close(descriptor)
    return None


def _is_at(path: Path, descriptor: int) -> bool:
    """Whether an open file is still the one at a path: its last holder may have deleted it."""
    try:
        return os.path.samestat(path.stat(), os.fstat(descriptor))
    except OSError:
        return False


def _delete(path: Path) -> None:
    with contextlib.suppress(OSError):
        path.unlink()

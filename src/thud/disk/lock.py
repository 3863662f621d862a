"""Exclusive file lock, released when its owner dies.

The lock is the operating system's, on a small file beside the one that it guards.  The system
lets go of it when its holder ends in whatever way, so that no crash leaves a lock behind and
nobody has to guess whether a process number still means the process that wrote it.
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
    """Somebody else holds the lock."""


class Lock:
    """A held lock; `release` lets go of it.

    Args:
        path: the lock's own file, created if it is not there.
        new: whether it must not have been there.

    Raises:
        Locked: another process, or this one, holds it.
        FileExistsError: it must not have been there, and was.
        OSError: the file cannot be created.
    """

    def __init__(self, path: Path, *, new: bool = False) -> None:
        self._path = path
        self._descriptor: int | None = None
        while self._descriptor is None:
            self._descriptor = _try(path, new=new)

    @property
    def held(self) -> bool:
        """Whether nobody else can have it: it is not released, and its file was not taken away."""
        return self._descriptor is not None and _is_at(self._path, self._descriptor)

    def release(self) -> None:
        """Release the lock and delete its file; releasing twice does no harm."""
        if self._descriptor is None:
            return
        if not self.held:  # what lies there now is somebody else's
            os.close(self._descriptor)
        elif sys.platform == "win32":  # which deletes no file that is open
            os.close(self._descriptor)
            _delete(self._path)
        else:  # where somebody else could have locked a file that is closed
            _delete(self._path)
            os.close(self._descriptor)
        self._descriptor = None


def _try(path: Path, *, new: bool) -> int | None:
    """Return the descriptor of the locked file, None if it was deleted in the meantime."""
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
    """Say whether an open file is still the one at a path: its last holder may have deleted it."""
    try:
        return os.path.samestat(path.stat(), os.fstat(descriptor))
    except OSError:
        return False


def _delete(path: Path) -> None:
    with contextlib.suppress(OSError):
        path.unlink()

"""Atomic writes: at every moment either the old file or the new one is there, complete.

The bytes go to a temporary file in the same directory, which is flushed to the disk before it
replaces the old one.  A crash before that leaves the old file, a crash afterwards the new one.  The
temporary file has a random name and must not exist, so that no prepared link can redirect it.
"""

from __future__ import annotations

import contextlib
import errno
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, Final

_TEMPORARY: Final = r"\.(.+)\.[0-9a-f]{8}\.tmp"
_NEW: Final = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)

_LONGEST: Final = 100
"""Bytes of a file's name repeated in its temporary file's: a name has at most 255 in all."""


def write_atomic(path: Path, data: bytes, *, private: bool = False) -> None:
    """Replace a file, or create it; return when it is on the disk.

    Args:
        path: the file.
        data: its content.
        private: whether only its owner may read it, at every moment.

    Raises:
        OSError: as `replacing`.
    """
    with replacing(path, private=private) as file:
        file.write(data)


@contextlib.contextmanager
def replacing(path: Path, *, private: bool = False, devices: bool = False) -> Iterator[BinaryIO]:
    """Context manager: open a file that replaces the one at a path when the block succeeds.

    A link stays, and its target is replaced.

    Args:
        path: the file.
        private: whether only its owner may read it.
        devices: whether a pipe or a device is written to directly, as a user may wish who names it;
            a pipe waits for its reader.

    Raises:
        OSError: it cannot be written; a file that was there is untouched.
    """
    target = Path(os.path.realpath(path))
    if target.exists() and not target.is_file():
        if not devices:
            raise OSError(errno.EINVAL, "not a file", str(path))
        with target.open("wb") as file:
            yield file
        return
    name = os.fsencode(target.name)[:_LONGEST].decode("utf-8", "ignore")
    temporary = target.with_name(f".{name}.{os.urandom(4).hex()}.tmp")
    try:
        created = os.open(temporary, _NEW, 0o600 if private else 0o666)
    except OSError as error:
        error.filename = str(path)  # the temporary file's name means nothing to a reader
        raise
    try:
        with os.fdopen(created, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, target)
    except BaseException:
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise
    # The file is in place: that its entry is on the disk, too, matters only if the power fails now.
    with contextlib.suppress(OSError):  # Windows cannot open a directory
        directory = os.open(target.parent, os.O_RDONLY)
        try:
            os.fsync(directory)
        finally:
            os.close(directory)


def set_modified(path: Path, at: int) -> None:
    """Set a file's modification time, in nanoseconds since 1970.

    It is set through the open file where the system can: a path's is refused in the jail of a
    club's visitors.

    Raises:
        OSError: it cannot be set.
    """
    with path.open("rb") as file:
        os.utime(file.fileno() if os.utime in os.supports_fd else path, ns=(at, at))


def target_of_temporary(name: str) -> str | None:
    """Return the target's name for a temporary file's, None if it is not ours."""
    found = re.fullmatch(_TEMPORARY, name)
    return found[1] if found else None

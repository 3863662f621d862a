"""Atomic writes: at every moment the old file or the new one is there, whole.

The bytes go to a temporary file in the same directory, which is flushed to the disk before it
takes the place of the old one.  A crash before that leaves the old file, a crash afterwards the
new one.  The temporary file has a name that nobody can foresee and must not have been there: a
link that somebody has laid cannot lead it elsewhere.
"""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, Final

_TEMPORARY: Final = r"\.(.+)\.[0-9a-f]{8}\.tmp"
_NEW: Final = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)

_LONGEST: Final = 100
"""Bytes of a file's name that its temporary file repeats: a name may have 255 in all."""


def write_atomic(path: Path, data: bytes, *, private: bool = False) -> None:
    """Replace a file, or create it; return when it is on the disk.

    Args:
        path: the file.
        data: all that is in it.
        private: whether nobody but its owner may read it, not even for a moment.

    Raises:
        OSError: as `replacing`.
    """
    with replacing(path, private=private) as file:
        file.write(data)


@contextlib.contextmanager
def replacing(path: Path, *, private: bool = False) -> Iterator[BinaryIO]:
    """Open a file that takes the place of the one at a path when the block ends well.

    A link stays one, and what it leads to is replaced.  A pipe or a device is written to as it is.

    Args:
        path: the file.
        private: whether nobody but its owner may read it.

    Raises:
        OSError: it cannot be written; a file that was there is untouched.
    """
    target = Path(os.path.realpath(path))
    if target.exists() and not target.is_file():
        with target.open("wb") as file:
            yield file
        return
    temporary = _temporary(target)
    created = os.open(temporary, _NEW, 0o600 if private else 0o666)
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
    _flush_directory(target.parent)


def stands_in_for(name: str) -> str | None:
    """Return the name of the file that a temporary one is written for, None if it is not ours."""
    found = re.fullmatch(_TEMPORARY, name)
    return found[1] if found else None


def _temporary(target: Path) -> Path:
    name = os.fsencode(target.name)[:_LONGEST].decode("utf-8", "ignore")
    return target.with_name(f".{name}.{os.urandom(4).hex()}.tmp")


def _flush_directory(directory: Path) -> None:
    """Put the new name on the disk too, where a system can: Windows cannot open a directory.

    The file is in place already, so that a system which refuses costs nothing but a power cut
    at the wrong moment.
    """
    with contextlib.suppress(OSError):
        descriptor = os.open(directory, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)

"""Write a file so that at every moment either the old or the new one is there, whole."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path


def write_atomic(path: Path, data: bytes, temporary: Path) -> None:
    """Replace a file, or create it; return when it is on the disk.

    The bytes go to a temporary file in the same directory, which is flushed to the disk before it
    takes the place of the old one.  A crash before that leaves the old file, a crash afterwards
    the new one; the temporary file that a crash may leave behind is overwritten the next time.

    Raises:
        OSError: it cannot be written; the old file is untouched.
    """
    try:
        with temporary.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException:
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise
    _flush_directory(path.parent)


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

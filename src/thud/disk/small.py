"""Small files, mostly JSON: read defensively, replaced atomically."""

from __future__ import annotations

import errno
import json
import os
import stat
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO, Final

from thud.disk.atomic import write_atomic

DAMAGED: Final = ".damaged"
"""What the name of a damaged file ends in, once another has replaced it."""

_READING: Final = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
_MOST: Final = 64 << 20
"""Most bytes of a file that is not damaged."""


def read_small(path: Path, most: int) -> dict[str, Any]:
    """Return the JSON object in a file of at most `most` bytes, empty if missing or invalid."""
    return parse_small(read_regular(path, most))


def parse_small(data: bytes) -> dict[str, Any]:
    """Return a JSON object, empty if it is invalid."""
    return _object_in(data) or {}


def _object_in(data: bytes) -> dict[str, Any] | None:
    try:
        values = json.loads(data)
    except (ValueError, RecursionError):
        return None
    return values if isinstance(values, dict) else None


def is_damaged(path: Path) -> bool:
    """Whether a file has content, and it is not a JSON object."""
    data = read_regular(path, _MOST)
    return bool(data) and _object_in(data) is None


def damaged_in(directory: Path) -> list[Path]:
    """Return the damaged files of a directory, by name."""
    return [path for path in sorted(directory.glob("*.json")) if is_damaged(path)]


def read_regular(path: Path, most: int) -> bytes:
    """Return the first `most` bytes of a regular file, empty if it cannot be read."""
    try:
        with open_regular(path) as file:
            return file.read(most)
    except OSError:
        return b""


def open_regular(path: Path) -> BinaryIO:
    """Open a regular file to read.

    What is open is checked, not its name, which may be another file's by then; a pipe blocks
    nobody.

    Raises:
        OSError: it cannot be opened, or is a directory, a pipe or a device.
    """
    descriptor = os.open(path, _READING)
    if stat.S_ISREG(os.fstat(descriptor).st_mode):
        return os.fdopen(descriptor, "rb")
    os.close(descriptor)
    raise OSError(errno.EINVAL, "not a file", str(path))


def write_small(path: Path, values: dict[str, Any], *, private: bool = False) -> None:
    """Save a JSON object in a file, whose directory need not exist.

    A damaged file is not lost: it stays beside it, its name ending in `DAMAGED`.

    Args:
        path: the file.
        values: the object.
        private: whether only its owner may read it, or enter a newly made directory.

    Raises:
        OSError: it cannot be saved.
    """
    path.parent.mkdir(mode=0o700 if private else 0o777, parents=True, exist_ok=True)
    if is_damaged(path):
        os.replace(path, path.with_name(f"{path.name}{DAMAGED}"))
    data = (json.dumps(values, indent=1, ensure_ascii=False) + "\n").encode()
    write_atomic(path, data, private=private)


def keep_newest(directory: Path, most: int) -> None:
    """Delete all JSON files in a directory but the latest `most`."""
    with suppress(OSError):
        kept = sorted(directory.glob("*.json"), key=lambda path: path.stat().st_mtime)
        for path in kept[:-most]:
            path.unlink(missing_ok=True)

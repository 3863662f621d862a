"""The arguments of this process as other users see them, in `ps`."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from typing import Final

_START, _END = 45, 46
"""Fields of /proc/self/stat, after the name: where the arguments are in memory."""

_STAR: Final = ord("*")


def hide_in_arguments(secret: str) -> None:
    """Overwrite a secret in this process's arguments; on Linux only."""
    if not secret or sys.platform != "linux":
        return
    import ctypes

    with suppress(OSError, ValueError, IndexError), open("/proc/self/stat", "rb") as file:
        fields = file.read().rpartition(b")")[2].split()
        start, end = int(fields[_START]), int(fields[_END])
        hidden = os.fsencode(secret)
        at = ctypes.string_at(start, end - start).find(hidden) if start else -1
        if at >= 0:
            ctypes.memset(start + at, _STAR, len(hidden))

"""Faults that trials make within a process."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from random import Random


def fail_at_random(chance: Random) -> None:
    """Let one in six system calls of a write fail, as on a full disk."""
    for name in ("fsync", "replace"):
        real = getattr(os, name)

        def faulty(*given: object, real: Callable[..., object] = real) -> object:
            if chance.random() < 1 / 6:
                raise OSError(chance.choice((errno.ENOSPC, errno.EIO)), "made to fail")
            return real(*given)

        setattr(os, name, faulty)

"""What is said where the system has nothing left for whoever comes: a sentence, now and then."""

from __future__ import annotations

import asyncio
import errno
import sys
from typing import Any, Final

_SHORTAGES: Final = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM})
_EVERY: Final = 60.0
"""So many seconds nothing more is said of it: nobody fills the host's log from outside."""


class Shortage:
    """Handles what goes wrong on an event loop beside everything that is waited for."""

    def __init__(self) -> None:
        self._told: float | None = None

    def __call__(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """Tell who runs the club of a shortage, which passes; whatever else it is, as usual."""
        fault = context.get("exception")
        if not ("socket" in context and isinstance(fault, OSError) and fault.errno in _SHORTAGES):
            loop.default_exception_handler(context)
        elif self._told is None or loop.time() - self._told > _EVERY:
            self._told = loop.time()
            print(f"Nobody else can come in just now: {fault.strerror}.", file=sys.stderr)

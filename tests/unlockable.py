"""A system that cannot lock files, as some network drives and containers."""

from __future__ import annotations

import errno
import os
from typing import Final

import pytest

ERRORS: Final = ("ENOLCK", "EOPNOTSUPP", "ENOSYS", "EIO")
"""What such systems answer."""


def cannot_lock(monkeypatch: pytest.MonkeyPatch, name: str = "ENOLCK") -> None:
    """Let the system answer every attempt to lock a file with an error."""
    number = getattr(errno, name)

    def refuse(_: int) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr("thud.disk.lock._seize", refuse)

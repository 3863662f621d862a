"""Where a club keeps what it keeps."""

from __future__ import annotations

from pathlib import Path

from thud.disk.directories import data_directory
from thud.net.transports.permissions import made_private


def club_directory() -> Path:
    """Return the directory of this user's club, which nobody else can look into.

    Raises:
        ValueError: somebody else could.
        OSError: it cannot be made.
    """
    return made_private(data_directory() / "club")

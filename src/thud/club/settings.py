"""The settings of a club, which its owner writes: `club.toml` in its directory."""

from __future__ import annotations

from pathlib import Path
from typing import Final, NamedTuple

from thud.club.owner_file import read_values

SETTINGS_FILE: Final = "club.toml"

_LARGEST: Final = 1_000_000


class ClubSettings(NamedTuple):
    """A club's settings."""

    archive: int = 10_000
    """Most matches in the archive, the latest; and as many in `results.json`."""


def settings_in(path: Path) -> ClubSettings:
    """Return the settings in a file, the usual ones without a file.

    Raises:
        ValueError: the file is wrong; the text says in what.
    """
    found = ClubSettings(**(read_values(path, ClubSettings) or {}))
    if not 1 <= found.archive <= _LARGEST:
        raise ValueError(f"archive is a number from 1 to {_LARGEST}")
    return found

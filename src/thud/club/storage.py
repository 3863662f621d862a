"""A club's files: the secret of its invitation, and a directory per visitor."""

from __future__ import annotations

import hashlib
import re
import shutil
from collections.abc import Collection
from pathlib import Path
from typing import Final, NamedTuple

from thud.disk.atomic import write_atomic
from thud.disk.directories import data_directory
from thud.net.transports.invitation import new_secret
from thud.net.transports.permissions import made_private, read_bytes
from thud.records.store import SUFFIX, Store
from thud.wording.text import quoted


def club_directory() -> Path:
    """Return the directory of this user's club, which nobody else can look into.

    Raises:
        ValueError: somebody else could.
        OSError: it cannot be made.
    """
    return made_private(data_directory() / "club")


_NAME: Final = "invitation"
_MOST_BYTES: Final = 100
_SECRET: Final = re.compile(r"([A-Za-z0-9_-]{22})\n", re.ASCII)


def own_secret(*, anew: bool = False) -> str:
    """Return the secret of this user's club; make one the first time, or if another is wanted.

    Raises:
        ValueError: the file of it is damaged, or others could read it.
        OSError: it cannot be read or written.
    """
    path = club_directory() / _NAME
    if anew or not path.exists():
        write_atomic(path, f"{new_secret()}\n".encode(), private=True)
    found = _SECRET.fullmatch(read_bytes(path, _MOST_BYTES).decode("ascii", "replace"))
    if not found:
        raise ValueError(
            f"{quoted(str(path), 200)} is damaged: 'thud serve --new-invitation' makes another"
        )
    return found[1]


MOST_KNOWN: Final = 1000
"""So many visitors are known; one more takes the place of who keeps no match, or, if all do, of who
has been away for longest."""

MOST_KEPT: Final = 64 << 20
"""So many bytes a visitor's records may have in all when another match begins."""


_LENGTH: Final = 32


class Visitor(NamedTuple):
    """Somebody known to the club.

    Attributes:
        id: hexadecimal digits, the same whenever the same is shown.
        directory: where everything of theirs is kept; it need not exist.
    """

    id: str
    directory: Path


class Visitors:
    """All known visitors.

    Args:
        directory: where each has a directory.
    """

    def __init__(self, directory: Path) -> None:
        self._directory = directory

    def who_shows(self, door: str, shown: str) -> Visitor:
        """Return who shows something that nobody else can: a cookie at one door, a key at another.

        What is shown is kept nowhere: nobody who reads the disk could show it.
        """
        digest = hashlib.sha256(f"{door}:{shown}".encode()).hexdigest()[:_LENGTH]
        return Visitor(digest, self._directory / digest)

    def welcome(self, visitor: Visitor, here: Collection[str] = ()) -> None:
        """Make room for a visitor, on whose account others may be forgotten, but nobody who is in.

        Those go first who keep no match: nobody wipes out what others have played by coming as
        somebody new again and again.

        Args:
            visitor: who comes.
            here: the ids of those who are in.

        Raises:
            OSError: that is not possible.
        """
        visitor.directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        visitor.directory.touch()
        known = [*self._directory.iterdir()]
        if len(known) > MOST_KNOWN:
            away = sorted((each for each in known if each.name not in here), key=_worth)
            for forgotten in away[: len(known) - MOST_KNOWN]:
                shutil.rmtree(forgotten, ignore_errors=True)


def _worth(directory: Path) -> tuple[bool, float]:
    """Return what comes first for whoever is to be forgotten first; one is gone, perhaps."""
    try:
        matches = Store(directory).matches.glob(f"*{SUFFIX}")
        return any(matches), directory.stat().st_mtime
    except OSError:
        return False, 0.0

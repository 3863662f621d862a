"""Who visitors are: known again by what they show, each with a place of their own on the disk."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Collection
from pathlib import Path
from typing import Final, NamedTuple

from thud.club.bounds import MOST_KNOWN
from thud.records.store import SUFFIX, Store

_LENGTH: Final = 32


class Visitor(NamedTuple):
    """Somebody who comes to the club.

    Attributes:
        id: hexadecimal digits, the same whenever the same is shown.
        directory: where everything of theirs is kept; it need not exist.
    """

    id: str
    directory: Path


class Visitors:
    """All who are known.

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

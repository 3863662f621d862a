"""A club's files: the secret of its invitation, and a directory per visitor."""

from __future__ import annotations

import base64
import hashlib
import re
import secrets
import shutil
from collections.abc import Collection
from pathlib import Path
from time import monotonic
from typing import Final, NamedTuple

from thud.disk.atomic import write_atomic
from thud.disk.directories import data_directory
from thud.net.transports.invitation import new_secret
from thud.net.transports.permissions import made_private, read_bytes
from thud.records.store import SUFFIX, Store
from thud.tui.club.profile import VisitorProfile
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
            f"{quoted(str(path), 200)} is damaged: make another with 'thud serve --new-invitation'"
        )
    return found[1]


MOST_KNOWN: Final = 1000
"""Visitors kept; one more replaces one without a match, or else the one away for longest."""

MOST_KEPT: Final = 64 << 20
"""Bytes of a visitor's records above which no other match begins."""


_LENGTH: Final = 32
_ID: Final = re.compile(r"[0-9a-f]{32}", re.ASCII)
_MOST_LINKS: Final = 8


class Visitor(NamedTuple):
    """Somebody known to the club.

    Attributes:
        id: hexadecimal digits, the same whenever the same is shown, or what was linked to it.
        directory: where everything of theirs is kept; it need not exist.
        came_as: the id of what was shown.
    """

    id: str
    directory: Path
    came_as: str


class Known(NamedTuple):
    """A visitor as the owner sees them listed.

    Attributes:
        id: theirs.
        name: what they are called; empty if they have not said.
        last: when they came last, in seconds since 1970.
        matches: how many matches are kept with them.
        seats: at how many tables they have taken a seat.
    """

    id: str
    name: str
    last: float
    matches: int
    seats: int


class Visitors:
    """All known visitors.

    Args:
        directory: where each has a directory.

    Attributes:
        directory: the same.
    """

    def __init__(self, directory: Path) -> None:
        self.directory = self._directory = directory
        self._links = directory.with_name("links")

    def who_shows(self, door: str, shown: str) -> Visitor:
        """Return who shows something that nobody else can: a cookie at one door, a key at another.

        What is shown is kept nowhere: nobody who reads the disk could show it.
        """
        digest = hashlib.sha256(f"{door}:{shown}".encode()).hexdigest()[:_LENGTH]
        return self.known_as(Visitor(digest, self._directory / digest, digest))

    def known_as(self, visitor: Visitor) -> Visitor:
        """Return who somebody is by now, who may have been linked to another since they came."""
        person = self.person(visitor.came_as)
        return Visitor(person, self._directory / person, visitor.came_as)

    def person(self, name: str) -> str:
        """Return the id of the visitor to whom an id was linked, the same if it was to none."""
        for _ in range(_MOST_LINKS):
            try:
                found = _ID.fullmatch((self._links / name).read_text("ascii").strip())
            except (OSError, ValueError):
                break
            if not found:
                break
            name = found[0]
        return name

    def link(self, name: str, person: str) -> None:
        """Make one id a visitor's second one from now on.

        Raises:
            ValueError: one of them is no visitor, or they are one already.
            OSError: that cannot be kept.
        """
        name, person = self.person(name), self.person(person)
        if not (_ID.fullmatch(name) and _ID.fullmatch(person)):
            raise ValueError("there is no such visitor")
        if name == person:
            raise ValueError("that is you already")
        self._links.mkdir(mode=0o700, parents=True, exist_ok=True)
        write_atomic(self._links / name, f"{person}\n".encode(), private=True)

    def known(self) -> list[Known]:
        """Return all who are known, the one who was here last first."""
        if not self._directory.is_dir():
            return []
        found = []
        for each in self._directory.iterdir():
            if _ID.fullmatch(each.name) and each.is_dir():
                matches = sum(1 for _ in Store(each).matches.glob(f"*{SUFFIX}"))
                seats = sum(1 for _ in (each / "seats").glob("*.json"))
                name = VisitorProfile(each).name
                found.append(Known(each.name, name, each.stat().st_mtime, matches, seats))
        return sorted(found, key=lambda each: each.last, reverse=True)

    def named(self, text: str) -> str:
        """Return the id of the visitor that an owner means: its first digits, or a name.

        Raises:
            ValueError: there is none, or there are several.
        """
        known = self.known()
        found = [each.id for each in known if text and each.id.startswith(text.lower())]
        found = found or [each.id for each in known if each.name == text]
        if len(found) != 1:
            what = "there is no visitor" if not found else "there are several visitors"
            raise ValueError(f"{what} {quoted(text)}: list all with 'thud serve --visitors'")
        return found[0]

    def rename(self, name: str, called: str) -> None:
        """Call a visitor otherwise; while they are in, what they say counts."""
        VisitorProfile(self._directory / name).rename(called)

    def forget(self, name: str) -> None:
        """Forget a visitor, with everything that is kept of them.

        Raises:
            OSError: that is not possible.
        """
        shutil.rmtree(self._directory / name)
        if self._links.is_dir():
            for link in [each for each in self._links.iterdir() if self.person(each.name) == name]:
                link.unlink()

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
        if visitor.came_as != visitor.id:
            _merge(self._directory / visitor.came_as, visitor.directory)
        known = [*self._directory.iterdir()]
        if len(known) > MOST_KNOWN:
            away = sorted((each for each in known if each.name not in here), key=_worth)
            for forgotten in away[: len(known) - MOST_KNOWN]:
                shutil.rmtree(forgotten, ignore_errors=True)


def _merge(source: Path, target: Path) -> None:
    """Move what a visitor has kept to another's: what is there already stays as it is.

    Raises:
        OSError: that is not possible.
    """
    if not source.is_dir():
        return
    for path in sorted(each for each in source.rglob("*") if each.is_file()):
        goal = target / path.relative_to(source)
        if path.suffix == SUFFIX and goal.exists():
            goal = goal.with_stem(f"{goal.stem}-{source.name[:8]}")
        if not goal.exists():
            goal.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            path.rename(goal)
    shutil.rmtree(source)


WORD_SECONDS: Final = 600.0
"""Lifetime of a word that links another device to a visitor."""

TRIES: Final = 5
"""Words that a visitor can try in that time."""


class Linking:
    """The words that make another device the same visitor.

    Args:
        visitors: who is known.
    """

    def __init__(self, visitors: Visitors) -> None:
        self._visitors = visitors
        self._words: dict[str, tuple[str, float]] = {}
        self._tried: dict[str, list[float]] = {}

    def word_for(self, visitor: str) -> str:
        """Return a word for a visitor, which can be said once; one given before is not valid."""
        now = monotonic()
        self._words = {
            word: (who, until)
            for word, (who, until) in self._words.items()
            if until > now and who != visitor
        }
        word = new_word()
        self._words[word] = visitor, now + WORD_SECONDS
        return word

    def link(self, visitor: str, word: str) -> None:
        """Make one visitor another, whose word is said.

        Raises:
            ValueError: it is not valid.
            OSError: that cannot be kept.
        """
        now = monotonic()
        tried = [each for each in self._tried.get(visitor, []) if each > now - WORD_SECONDS]
        if len(tried) >= TRIES:
            raise ValueError("too many words were tried: wait ten minutes")
        self._tried[visitor] = [*tried, now]
        who, until = self._words.get(word.strip().lower(), ("", 0.0))
        if until < now:
            raise ValueError("that word is not valid, or has expired: ask for another one")
        self._visitors.link(visitor, who)
        self._words.pop(word.strip().lower())


def new_word() -> str:
    """Return a word that nobody guesses, and that can be typed."""
    return base64.b32encode(secrets.token_bytes(6)).decode().rstrip("=").lower()


def _worth(directory: Path) -> tuple[bool, float]:
    """Return what comes first for whoever is to be forgotten first; one is gone, perhaps."""
    try:
        matches = Store(directory).matches.glob(f"*{SUFFIX}")
        seats = (directory / "seats").glob("*.json")
        return any(matches) or any(seats), directory.stat().st_mtime
    except OSError:
        return False, 0.0

"""A club's files: its invitation's secret, and a directory per visitor."""

from __future__ import annotations

import base64
import hashlib
import hmac
import math
import re
import secrets
import shutil
from collections import Counter
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from time import monotonic, sleep, time
from typing import Annotated, Final, NamedTuple, TypeAlias

from msgspec import Meta

from thud.club.doors import OURS
from thud.club.names import name_for
from thud.club.sanctions import Networks, Sanctions
from thud.disk.atomic import write_atomic
from thud.disk.directories import DATA_VARIABLE, data_directory
from thud.disk.lock import Lock, Locked
from thud.disk.small import read_small
from thud.net.seat_registry import Link
from thud.net.transports.invitation import new_secret
from thud.net.transports.permissions import made_private, read_bytes
from thud.net.valid import valid_tuple
from thud.records.store import SUFFIX, Store
from thud.session.participants import MOST_SAID
from thud.text import quoted
from thud.visitor.profile import GUEST_FILE, VisitorProfile, is_given


def club_directory() -> Path:
    """Return the private directory of this user's club.

    Raises:
        ValueError: others have access to it.
        OSError: it cannot be made.
    """
    return made_private(data_directory() / "club")


@contextmanager
def only_club() -> Iterator[Path]:
    """Context manager: yield the directory of this user's club, which no other `serve` may use.

    Raises:
        ValueError: another one uses it, or others have access to it.
        OSError: it cannot be made.
    """
    directory = club_directory()
    try:
        lock = Lock(directory / ".lock")
    except Locked:
        raise ValueError(
            f"this club is open already: for another one, set {DATA_VARIABLE} to another directory"
        ) from None
    try:
        yield directory
    finally:
        lock.release()


_MOST_BYTES: Final = 100
_SECRET: Final = re.compile(r"([A-Za-z0-9_-]{22})\n", re.ASCII)


def own_secret(*, anew: bool = False) -> str:
    """Return the secret of this user's club, which is in its invitation.

    Args:
        anew: whether to make another one; it is made the first time in any case.

    Raises:
        ValueError: the file is damaged, or others could read it.
        OSError: it cannot be read or written.
    """
    return _kept_secret("invitation", "make another with 'thud club renew'", anew=anew)


def proof_key() -> str:
    """Return the key by which the keeper knows visitors; made the first time.

    Unlike the invitation it is never renewed: those who are in keep what they were given.

    Raises:
        ValueError: the file is damaged, or others could read it.
        OSError: it cannot be read or written.
    """
    return _kept_secret("proof_key", "delete it to get a new one")


def _kept_secret(name: str, remedy: str, *, anew: bool = False) -> str:
    path = club_directory() / name
    if anew or not path.exists():
        write_atomic(path, f"{new_secret()}\n".encode(), private=True)
    found = _SECRET.fullmatch(read_bytes(path, _MOST_BYTES).decode("ascii", "replace"))
    if not found:
        raise ValueError(f"{quoted(str(path), 200)} is damaged: {remedy}")
    return found[1]


def link_secret(secret: str, link: str) -> str:
    """Return the secret after the `#` of a table's link: it lets newcomers into the club.

    Args:
        secret: the club's own.
        link: the link's part after `/t/`.
    """
    digest = hmac.digest(secret.encode(), f"table:{link}".encode(), "sha256")
    return base64.urlsafe_b64encode(digest[:16]).decode().rstrip("=")


def visitor_proof(key: str, visitor: str) -> str:
    """Return what a visitor's process shows the keeper, to be taken for that visitor.

    Args:
        key: the club's `proof_key`.
        visitor: the visitor's id.
    """
    return hmac.digest(key.encode(), f"visitor:{visitor}".encode(), "sha256").hex()


_Count: TypeAlias = Annotated[int, Meta(ge=0, le=MOST_SAID)]


class TableNotes(NamedTuple):
    """A table's own data, beside its match and its seats."""

    by: str = ""
    """The opener's visitor id."""
    offered_to: str = ""
    """Id of the one visitor invited, if the table is not for everybody."""
    links: tuple[Link, ...] = ()
    """The links by which others come to it."""
    unrated: bool = False
    """Whether a player has said that what is played there is not rated."""
    house: bool = False
    """Whether the house player sits down if nobody else does."""
    unread: tuple[_Count, _Count] = (0, 0)
    """How many messages each player has not seen."""


_MOST_NOTES: Final = 1 << 16


def notes_path(tables: Path, table: str) -> Path:
    """Return the path of a table's notes, in the keeper's directory."""
    return tables / "notes" / f"{table}.json"


def read_notes(tables: Path, table: str) -> TableNotes:
    """Return a table's notes, empty if there are none."""
    return valid_tuple(TableNotes, read_small(notes_path(tables, table), _MOST_NOTES))


MOST_KNOWN: Final = 1000
"""Most visitors kept; one more replaces one without a match, or else the longest absent."""

CROWD: Final = 100
"""Known visitors of one network; if there are more, they are the first to be deleted."""

IDLE_SECONDS: Final = 24 * 3600.0
"""Seconds until a visitor without a name who has done nothing is deleted."""

GUEST_SECONDS: Final = 600.0
"""Seconds after which a guest who has left is forgotten."""

_ANYBODYS: Final = frozenset({"visitor.json", "networks.json", "cache", GUEST_FILE})
"""What there is in the directory of a visitor who has done nothing."""

MOST_KEPT: Final = 64 << 20
"""Bytes of a visitor's records above which they can start no further match."""


WATCHERS: Final = "watching"
"""Directory in the club's for the processes of those to whom a link shows a table: they are no
visitors, and nothing of them stays."""

_LENGTH: Final = 32
_ID: Final = re.compile(r"[0-9a-f]{32}", re.ASCII)
_MOST_LINKS: Final = 8


class Visitor(NamedTuple):
    """A visitor known to the club.

    Attributes:
        id: hexadecimal digits, the same for the same credential or one linked to it.
        directory: holds all their files; it need not exist.
        came_as: the id of the credential itself, before links.
        is_guest: whether they have shown no credential; they are forgotten soon.
        shown: the link of the table that is all they see, and how many moves late; they are no
            visitor, and leave nothing. Empty for visitors.
    """

    id: str
    directory: Path
    came_as: str
    is_guest: bool = False
    shown: tuple[str, ...] = ()


class KnownVisitor(NamedTuple):
    """A visitor in the owner's list.

    Attributes:
        id: the visitor's id.
        name: the visitor's name; empty if they have given none.
        last: time of their last visit, in seconds since 1970.
        matches: number of their saved matches.
        seats: number of tables where they have taken a seat.
        standing: what the owner has imposed on them: "banned", "kicked", "muted", or nothing.
    """

    id: str
    name: str
    last: float
    matches: int
    seats: int
    standing: str = ""


class Visitors:
    """All known visitors.

    Args:
        directory: holds a directory for each.

    Attributes:
        directory: the same.
        bans: who is kept out.
        mutes: who may not chat.
    """

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.bans = Sanctions(directory.with_name("banned"))
        self.mutes = Sanctions(directory.with_name("muted"))
        self._links = directory.with_name("links")
        self._revoked = directory.with_name("revoked")

    def who_shows(self, door: str, shown: str) -> Visitor:
        """Return the visitor with a credential: a cookie at one door, a key at the other.

        Only its digest is stored, so nobody can take the credential from the disk.
        """
        digest = hashlib.sha256(f"{door}:{shown}".encode()).hexdigest()[:_LENGTH]
        return self.known_as(Visitor(digest, self.directory / digest, digest))

    @property
    def directories(self) -> tuple[Path, Path]:
        """The directories of all visitors, and of those to whom links show tables."""
        return self.directory, self.directory.with_name(WATCHERS)

    def watcher(self, link: str, late: int) -> Visitor:
        """Return somebody to whom a link shows a table, some moves late.

        Their directory is temporary.
        """
        name = secrets.token_hex(_LENGTH // 2)
        return Visitor(name, self.directories[1] / name, name, shown=(link, str(late)))

    def clear_watchers(self) -> None:
        """Delete what a club that was killed has left of those to whom links showed a table."""
        with suppress(OSError):
            _delete_tree(self.directories[1])

    def known_as(self, visitor: Visitor) -> Visitor:
        """Return the same visitor under their present id: they may have been linked meanwhile."""
        if visitor.shown:
            return visitor
        person = self.person(visitor.came_as)
        is_guest = visitor.is_guest and person == visitor.id
        if visitor.directory.is_dir():  # others may have been linked to them
            is_guest = is_guest and self.is_guest(visitor.id)
        return Visitor(person, self.directory / person, visitor.came_as, is_guest)

    def person(self, name: str) -> str:
        """Follow links from an id to a visitor's id; an id without a link stays the same."""
        for _ in range(_MOST_LINKS):
            try:
                link = read_bytes(self._links / name, _MOST_BYTES)
            except OSError:
                break
            found = _ID.fullmatch(link.decode("ascii", "replace").strip())
            if not found:
                break
            name = found[0]
        return name

    def link(self, name: str, person: str) -> None:
        """Link an id to another visitor.

        Raises:
            ValueError: one of them is no visitor, or they are the same already.
            OSError: the link cannot be saved.
        """
        name, person = self.person(name), self.person(person)
        if not (_ID.fullmatch(name) and _ID.fullmatch(person)):
            raise ValueError("there is no such visitor")
        if name == person:
            raise ValueError("both are the same visitor already")
        for each in (name, person):  # a guest with a credential is one no longer
            (self.directory / each / GUEST_FILE).unlink(missing_ok=True)
        self._links.mkdir(mode=0o700, parents=True, exist_ok=True)
        for each in (name, *self.linked_to(name)):  # or chains would grow with each new device
            write_atomic(self._links / each, f"{person}\n".encode(), private=True)

    def known(self) -> list[KnownVisitor]:
        """Return all known visitors, most recent first."""
        if not self.directory.is_dir():
            return []
        found = []
        for each in self.directory.iterdir():
            if _ID.fullmatch(each.name) and each.is_dir():
                matches = sum(1 for _ in Store(each).matches.glob(f"*{SUFFIX}"))
                seats = sum(1 for _ in (each / "seats").glob("*.json"))
                name = VisitorProfile(each).name
                last = each.stat().st_mtime
                if kept_out := self.bans.remaining(each.name):
                    standing = "banned" if math.isinf(kept_out) else "kicked"
                else:
                    standing = "muted" if self.mutes.holds(each.name) else ""
                found.append(KnownVisitor(each.name, name, last, matches, seats, standing))
        return sorted(found, key=lambda each: each.last, reverse=True)

    def names(self) -> dict[str, str]:
        """Return the names of all known visitors by their ids, empty for those without one."""
        if not self.directory.is_dir():
            return {}
        found = (each for each in self.directory.iterdir() if _ID.fullmatch(each.name))
        return {each.name: VisitorProfile(each).name for each in found}

    def named(self, text: str) -> str:
        """Return a visitor's id by its first digits or by name; a whole id is never a name.

        Raises:
            ValueError: there is none, or there are several.
        """
        found = self.alike(text)
        if not found:
            raise ValueError(
                f"there is no visitor {quoted(text)}: list all with 'thud club visitors'"
            )
        if len(found) > 1:
            raise ValueError(
                f"{quoted(text)} means several visitors, by their names or the first digits of "
                "their ids: type more digits, which 'thud club visitors --json' lists"
            )
        return found[0]

    def alike(self, text: str) -> list[str]:
        """Return the ids of all visitors whom a text can mean, see `named`."""
        names, digits = self.names(), text.lower()
        if digits in names:
            return [digits]
        return [
            each
            for each, name in names.items()
            if text and (name == text or each.startswith(digits))
        ]

    def sanction(
        self, kind: Sanctions, name: str, seconds: float = math.inf, *, shared: bool = False
    ) -> list[str]:
        """Ban or mute a visitor; return the networks whose newcomers share it.

        Args:
            kind: the bans or the mutes.
            name: the visitor's id.
            seconds: how long it lasts.
            shared: whether newcomers share it who come from where the visitor came from last.

        Raises:
            ValueError: newcomers are to share it, and the visitor came from this machine alone.
            OSError: it cannot be saved.
        """
        networks = [*Networks(self.directory / name).all()] if shared else []
        networks = [each for each in networks if each not in OURS]
        if shared and not networks:
            raise ValueError("they came from this machine, or from a place that is not known")
        kind.impose(name, networks, seconds)
        return networks

    def give_name(self, name: str, proposal: str) -> None:
        """Name a visitor who has no name: as proposed, if nobody else has that, or by a number."""
        if VisitorProfile(self.directory / name).name:
            return
        try:
            self.rename(name, proposal)
        except ValueError:
            self.rename(name, "")

    def network_of(self, name: str) -> str:
        """Return the network that a visitor came from last, by their id; empty if unknown."""
        return "".join(Networks(self.directory / self.person(name)).all()[-1:])

    def is_guest(self, name: str) -> bool:
        """Whether a visitor has no credential, by their id."""
        return (self.directory / name / GUEST_FILE).exists()

    def has_left(self, visitor: Visitor) -> None:
        """Note that a visitor has left just now."""
        with suppress(OSError):
            if self.is_guest(visitor.id):
                (self.directory / visitor.id / GUEST_FILE).touch()

    def forget_guests(self, here: Collection[str]) -> None:
        """Delete all guests who have left long enough ago, except for those who are here."""
        for marker in self.directory.glob(f"*/{GUEST_FILE}"):
            with suppress(OSError):
                if marker.parent.name not in here and (
                    time() - marker.stat().st_mtime > GUEST_SECONDS
                ):
                    _delete_tree(marker.parent)

    def rename(self, name: str, called: str) -> str:
        """Rename a visitor; return what they are called now, which may be shorter.

        While they are in, the name they give themselves counts.

        Raises:
            ValueError: somebody else has that name.
        """
        names = self.names()
        own = names.pop(name, "")
        profile = VisitorProfile(self.directory / name)
        profile.rename(name_for(called, own, names.values()))
        return profile.name

    def forget(self, name: str) -> None:
        """Delete a visitor with all their files and links, and revoke their credentials.

        A running club ends their visit, which may write files until then.

        Raises:
            OSError: they cannot be deleted.
        """
        links = self.linked_to(name)
        self._revoked.mkdir(mode=0o700, exist_ok=True)
        for each in (name, *links):
            (self._revoked / each).touch(mode=0o600)
        for link in links:
            (self._links / link).unlink()
        for _ in range(50):
            with suppress(OSError):
                self.delete(name)
                return
            sleep(0.1)
        self.delete(name)

    def linked_to(self, name: str) -> list[str]:
        """Return the ids that are linked to a visitor."""
        links = [*self._links.iterdir()] if self._links.is_dir() else []
        return [each.name for each in links if self.person(each.name) == name]

    def delete(self, name: str) -> None:
        """Delete all files of a visitor.

        Raises:
            OSError: they cannot be deleted.
        """
        with suppress(FileNotFoundError):
            _delete_tree(self.directory / name)

    def is_revoked(self, credential: str) -> bool:
        """Whether a credential, by its id, needs the invitation again."""
        return (self._revoked / credential).exists()

    def invite(self, credential: str) -> None:
        """Note that a credential was shown with the invitation: it is valid from now on."""
        (self._revoked / credential).unlink(missing_ok=True)

    def kept_out(self, visitor: Visitor, network: str) -> float:
        """Return for how many seconds a visitor is kept out; 0 if they may come in.

        They are banned, or are new and come from a banned network.
        """
        shared = [] if visitor.directory.is_dir() else self.bans.sharing(network)
        return max(map(self.bans.remaining, [visitor.id, *shared]))

    def welcome(self, visitor: Visitor, here: Collection[str] = (), network: str = "") -> None:
        """Make a visitor's directory; delete absent visitors if there are too many.

        Those of a crowd from one network go first, then visitors without a match, so nobody can
        wipe out others' matches by coming as somebody new again and again.  Absent ones without a
        name or any file are deleted after a day.

        Args:
            visitor: the visitor coming in.
            here: the ids of visitors who are in: they are not deleted.
            network: where they come from; if they are new, a mute of others from there is theirs.

        Raises:
            OSError: the directory cannot be made.
        """
        if not visitor.directory.is_dir() and self.mutes.sharing(network):
            self.mutes.impose(visitor.id, [])
        visitor.directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        Networks(visitor.directory).add(network)
        visitor.directory.touch()
        if visitor.is_guest:
            (visitor.directory / GUEST_FILE).touch(mode=0o600)
        if visitor.came_as != visitor.id:
            _merge(self.directory / visitor.came_as, visitor.directory)
        known = [*self.directory.iterdir()]
        away = [each for each in known if each.name not in here]
        idle = [each for each in away if _is_idle(each)]
        too_many = max(0, len(known) - MOST_KNOWN)
        for forgotten in {*idle, *(_least_first(known, away)[:too_many] if too_many else ())}:
            with suppress(OSError):
                _delete_tree(forgotten)


@contextmanager
def temporary(directory: Path) -> Iterator[None]:
    """Context manager: make a directory, and delete it with all in it.

    Raises:
        OSError: it cannot be made.
    """
    directory.mkdir(mode=0o700, parents=True)
    try:
        yield
    finally:
        with suppress(OSError):
            _delete_tree(directory)


def _merge(source: Path, target: Path) -> None:
    """Move one visitor's files to another's directory, overwriting nothing.

    Raises:
        OSError: they cannot be moved.
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
    _delete_tree(source)


_ROUNDS: Final = 100_000
"""Most levels of directories deleted."""


def _delete_tree(top: Path) -> None:
    """Delete a directory with all in it, also directories nested too deeply to recurse, or locked.

    Raises:
        OSError: it cannot be deleted.
    """
    with suppress(OSError, RecursionError):
        shutil.rmtree(top)
        return
    # Level by level: the directories in each come to the top.
    for _ in range(_ROUNDS):
        if not (level := _directories_left(top)):
            break
        for each in level:
            for inner in _directories_left(each):
                inner.rename(top / f".{secrets.token_hex(8)}")
            each.rmdir()
    top.rmdir()


def _directories_left(directory: Path) -> list[Path]:
    """Delete all files in a directory; return the directories in it, unlocked."""
    directory.chmod(0o700)
    left = []
    for each in [*directory.iterdir()]:
        if each.is_dir() and not each.is_symlink():
            each.chmod(0o700)
            left.append(each)
        else:
            each.unlink()
    return left


WORD_SECONDS: Final = 600.0
"""Lifetime of a word that links another device to a visitor."""

TRIES: Final = 5
"""Words a visitor can try in that time."""


class Linking:
    """One-time words that link another device to a visitor.

    Args:
        visitors: all known visitors.
    """

    def __init__(self, visitors: Visitors) -> None:
        self._visitors = visitors
        self._words: dict[str, tuple[str, float]] = {}
        self._tried: dict[str, list[float]] = {}

    def word_for(self, visitor: str) -> str:
        """Return a new one-time word for a visitor; their earlier one becomes invalid."""
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
        """Link a visitor to the one whose word they give.

        Raises:
            ValueError: the word is not valid, or too many were tried.
            OSError: the link cannot be saved.
        """
        now = monotonic()
        for who, times in [*self._tried.items()]:
            if times[-1] <= now - WORD_SECONDS:
                self._tried.pop(who, None)
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
    """Return a random word: unguessable, easy to type."""
    return base64.b32encode(secrets.token_bytes(6)).decode().rstrip("=").lower()


def _is_idle(directory: Path) -> bool:
    """Whether a visitor has no name, has done nothing, and was last here more than a day ago."""
    with suppress(OSError):
        if time() - directory.stat().st_mtime > IDLE_SECONDS:
            left = {each.name for each in directory.iterdir()} - _ANYBODYS
            return not left and is_given(VisitorProfile(directory).name)
    return False


def _least_first(known: list[Path], away: list[Path]) -> list[Path]:
    """Return the directories of absent visitors, those to delete first before others."""
    came_from = {each: "".join(Networks(each).all()[-1:]) for each in known}
    crowds = {network for network, number in Counter(came_from.values()).items() if number > CROWD}
    crowds -= OURS
    return sorted(away, key=lambda each: (came_from[each] not in crowds, *_worth(each)))


def _worth(directory: Path) -> tuple[bool, float]:
    """Sort key: the first to delete comes first. The directory may be gone already."""
    try:
        matches = Store(directory).matches.glob(f"*{SUFFIX}")
        seats = (directory / "seats").glob("*.json")
        return any(matches) or any(seats), directory.stat().st_mtime
    except OSError:
        return False, 0.0

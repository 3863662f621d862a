"""The seats of a host's match: their owners, and the terms for others.

An invitation's secret admits a guest; the token they get then makes the seat theirs.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Iterable, Mapping
from contextlib import suppress
from hashlib import sha256
from hmac import compare_digest
from pathlib import Path
from threading import Lock
from typing import Annotated, Any, Final, NamedTuple, TypeAlias

from msgspec import Meta

from thud.disk.dates import is_ahead
from thud.disk.small import keep_newest, read_small, write_small
from thud.net.codec import (
    MAX_NUMBER,
    MAX_ONLOOKERS,
    SAID_BEFORE,
    WATCHERS,
    InvalidMessage,
    Secret,
    read_field,
    write_field,
)
from thud.net.transports.invitation import new_secret
from thud.net.valid import valid, valid_tuple
from thud.session.events import Said
from thud.session.participants import SHOW, WATCH

_Address: TypeAlias = Annotated[str, Meta(max_length=300)]
_Port: TypeAlias = Annotated[int, Meta(ge=0, lt=2**16)]

CLAIM_AFTER: Final = 600
"""Default seconds away after which a battle can be claimed."""


class Terms(NamedTuple):
    """Terms on which a match is open to others."""

    neighbours: bool = False
    """Whether invited users of this machine can join."""
    listen: tuple[_Address, _Port] | None = None
    """Address and port at which anybody invited can join."""
    watchers: Annotated[int, Meta(ge=0, le=MAX_ONLOOKERS)] = WATCHERS
    """Most spectators at a time."""
    hints: bool = False
    """Whether players may ask for hints."""
    chat: bool = True
    """Whether players may chat."""
    waits: bool = False
    """Whether the clock stops while a guest player is away."""
    claim: Annotated[int, Meta(ge=0, le=MAX_NUMBER)] = CLAIM_AFTER
    """Seconds away after which the opponent may claim the battle; 0 for never."""
    word: Secret = ""
    """The secret everybody must show, this user included; empty if this user needs none."""
    arranged: bool = False
    """Whether the match and its players are known before they come: the clock runs from the start
    of a battle, whoever is there; no other match follows, and no seat is given to others."""


_USUAL: Final = Terms()

_MAX_BYTES: Final = 1 << 16
_HOSTED: Final = "hosted"
"""The directory of registry files, beside the matches."""

_MOST: Final = 1000
"""Most registry files kept, the latest: more than a club has tables."""


class GuestSeat:
    """A seat for a guest.

    Attributes:
        secret: the secret of invitations to it.
        owner: the hash of its owner's token; empty if it is free.
        known: whether the owner is known to have received the token; until then the seat is saved
            as free, since nobody might be able to come back to it after the host was killed.
        lent: whether a computer of the host's sits there until a guest comes.
    """

    def __init__(self, secret: str = "", owner: str = "") -> None:
        self.secret = secret or new_secret()
        self.owner = owner
        self.known = bool(owner)
        self.lent = False

    @property
    def is_free(self) -> bool:
        """Whether a guest can take it."""
        return self.lent or not self.owner

    def lend(self) -> None:
        """Let a computer sit there until a guest comes; it is saved as free."""
        self.take()
        self.lent = True

    def owned_by(self, token: str) -> bool:
        """Whether a token is the owner's."""
        return bool(token and self.owner) and same(owner_of(token), self.owner)

    def free(self) -> None:
        """Free the seat: the owner's token becomes invalid."""
        self.owner, self.known, self.lent = "", False, False

    def take(self) -> str:
        """Give the seat to a new owner; return their token."""
        token = new_secret()
        self.owner, self.known, self.lent = owner_of(token), False, False
        return token


ANY: Final = "any"
"""Purpose of a link to play at any free seat."""

PURPOSES: Final[Mapping[str, tuple[int, ...]]] = {
    **{"0": (0,), "1": (1,), ANY: (0, 1)},
    **{WATCH: (), SHOW: ()},
}
"""What a link can be for: the players whose seats it invites to."""

MOST_LATE: Final = 40
"""Most moves by which a link can show a table late."""

LINK_SECONDS: Final = 7 * 24 * 3600
"""Seconds until a link to a table expires."""

Purpose: TypeAlias = Annotated[str, Meta(pattern=rf"^({'|'.join(PURPOSES)})\Z")]


class Link(NamedTuple):
    """A link to a table, for one purpose and until a time."""

    word: Annotated[Secret, Meta(min_length=1)]
    """The link's own secret."""
    purpose: Purpose
    """One of `PURPOSES`; all of them let one watch, too, but `SHOW` does nothing else."""
    until: float
    """When it expires, in seconds since 1970."""
    by: str = ""
    """The id of whoever made it."""
    late: Annotated[int, Meta(ge=0, le=MOST_LATE)] = 0
    """How many moves late it shows a battle that goes on, if it is for `SHOW`."""

    @property
    def alive(self) -> bool:
        """Whether it has not expired, and no clock that was ahead has made it last too long."""
        return time.time() < self.until and not is_ahead(self.until - LINK_SECONDS)


class SeatRegistry:
    """The guests' seats at one table.

    Args:
        players: the players whose seats these are.
        terms: the terms for others.

    Attributes:
        id: the host's id, the same whenever the match is resumed.
        watching: the secret of invitations to watch.
        seats: the seats, by player.
        terms: the terms for others.
        links: further secrets, each for a purpose; whoever makes them also saves them.
        said: the latest chat messages, shown again when the match is resumed.
    """

    def __init__(self, players: Iterable[int], terms: Terms = _USUAL) -> None:
        self.id = secrets.token_hex(4)
        self.watching = new_secret()
        self.seats = {player: GuestSeat() for player in players}
        self.terms = terms
        self.links: tuple[Link, ...] = ()
        self.said: tuple[Said, ...] = ()
        self._kept: tuple[Path, dict[str, Any]] | None = None
        self._keeping = Lock()

    def admit_by(self, word: str) -> None:
        """Use one secret for all seats, and for watching."""
        self.watching = word
        for seat in self.seats.values():
            seat.secret = word

    def invites(self, secret: str) -> list[int]:
        """Return the players whose seats a secret invites to."""
        link = self.link(secret)
        linked = PURPOSES[link.purpose] if link else ()
        return [
            player
            for player, each in self.seats.items()
            if player in linked or same(secret, each.secret)
        ]

    def lets_watch(self, secret: str) -> bool:
        """Whether a secret lets somebody watch; a seat's secret does, too."""
        return bool(same(secret, self.watching) or self.link(secret) or self.invites(secret))

    def link(self, secret: str, *, shows: bool = False) -> Link | None:
        """Return the link with a secret, if it has not expired.

        Args:
            secret: the link's word.
            shows: whether it is one to `SHOW` the table; any other purpose if not.
        """
        links = (each for each in self.links if (each.purpose == SHOW) is shows and each.alive)
        return next((each for each in links if same(secret, each.word)), None)

    def owned(self, token: str) -> int | None:
        """Return the player whose seat a token owns."""
        return next((at for at, each in self.seats.items() if each.owned_by(token)), None)

    # On the disk

    def load(self, path: Path) -> None:
        """Load the registry from its file; missing or invalid values stay as they are."""
        values = read_small(path, _MAX_BYTES)
        self.id = valid(values.get("id"), Secret, "") or self.id
        self.watching = valid(values.get("watching"), Secret, "") or self.watching
        for player in self.seats:
            known = values.get(_key(player))
            if isinstance(known, dict):
                words = (valid(known.get(each), Secret, "") for each in ("secret", "owner"))
                self.seats[player] = GuestSeat(*words)

        with suppress(InvalidMessage):
            self.said = read_field("said", values.get("said"))

    def keep(self, path: Path) -> None:
        """Save the registry in a private file, if it has changed.

        Raises:
            OSError: it cannot be saved.
        """
        with self._keeping:
            values = {
                "id": self.id,
                "watching": self.watching,
                "terms": self.terms._asdict(),
                "said": write_field("said", self.said[-SAID_BEFORE:]),
                **{
                    _key(player): {"secret": each.secret, "owner": each.owner if each.known else ""}
                    for player, each in self.seats.items()
                },
            }
            if self._kept != (path, values):
                write_small(path, values, private=True)
                self._kept = path, values
                keep_newest(path.parent, _MOST)


class Hosted(NamedTuple):
    """How a match was hosted."""

    id: str
    """The host's; empty if it is not known."""
    players: tuple[int, ...]
    """The players who were guests."""
    terms: Terms


def kept_for(matches: Path, name: str) -> Path:
    """Return the path of a match's registry file, given the matches' directory and its id."""
    return matches.parent / _HOSTED / f"{name}.json"


def hosted(matches: Path, name: str) -> Hosted | None:
    """Return how a match was hosted, given the matches' directory and its id; None if not."""
    values = read_small(kept_for(matches, name), _MAX_BYTES)
    players = tuple(player for player in range(2) if _key(player) in values)
    if not values:
        return None
    known = valid(values.get("id"), Secret, "")
    return Hosted(known, players, valid_tuple(Terms, values.get("terms")))


def _key(player: int) -> str:
    return f"player {player}"


def same(one: str, other: str) -> bool:
    """Compare two secrets in constant time; an empty one equals nothing."""
    return bool(one and other) and compare_digest(one.encode(), other.encode())


def owner_of(token: str) -> str:
    """Return what is kept of a seat's token, which only its owner has."""
    return sha256(token.encode()).hexdigest()

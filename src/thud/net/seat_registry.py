"""The seats of a host's match: whose they are, and the terms for others.

An invitation's secret lets somebody in; the token that is given then makes the seat one's own.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping
from contextlib import suppress
from hashlib import sha256
from hmac import compare_digest
from pathlib import Path
from threading import Lock
from typing import Any, Final, NamedTuple

from thud.disk.small import keep_newest, read_small, write_small
from thud.net.codec import (
    MAX_NUMBER,
    MAX_ONLOOKERS,
    SAID_BEFORE,
    SECRET,
    WATCHERS,
    BadMessage,
    several,
    tuple_of,
)
from thud.net.transports.invitation import new_secret
from thud.net.updates import UPDATES
from thud.session.events import Said

_LONGEST_ADDRESS: Final = 300


CLAIM_AFTER: Final = 600
"""After how many seconds away a battle can be claimed, if nothing else is said."""


class Terms(NamedTuple):
    """On which terms a match is open to others."""

    neighbours: bool = False
    """Whether other users of this machine can come who are invited."""
    listen: tuple[str, int] | None = None
    """The address and the port at which anybody can who is invited."""
    watchers: int = WATCHERS
    """Spectators at a time."""
    hints: bool = False
    """Whether those who play may ask a computer."""
    chat: bool = True
    """Whether they may say something to one another."""
    waits: bool = False
    """Whether the clock stands still while a player at another place is away."""
    claim: int = CLAIM_AFTER
    """After how many seconds away a player can lose the battle by a claim; 0 for never."""
    word: str = ""
    """The token that anybody must show, this user as well; none where the user may always come."""


_USUAL: Final = Terms()


def read_terms(values: object) -> Terms:
    """Return the terms in an object of JSON; what is wrong in it is as by itself."""
    if not isinstance(values, Mapping):
        return Terms()
    return Terms(
        values.get("neighbours") is True,
        _endpoint(values.get("listen")),
        _number(values.get("watchers"), MAX_ONLOOKERS, WATCHERS),
        values.get("hints") is True,
        values.get("chat") is not False,
        values.get("waits") is True,
        _number(values.get("claim"), MAX_NUMBER, CLAIM_AFTER),
        _secret(values.get("word")),
    )


def _endpoint(value: Any) -> tuple[str, int] | None:
    match value:
        case [str(address), int(port)] if len(address) <= _LONGEST_ADDRESS and 0 <= port < 2**16:
            return address, port
    return None


def _number(value: object, most: int, usual: int) -> int:
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= most:
        return value
    return usual


_MAX_BYTES: Final = 1 << 16
_SAID: Final = several(tuple_of(UPDATES["said"].shape), 0, SAID_BEFORE)
_HOSTED: Final = "hosted"
"""The folder beside the matches in which stands whose seat is whose."""

_MOST: Final = 200
"""Tables whose seats are kept: those that changed last."""


class GuestSeat:
    """A seat for somebody elsewhere.

    Attributes:
        secret: what an invitation to it carries.
        owner: the hash of its owner's token, empty if nobody has taken it.
        known: whether the owner has shown that the token has arrived; until then nobody could come
            back with it to a host that was killed meanwhile, and the seat is not kept as taken.
    """

    def __init__(self, secret: str = "", owner: str = "") -> None:
        self.secret = secret or new_secret()
        self.owner = owner
        self.known = bool(owner)

    def owned_by(self, token: str) -> bool:
        """Say whether a token is its owner's."""
        return bool(token and self.owner) and same(_hash(token), self.owner)

    def free(self) -> None:
        """Free the seat: its owner's token stops working."""
        self.owner, self.known = "", False

    def take(self) -> str:
        """Give it to somebody else; return the new owner's token."""
        token = new_secret()
        self.owner, self.known = _hash(token), False
        return token


class SeatRegistry:
    """The seats for people elsewhere at one table.

    Args:
        players: whose seats these are.
        terms: on which terms others can come.

    Attributes:
        id: what the host is known by, from the first evening to the last.
        watching: what an invitation to watch carries.
        seats: the seats, by their players.
        terms: on which terms others can come.
        said: what was said last, to be told again when the match is gone on with.
    """

    def __init__(self, players: Iterable[int], terms: Terms = _USUAL) -> None:
        self.id = secrets.token_hex(4)
        self.watching = new_secret()
        self.seats = {player: GuestSeat() for player in players}
        self.terms = terms
        self.said: tuple[Said, ...] = ()
        self._kept: tuple[Path, dict[str, Any]] | None = None
        self._keeping = Lock()

    def admit_by(self, word: str) -> None:
        """Make one secret the invitation to all seats, and to watch."""
        self.watching = word
        for seat in self.seats.values():
            seat.secret = word

    def invites(self, secret: str) -> list[int]:
        """Return the players whose seats a secret invites to."""
        return [player for player, each in self.seats.items() if same(secret, each.secret)]

    def lets_watch(self, secret: str) -> bool:
        """Say whether a secret lets somebody watch; what invites to a seat does, too."""
        return same(secret, self.watching) or bool(self.invites(secret))

    def owned(self, token: str) -> int | None:
        """Return the player whose seat belongs to the owner of a token."""
        return next((at for at, each in self.seats.items() if each.owned_by(token)), None)

    # On the disk

    def load(self, path: Path) -> None:
        """Go on as it was when that was kept in a file; what is not there or wrong stays."""
        values = read_small(path, _MAX_BYTES)
        self.id = _secret(values.get("id")) or self.id
        self.watching = _secret(values.get("watching")) or self.watching
        for player in self.seats:
            known = values.get(_key(player))
            if isinstance(known, dict):
                secret, owner = _secret(known.get("secret")), _secret(known.get("owner"))
                self.seats[player] = GuestSeat(secret, owner)

        with suppress(BadMessage):
            self.said = tuple(_SAID.read(values.get("said")))  # type: ignore[arg-type]

    def keep(self, path: Path) -> None:
        """Keep it in a file that nobody else can read, if it is not there already.

        Raises:
            OSError: that is not possible.
        """
        with self._keeping:
            self._keep(path)

    def _keep(self, path: Path) -> None:
        values = {
            "id": self.id,
            "watching": self.watching,
            "terms": self.terms._asdict(),
            "said": _SAID.write(self.said[-SAID_BEFORE:]),
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

    players: tuple[int, ...]
    """Who of its players came from another place."""
    terms: Terms


def kept_for(matches: Path, name: str) -> Path:
    """Return where is kept how a match was hosted, of those in a directory, by its id."""
    return matches.parent / _HOSTED / f"{name}.json"


def hosted(matches: Path, name: str) -> Hosted | None:
    """Return how a match was hosted, of those in a directory, by its id; None if it was not."""
    values = read_small(kept_for(matches, name), _MAX_BYTES)
    players = tuple(player for player in range(2) if _key(player) in values)
    return Hosted(players, read_terms(values.get("terms"))) if values else None


def _key(player: int) -> str:
    return f"player {player}"


def same(one: str, other: str) -> bool:
    """Compare two secrets, in a time that tells nothing of them; nothing is no secret."""
    return bool(one and other) and compare_digest(one.encode(), other.encode())


def _hash(token: str) -> str:
    return sha256(token.encode()).hexdigest()


def _secret(value: object) -> str:
    with suppress(BadMessage):
        return str(SECRET.read(value))
    return ""

"""The messages between guest and host; docs/protocol.md describes them.

Each is one line of UTF-8, a JSON object with its kind in `m`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, TypeAlias

from msgspec import Struct
from msgspec.json import encode as json_line
from msgspec.structs import replace

from thud.net.codec import (
    MAX_TOLD_LINE,
    InvalidMessage,
    ProtocolError,
    object_in,
    read_as,
    written,
)
from thud.net.updates import KINDS, UPDATES, Update
from thud.rules.clock import Times
from thud.rules.position import Side
from thud.session.events import ProposeEnd, Said, Wish
from thud.session.law import AT_ANY_TIME, REQUESTS, Request
from thud.text import quoted

# From guests


class Ask(Struct, frozen=True):
    """Ask for the host's id, by which a guest finds the token of its seat."""

    thud: int
    secret: str = ""


class Hello(Struct, frozen=True):
    """Ask to play or to watch."""

    thud: int
    want: str
    """`SEAT`, `WATCH` or `SHOW`."""
    name: str
    secret: str = ""
    """The invitation's secret."""
    token: str = ""
    """The token of the guest's seat."""
    seat: int | None = None
    """The player it wants to be; None for any."""


class Asked(Struct, frozen=True):
    """A player's request; answered by `Done` or `Refused`, in order."""

    request: Request
    """One of `REQUESTS`; a move is written as text."""
    at: int | None = None
    """The number of changes of the match that it refers to; None if it holds at any time."""


class Ping(Struct, frozen=True):
    """Keepalive; answered by `Pong`."""


class Bye(Struct, frozen=True):
    """Leave; the seat stays one's own."""


class _Revision(Struct, frozen=True):
    """The state of the match that a request refers to."""

    at: int


FromGuest: TypeAlias = Ask | Hello | Asked | Ping | Bye

# From hosts


class Welcome(Struct, frozen=True):
    """The client is admitted."""

    thud: int
    id: str
    """The host's id, the same as long as this table is open."""
    hints: bool
    chat: bool
    seat: int | None = None
    """Which player it is, None for a spectator."""
    token: str = ""
    """The token for returning to the seat."""
    waits: bool = False
    """Whether the clock stops while a player is away."""
    claim: int = 0
    """Seconds away after which the opponent may claim the battle; 0 for never."""
    arranged: bool = False
    """Whether no other match follows, and the clock runs from the start of each battle."""


class Table(Struct, frozen=True):
    """The host's id."""

    thud: int
    id: str


class Snapshot(Struct, frozen=True):
    """Everything about the match now."""

    seq: int
    """Sequence number of the last event before it."""
    number: int
    """Count of changes to the match; requests refer to it."""
    match: str
    """The host's id for this match."""
    record: str
    """The match in the text format."""
    present: tuple[bool, ...]
    """Presence of player 0 and of player 1."""
    onlookers: tuple[str, ...] = ()
    proposed: Side | None = None
    """The side that has proposed something, if any."""
    wish: Wish = ProposeEnd()
    clock: Times | None = None
    """The clock, if there is one."""
    not_kept: str = ""
    """Why the match is not saved at the host's; empty if it is."""
    said: tuple[Said, ...] = ()
    """The latest chat messages."""


class EventUpdate(Struct, frozen=True):
    """An event."""

    seq: int
    number: int
    match: str
    update: Update | None = None
    """None for an unknown kind, which changes nothing in the match."""


class Done(Struct, frozen=True):
    """A guest's request was carried out, and its events sent."""


class Refused(Struct, frozen=True):
    """A guest's request was refused, and why."""

    because: str
    late: bool = False
    """Whether the request refers to an earlier state of the match."""


class Closed(Struct, frozen=True):
    """The connection ends, and why."""

    because: str
    again: bool = False
    """Whether reconnecting makes sense."""
    away: str = ""
    """The player who left and may be back, if that is the reason."""


class Pong(Struct, frozen=True):
    """Answer to `Ping`."""


FromHost: TypeAlias = Table | Welcome | Snapshot | EventUpdate | Done | Refused | Closed | Pong
Message: TypeAlias = FromGuest | FromHost


GREETINGS: Final[dict[str, type[Any]]] = {
    each.__name__.lower(): each for each in (Ask, Hello, Ping, Bye)
}
"""Guests' messages except requests, by kind."""

FROM_HOST: Final[dict[str, type[Any]]] = {
    each.__name__.lower(): each for each in (Table, Welcome, Snapshot, Done, Refused, Closed, Pong)
}
"""Hosts' messages except events, by kind."""

_FROM_GUEST: Final = GREETINGS | REQUESTS
_EVENT: Final = "event"
_KINDS: Final = {each: kind for kind, each in (_FROM_GUEST | FROM_HOST).items()}


def encode(message: Message) -> bytes:
    """Encode a message as a line, newline included."""
    if isinstance(message, EventUpdate):
        kind = {"kind": KINDS[type(message.update)]}
        values = {"m": _EVENT, **written(message), **kind, **written(message.update)}
    elif isinstance(message, Asked):
        at = {} if message.at is None else {"at": message.at}
        values = {"m": _KINDS[type(message.request)], **at, **written(message.request)}
    else:
        values = {"m": _KINDS[type(message)], **written(message)}
    return json_line(values) + b"\n"


def decode_guest(line: bytes) -> FromGuest:
    """Decode a guest's line.

    Raises:
        ProtocolError: the line is no message.
        InvalidMessage: the message is unknown or invalid.
    """
    values = object_in(line)
    message: Any = _read(_FROM_GUEST, values)
    if isinstance(message, AT_ANY_TIME):
        return Asked(message)
    if isinstance(message, Request):
        return Asked(message, read_as(_Revision, values).at)
    greeting: Ask | Hello | Ping | Bye = message
    return greeting


def decode_host(line: bytes) -> FromHost:
    """Decode a host's line.

    Raises:
        ProtocolError: the line is no message, or too long for its kind.
        InvalidMessage: the message is unknown or invalid.
    """
    values = object_in(line)
    if len(line) > MAX_TOLD_LINE and values.get("m") != "snapshot":
        raise ProtocolError("a message is too long")
    if values.get("m") == _EVENT:
        told: EventUpdate = read_as(EventUpdate, values)
        kind = UPDATES.get(str(values.get("kind")))
        return replace(told, update=read_as(kind, values)) if kind else told
    message: FromHost = _read(FROM_HOST, values)
    return message


def _read(known: Mapping[str, type[Any]], values: Mapping[str, object]) -> Any:
    kind = values.get("m")
    if isinstance(kind, str) and kind in known:
        return read_as(known[kind], values)
    raise InvalidMessage(f"there is no message {quoted(kind) if isinstance(kind, str) else 'that'}")

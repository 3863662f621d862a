"""The messages between guest and host; docs/protocol.md describes them.

Each is one line of UTF-8, a JSON object with its kind in `m`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Annotated, Any, Final, NamedTuple, TypeAlias

from thud.net import codec
from thud.net.codec import (
    InvalidMessage,
    ProtocolError,
    Schema,
    object_in,
    read_as,
    schema_of,
    unfit,
    written,
)
from thud.net.updates import KINDS, UPDATES, Update
from thud.rules.clock import Times
from thud.rules.position import Side
from thud.session.events import Said, Wish
from thud.session.requests import (
    Answer,
    Claim,
    GiveSeat,
    NewMatch,
    NextBattle,
    Play,
    ProposeEnd,
    Request,
    Resign,
    Say,
    Undo,
    Withdraw,
)

SEAT: Final = "seat"
WATCH: Final = "watch"
"""A client's purpose: to play or to watch."""


_At: TypeAlias = Annotated[int, codec.COUNT]
_Flag: TypeAlias = Annotated[bool, codec.TRUTH]
_Name: TypeAlias = Annotated[str, codec.NAME]
_Secret: TypeAlias = Annotated[str, codec.SECRET]
_Seat: TypeAlias = Annotated[int | None, codec.PLAYER]
_Sentence: TypeAlias = Annotated[str, codec.SENTENCE]
_Version: TypeAlias = Annotated[int, codec.THIS_VERSION]
_Wish: TypeAlias = Annotated[Wish, codec.WISH]

# From guests


class Ask(NamedTuple):
    """Ask for the host's id, by which a guest finds the token of its seat."""

    thud: _Version
    secret: _Secret = ""


class Hello(NamedTuple):
    """Ask to play or to watch."""

    thud: _Version
    want: Annotated[str, codec.one_of(SEAT, WATCH)]
    name: _Name
    secret: _Secret = ""
    """The invitation's secret."""
    token: _Secret = ""
    """The token of the guest's seat."""
    seat: _Seat = None
    """The player it wants to be; None for any."""


class Asked(NamedTuple):
    """A player's request; answered by `Done` or `Refused`, in order."""

    request: Request
    """One of `REQUESTS`; a move is written as text."""
    at: int | None = None
    """The number of changes of the match that it refers to; None if it holds at any time."""


class Ping(NamedTuple):
    """Keepalive; answered by `Pong`."""


class Bye(NamedTuple):
    """Leave; the seat stays one's own."""


class _State(NamedTuple):
    """The state of the match that a request refers to."""

    at: _At


FromGuest: TypeAlias = Ask | Hello | Asked | Ping | Bye

# From hosts


class Welcome(NamedTuple):
    """The client is admitted."""

    thud: _Version
    id: _Secret
    """The host's id, the same as long as this table is open."""
    hints: _Flag
    chat: _Flag
    seat: _Seat = None
    """Which player it is, None for a spectator."""
    token: _Secret = ""
    """The token for returning to the seat."""
    waits: _Flag = False
    """Whether the clock stops while a player is away."""
    claim: Annotated[int, codec.COUNT] = 0
    """Seconds away after which the opponent may claim the battle; 0 for never."""


class Table(NamedTuple):
    """The host's id."""

    thud: _Version
    id: _Secret


class Snapshot(NamedTuple):
    """Everything about the match now."""

    seq: _At
    """Sequence number of the last event before it."""
    number: _At
    """Count of changes to the match; requests refer to it."""
    match: _Secret
    """The host's id for this match."""
    record: Annotated[str, codec.lines(codec.MAX_SNAPSHOT_LINE)]
    """The match in the text format."""
    present: Annotated[tuple[bool, ...], codec.several(codec.TRUTH, 2, 2)]
    """Presence of player 0 and of player 1."""
    onlookers: Annotated[tuple[str, ...], codec.several(codec.NAME, 0, codec.MAX_ONLOOKERS)] = ()
    proposed: Annotated[Side | None, codec.SIDE] = None
    """The side that has proposed something, if any."""
    wish: _Wish = Wish.END
    clock: Annotated[Times | None, codec.CLOCK] = None
    """The clock, if there is one."""
    not_kept: _Sentence = ""
    """Why the match is not saved at the host's; empty if it is."""
    said: Annotated[
        tuple[Said, ...],
        codec.several(codec.tuple_of(UPDATES["said"].schema), 0, codec.SAID_BEFORE),
    ] = ()
    """The latest chat messages."""


class Told(NamedTuple):
    """An event."""

    seq: _At
    number: _At
    match: _Secret
    update: Update | None = None
    """None for an unknown kind, which changes nothing in the match."""


class Done(NamedTuple):
    """A guest's request was carried out, and its events sent."""


class Refused(NamedTuple):
    """A guest's request was refused, and why."""

    because: _Sentence
    late: _Flag = False
    """Whether the request refers to an earlier state of the match."""


class Closed(NamedTuple):
    """The connection ends, and why."""

    because: _Sentence
    again: _Flag = False
    """Whether reconnecting makes sense."""
    away: _Name = ""
    """The player who left and may be back, if that is the reason."""


class Pong(NamedTuple):
    """Answer to `Ping`."""


FromHost: TypeAlias = Table | Welcome | Snapshot | Told | Done | Refused | Closed | Pong
Message: TypeAlias = FromGuest | FromHost


AT_ANY_TIME: Final = Say | GiveSeat
"""Requests that do not depend on the state of the match."""

REQUESTS: Final = {
    "play": Schema(Play, {"move": codec.MOVE}),
    "end": Schema(ProposeEnd, {}),
    "undo": Schema(Undo, {}),
    "resign": Schema(Resign, {}),
    "claim": Schema(Claim, {}),
    "answer": Schema(Answer, {"agree": codec.TRUTH, "wish": codec.WISH}),
    "withdraw": Schema(Withdraw, {}),
    "next": Schema(NextBattle, {}),
    "new": Schema(NewMatch, {}),
    "say": Schema(Say, {"text": codec.CHAT}),
    "give": Schema(GiveSeat, {}),
}
"""Requests that a guest can make, by kind, without the state that they refer to."""

GUEST_SCHEMAS: Final = {each.__name__.lower(): schema_of(each) for each in (Ask, Hello, Ping, Bye)}
"""Guests' messages except requests, by kind."""

HOST_SCHEMAS: Final = {
    each.__name__.lower(): schema_of(each)
    for each in (Table, Welcome, Snapshot, Done, Refused, Closed, Pong)
}
"""Hosts' messages except events, by kind."""

_EVENT: Final = "event"
_TOLD: Final = schema_of(Told)
_AT: Final = schema_of(_State)
_SCHEMAS: Final = {
    schema.type: (kind, schema)
    for kind, schema in (GUEST_SCHEMAS | REQUESTS | HOST_SCHEMAS).items()
}


def encode(message: Message) -> bytes:
    """Encode a message as a line, newline included."""
    if isinstance(message, Told):
        kind = KINDS[type(message.update)]
        update = written(UPDATES[kind].schema, message.update)
        values = {"m": _EVENT, **written(_TOLD, message), "kind": kind, **update}
    elif isinstance(message, Asked):
        kind, schema = _SCHEMAS[type(message.request)]
        at = {} if message.at is None else {"at": message.at}
        values = {"m": kind, **at, **written(schema, message.request)}
    else:
        kind, schema = _SCHEMAS[type(message)]
        values = {"m": kind, **written(schema, message)}
    return json.dumps(values, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def decode_guest(line: bytes) -> FromGuest:
    """Decode a guest's line.

    Raises:
        ProtocolError: the line is no message.
        InvalidMessage: the message is unknown or invalid.
    """
    values = object_in(line)
    message: Any = read_as(_schema_of(values, GUEST_SCHEMAS | REQUESTS), values)
    if isinstance(message, AT_ANY_TIME):
        return Asked(message)
    if isinstance(message, Request):
        return Asked(message, read_as(_AT, values).at)
    greeting: Ask | Hello | Ping | Bye = message
    return greeting


def decode_host(line: bytes) -> FromHost:
    """Decode a host's line.

    Raises:
        ProtocolError: the line is no message, or too long for its kind.
        InvalidMessage: the message is unknown or invalid.
    """
    values = object_in(line)
    if len(line) > codec.MAX_TOLD_LINE and values.get("m") != "snapshot":
        raise ProtocolError("a message is too long")
    if values.get("m") == _EVENT:
        return _told(values)
    message: FromHost = read_as(_schema_of(values, HOST_SCHEMAS), values)
    return message


def _told(values: Mapping[str, object]) -> Told:
    told: Told = read_as(_TOLD, values)
    known = UPDATES.get(str(values.get("kind")))
    return told._replace(update=read_as(known.schema, values)) if known else told


def _schema_of(values: Mapping[str, object], known: Mapping[str, Schema]) -> Schema:
    kind = values.get("m")
    if isinstance(kind, str) and kind in known:
        return known[kind]
    raise InvalidMessage(f"there is no message {unfit(kind)}")

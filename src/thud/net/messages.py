"""The messages between guest and host; docs/protocol.md describes them.

Each is one line of UTF-8, a JSON object, whose kind stands in `m`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Annotated, Final, NamedTuple, TypeAlias, get_args

from thud.net import codec
from thud.net.codec import BadMessage, Garbage, Shape, object_in, read_as, shape_of, unfit, written
from thud.net.updates import KINDS, UPDATES, Update
from thud.rules.clock import Times
from thud.rules.position import Side
from thud.session.events import Said, Wish

SEAT: Final = "seat"
WATCH: Final = "watch"
"""What a client comes for."""


_At: TypeAlias = Annotated[int, codec.COUNT]
_Flag: TypeAlias = Annotated[bool, codec.TRUTH]
_Name: TypeAlias = Annotated[str, codec.NAME]
_Secret: TypeAlias = Annotated[str, codec.SECRET]
_Seat: TypeAlias = Annotated[int | None, codec.PLAYER]
_Sentence: TypeAlias = Annotated[str, codec.SENTENCE]
_Version: TypeAlias = Annotated[int, codec.THIS_VERSION]
_Wish: TypeAlias = Annotated[Wish, codec.WISH]

# What a guest says


class Ask(NamedTuple):
    """Somebody wants to know which host this is, to find the token of the seat that is theirs."""

    thud: _Version
    secret: _Secret = ""


class Hello(NamedTuple):
    """Somebody wants to play or to watch."""

    thud: _Version
    want: Annotated[str, codec.one_of(SEAT, WATCH)]
    name: _Name
    secret: _Secret = ""
    """What an invitation carries."""
    token: _Secret = ""
    """The token of the seat's owner."""
    seat: _Seat = None
    """The player it wants to be, if it minds."""


class Play(NamedTuple):
    """Play a move."""

    at: _At
    move: Annotated[str, codec.MOVE]


class End(NamedTuple):
    """Propose to end the battle."""

    at: _At


class Undo(NamedTuple):
    """Ask for the last move back."""

    at: _At


class Resign(NamedTuple):
    """Resign the battle."""

    at: _At


class Claim(NamedTuple):
    """Claim the battle of a player who has been away for too long."""

    at: _At


class Answer(NamedTuple):
    """Agree to what the other player proposes, or do not."""

    at: _At
    agree: _Flag
    wish: _Wish


class Withdraw(NamedTuple):
    """Propose no longer what was proposed."""

    at: _At


class Next(NamedTuple):
    """Begin the second battle."""

    at: _At


class New(NamedTuple):
    """Begin another match, once this one is over."""

    at: _At


class Say(NamedTuple):
    """Say something to the other player."""

    text: Annotated[str, codec.CHAT]


class Give(NamedTuple):
    """Give the seat of a player who is away to whoever asks for it."""


class Ping(NamedTuple):
    """Show that the connection is there, and ask whether it is."""


class Bye(NamedTuple):
    """Go; the seat stays one's own."""


Request: TypeAlias = (
    Play | End | Undo | Resign | Claim | Answer | Withdraw | Next | New | Say | Give
)
"""A guest's request: each is answered by `Done` or `Refused`, in order."""

FromGuest: TypeAlias = Ask | Hello | Request | Ping | Bye

# What a host says


class Welcome(NamedTuple):
    """The client is let in."""

    thud: _Version
    id: _Secret
    """The host's id, for as long as this table is open."""
    hints: _Flag
    chat: _Flag
    seat: _Seat = None
    """Which player it is, None for a spectator."""
    token: _Secret = ""
    """The token with which it returns to its seat."""
    waits: _Flag = False
    """Whether the clock stands still while a player is away."""
    claim: Annotated[int, codec.COUNT] = 0
    """After how many seconds away a player can lose the battle by a claim; 0 for never."""


class Table(NamedTuple):
    """Which host this is."""

    thud: _Version
    id: _Secret


class Snapshot(NamedTuple):
    """Everything about the match now."""

    seq: _At
    """The number of the last event before it."""
    number: _At
    """Count of changes to the match; decisions name it."""
    match: _Secret
    """The host's name for this match."""
    record: Annotated[str, codec.lines(codec.MAX_SNAPSHOT_LINE)]
    """The match in the text format."""
    present: Annotated[tuple[bool, ...], codec.several(codec.TRUTH, 2, 2)]
    """Whether player 0 is there, and player 1."""
    onlookers: Annotated[tuple[str, ...], codec.several(codec.NAME, 0, codec.MAX_ONLOOKERS)] = ()
    proposed: Annotated[Side | None, codec.SIDE] = None
    """The side whose proposal is open, if there is one."""
    wish: _Wish = Wish.END
    clock: Annotated[Times | None, codec.CLOCK] = None
    """The clock, if there is one."""
    not_kept: _Sentence = ""
    """Why the match is not on the host's disk as it is now, if it is not."""
    said: Annotated[
        tuple[Said, ...], codec.several(codec.tuple_of(UPDATES["said"].shape), 0, codec.SAID_BEFORE)
    ] = ()
    """Chat last."""


class Told(NamedTuple):
    """Something has happened."""

    seq: _At
    number: _At
    match: _Secret
    update: Update | None = None
    """None is of a kind that is not known here, and changes nothing in the match."""


class Done(NamedTuple):
    """A guest's request has been done, and announced."""


class Refused(NamedTuple):
    """A guest's request has been refused, and why."""

    because: _Sentence
    late: _Flag = False
    """Whether it was decided about an earlier state of the match."""


class Closed(NamedTuple):
    """The connection ends, and why."""

    because: _Sentence
    again: _Flag = False
    """Whether it is worth while to come back."""
    away: _Name = ""
    """The player who has left and may be back, if that is the reason."""


class Pong(NamedTuple):
    """The connection is there."""


FromHost: TypeAlias = Table | Welcome | Snapshot | Told | Done | Refused | Closed | Pong
Message: TypeAlias = FromGuest | FromHost


GUEST_SHAPES: Final = {
    each.__name__.lower(): shape_of(each) for each in (Ask, Hello, *get_args(Request), Ping, Bye)
}
"""The kinds of messages of a guest."""

HOST_SHAPES: Final = {
    each.__name__.lower(): shape_of(each)
    for each in (Table, Welcome, Snapshot, Done, Refused, Closed, Pong)
}
"""The kinds of messages of a host, besides events."""

_EVENT: Final = "event"
_TOLD: Final = shape_of(Told)
_SHAPES: Final = {shape.type: (kind, shape) for kind, shape in (GUEST_SHAPES | HOST_SHAPES).items()}


def encode(message: Message) -> bytes:
    """Return a message as a line, its end included."""
    if isinstance(message, Told):
        kind = KINDS[type(message.update)]
        update = written(UPDATES[kind].shape, message.update)
        values = {"m": _EVENT, **written(_TOLD, message), "kind": kind, **update}
    else:
        kind, shape = _SHAPES[type(message)]
        values = {"m": kind, **written(shape, message)}
    return json.dumps(values, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def decode_guest(line: bytes) -> FromGuest:
    """Return what a guest says in a line.

    Raises:
        Garbage: the line is no message.
        BadMessage: it is one that is not known, or has something wrong in it.
    """
    values = object_in(line)
    message: FromGuest = read_as(_shape_of(values, GUEST_SHAPES), values)
    return message


def decode_host(line: bytes) -> FromHost:
    """Return what a host says in a line.

    Raises:
        Garbage: the line is no message, or one too long for its kind.
        BadMessage: it is one that is not known, or has something wrong in it.
    """
    values = object_in(line)
    if len(line) > codec.MAX_TOLD_LINE and values.get("m") != "snapshot":
        raise Garbage("a message is too long")
    if values.get("m") == _EVENT:
        return _told(values)
    message: FromHost = read_as(_shape_of(values, HOST_SHAPES), values)
    return message


def _told(values: Mapping[str, object]) -> Told:
    told: Told = read_as(_TOLD, values)
    known = UPDATES.get(str(values.get("kind")))
    return told._replace(update=read_as(known.shape, values)) if known else told


def _shape_of(values: Mapping[str, object], known: Mapping[str, Shape]) -> Shape:
    kind = values.get("m")
    if isinstance(kind, str) and kind in known:
        return known[kind]
    raise BadMessage(f"there is no message {unfit(kind)}")

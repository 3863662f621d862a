"""The messages between a guest and a host, to and from lines; docs/protocol.md describes them.

Each is one line of UTF-8, a JSON object, whose kind stands in `m`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Final, NamedTuple, TypeAlias

from thud.net import news
from thud.net.codec import (
    CLOCK,
    COUNT,
    MAX_CHAT,
    MAX_NAME,
    MAX_ONLOOKERS,
    MAX_SENTENCE,
    MAX_SNAPSHOT_LINE,
    MAX_TOLD_LINE,
    PLAYER,
    SAID_BEFORE,
    SECRET,
    SIDE,
    THIS_VERSION,
    TRUTH,
    BadMessage,
    Garbage,
    Shape,
    lines,
    object_in,
    one_of,
    read_as,
    several,
    text,
    tuple_of,
    unfit,
    written,
)
from thud.net.news import MOVE, WISH, News
from thud.rules.clock import Times
from thud.rules.position import Side
from thud.session.events import Wish

SEAT: Final = "seat"
WATCH: Final = "watch"
"""What a client wants of a host."""


# What a guest says


class Ask(NamedTuple):
    """Somebody wants to know which host this is, to find the token of the seat that is theirs."""

    thud: int
    secret: str = ""


class Hello(NamedTuple):
    """Somebody wants to play or to watch."""

    thud: int
    want: str
    name: str
    secret: str = ""
    """What an invitation carries."""
    token: str = ""
    """What the owner of a seat was given."""
    seat: int | None = None
    """Which player it wants to be, if that is not all the same."""


class Play(NamedTuple):
    """Play a move."""

    at: int
    move: str


class End(NamedTuple):
    """Propose to end the battle."""

    at: int


class Undo(NamedTuple):
    """Ask for the last move back."""

    at: int


class Answer(NamedTuple):
    """Agree to what the other player proposes, or do not."""

    at: int
    agree: bool
    wish: Wish


class Withdraw(NamedTuple):
    """Propose no longer what was proposed."""

    at: int


class Next(NamedTuple):
    """Begin the second battle."""

    at: int


class New(NamedTuple):
    """Begin another match, once this one is over."""

    at: int


class Say(NamedTuple):
    """Say something to the other player."""

    text: str


class Ping(NamedTuple):
    """Say that the line is there, and ask whether it is."""


class Bye(NamedTuple):
    """Go; the seat stays one's own."""


Request: TypeAlias = Play | End | Undo | Answer | Withdraw | Next | New | Say
"""What a guest wants done: each is answered by `Done` or `Refused`, in their order."""

FromGuest: TypeAlias = Ask | Hello | Request | Ping | Bye

# What a host says


class Welcome(NamedTuple):
    """The client is let in."""

    thud: int
    id: str
    """What the host is known by, for as long as it lets people come to this table."""
    hints: bool
    chat: bool
    seat: int | None = None
    """Which player it is, None for a spectator."""
    token: str = ""
    """What it shows to come back to its seat."""
    waits: bool = False
    """Whether the clock stands still while a player is away."""


class Table(NamedTuple):
    """Which host this is."""

    thud: int
    id: str


class Snapshot(NamedTuple):
    """Everything about the match now."""

    seq: int
    """The number of the last event before it."""
    number: int
    """How often the match has changed: what is decided is decided at this number."""
    match: str
    """The host's name for this match."""
    record: str
    """The match in the text format."""
    present: tuple[bool, ...]
    """Whether player 0 is there, and player 1."""
    onlookers: tuple[str, ...] = ()
    proposed: Side | None = None
    """Whose wish is not answered yet, if there is one."""
    wish: Wish = Wish.END
    clock: Times | None = None
    """How the clock stands, if there is one."""
    not_kept: str = ""
    """Why the match is not on the host's disk as it is now, if it is not."""
    said: tuple[news.Said, ...] = ()
    """What was said last."""


class Told(NamedTuple):
    """Something has happened."""

    seq: int
    number: int
    match: str
    news: News | None
    """None is of a kind that is not known here, and changes nothing in the match."""


class Done(NamedTuple):
    """What a guest wanted is done, and has been told."""


class Refused(NamedTuple):
    """What a guest wanted is not done, and why."""

    because: str
    late: bool = False
    """Whether it was decided about an earlier state of the match."""


class Closed(NamedTuple):
    """The line ends, and why."""

    because: str
    again: bool = False
    """Whether it is worth while to come back."""
    away: str = ""
    """Who has gone, and may be back, if that is why."""


class Pong(NamedTuple):
    """The line is there."""


FromHost: TypeAlias = Table | Welcome | Snapshot | Told | Done | Refused | Closed | Pong
Message: TypeAlias = FromGuest | FromHost


class _Envelope(NamedTuple):
    """What every event has, whatever it tells."""

    seq: int
    number: int
    match: str


_AT: Final = {"at": COUNT}
_ID: Final = SECRET
_SENTENCE: Final = text(MAX_SENTENCE)
_NAME: Final = text(MAX_NAME)
_NUMBERED: Final = {"seq": COUNT, "number": COUNT, "match": _ID}
_ENVELOPE: Final = Shape(_Envelope, _NUMBERED)

GUEST_SHAPES: Final = {
    "ask": Shape(Ask, {"thud": THIS_VERSION, "secret": SECRET}),
    "hello": Shape(
        Hello,
        {
            "thud": THIS_VERSION,
            "want": one_of(SEAT, WATCH),
            "name": _NAME,
            "secret": SECRET,
            "token": SECRET,
            "seat": PLAYER,
        },
    ),
    "play": Shape(Play, {**_AT, "move": MOVE}),
    "end": Shape(End, _AT),
    "undo": Shape(Undo, _AT),
    "answer": Shape(Answer, {**_AT, "agree": TRUTH, "wish": WISH}),
    "withdraw": Shape(Withdraw, _AT),
    "next": Shape(Next, _AT),
    "new": Shape(New, _AT),
    "say": Shape(Say, {"text": text(MAX_CHAT)}),
    "ping": Shape(Ping, {}),
    "bye": Shape(Bye, {}),
}
"""The kinds of messages of a guest."""

HOST_SHAPES: Final = {
    "table": Shape(Table, {"thud": THIS_VERSION, "id": _ID}),
    "welcome": Shape(
        Welcome,
        {
            "thud": THIS_VERSION,
            "id": _ID,
            "hints": TRUTH,
            "chat": TRUTH,
            "seat": PLAYER,
            "token": SECRET,
            "waits": TRUTH,
        },
    ),
    "snapshot": Shape(
        Snapshot,
        {
            **_NUMBERED,
            "record": lines(MAX_SNAPSHOT_LINE),
            "present": several(TRUTH, 2, 2),
            "onlookers": several(_NAME, 0, MAX_ONLOOKERS),
            "proposed": SIDE,
            "wish": WISH,
            "clock": CLOCK,
            "not_kept": _SENTENCE,
            "said": several(tuple_of(news.SHAPES["said"]), 0, SAID_BEFORE),
        },
    ),
    "done": Shape(Done, {}),
    "refused": Shape(Refused, {"because": _SENTENCE, "late": TRUTH}),
    "closed": Shape(Closed, {"because": _SENTENCE, "again": TRUTH, "away": _NAME}),
    "pong": Shape(Pong, {}),
}
"""The kinds of messages of a host, besides events."""

_EVENT: Final = "event"
_SHAPES: Final = {**GUEST_SHAPES, **HOST_SHAPES}
_KINDS: Final = {shape.type: kind for kind, shape in _SHAPES.items()}
_NEWS: Final = {shape.type: kind for kind, shape in news.SHAPES.items()}


def encode(message: Message) -> bytes:
    """Return a message as a line, its end included."""
    if isinstance(message, Told):
        values = {"m": _EVENT, **_told_values(message)}
    else:
        kind = _KINDS[type(message)]
        values = {"m": kind, **written(_SHAPES[kind], message)}
    return json.dumps(values, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def _told_values(message: Told) -> dict[str, object]:
    assert message.news is not None
    kind = _NEWS[type(message.news)]
    envelope = {"seq": message.seq, "number": message.number, "match": message.match}
    return {**envelope, "kind": kind, **written(news.SHAPES[kind], message.news)}


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
    if len(line) > MAX_TOLD_LINE and values.get("m") != "snapshot":
        raise Garbage("a message is too long")
    if values.get("m") == _EVENT:
        return _told(values)
    message: FromHost = read_as(_shape_of(values, HOST_SHAPES), values)
    return message


def _told(values: Mapping[str, object]) -> Told:
    seq, number, match = read_as(_ENVELOPE, values)
    shape = news.SHAPES.get(str(values.get("kind")))
    return Told(seq, number, match, read_as(shape, values) if shape else None)


def _shape_of(values: Mapping[str, object], known: Mapping[str, Shape]) -> Shape:
    kind = values.get("m")
    if isinstance(kind, str) and kind in known:
        return known[kind]
    raise BadMessage(f"there is no message {unfit(kind)}")

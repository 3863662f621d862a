"""Codec of messages: bounded JSON lines with typed fields."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import cache
from typing import Annotated, Any, Final, Literal, NamedTuple, NoReturn, TypeAlias

from msgspec import Meta, convert

from thud.rules.clock import LONGEST, MOST_PERIODS, TimeLeft, Times
from thud.rules.match import LONGEST_NAME
from thud.rules.notation import MAX_TEXT
from thud.rules.position import Side
from thud.rules.variant import Reason
from thud.session.events import NewMatch, ProposeEnd, Said, Undo
from thud.session.participants import LONGEST_WORDS, SEAT, SHOW, WATCH
from thud.text import few_marks, prints, quoted

VERSION: Final = 1
"""Protocol version."""

MAX_GUEST_LINE: Final = 4096
"""Longest line from a guest, in bytes, newline included."""

MAX_TOLD_LINE: Final = 8192
"""Longest line from a host except a snapshot, in bytes."""

MAX_SNAPSHOT_LINE: Final = 1 << 20
"""Longest line from a host, in bytes: the snapshot of a long match."""

MAX_NAME: Final = LONGEST_NAME
MAX_CHAT: Final = LONGEST_WORDS
MAX_SENTENCE: Final = 500
"""Most characters of a name, of a chat message, and of a sentence from a host."""

MAX_NUMBER: Final = 10**9
"""Highest value of a count."""

MAX_ONLOOKERS: Final = 64
WATCHERS: Final = 16
"""Most spectators of a host, and the default limit."""

SAID_BEFORE: Final = 20
"""Chat messages sent to a newcomer."""

MAX_CONNECTIONS: Final = 96
"""Most clients of a host at a time, including those before the handshake."""

OUTBOX: Final = 256
"""Most messages queued for a slow reader; one more disconnects it."""

PACE: Final = 20.0
BURST: Final = 40
"""Rate limit of messages read from a guest: refill a second, and burst."""

TOLD_PACE: Final = 500.0
TOLD_BURST: Final = 500
"""The same for a host: faster than two computers ever play."""

CHATS: Final = 5
CHAT_SECONDS: Final = 10.0
"""Rate limit of chat messages from one seat; reconnecting does not reset it."""

ARRIVALS: Final = 5
ARRIVAL_SECONDS: Final = 10.0
"""Rate limit of arrivals at one seat, and of spectators after a burst of `WATCHERS`."""

SEAT_REQUESTS: Final = 3
SEAT_REQUEST_SECONDS: Final = 60.0
"""Rate limit of requests for a taken seat that the host is told of."""

HELLO_SECONDS: Final = 10.0
"""Timeout for each half of the handshake."""

ANSWER_SECONDS: Final = 5.0
"""Timeout for an answer; then a guest's connection counts as broken."""

PING_SECONDS: Final = 10.0
SILENCE_SECONDS: Final = 25.0
"""Ping interval of a guest, and the silence after which a connection counts as broken."""

QUIET_SECONDS: Final = 12.0
"""Silence after which a guest is told that there is no answer."""

SENDING_SECONDS: Final = 0.5
"""Time after which a guest is told that their move is on its way."""

FAREWELL_SECONDS: Final = 2.0
"""Timeout for sending the last message."""

PAUSES: Final = (0.5, 1.0, 2.0, 5.0, 10.0, 30.0)
"""Seconds between attempts to reconnect; the last pause repeats."""

STEADY_SECONDS: Final = 30.0
"""Seconds after which a connection is stable: the pauses start over."""


_LONGEST_NUMBER: Final = 32
"""Most characters of a number, in any field."""


class ProtocolError(ValueError):
    """A line that is no message at all; the rest of the stream cannot be trusted either."""


def object_in(line: bytes) -> dict[str, object]:
    """Return the JSON object in a line.

    `msgspec` would refuse half a surrogate pair in a text, and accept a number of any length.

    Raises:
        ProtocolError: the line is not a JSON object.
    """
    try:
        values = json.loads(
            line.decode(), parse_int=_whole_number, parse_float=_number, parse_constant=_no
        )
    except (ValueError, RecursionError):
        raise ProtocolError(
            f"this is not a message: {quoted(line[:80].decode('utf-8', 'replace'))}"
        ) from None
    if not isinstance(values, dict):
        raise ProtocolError("a message is an object")
    return values


def _bounded(read: Callable[[str], Any]) -> Callable[[str], Any]:
    def number(digits: str) -> Any:
        if len(digits) > _LONGEST_NUMBER:
            raise ValueError(digits)
        return read(digits)

    return number


_whole_number: Final = _bounded(int)
_number: Final = _bounded(float)


def _no(constant: str) -> NoReturn:
    raise ValueError(constant)


class InvalidMessage(ValueError):
    """An invalid message; the stream stays usable."""


class Field(NamedTuple):
    """A field of a message: its type in JSON, and how that is read and written."""

    type: Any
    what: str
    """What it has to be, in words."""
    read: Callable[[Any], object] | None = None
    """Returns the decoded value, None if that is the value itself; raises `InvalidMessage` if it is
    invalid in spite of its type."""
    write: Callable[[Any], object] | None = None
    """Returns what is sent, None if that is the value itself."""


def read_field(name: str, value: object) -> Any:
    """Decode the value of a field.

    Raises:
        InvalidMessage: it is invalid.
    """
    field = FIELDS[name]
    try:
        found = convert(value, field.type)
        return field.read(found) if field.read else found
    except InvalidMessage as fault:
        raise InvalidMessage(f"{name} is {fault}") from None
    except ValueError:  # a `ValidationError`, or half a surrogate pair in the text
        raise InvalidMessage(f"{name} is {field.what}") from None


def write_field(name: str, value: object) -> Any:
    """Encode the value of a field."""
    field = FIELDS[name]
    return field.write(value) if field.write else value


@cache
def fields_of(message: Any) -> tuple[str, ...]:
    """Return the names of a kind of message's, or of `Times`', fields that are sent."""
    return tuple(name for name in _names_of(message) if name not in _NOT_SENT)


@cache
def usual_of(message: Any) -> Mapping[str, object]:
    """Return the defaults of a kind of message's fields by name."""
    names, usual = _names_of(message), getattr(message, "__struct_defaults__", ())
    return dict(zip(names[len(names) - len(usual) :], usual, strict=True))


def _names_of(message: Any) -> tuple[str, ...]:
    names: tuple[str, ...] = getattr(message, "__struct_fields__", Times._fields)
    return names


def read_as(message: Any, values: Mapping[str, object]) -> Any:
    """Decode an object to a kind of message, or `Times`; unknown fields are ignored.

    Raises:
        InvalidMessage: a field is missing or invalid.
    """
    read, usual = {}, usual_of(message)
    for name in fields_of(message):
        if values.get(name) is not None:
            read[name] = read_field(name, values[name])
        elif name not in usual:
            raise InvalidMessage(f"{name} is missing")
    return message(**read)


def written(message: Any) -> dict[str, object]:
    """Encode a message, or `Times`, as an object; fields with their default are left out."""
    kind: Any = type(message)
    usual, found = usual_of(kind), {}
    for name in fields_of(kind):
        value = getattr(message, name)
        if value is not None and usual.get(name) != value:
            found[name] = write_field(name, value)
    return found


def cleaned(text: str) -> str:
    """Return a text as one line without unprintable, bidi and stacked combining characters."""
    if text.isascii() and text.isprintable():
        return " ".join(text.split())
    kept = (each for at, each in enumerate(text) if prints(text, at) or each.isspace())
    return " ".join(few_marks(kept).split())


def _whole(most: int) -> Field:
    return Field(Annotated[int, Meta(ge=0, le=most)], f"a whole number from 0 to {most}")


def _text(most: int) -> Field:
    """Return a field for one line of text; a longer one is refused if read, cut if written."""
    kind, what = Annotated[str, Meta(max_length=most)], f"a text of at most {most} characters"
    return Field(kind, what, cleaned, lambda text: cleaned(text)[:most].rstrip())


def _one_of(choices: Mapping[str, object]) -> Field:
    """Return a field for one of several values, written as words."""
    words = {value: word for word, value in choices.items()}
    what = f"one of {', '.join(choices)}"
    return Field(Literal[*choices], what, choices.__getitem__, words.__getitem__)


def _several(each: Field, least: int, most: int) -> Field:
    """Return a field for a list of `least` to `most` values of another field."""
    return Field(
        Annotated[list[each.type], Meta(min_length=least, max_length=most)],  # type: ignore[name-defined]
        f"a list of {least} to {most}, and each is {each.what}",
        lambda values: tuple(map(each.read, values) if each.read else values),
        lambda values: [*(map(each.write, values) if each.write else values)],
    )


def _object(kind: type[Any]) -> Field:
    """Return a field for `Times` or an event, written as an object."""

    def read(values: dict[str, object]) -> object:
        try:
            return read_as(kind, values)
        except InvalidMessage as fault:
            raise InvalidMessage(f"wrong: {fault}") from None

    return Field(dict[str, Any], "an object", read, written)


Secret: TypeAlias = Annotated[str, Meta(pattern=r"^[A-Za-z0-9_-]{0,64}\Z")]

_SECRET: Final = Field(Secret, "at most 64 letters, digits, - and _")
_COUNT: Final = _whole(MAX_NUMBER)
_TRUTH: Final = Field(bool, "true or false")
_NAME: Final = _text(MAX_NAME)
_SENTENCE: Final = _text(MAX_SENTENCE)
_SIDE: Final = _one_of({side.plural: side for side in Side})
_TIME: Final = _whole(LONGEST)
_LEFT: Final = Field(
    tuple[_TIME.type, Annotated[int, Meta(ge=0, le=MOST_PERIODS)]],  # type: ignore[name-defined]
    f"milliseconds, at most {LONGEST}, and a number of periods, at most {MOST_PERIODS}",
    lambda left: TimeLeft(*left),
)

FIELDS: Final[Mapping[str, Field]] = {
    **dict.fromkeys(("at", "claim", "moves", "number", "seq"), _COUNT),
    **dict.fromkeys(("player", "seat"), _whole(1)),
    **dict.fromkeys(
        ("agree", "again", "arranged", "chat", "hints", "late", "running", "waits"), _TRUTH
    ),
    **dict.fromkeys(("id", "match", "secret", "token"), _SECRET),
    **dict.fromkeys(("away", "name"), _NAME),
    **dict.fromkeys(("because", "complaint", "fault", "not_kept", "until"), _SENTENCE),
    **dict.fromkeys(("by", "loser", "proposed", "side", "turn"), _SIDE),
    **dict.fromkeys(("dwarfs", "left", "trolls"), _LEFT),
    "used": _TIME,
    "clock": _object(Times),
    "move": _text(MAX_TEXT),
    "onlookers": _several(_NAME, 0, MAX_ONLOOKERS),
    "present": _several(_TRUTH, 2, 2),
    "reason": _one_of({reason.name.lower().replace("_", " "): reason for reason in Reason}),
    "record": Field(
        Annotated[str, Meta(max_length=MAX_SNAPSHOT_LINE)],
        f"a text of at most {MAX_SNAPSHOT_LINE} characters",
        few_marks,
    ),
    "said": _several(_object(Said), 0, SAID_BEFORE),
    "text": _text(MAX_CHAT),
    "thud": Field(Literal[VERSION], f"{VERSION}: the version of the protocol"),
    "want": _one_of({SEAT: SEAT, WATCH: WATCH, SHOW: SHOW}),
    "wish": _one_of({"end": ProposeEnd(), "take back": Undo(), "new match": NewMatch()}),
}
"""What is in each field; the same name means the same in every message."""

_NOT_SENT: Final = frozenset({"how", "origin", "thought", "update"})
"""Fields that are not sent; of `update` in `EventUpdate`, its own fields are."""

"""Codec of messages: bounded JSON lines with typed fields."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from enum import Enum
from typing import Any, Final, NamedTuple, NoReturn, get_type_hints

from thud.rules.clock import InvalidTimes, Times, left_from_json
from thud.rules.notation import MAX_TEXT
from thud.rules.position import Side
from thud.rules.variant import Reason
from thud.session.events import Wish
from thud.session.participants import LONGEST_WORDS
from thud.text import few_marks, prints, quoted

VERSION: Final = 1
"""Protocol version."""

MAX_GUEST_LINE: Final = 4096
"""Longest line from a guest, in bytes, newline included."""

MAX_TOLD_LINE: Final = 8192
"""Longest line from a host except a snapshot, in bytes."""

MAX_SNAPSHOT_LINE: Final = 1 << 20
"""Longest line from a host, in bytes: the snapshot of a long match."""

MAX_NAME: Final = 40
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

    Raises:
        ProtocolError: the line is not a JSON object.
    """
    try:
        values = json.loads(
            line.decode(), parse_int=_bounded(int), parse_float=_bounded(float), parse_constant=_no
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


def _no(constant: str) -> NoReturn:
    raise ValueError(constant)


_SECRET: Final = re.compile(r"[A-Za-z0-9_-]{0,64}", re.ASCII)


class InvalidMessage(ValueError):
    """An invalid message; the stream stays usable."""


class Field(NamedTuple):
    """A field of a message: how its value is read and written."""

    read: Callable[[object], object]
    """Returns the decoded value; raises `InvalidMessage` saying what it has to be."""
    write: Callable[[Any], object] = lambda value: value


class Schema(NamedTuple):
    """The schema of a message: its tuple type and its fields."""

    type: type[Any]
    fields: Mapping[str, Field]


def schema_of(message: type[Any]) -> Schema:
    """Return the schema of a named tuple whose fields are annotated with a `Field`."""
    hints = get_type_hints(message, include_extras=True).items()
    annotated = {name: hint.__metadata__ for name, hint in hints if hasattr(hint, "__metadata__")}
    return Schema(message, {name: field for name, (field,) in annotated.items()})


def read_as(schema: Schema, values: Mapping[str, object]) -> Any:
    """Decode an object to its tuple; unknown fields are ignored.

    Raises:
        InvalidMessage: a field is missing or invalid.
    """
    read = {}
    for name, field in schema.fields.items():
        if values.get(name) is not None:
            read[name] = _read(name, field, values[name])
        elif name not in schema.type._field_defaults:
            raise InvalidMessage(f"{name} is missing")
    return schema.type(**read)


def _read(name: str, field: Field, value: object) -> object:
    try:
        return field.read(value)
    except InvalidMessage as fault:
        raise InvalidMessage(f"{name} is {fault}") from None


def written(schema: Schema, message: Any) -> dict[str, object]:
    """Encode a tuple as an object; fields that have their default are left out."""
    usual = message._field_defaults
    return {
        name: field.write(value)
        for name, field in schema.fields.items()
        if (value := getattr(message, name)) is not None and usual.get(name) != value
    }


def _whole(most: int) -> Callable[[object], int]:
    def read(value: object) -> int:
        if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= most:
            return value
        raise InvalidMessage(f"a whole number from 0 to {most}")

    return read


def _truth(value: object) -> bool:
    if isinstance(value, bool):
        return value
    raise InvalidMessage("true or false")


def _this_version(value: object) -> int:
    if value == VERSION and isinstance(value, int) and not isinstance(value, bool):
        return value
    raise InvalidMessage(f"{VERSION}: the version of the protocol")


def _text(most: int, fit: Callable[[str], str] = str) -> Callable[[object], str]:
    def read(value: object) -> str:
        if isinstance(value, str) and len(value) <= most:
            return fit(value)
        raise InvalidMessage(f"a text of at most {most} characters")

    return read


def cleaned(text: str) -> str:
    """Return a text as one line without unprintable, bidi and stacked combining characters."""
    kept = (each for at, each in enumerate(text) if prints(text, at) or each.isspace())
    return " ".join(few_marks(kept).split())


def _secret(value: object) -> str:
    if isinstance(value, str) and _SECRET.fullmatch(value):
        return value
    raise InvalidMessage("at most 64 letters, digits, - and _")


def _all_of(field: Field, least: int, most: int) -> Callable[[object], tuple[object, ...]]:
    def read(value: object) -> tuple[object, ...]:
        if isinstance(value, list) and least <= len(value) <= most:
            return tuple(map(field.read, value))
        raise InvalidMessage(f"a list of {least} to {most}")

    return read


def one_of(*names: str) -> Field:
    """Return a field for one of several words."""

    def read(value: object) -> str:
        if isinstance(value, str) and value in names:
            return value
        raise InvalidMessage(f"one of {', '.join(names)}")

    return Field(read)


def member_of(choices: Mapping[str, Enum]) -> Field:
    """Return a field for one of several enum members, written as words."""
    words = {value: word for word, value in choices.items()}
    word = one_of(*choices)
    return Field(lambda value: choices[str(word.read(value))], lambda value: words[value])


def text(most: int) -> Field:
    """Return a field for one line of text; a longer one is refused if read, cut if written."""
    return Field(_text(most, cleaned), lambda value: cleaned(value)[:most].rstrip())


def lines(most: int) -> Field:
    """Return a field for text of several lines, of limited length, without stacked marks."""
    return Field(_text(most, few_marks))


def several(field: Field, least: int, most: int) -> Field:
    """Return a field for a list of `least` to `most` values of another field."""
    return Field(_all_of(field, least, most), lambda values: [*map(field.write, values)])


def tuple_of(schema: Schema) -> Field:
    """Return a field for a tuple, written as an object."""

    def read(value: object) -> object:
        if isinstance(value, dict):
            return read_as(schema, value)
        raise InvalidMessage("an object")

    return Field(read, lambda value: written(schema, value))


def _told_by(read: Callable[[object], object]) -> Callable[[object], object]:
    """Wrap a clock's reader: its errors become `InvalidMessage`."""

    def reading(value: object) -> object:
        try:
            return read(value)
        except InvalidTimes as fault:
            raise InvalidMessage(f"wrong: {fault}") from None

    return reading


COUNT: Final = Field(_whole(MAX_NUMBER))
PLAYER: Final = Field(_whole(1))
THIS_VERSION: Final = Field(_this_version)
TRUTH: Final = Field(_truth)
SECRET: Final = Field(_secret)
NAME: Final = text(MAX_NAME)
CHAT: Final = text(MAX_CHAT)
SENTENCE: Final = text(MAX_SENTENCE)
MOVE: Final = text(MAX_TEXT)
CLOCK: Final = Field(_told_by(Times.from_json), Times.as_json)
LEFT: Final = Field(_told_by(left_from_json), list)
SIDE: Final = member_of({side.plural: side for side in Side})
REASON: Final = member_of({reason.name.lower().replace("_", " "): reason for reason in Reason})
WISH: Final = member_of({"end": Wish.END, "take back": Wish.TAKE_BACK, "new match": Wish.NEW_MATCH})


def unfit(name: object) -> str:
    """Return an unknown name, quoted for an error message."""
    return quoted(name) if isinstance(name, str) else "that"

"""Bounded reading and writing of messages: JSON lines and typed fields."""

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
from thud.session.company import LONGEST_WORDS
from thud.session.events import Wish
from thud.wording.text import few_marks, quoted

VERSION: Final = 1
"""The version of the protocol."""

MAX_GUEST_LINE: Final = 4096
"""The longest line from a guest, in bytes, its end included."""

MAX_TOLD_LINE: Final = 8192
"""The longest line from a host that is no snapshot, in bytes."""

MAX_SNAPSHOT_LINE: Final = 1 << 20
"""The longest line from a host, in bytes: a snapshot of a long match."""

MAX_NAME: Final = 40
MAX_CHAT: Final = LONGEST_WORDS
MAX_SENTENCE: Final = 500
"""The most characters of a name, a chat message and a sentence from a host."""

MAX_NUMBER: Final = 10**9
"""The highest number that anything is counted to."""

MAX_ONLOOKERS: Final = 64
WATCHERS: Final = 16
"""How many spectators a host ever lets in, and how many if nothing else is said."""

SAID_BEFORE: Final = 20
"""Chat messages that a newcomer is told."""

MAX_CONNECTIONS: Final = 96
"""Clients of a host at a time, those before the handshake included."""

OUTBOX: Final = 256
"""Messages that wait for a slow reader; with one more it is disconnected."""

PACE: Final = 20.0
BURST: Final = 40
"""Messages read from a guest: a second in the long run, and at once."""

TOLD_PACE: Final = 500.0
TOLD_BURST: Final = 500
"""The same for a host: more than two computers ever play."""

CHATS: Final = 5
CHAT_SECONDS: Final = 10.0
"""Chat messages from one seat in these seconds, however often its guest reconnects."""

ARRIVALS: Final = 5
ARRIVAL_SECONDS: Final = 10.0
"""Arrivals at one seat in these seconds, and of spectators once `WATCHERS` have come."""

SEAT_REQUESTS: Final = 3
SEAT_REQUEST_SECONDS: Final = 60.0
"""Requests for a taken seat that the host is told of in these seconds."""

HELLO_SECONDS: Final = 10.0
"""The time for each half of the handshake."""

ANSWER_SECONDS: Final = 5.0
"""Seconds without an answer after which a guest's connection counts as broken."""

PING_SECONDS: Final = 20.0
SILENCE_SECONDS: Final = 70.0
"""How often a guest pings; after how much silence the line counts as broken."""

FAREWELL_SECONDS: Final = 2.0
"""The time for the last message to leave."""

PAUSES: Final = (0.5, 1.0, 2.0, 5.0, 10.0, 30.0)
"""Seconds between attempts to reconnect; the last pause repeats."""

STEADY_SECONDS: Final = 30.0
"""After a line has lasted this long, the pauses begin from the first again."""


_LONGEST_NUMBER: Final = 32
"""The most characters of a number, whatever field it stands in."""


class Garbage(ValueError):
    """A line that is no message at all: nothing that comes after it can be trusted either."""


def object_in(line: bytes) -> dict[str, object]:
    """Return the object in a line.

    Raises:
        Garbage: there is none.
    """
    try:
        values = json.loads(
            line.decode(), parse_int=_bounded(int), parse_float=_bounded(float), parse_constant=_no
        )
    except (ValueError, RecursionError):
        raise Garbage(
            f"this is not a message: {quoted(line[:80].decode('utf-8', 'replace'))}"
        ) from None
    if not isinstance(values, dict):
        raise Garbage("a message is an object")
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


class BadMessage(ValueError):
    """A message that cannot be understood or obeyed; what comes after it may be."""


class Field(NamedTuple):
    """A value in a message: how it is read, and how it is written."""

    read: Callable[[object], object]
    """Returns what it means; raises `BadMessage` with what it has to be."""
    write: Callable[[Any], object] = lambda value: value


class Shape(NamedTuple):
    """A kind of messages: the tuple that it is read as, and its fields."""

    type: type[Any]
    fields: Mapping[str, Field]


def shape_of(message: type[Any]) -> Shape:
    """Return the shape of a tuple, the fields of which are annotated with how they travel."""
    hints = get_type_hints(message, include_extras=True).items()
    annotated = {name: hint.__metadata__ for name, hint in hints if hasattr(hint, "__metadata__")}
    return Shape(message, {name: field for name, (field,) in annotated.items()})


def read_as(shape: Shape, values: Mapping[str, object]) -> Any:
    """Return the tuple that some values mean; fields that are not known are passed over.

    Raises:
        BadMessage: one is missing, or is not what it has to be.
    """
    read = {}
    for name, field in shape.fields.items():
        if values.get(name) is not None:
            read[name] = _read(name, field, values[name])
        elif name not in shape.type._field_defaults:
            raise BadMessage(f"{name} is missing")
    return shape.type(**read)


def _read(name: str, field: Field, value: object) -> object:
    try:
        return field.read(value)
    except BadMessage as fault:
        raise BadMessage(f"{name} is {fault}") from None


def written(shape: Shape, message: Any) -> dict[str, object]:
    """Return the values that stand for a tuple; what is as it is by itself is left out."""
    usual = message._field_defaults
    return {
        name: field.write(value)
        for name, field in shape.fields.items()
        if (value := getattr(message, name)) is not None and usual.get(name) != value
    }


def _whole(most: int) -> Callable[[object], int]:
    def read(value: object) -> int:
        if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= most:
            return value
        raise BadMessage(f"a whole number from 0 to {most}")

    return read


def _truth(value: object) -> bool:
    if isinstance(value, bool):
        return value
    raise BadMessage("true or false")


def _this_version(value: object) -> int:
    if value == VERSION and isinstance(value, int) and not isinstance(value, bool):
        return value
    raise BadMessage(f"{VERSION}: the version of the protocol")


def _text(most: int, fit: Callable[[str], str] = str) -> Callable[[object], str]:
    def read(value: object) -> str:
        if isinstance(value, str) and len(value) <= most:
            return fit(value)
        raise BadMessage(f"a text of at most {most} characters")

    return read


def cleaned(text: str) -> str:
    """Return a text as one line without unprintable, bidi and stacked combining characters."""
    kept = (character for character in text if character.isprintable() or character.isspace())
    return " ".join(few_marks(kept).split())


def _secret(value: object) -> str:
    if isinstance(value, str) and _SECRET.fullmatch(value):
        return value
    raise BadMessage("at most 64 letters, digits, - and _")


def _all_of(field: Field, least: int, most: int) -> Callable[[object], tuple[object, ...]]:
    def read(value: object) -> tuple[object, ...]:
        if isinstance(value, list) and least <= len(value) <= most:
            return tuple(map(field.read, value))
        raise BadMessage(f"a list of {least} to {most}")

    return read


def one_of(*names: str) -> Field:
    """Return the field for one of some words."""

    def read(value: object) -> str:
        if isinstance(value, str) and value in names:
            return value
        raise BadMessage(f"one of {', '.join(names)}")

    return Field(read)


def member_of(choices: Mapping[str, Enum]) -> Field:
    """Return the field for one of some values, which are written as words."""
    words = {value: word for word, value in choices.items()}
    word = one_of(*choices)
    return Field(lambda value: choices[str(word.read(value))], lambda value: words[value])


def text(most: int) -> Field:
    """Return the field for one line of at most so many characters; more are cut off."""
    return Field(_text(most, cleaned), lambda value: cleaned(value)[:most].rstrip())


def lines(most: int) -> Field:
    """Return the field for text of at most so many characters, whatever is in it."""
    return Field(_text(most))


def several(field: Field, least: int, most: int) -> Field:
    """Return the field for a list of so many of another field."""
    return Field(_all_of(field, least, most), lambda values: [*map(field.write, values)])


def tuple_of(shape: Shape) -> Field:
    """Return the field for a tuple, which is written as an object."""

    def read(value: object) -> object:
        if isinstance(value, dict):
            return read_as(shape, value)
        raise BadMessage("an object")

    return Field(read, lambda value: written(shape, value))


def _told_by(read: Callable[[object], object]) -> Callable[[object], object]:
    """Return what reads something of a clock."""

    def reading(value: object) -> object:
        try:
            return read(value)
        except InvalidTimes as fault:
            raise BadMessage(f"wrong: {fault}") from None

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
    """Return a name that is not known, fit to stand in an error message."""
    return quoted(name) if isinstance(name, str) else "that"

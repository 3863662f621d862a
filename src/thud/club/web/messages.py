"""A browser's messages, validated, and the packets of its visitor's process."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from textual_serve.app_service import AppService

from thud.club.doors import USUAL_SIZE
from thud.tui.deployment import LARGEST

MOST_PACKET: Final = 8 << 20
"""A packet of a process is no longer than so many bytes."""


DATA: Final = b"D"
"""Output that is drawn, or input that is typed."""

META: Final = b"M"
"""An object in JSON about something else, with its `type`."""

PACKED: Final = b"P"
"""A piece of a file."""

_BEGINNING: Final = b"__GANGLION__\n"
_MOST_LINES: Final = 10


class BadPacket(ValueError):
    """An invalid packet of a process."""


class Packet(NamedTuple):
    """A packet of a process: its kind and its payload.

    Attributes:
        kind: `DATA`, `META` or `PACKED`.
        payload: the rest.
    """

    kind: bytes
    payload: bytes


async def begun(source: asyncio.StreamReader) -> None:
    """Return when a process begins to speak in packets.

    Raises:
        BadPacket: it says something else.
    """
    for _ in range(_MOST_LINES):
        if await source.readline() in {_BEGINNING, b""}:
            return
    raise BadPacket("a visitor's program did not begin as it should")


async def read_packet(source: asyncio.StreamReader) -> Packet:
    """Return what a process says next.

    Raises:
        BadPacket: it is too long, or of no kind that there is.
        asyncio.IncompleteReadError: the process has ended.
    """
    head = await source.readexactly(5)
    kind, size = head[:1], int.from_bytes(head[1:], "big")
    if kind not in {DATA, META, PACKED} or size > MOST_PACKET:
        raise BadPacket("a visitor's program said something unknown")
    return Packet(kind, await source.readexactly(size))


def typed(data: bytes) -> bytes:
    """Return the packet that tells a process what was typed, as terminals send it."""
    return AppService.encode_packet(DATA, data)


def told(about: Mapping[str, object]) -> bytes:
    """Return the packet that tells a process about something."""
    return AppService.encode_packet(META, json.dumps(about).encode())


FEWEST_COLUMNS: Final = 20
FEWEST_LINES: Final = 10
"""The smallest board that is drawn."""


_WIDTHS: Final = (FEWEST_COLUMNS, LARGEST[0])
_HEIGHTS: Final = (FEWEST_LINES, LARGEST[1])
_NOT_UNDERSTOOD: Final = "The club does not understand what this browser sent."


class BadMessage(ValueError):
    """A message that no page of ours sends."""


class BoardSize(NamedTuple):
    """The size of a browser's terminal in cells, within bounds.

    Attributes:
        width: columns.
        height: lines.
    """

    width: int
    height: int


class Heard(NamedTuple):
    """What becomes of a message.

    Attributes:
        packet: for the process; empty if it is not told.
        acted: whether the visitor has done something.
        answer: for the browser; empty if there is none.
    """

    packet: bytes = b""
    acted: bool = False
    answer: str = ""


def hear(message: object) -> Heard:
    """Return what becomes of a message.

    Raises:
        BadMessage: it is not what our page says.
    """
    kind, value = _read(message)
    if kind == "stdin" and isinstance(value, str):
        return Heard(typed(value.encode("utf-8", "replace")), acted=True)
    if kind == "resize" and isinstance(value, dict):
        size = size_of(value.get("width"), value.get("height"))
        return Heard(told({"type": "resize", **size._asdict()}))
    if kind in {"focus", "blur"}:
        return Heard(told({"type": kind}))
    if kind == "ping" and isinstance(value, str) and len(value) < 32:
        return Heard(answer=json.dumps(["pong", value]))
    raise BadMessage(_NOT_UNDERSTOOD)


def size_of(width: object, height: object) -> BoardSize:
    """Return a size within bounds; whatever is no whole number is what terminals usually have."""
    return BoardSize(
        _within(width, _WIDTHS, USUAL_SIZE[0]), _within(height, _HEIGHTS, USUAL_SIZE[1])
    )


def _read(message: object) -> tuple[object, Any]:
    if not isinstance(message, str):
        raise BadMessage(_NOT_UNDERSTOOD)
    try:
        found = json.loads(message)
    except (ValueError, RecursionError):
        found = None
    if not (isinstance(found, list) and 1 <= len(found) <= 2 and isinstance(found[0], str)):
        raise BadMessage(_NOT_UNDERSTOOD)
    return found[0], found[1] if len(found) == 2 else None


def _within(value: object, bounds: tuple[int, int], usual: int) -> int:
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 7:
        value = int(value)
    if not isinstance(value, int) or isinstance(value, bool):
        return usual
    return min(max(value, bounds[0]), bounds[1])

"""Validated messages of a browser, and the packets of its visitor's process."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from typing import Final, NamedTuple

from textual_serve.app_service import AppService

from thud.club.doors import USUAL_SIZE
from thud.terminal.cells import LARGEST
from thud.text import is_number

MOST_PACKET: Final = 8 << 20
"""Most bytes of a process's packet."""


DATA: Final = b"D"
"""Terminal output, or terminal input."""

META: Final = b"M"
"""A JSON object about something else, with its `type`."""

PACKED: Final = b"P"
"""A piece of a file."""

_BEGINNING: Final = b"__GANGLION__\n"
_MOST_LINES: Final = 10


class BadPacket(ValueError):
    """An invalid packet of a process."""


async def begun(source: asyncio.StreamReader) -> None:
    """Wait for the line with which a process starts its packets.

    Raises:
        BadPacket: the process writes something else.
    """
    for _ in range(_MOST_LINES):
        if await source.readline() in {_BEGINNING, b""}:
            return
    raise BadPacket("a visitor's program did not begin as it should")


async def read_packet(source: asyncio.StreamReader) -> tuple[bytes, bytes]:
    """Return a process's next packet: its kind, and its payload.

    Raises:
        BadPacket: it is too long, or of an unknown kind.
        asyncio.IncompleteReadError: the process has ended.
    """
    head = await source.readexactly(5)
    kind, size = head[:1], int.from_bytes(head[1:], "big")
    if kind not in {DATA, META, PACKED} or size > MOST_PACKET:
        raise BadPacket("a visitor's program said something unknown")
    return kind, await source.readexactly(size)


def packet(about: Mapping[str, object]) -> bytes:
    """Return the packet with a JSON object for a process."""
    return AppService.encode_packet(META, json.dumps(about).encode())


FEWEST_COLUMNS: Final = 20
FEWEST_LINES: Final = 10
"""The smallest terminal size accepted."""


class InvalidBrowserMessage(ValueError):
    """A message that no page of ours sends."""


class Heard(NamedTuple):
    """How to handle a browser's message.

    Attributes:
        packet: for the process; empty if there is none.
        acted: whether it is input, which resets the idle time.
        answer: for the browser; empty if there is none.
    """

    packet: bytes = b""
    acted: bool = False
    answer: str = ""


def parse_message(message: object) -> Heard:
    """Validate a browser's message, and return how to handle it.

    Raises:
        InvalidBrowserMessage: our page sends no such message.
    """
    try:  # not msgspec, which would refuse half a surrogate pair among what was typed
        said = json.loads(message) if isinstance(message, str) else None
    except (ValueError, RecursionError):
        said = None
    match said:
        case ["stdin", str(text)]:
            data = text.encode("utf-8", "replace")
            return Heard(AppService.encode_packet(DATA, data), acted=True)
        case ["resize", dict(size)]:
            width, height = size_of(size.get("width"), size.get("height"))
            return Heard(packet({"type": "resize", "width": width, "height": height}))
        case ["prefers", dict(wanted)]:
            prefers = {name: wanted.get(name) is True for name in ("touch", "calm", "light")}
            return Heard(packet({"type": "prefers", **prefers}))
        case ["focus" | "blur" as kind] | ["focus" | "blur" as kind, _]:
            return Heard(packet({"type": kind}))
        case ["ping", str(text)] if len(text) < 32:
            return Heard(answer=json.dumps(["pong", text]))
    raise InvalidBrowserMessage("The club does not understand what this browser sent.")


def size_of(width: object, height: object) -> tuple[int, int]:
    """Return columns and lines within bounds; what is no whole number becomes the default."""

    def bounded(value: object, least: int, most: int, usual: int) -> int:
        if isinstance(value, str) and is_number(value):
            value = int(value)
        if not isinstance(value, int) or isinstance(value, bool):
            return usual
        return min(max(value, least), most)

    return (
        bounded(width, FEWEST_COLUMNS, LARGEST[0], USUAL_SIZE[0]),
        bounded(height, FEWEST_LINES, LARGEST[1], USUAL_SIZE[1]),
    )

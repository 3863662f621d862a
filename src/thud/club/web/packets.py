"""What is said to a visitor's process, and by it, in packets of Textual's driver for the web."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from typing import Final, NamedTuple

from textual_serve.app_service import AppService

from thud.club.web.bounds import MOST_PACKET

DATA: Final = b"D"
"""What is drawn, or typed."""

META: Final = b"M"
"""An object in JSON about something else, with its `type`."""

PACKED: Final = b"P"
"""A piece of a file."""

_BEGINNING: Final = b"__GANGLION__\n"
_MOST_LINES: Final = 10


class BadPacket(ValueError):
    """A process speaks, but not as it should."""


class Packet(NamedTuple):
    """Something that a process says.

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
        raise BadPacket("a visitor's program said something that nobody understands")
    return Packet(kind, await source.readexactly(size))


def typed(data: bytes) -> bytes:
    """Return the packet that tells a process what was typed, as terminals send it."""
    return AppService.encode_packet(DATA, data)


def told(about: Mapping[str, object]) -> bytes:
    """Return the packet that tells a process about something."""
    return AppService.encode_packet(META, json.dumps(about).encode())

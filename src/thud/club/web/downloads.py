"""Downloads: files offered by a visitor's process, fetched once by that visitor."""

from __future__ import annotations

import asyncio
import json
import re
import secrets
from collections.abc import AsyncGenerator, Awaitable, Callable
from pathlib import PurePath
from typing import Final, NamedTuple

from textual_serve._binary_encode import DecodeError
from textual_serve._binary_encode import load as unpacked

from thud.club.storage import MOST_KEPT
from thud.club.web.messages import BadPacket, told

PIECE_SECONDS: Final = 5.0
"""Timeout for the next piece of a file from a visitor's process."""

MOST_OFFERED: Final = 8
"""Files waiting to be fetched; one more replaces the oldest."""

PIECE: Final = 1 << 16
"""Bytes of a file asked for at a time."""


_OTHER: Final = re.compile(r"[^A-Za-z0-9._-]+")
_LONGEST: Final = 100


class Offer(NamedTuple):
    """A file waiting to be fetched.

    Attributes:
        key: what its process calls it.
        name: what it is to be called.
    """

    key: str
    name: str


class Downloads:
    """The files of one visit.

    Args:
        tell: tells the process something.
    """

    def __init__(self, tell: Callable[[bytes], Awaitable[None]]) -> None:
        self._tell = tell
        self._offers: dict[str, Offer] = {}
        self._fetching = asyncio.Lock()
        self._key = ""
        self._pieces: asyncio.Queue[bytes] = asyncio.Queue(maxsize=1)

    def offer(self, about: dict[str, object]) -> str:
        """Return the message that tells the browser about a file.

        Raises:
            BadPacket: that is no file.
        """
        key, path = about.get("key"), about.get("path")
        if not (isinstance(key, str) and isinstance(path, str)):
            raise BadPacket("a visitor's program offered a file without a name")
        token = secrets.token_urlsafe(16)
        self._offers[token] = Offer(key, _plain(PurePath(path).name))
        if len(self._offers) > MOST_OFFERED:
            del self._offers[next(iter(self._offers))]
        return json.dumps(["delivery", token])

    def accept(self, token: str) -> Offer | None:
        """Return the file that is behind a token, which is worth nothing afterwards."""
        return self._offers.pop(token, None)

    def arrived(self, packet: bytes) -> None:
        """Take a piece of a file from the process.

        Raises:
            BadPacket: it is none.
        """
        try:
            found = unpacked(packet)
        except (DecodeError, TypeError, ValueError, IndexError):
            found = None
        if not (isinstance(found, tuple) and len(found) == 3 and isinstance(found[2], str | bytes)):
            raise BadPacket("a visitor's program sent a piece of no file")
        _, key, piece = found
        if key == self._key and not self._pieces.full():  # else nobody is waiting for it
            self._pieces.put_nowait(piece.encode() if isinstance(piece, str) else piece)

    async def pieces(self, offer: Offer) -> AsyncGenerator[bytes, None]:
        """Return what is in a file, piece by piece.

        Raises:
            TimeoutError: the process does not say, or is gone.
            BadPacket: it does not come to an end.
        """
        async with self._fetching:
            self._key, self._pieces = offer.key, asyncio.Queue(maxsize=1)
            left = MOST_KEPT
            while piece := await self._next(offer):
                yield piece
                if (left := left - len(piece)) < 0:
                    raise BadPacket("a visitor's program offered a file without an end")

    async def _next(self, offer: Offer) -> bytes:
        await self._tell(
            told({"type": "deliver_chunk_request", "key": offer.key, "size": PIECE, "name": None})
        )
        return await asyncio.wait_for(self._pieces.get(), PIECE_SECONDS)


def _plain(name: str) -> str:
    """Return a file's name with nothing in it that could mean anything to a browser or a system."""
    return _OTHER.sub("-", name)[-_LONGEST:].lstrip(".-") or "thud"

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
from thud.club.web.messages import BadPacket, packet

PIECE_SECONDS: Final = 5.0
"""Timeout for the next piece of a file from a visitor's process."""

MOST_OFFERED: Final = 8
"""Most files offered at a time; one more replaces the oldest."""

PIECE: Final = 1 << 16
"""Bytes of a file requested at a time."""


_OTHER: Final = re.compile(r"[^A-Za-z0-9._-]+")
_LONGEST: Final = 100


class Offer(NamedTuple):
    """A file offered for download.

    Attributes:
        key: the process's key for it.
        name: the file's name for the browser.
    """

    key: str
    name: str


class Downloads:
    """The files of one visit.

    Args:
        tell: sends the process a packet.
    """

    def __init__(self, tell: Callable[[bytes], Awaitable[None]]) -> None:
        self._tell = tell
        self._offers: dict[str, Offer] = {}
        self._fetching = asyncio.Lock()
        self._key = ""
        self._pieces: asyncio.Queue[bytes] = asyncio.Queue(maxsize=1)

    def offer(self, about: dict[str, object]) -> str:
        """Return the message that offers a file to the browser.

        Raises:
            BadPacket: it has no key or no path.
        """
        key, path = about.get("key"), about.get("path")
        if not (isinstance(key, str) and isinstance(path, str)):
            raise BadPacket("a visitor's program offered a file without a name")
        token = secrets.token_urlsafe(16)
        # Without characters special to a browser or an operating system.
        name = _OTHER.sub("-", PurePath(path).name)[-_LONGEST:].lstrip(".-") or "thud"
        self._offers[token] = Offer(key, name)
        if len(self._offers) > MOST_OFFERED:
            del self._offers[next(iter(self._offers))]
        return json.dumps(["delivery", token])

    def accept(self, token: str) -> Offer | None:
        """Return a token's file, and invalidate the token."""
        return self._offers.pop(token, None)

    def arrived(self, packet: bytes) -> None:
        """Take a piece of a file from the process.

        Raises:
            BadPacket: it is not a piece of a file.
        """
        try:
            found = unpacked(packet)
        except (DecodeError, TypeError, ValueError, IndexError):
            found = None
        if not (isinstance(found, tuple) and len(found) == 3 and isinstance(found[2], str | bytes)):
            raise BadPacket("a visitor's program sent a piece of no file")
        _, key, piece = found
        if key == self._key and not self._pieces.full():  # else not requested
            self._pieces.put_nowait(piece.encode() if isinstance(piece, str) else piece)

    async def pieces(self, offer: Offer) -> AsyncGenerator[bytes, None]:
        """Yield a file's content in pieces.

        Raises:
            TimeoutError: the process does not answer, or is gone.
            BadPacket: the file is too long.
        """
        async with self._fetching:
            self._key, self._pieces = offer.key, asyncio.Queue(maxsize=1)
            left = MOST_KEPT
            request = packet(
                {"type": "deliver_chunk_request", "key": offer.key, "size": PIECE, "name": None}
            )
            while True:
                await self._tell(request)
                piece = await asyncio.wait_for(self._pieces.get(), PIECE_SECONDS)
                if not piece:
                    return
                yield piece
                if (left := left - len(piece)) < 0:
                    raise BadPacket("a visitor's program offered a file without an end")

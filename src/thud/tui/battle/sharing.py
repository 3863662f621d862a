"""Saving, opening and copying a match."""

from __future__ import annotations

import asyncio
from datetime import date
from io import BytesIO
from pathlib import PurePath
from typing import Final, NamedTuple

from thud.records import formats
from thud.records.record import Record
from thud.records.tree import Excerpt
from thud.rules.match import Match
from thud.rules.notation import move_text
from thud.text import capitalised, quoted
from thud.wording.records import saved_as


def proposed_name(record: Record, suffix: str = ".tgn") -> str:
    """Return a name for a new file with a match."""
    return formats.unused_name(f"thud-{record.variant.name}-{date.today().isoformat()}", suffix)


def proposed_picture(record: Record) -> str:
    """Return a name for a new picture, .png if it can be drawn here, else .svg."""
    return proposed_name(record, ".png" if has_pillow() else ".svg")


def has_pillow() -> bool:
    """Whether Pillow is installed, which draws .png and .gif."""
    from importlib.util import find_spec

    return find_spec("PIL") is not None


_PICTURES: Final = {".png": "image/png", ".svg": "image/svg+xml", ".gif": "image/gif"}
"""Media types of pictures, by suffix."""


async def save_picture(record: Record, excerpt: Excerpt, name: str) -> str:
    """Write a picture of a place in a match to a new file; return a message.

    Raises:
        ValueError: it cannot be written, or the suffix is not a picture's; the message says why.
    """
    _check_picture(name)
    return await save_as(record, name, excerpt)


async def drawn(record: Record, excerpt: Excerpt, name: str) -> tuple[bytes, str]:
    """Return a picture of a place in a match, in the format of a suffix, and its media type.

    Raises:
        ValueError: it cannot be drawn, or the suffix is not a picture's; the message says why.
    """
    suffix = _check_picture(name)
    return await asyncio.to_thread(_drawn, record, excerpt, suffix), _PICTURES[suffix]


def _drawn(record: Record, excerpt: Excerpt, suffix: str) -> bytes:
    from thud.records.pictured import svg_text, write_battle, write_picture

    if suffix == ".svg":
        return svg_text(record, excerpt).encode()
    file = BytesIO()
    (write_picture if suffix == ".png" else write_battle)(file, record, excerpt)
    return file.getvalue()


def _check_picture(name: str) -> str:
    """Return the suffix of a picture's file name.

    Raises:
        ValueError: the suffix is not a picture's.
    """
    if (suffix := PurePath(name).suffix.lower()) not in _PICTURES:
        raise ValueError(f"Not saved: {quoted(name)} has to end in .png, .svg or .gif")
    return suffix


async def save_as(record: Record, name: str, excerpt: Excerpt | None = None) -> str:
    """Write a match to a new file in the format of its suffix; return a message.

    Raises:
        ValueError: it cannot be written; the message says why.
    """
    try:
        path = await asyncio.to_thread(formats.save_as, record, name, excerpt)
    except ValueError as refusal:
        raise ValueError(f"Not saved: {refusal}") from refusal
    return saved_as(path, record)


class Opened(NamedTuple):
    """The result of opening a file."""

    record: Record
    name: str
    fault: str
    """Why the rest could not be read, empty if everything was."""

    @property
    def notice(self) -> str:
        """A message about the opened file."""
        return (
            capitalised(self.fault) or f"{self.name} is {'over' if self.record.over else 'open'}."
        )


async def open_file(name: str) -> Opened:
    """Read a record from a file, as far as possible.

    Raises:
        ValueError: nothing of it can be read; the message says why.
    """
    try:
        record, fault = await asyncio.to_thread(formats.open_named, name)
    except ValueError as refusal:
        raise ValueError(f"Not opened: {refusal}") from refusal
    return Opened(record, name, fault)


def moves_text(match: Match) -> str:
    """Return the moves of the battle, one a line."""
    battle = match.battle
    pairs = zip(battle.positions, battle.moves, strict=False)
    return "\n".join(move_text(position, move) for position, move in pairs)


def picture(match: Match, *, flipped: bool) -> str:
    """Return an SVG picture of the position."""
    from thud.records.pictured import svg_text

    return svg_text(Record.of(match), Excerpt(flipped=flipped))


def text_of(what: str, match: Match, *, flipped: bool) -> str:
    """Return the text to copy of a match: of its `position`, its `moves`, or a `picture`."""
    if what == "position":
        return match.battle.position.to_text()
    return moves_text(match) if what == "moves" else picture(match, flipped=flipped)

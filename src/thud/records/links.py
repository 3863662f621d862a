"""Links: what follows `#` in an address is a match, a position, a puzzle, or the puzzle of the day.

Whoever opens one reads that part alone: nothing is fetched, and the address before it does not
matter.  A match is its TGN record, compressed; so two people can play by sending links.
"""

from __future__ import annotations

import binascii
import os
import re
import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from enum import Enum
from typing import Final, NamedTuple
from urllib.parse import quote, unquote

from thud.records.bounds import MAX_BYTES
from thud.records.record import Record
from thud.records.tgn.writer import tgn_text
from thud.rules.setup import Setup
from thud.text import quoted

PAGE: Final = "https://thud-game.github.io/thud/play/"
"""The page whose links these are, where the program is not itself on one."""

PAGE_VARIABLE: Final = "THUD_PAGE_URL"
"""Environment variable for the address of the page that runs the program."""

CHATTY: Final = 2000
"""Characters that any chat takes in one message."""

_LONGEST: Final = 100_000
"""Characters of the longest link: a record of 5,000 moves has some 40,000."""

_VERSION: Final = "1"
_LINK: Final = re.compile(r"(?:[a-z]+:[^\s#]*)?#([a-z]+)(?:=(.*))?", re.ASCII)


class BadLink(ValueError):
    """A link that cannot be opened; the message is a sentence without its full stop."""


class LinkKind(Enum):
    """What a link leads to."""

    MATCH = "match"
    POSITION = "position"
    PUZZLE = "puzzle"
    DAY = "day"


class Link(NamedTuple):
    """A link that was read.

    Attributes:
        kind: what it leads to.
        text: a record, a position's text, a puzzle's name; empty for the puzzle of the day.
        variant: the name of a position's variant, empty for any other.
    """

    kind: LinkKind
    text: str = ""
    variant: str = ""


def is_link(text: str) -> bool:
    """Whether a text is a link, perhaps one that cannot be opened."""
    start = text[:_LONGEST].strip()
    return "\n\n" not in start and _LINK.match(start) is not None


def read_link(text: str) -> Link:
    """Read a link, which a chat may have broken into lines.

    Raises:
        BadLink: it cannot be opened.
    """
    if len(text) > _LONGEST:
        raise BadLink(f"a link has at most {_LONGEST:,} characters: send the file instead")
    found = _LINK.fullmatch("".join(text.split()))
    if not found:
        raise BadLink("nothing follows # in this link")
    try:
        kind = LinkKind(found[1])
    except ValueError:
        name = quoted(found[1], 40)
        raise BadLink(f"{name} is nothing of Thud's, or of a later version") from None
    told = found[2] or ""
    if kind is LinkKind.MATCH:
        return Link(kind, _unpacked(told))
    told = unquote(told)
    if kind is LinkKind.POSITION:
        variant, _, position = told.partition(":")
        return Link(kind, position, variant)
    return Link(kind, told)


def link_to(record: Record) -> str:
    """Return the link to a match."""
    packed = zlib.compress(tgn_text(record).encode(), 9)
    return _link(LinkKind.MATCH, f"{_VERSION}.{urlsafe_b64encode(packed).decode().rstrip('=')}")


def remark_on(link: str) -> str:
    """Say that a link is longer than some chats take, empty if it is not."""
    if len(link) <= CHATTY:
        return ""
    return f"It has {len(link):,} characters, more than some chats take: send the file instead."


def link_to_position(setup: Setup) -> str:
    """Return the link to a position."""
    text = quote(setup.position.to_text(), safe="/")
    return _link(LinkKind.POSITION, f"{setup.variant.name}:{text}")


def link_to_puzzle(name: str) -> str:
    """Return the link to a puzzle of the book."""
    return _link(LinkKind.PUZZLE, quote(name))


def _link(kind: LinkKind, told: str) -> str:
    return f"{os.environ.get(PAGE_VARIABLE) or PAGE}#{kind.value}={told}"


def _unpacked(told: str) -> str:
    """Return a record.

    Raises:
        BadLink: it is not whole, of another version, or too large.
    """
    version, dot, packed = told.partition(".")
    if not dot:
        raise BadLink("the link is cut off: copy all of it")
    if version != _VERSION:
        raise BadLink("the link is of a later version of Thud")
    unpacking = zlib.decompressobj()
    try:
        data = urlsafe_b64decode(packed + "=" * (-len(packed) % 4))
        text = unpacking.decompress(data, MAX_BYTES)
    except (binascii.Error, zlib.error, ValueError):
        raise BadLink("the link is cut off or changed: copy all of it") from None
    if unpacking.unconsumed_tail:
        raise BadLink("the match in the link is too large")
    if not unpacking.eof:
        raise BadLink("the link is cut off: copy all of it")
    return text.decode("utf-8", "replace")

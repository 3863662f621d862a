"""Standing offers to play: the messages, and what is said of them.

An offer stays in the club's list when the one who made it goes, and lapses after a while.  Whoever
takes it finds a table with both seats taken.
"""

from __future__ import annotations

from datetime import date
from typing import Final, TypeAlias

from msgspec import Struct

from thud.net.valid import Id
from thud.rules.clock import parse_control
from thud.rules.variants import VARIANTS
from thud.visitor.message import Message
from thud.visitor.profile import clean
from thud.words.clocks import in_short

SEEK_DAYS: Final = 14
"""Days until an offer lapses."""


class MakeSeek(Message, tag="seek"):
    """Offer a match to whoever takes it; the answer has its `id`."""

    variant: str
    clock: str = ""
    """In days, or empty."""
    even: bool = False
    """Whether it is for those alone who are about as strong."""


class TakeSeek(Message, tag="take"):
    """Take an offer; the answer has the `id` of the table."""

    seek: Id


class WithdrawSeek(Message, tag="withdraw"):
    """Withdraw one's own offer."""

    seek: Id


SeekRequest: TypeAlias = MakeSeek | TakeSeek | WithdrawSeek


class ListedSeek(Struct, frozen=True):
    """An offer, as one visitor sees it."""

    id: str
    name: str
    """The name of whoever made it."""
    variant: str
    clock: str = ""
    rating: str = ""
    """The range of their rating in that game, empty if it is too early."""
    even: bool = False
    """Whether it is for those alone who are about as strong."""
    mine: bool = False
    until: float = 0.0
    """When it lapses, in seconds since 1970."""


def who_seeks(seek: ListedSeek) -> str:
    """Return who offers a match; an even one is for those alone who are about as strong."""
    what = "an even match" if seek.even else "a match"
    if seek.mine:
        return f"You offer {what}"
    rating = f" ({seek.rating})" if seek.rating else ""
    return f"{clean(seek.name)}{rating} offers {what}"


def what_is_offered(seek: ListedSeek) -> str:
    """Return an offer's game and clock."""
    clock = f", {in_short(parse_control(seek.clock))}" if seek.clock else ""
    return f"{VARIANTS[seek.variant].title}{clock}"


def what_to_do(seek: ListedSeek) -> str:
    """Return what a visitor can do with an offer."""
    return f"it stays {until_in_words(seek.until)}" if seek.mine else "take it"


def until_in_words(seconds: float) -> str:
    """Return how long an offer stays."""
    day = date.fromtimestamp(seconds)
    return f"until {day.day} {day:%B}"


def news_of(seek: ListedSeek) -> str:
    """Return an offer as it is announced."""
    return f"{who_seeks(seek)}: {what_is_offered(seek)}."


OFFERED: Final = (
    f"Your offer stays for {SEEK_DAYS} days, also while you are away. When somebody takes it, you "
    "begin."
)
WITHDRAWN: Final = "Your offer is withdrawn."
TAKEN: Final = "The match has begun. {} is told, and begins."

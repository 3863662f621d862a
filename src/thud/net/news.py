"""What a host tells of its match: events of its session, as far as they concern others.

What the best computer advises or expects at the host's is nobody else's, and not among them; nor
is the beginning of a battle, which is told as a whole snapshot.
"""

from __future__ import annotations

from typing import Final, NamedTuple, TypeAlias

from thud.net.codec import (
    CLOCK,
    COUNT,
    LEFT,
    MAX_CHAT,
    MAX_NAME,
    MAX_SENTENCE,
    PLAYER,
    SIDE,
    TRUTH,
    Shape,
    member_of,
    text,
)
from thud.rules.clock import TimeLeft, Times
from thud.rules.notation import MAX_TEXT
from thud.rules.position import Side
from thud.rules.variant import Reason
from thud.session.events import Wish


class Played(NamedTuple):
    """A move was played."""

    move: str
    left: TimeLeft | None = None
    """What whoever made it has left after it, if there is a clock."""
    clock: Times | None = None
    """How the clock stands now, if there is one; so in other news."""


class TakenBack(NamedTuple):
    """So many moves were taken back; if none, the agreement to end was."""

    moves: int
    clock: Times | None = None


class Ended(NamedTuple):
    """The battle is over."""

    reason: Reason
    clock: Times | None = None


class Proposed(NamedTuple):
    """A player wishes to end the battle, or to take back."""

    by: Side
    wish: Wish


class Answered(NamedTuple):
    """A player has answered to that."""

    by: Side
    agree: bool
    wish: Wish
    until: str = ""


class Withdrawn(NamedTuple):
    """A player wishes that no longer."""

    by: Side
    because: str = ""


class Thinking(NamedTuple):
    """Somebody who does not sit at the host's is to decide."""

    side: Side


class Clock(NamedTuple):
    """The clock runs on, or stands still, though the same player is to move."""

    clock: Times


class Came(NamedTuple):
    """A player has come, or a spectator."""

    name: str
    player: int | None = None


class Went(NamedTuple):
    """A player has gone, or a spectator."""

    name: str
    player: int | None = None


class Said(NamedTuple):
    """A player has said something."""

    player: int
    name: str
    text: str


class Faulted(NamedTuple):
    """A computer at the host's has failed."""

    player: int
    fault: str


class HandedOver(NamedTuple):
    """A person at the host's goes on for a computer that has failed."""

    player: int


class NotKept(NamedTuple):
    """The match is not on the host's disk."""

    complaint: str


News: TypeAlias = (
    Played
    | TakenBack
    | Ended
    | Proposed
    | Answered
    | Withdrawn
    | Thinking
    | Clock
    | Came
    | Went
    | Said
    | Faulted
    | HandedOver
    | NotKept
)

_NAME: Final = text(MAX_NAME)
_SENTENCE: Final = text(MAX_SENTENCE)
_PRESENCE: Final = {"name": _NAME, "player": PLAYER}
_WISHES: Final = {
    "end": Wish.END,
    "take back": Wish.TAKE_BACK,
    "new match": Wish.NEW_MATCH,
}
_REASONS: Final = {reason.name.lower().replace("_", " "): reason for reason in Reason}

WISH: Final = member_of(_WISHES)
MOVE: Final = text(MAX_TEXT)

SHAPES: Final = {
    "played": Shape(Played, {"move": MOVE, "left": LEFT, "clock": CLOCK}),
    "taken_back": Shape(TakenBack, {"moves": COUNT, "clock": CLOCK}),
    "ended": Shape(Ended, {"reason": member_of(_REASONS), "clock": CLOCK}),
    "proposed": Shape(Proposed, {"by": SIDE, "wish": WISH}),
    "answered": Shape(Answered, {"by": SIDE, "agree": TRUTH, "wish": WISH, "until": _SENTENCE}),
    "withdrawn": Shape(Withdrawn, {"by": SIDE, "because": _SENTENCE}),
    "thinking": Shape(Thinking, {"side": SIDE}),
    "clock": Shape(Clock, {"clock": CLOCK}),
    "came": Shape(Came, _PRESENCE),
    "went": Shape(Went, _PRESENCE),
    "said": Shape(Said, {"player": PLAYER, "name": _NAME, "text": text(MAX_CHAT)}),
    "faulted": Shape(Faulted, {"player": PLAYER, "fault": _SENTENCE}),
    "handed_over": Shape(HandedOver, {"player": PLAYER}),
    "not_kept": Shape(NotKept, {"complaint": _SENTENCE}),
}
"""The kinds of news."""

"""What a session tells whoever listens: plain values, in the order in which things happen.

A change of the match is told when it is on the disk.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from thud.rules.position import Move, Position, Side
from thud.rules.variant import Outcome

if TYPE_CHECKING:
    from thud.ai.player import Decision, Thought


class Begun(NamedTuple):
    """Another battle is at the board: the first that there is, the second, or of another match."""

    number: int
    """1 or 2."""
    by: int | None = None
    """Which player at another place has begun it, if one has."""


class Played(NamedTuple):
    """A move was played."""

    before: Position
    move: Move


class TakenBack(NamedTuple):
    """Moves were taken back, the last one first; without any, the agreement to end was."""

    turns: tuple[Played, ...]


class MadeAgain(NamedTuple):
    """Moves that had been taken back were made again."""

    turns: tuple[Played, ...]


class Ended(NamedTuple):
    """The battle is over."""

    outcome: Outcome


class Wish(Enum):
    """What only both players together can do."""

    END = "end the battle"
    TAKE_BACK = "take back"
    NEW_MATCH = "begin another match"


class Proposed(NamedTuple):
    """The player of a side proposes something to the other player."""

    by: Side
    wish: Wish


class Answered(NamedTuple):
    """The player of a side has agreed to what was proposed, or plays on."""

    by: Side
    agree: bool
    wish: Wish
    until: str = ""
    """When a computer that plays on will think otherwise, in a sentence, if that is known."""


class Withdrawn(NamedTuple):
    """The player of a side proposes no longer what was proposed."""

    by: Side
    because: str = ""
    """Why there was no answer, if that is the reason."""


class Arrival(Enum):
    """How it is told that a player is there."""

    FIRST = "has come"
    BACK = "is back"
    STILL = "is here"


class Came(NamedTuple):
    """Somebody at another place is there now: a player, or somebody who looks on (None)."""

    name: str
    player: int | None = None
    how: Arrival = Arrival.FIRST


class Went(NamedTuple):
    """Somebody at another place is there no longer: a player, or somebody who looks on (None)."""

    name: str
    player: int | None = None


class Said(NamedTuple):
    """A player has said something to the others."""

    player: int
    name: str
    text: str
    """A short line that prints."""


class NotSaid(NamedTuple):
    """What was said here has reached nobody; told only to whoever said it."""

    text: str
    because: str
    """Why, in a sentence."""


class ConnectionLost(NamedTuple):
    """The connection to where the match is played is broken, and is made anew."""

    because: str
    """A sentence; empty where it ended without a word."""
    for_good: bool = False
    """Whether nobody mends it: the host does not let us come back."""
    away: str = ""
    """Who has gone there, and may come back, if nothing is wrong with the connection itself."""


class ConnectionBack(NamedTuple):
    """The connection to where the match is played is there again."""

    away: str = ""
    """Who has come back there, if they had gone."""


class Thinking(NamedTuple):
    """Somebody who does not sit here thinks about a move, and has found this so far."""

    side: Side
    thought: Thought | None = None


class RunningOut(NamedTuple):
    """A player to move has little time left, in this battle for the first time."""

    side: Side


class ClockRuns(NamedTuple):
    """The clock runs on, or stands still, though the same player is to move."""

    runs: bool


class Advised(NamedTuple):
    """The best computer was asked what it would do."""

    position: Position
    decision: Decision
    because: str = ""
    """What can be seen on the board to speak for it, in a sentence; nothing if nothing can."""


class Judged(NamedTuple):
    """What the best computer expects for the player to move; None is nothing any more."""

    side: Side
    thought: Thought | None


class Faulted(NamedTuple):
    """Who plays for a player has failed; everything waits for what is to be done about it."""

    player: int
    fault: str


class HandedOver(NamedTuple):
    """A person here goes on for a player whose computer has failed."""

    player: int


class KeptAside(NamedTuple):
    """Moves were taken back of a match that was over, and it stays as it was: in words."""

    words: str


class NotKept(NamedTuple):
    """The match is not on the disk, and why; told once until that has changed."""

    complaint: str


Event: TypeAlias = (
    Begun
    | Played
    | TakenBack
    | MadeAgain
    | Ended
    | Proposed
    | Answered
    | Withdrawn
    | Came
    | Went
    | Said
    | NotSaid
    | ConnectionLost
    | ConnectionBack
    | Thinking
    | RunningOut
    | ClockRuns
    | Advised
    | Judged
    | Faulted
    | HandedOver
    | KeptAside
    | NotKept
)

Listener: TypeAlias = Callable[[Event], None]

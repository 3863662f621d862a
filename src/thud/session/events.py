"""Events of a session, in the order in which they happen.

A change of the match is reported once it is saved.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import TYPE_CHECKING, TypeAlias

from msgspec import Struct

from thud.rules.position import Move, Position, Side
from thud.rules.variant import Outcome

if TYPE_CHECKING:
    from thud.ai.player import Decision, Thought
    from thud.engines.outlook import Outlook


class Begun(Struct, frozen=True):
    """Another battle is on the board: the first, the second, or one of another match."""

    number: int
    """1 or 2."""
    by: int | None = None
    """The remote player who began it, if one did."""


class Played(Struct, frozen=True):
    """A move was played."""

    before: Position
    move: Move


class TakenBack(Struct, frozen=True):
    """Moves were taken back, the last one first; without any, the agreement to end was."""

    turns: tuple[Played, ...]


class Redone(Struct, frozen=True):
    """Moves taken back were made again."""

    turns: tuple[Played, ...]


class Ended(Struct, frozen=True):
    """The battle is over."""

    outcome: Outcome


# Requests that the other player has to agree to


class ProposeEnd(Struct, frozen=True):
    """Propose to the other player to end the battle.

    A person replies by `Answer`; a computer is asked as on its turn.
    """


class Undo(Struct, frozen=True):
    """Take back the agreement to end, or else the moves back to one's last turn.

    If the other player is a person at another place, this is only proposed.
    """


class NewMatch(Struct, frozen=True):
    """Leave the match, and begin another with the same players.

    If the other player is a person at another place, this is only proposed.
    """


Wish: TypeAlias = ProposeEnd | Undo | NewMatch


class Proposed(Struct, frozen=True):
    """A side's player makes a proposal to the other player."""

    by: Side
    wish: Wish


class Answered(Struct, frozen=True):
    """A side's player has agreed to a proposal, or declined it."""

    by: Side
    agree: bool
    wish: Wish
    until: str = ""
    """When an engine that declines will agree, in a sentence, if known."""


class Withdrawn(Struct, frozen=True):
    """A side's player withdraws a proposal."""

    by: Side
    because: str = ""
    """Why there was no answer, if an engine failed to give one."""


class Arrival(Enum):
    """The words for how a player arrives."""

    FIRST = "has joined"
    BACK = "is back"
    STILL = "is here"


class Arrived(Struct, frozen=True):
    """A remote player or a spectator (None) has arrived."""

    name: str
    player: int | None = None
    how: Arrival = Arrival.FIRST


class Departed(Struct, frozen=True):
    """A remote player or a spectator (None) has left."""

    name: str
    player: int | None = None


class SeatAsked(Struct, frozen=True):
    """Somebody asks for an absent player's seat."""

    player: int
    name: str
    """The name of the person asking."""
    origin: str = ""
    """Their address, in words; known only at the host's."""


class SeatGiven(Struct, frozen=True):
    """A player's seat is free again, for the person who asked for it."""

    player: int
    name: str
    """The person who asks."""


class Said(Struct, frozen=True):
    """A player's chat message to the others."""

    player: int
    name: str
    text: str
    """A short printable line."""


class SpectatorSaid(Struct, frozen=True):
    """A spectator's chat message to the other spectators."""

    name: str
    text: str
    """A short printable line."""


class NotSaid(Struct, frozen=True):
    """A message from here has reached nobody; reported only to its author."""

    text: str
    because: str
    """Why, in a sentence."""


class ConnectionLost(Struct, frozen=True):
    """The connection to the host is lost, and being restored unless for good."""

    because: str
    """Why, in a sentence; empty if unknown."""
    for_good: bool = False
    """Whether it is not restored, as the host does not admit us again."""
    away: str = ""
    """The remote player who left and may return; empty if the connection itself failed."""
    asks: bool = False
    """Whether ssh needs an answer at the terminal to restore it."""


class ConnectionBack(Struct, frozen=True):
    """The connection to the host is restored."""

    away: str = ""
    """The remote player who has returned; empty if none had left."""


class ConnectionSilent(Struct, frozen=True):
    """Nothing has come from the host for some time, though something should have."""

    seconds: int
    """For how long; 0 if something has come again."""
    first: bool = False
    """Whether this begins a silence."""


class Sending(Struct, frozen=True):
    """A move is on its way to the host, and is sent again until it is known to have arrived."""

    move: str
    """The move; empty once the host has answered."""


class NotPlayed(Struct, frozen=True):
    """A move that was sent again after a break could not be played."""

    move: str
    because: str


class Thinking(Struct, frozen=True):
    """A computer's thought so far."""

    side: Side
    thought: Thought | None = None


class RunningOut(Struct, frozen=True):
    """The player to move is short of time, for the first time in this battle."""

    side: Side


class ClockRuns(Struct, frozen=True):
    """The clock starts or stops while the same player is to move."""

    runs: bool


class Advised(Struct, frozen=True):
    """A hint, with the position that it is for."""

    position: Position
    decision: Decision
    because: str = ""
    """The reasons for it, in sentences."""
    expects: Outlook | None = None
    """The result to expect, None if unknown."""
    before: int | None = None
    """What was expected at the last hint for this side in the battle, in hundredths; None if there
    was none, or a goal was in sight."""


class Evaluated(Struct, frozen=True):
    """The expectation for the player to move; None withdraws it."""

    side: Side
    thought: Thought | None


class Faulted(Struct, frozen=True):
    """A player's engine has failed; the match waits for a decision what to do."""

    player: int
    fault: str


class HandedOver(Struct, frozen=True):
    """A local person replaces a player whose engine has failed."""

    player: int


class Notified(Struct, frozen=True):
    """A notice for the people at this place alone, such as how the match is saved."""

    words: str


class LookingBack(Struct, frozen=True):
    """How far the search for the player's costliest move is; the next report replaces it."""

    words: str
    first: bool = False


class LookedBack(Struct, frozen=True):
    """What the search for the player's costliest move has found."""

    words: str
    accuracy: str = ""
    """How accurate the player's moves were, in a sentence; empty unless all were judged."""


class SaveFailed(Struct, frozen=True):
    """The match cannot be saved, and why; reported once until that changes."""

    complaint: str


News: TypeAlias = (
    Arrived
    | Departed
    | SeatAsked
    | SeatGiven
    | Said
    | SpectatorSaid
    | NotSaid
    | NotPlayed
    | Sending
    | ConnectionLost
    | ConnectionSilent
    | ConnectionBack
)
"""Events of remote play."""

Event: TypeAlias = (
    Begun
    | Played
    | TakenBack
    | Redone
    | Ended
    | Proposed
    | Answered
    | Withdrawn
    | News
    | Thinking
    | RunningOut
    | ClockRuns
    | Advised
    | Evaluated
    | Faulted
    | HandedOver
    | Notified
    | LookingBack
    | LookedBack
    | SaveFailed
)

Listener: TypeAlias = Callable[[Event], None]

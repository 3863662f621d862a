"""What players ask of a session: values that it carries out, and that a guest sends to a host.

Each can also be refused because the battle is over, or because the match has changed since.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from thud.rules.position import Move
from thud.session.events import Wish

if TYPE_CHECKING:
    from thud.records.record import Record


class Play(NamedTuple):
    """Play a move of the player to move; refused if it is illegal, or somebody else's turn."""

    move: Move | str
    """The move, or its text, which is read in the position on the board."""


class Undo(NamedTuple):
    """Take back the agreement to end, or else the moves back to one's last turn.

    If the other player is a person at another place, this is only proposed.
    """


class Redo(NamedTuple):
    """Redo moves up to the next turn of a local player; refused at another's place."""


class ProposeEnd(NamedTuple):
    """Propose to the other player to end the battle.

    A person replies by `Answer`; a computer is asked as on its turn.
    """


class Resign(NamedTuple):
    """Resign the battle, whoever is to move; cannot be undone."""


class Claim(NamedTuple):
    """Claim the battle: the player to move has been away for longer than agreed."""


class Answer(NamedTuple):
    """Answer the open proposal, as the player who was asked."""

    agree: bool
    wish: Wish
    """What was proposed; refused if something else is proposed by now."""


class Withdraw(NamedTuple):
    """Withdraw one's open proposal; a computer that proposed to end plays its move."""


class NextBattle(NamedTuple):
    """Begin the second battle, with the sides exchanged."""


class NewMatch(NamedTuple):
    """Leave the match, and begin another with the same players.

    If the other player is a person at another place, this is only proposed.
    """


class Open(NamedTuple):
    """Leave the match for a record's, or look at it if it is over; refused at another's place."""

    record: Record


class Say(NamedTuple):
    """Send the others a chat message."""

    text: str


class GiveSeat(NamedTuple):
    """Give an absent player's seat to the person who asks for it."""


Request: TypeAlias = (
    Play
    | Undo
    | Redo
    | ProposeEnd
    | Resign
    | Claim
    | Answer
    | Withdraw
    | NextBattle
    | NewMatch
    | Open
    | Say
    | GiveSeat
)

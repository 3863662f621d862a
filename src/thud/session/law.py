"""What players can request, and when that is refused.

From top to bottom: requests, which are values that a session carries out, and a guest sends to its
host; refusals; and the law, `why_not`, which a session, a guest and whatever offers a request ask.
"""

from __future__ import annotations

from enum import Enum, auto
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from msgspec import Struct

from thud.rules.position import Move, Side
from thud.rules.variant import IllegalMove
from thud.session.events import NewMatch, ProposeEnd, Undo, Wish
from thud.session.participants import Participants
from thud.session.state import TableState
from thud.words.clocks import claim_later
from thud.words.match import untaken

if TYPE_CHECKING:
    from thud.records.record import Record

# Requests; `Wish` has three more.  Each can be refused because the battle is over, or because the
# match has changed since


class Play(Struct, frozen=True):
    """Play a move of the player to move; refused if it is illegal, or somebody else's turn."""

    move: Move | str
    """The move, or its text, which is read in the position on the board."""


class Redo(Struct, frozen=True):
    """Redo moves up to the next turn of a local player; refused at another's place."""


class Resign(Struct, frozen=True):
    """Resign the battle, whoever is to move; cannot be undone."""


class Claim(Struct, frozen=True):
    """Claim the battle: the player to move has been away for longer than agreed."""


class Answer(Struct, frozen=True):
    """Answer the open proposal, as the player who was asked."""

    agree: bool
    wish: Wish
    """What was proposed; refused if something else is proposed by now."""


class Withdraw(Struct, frozen=True):
    """Withdraw one's open proposal; a computer that proposed to end plays its move."""


class NextBattle(Struct, frozen=True):
    """Begin the second battle, with the sides exchanged."""


class Fairer(Struct, frozen=True):
    """Leave the match, which is over, for a fairer one: another level, or a handicap."""


class Open(Struct, frozen=True):
    """Leave the match for a record's, or look at it if it is over; refused at another's place."""

    record: Record


class Say(Struct, frozen=True):
    """Send the others a chat message."""

    text: str


class GiveSeat(Struct, frozen=True):
    """Give an absent player's seat to the person who asks for it."""


# To computers.  A guest has none: there the first is to no effect, and the others are refused


class Hold(Struct, frozen=True):
    """Let computers and the clock wait while a question is open, or go on."""

    held: bool = True


class Pause(Struct, frozen=True):
    """Pause computers that play each other, or let them go on."""

    paused: bool = True


class ChangeSpeed(Struct, frozen=True):
    """Change the speed at which computers play each other by some steps."""

    by: int


class TryAgain(Struct, frozen=True):
    """Restart computers that have failed, also those whose seats were taken over."""


class TakeOver(Struct, frozen=True):
    """Hand the seat of a computer that has just failed to a local person."""


ToComputers: TypeAlias = Hold | Pause | ChangeSpeed | TryAgain | TakeOver
"""Requests that are carried out at once, whatever has changed since."""

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
    | Fairer
    | Open
    | Say
    | GiveSeat
    | ToComputers
)

REQUESTS: Final[dict[str, type[Any]]] = {
    "play": Play,
    "end": ProposeEnd,
    "undo": Undo,
    "resign": Resign,
    "claim": Claim,
    "answer": Answer,
    "withdraw": Withdraw,
    "next": NextBattle,
    "new": NewMatch,
    "say": Say,
    "give": GiveSeat,
}
"""Requests that a guest can make of a host, by name in messages."""

AT_ANY_TIME: Final = Say | GiveSeat
"""Requests that do not depend on the state of the match."""

# Refusals


class Code(Enum):
    """Why a request is refused."""

    LEFT = auto()
    """The table has been left."""
    OVER = auto()
    """The battle is over, or over for good."""
    GOES_ON = auto()
    """The battle or the match is not over."""
    NOT_A_PLAYER = auto()
    """Whoever asks does not play."""
    NOT_YOURS = auto()
    """It is for another player to do."""
    TURN = auto()
    """It is another player's turn."""
    PROPOSED = auto()
    """Another proposal is open."""
    NOTHING = auto()
    """There is nothing to which the request could apply."""
    UNTAKEN = auto()
    """The other player's seat is free."""
    PRESENT = auto()
    """The other player is not away."""
    TOO_EARLY = auto()
    """The other player has not been away for long enough."""
    EXCLUDED = auto()
    """The terms, or who plays, exclude it."""
    CONNECTION = auto()
    """The connection to the host is broken."""
    SENDING = auto()
    """A move is on its way."""


LASTING: Final = (Code.EXCLUDED, Code.NOT_A_PLAYER)
"""Codes of what stays refused as long as the same people play by the same terms."""


class Refusal(Struct, frozen=True):
    """Why a request is refused."""

    code: Code
    because: str
    """The sentence, to be capitalised."""
    waits: bool = False
    """Whether it only has to wait for one's own turn."""


class RequestRefused(IllegalMove):
    """A request is refused, and nothing is changed.

    Args:
        refusal: why.

    Attributes:
        refusal: why.
    """

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.because)
        self.refusal = refusal


# The law.  A request is carried out exactly when it is silent, but for what the state of a table
# does not show: a match that changes meanwhile (`TooLate`), or whose time runs out with the move; a
# move or a record that breaks the rules; the pace of chat; a connection, disk or engine that fails.
# A guest does not know whether its opponent is a computer, which answers no proposal, nor who was
# here before it came itself: whether their seat is free, or a claim too early.


def why_not(  # noqa: PLR0911, PLR0912 - a branch for each reason
    state: TableState, request: Request, by: int | None = None
) -> Refusal | None:
    """Return why a request would be refused now, None if it would be carried out.

    Args:
        state: the table.
        request: the request; the legality of its move or record is not checked.
        by: the remote player who makes it, None for a player here.
    """
    connection = state.connection
    lost = connection.lost if connection else None
    match request:
        # To computers
        case Pause() | ChangeSpeed() | TryAgain() | TakeOver() if state.connection:
            return Refusal(Code.EXCLUDED, "computers play at the host's")
        case TryAgain() if not (state.computers.fault or state.seats.failed):
            return Refusal(Code.NOTHING, "no computer has failed")
        case Hold() | Pause() | ChangeSpeed() | TryAgain() | TakeOver():
            return None
        case _ if state.left:
            return Refusal(Code.LEFT, "the match has moved on")

        # As long as the same people play by the same terms
        case Undo() | Withdraw() if by is None and not state.takes_part:
            return Refusal(Code.NOT_A_PLAYER, "you do not play in this battle")
        case ProposeEnd() | Resign() | Claim() if state.side_of(by) is None:
            return Refusal(Code.NOT_A_PLAYER, "you do not play in this battle")
        case NextBattle() | NewMatch() | GiveSeat() if state.connection and not state.seats.local:
            return Refusal(Code.NOT_A_PLAYER, "spectators cannot change anything")
        case Say() if by is None and not (state.connection or state.seats.local):
            return Refusal(Code.NOT_A_PLAYER, "only players can chat")
        case Claim() if not state.claim_after:
            return Refusal(Code.EXCLUDED, "battles cannot be claimed in this match")
        case NewMatch() | Fairer() if state.arranged:
            return Refusal(Code.EXCLUDED, "this table is for one match: open another one")
        case Redo() if state.seats.has_remote:
            return Refusal(Code.EXCLUDED, "there is nothing to redo")
        case Open() if state.seats.has_remote:
            return Refusal(Code.EXCLUDED, "another match cannot be opened during this one")

        # A guest's connection; a move waits for it, and can be withdrawn
        case Undo() if connection and connection.withdrawable:
            return None
        case _ if lost and (lost.for_good or not isinstance(request, Play | Say)):
            return Refusal(Code.CONNECTION, "the connection to the host is broken")
        case Play() if connection and connection.sending:
            return Refusal(Code.SENDING, f"{connection.sending} is still on its way")

        # In a battle
        case Play() | ProposeEnd() | Resign() | Claim() if outcome := state.battle.outcome:
            return Refusal(Code.OVER, outcome.description)
        case Play() | ProposeEnd() if not state.decides(state.to_move, by):
            return Refusal(Code.TURN, state.not_yet, waits=state.side_of(by) is not None)
        case ProposeEnd() | Resign() | Claim() if side := _free_side(state, by):
            return Refusal(Code.UNTAKEN, untaken(side))
        case Claim():
            return _not_away(state, by)
        case Undo() if (outcome := state.battle.outcome) and outcome.forfeit:
            final = f"{outcome.because}, and that is final: nothing can be undone"
            return Refusal(Code.OVER, final)
        case Undo() if not (state.battle.agreed or state.moves_back(by)):
            return Refusal(Code.NOTHING, "there is nothing to undo")
        case Redo() if not state.battle.undone or state.battle.outcome:
            return Refusal(Code.NOTHING, "there is nothing to redo")

        # Between battles
        case NextBattle() if state.match.number > 1:
            return Refusal(Code.NOTHING, "a match has two battles, and the second has begun")
        case NextBattle() if state.battle.outcome is None:
            return Refusal(Code.GOES_ON, "the first battle is not over")
        case Fairer() if not state.match.over:
            return Refusal(Code.GOES_ON, "the match is not over")
        case Fairer() if not _can_be_fairer(state):
            return Refusal(Code.NOTHING, "no level or handicap would be fairer than in this match")
        case NewMatch() if state.seats.has_remote and not state.match.over:
            return Refusal(Code.GOES_ON, "this match is not over: leave it first")

        # Proposals
        case Answer() if state.proposal is None:
            return Refusal(Code.NOTHING, "there is no proposal")
        case Answer(_, wish) if state.proposal and state.proposal.wish != wish:
            return Refusal(Code.NOTHING, "that proposal is no longer open")
        case Answer() if state.proposal and not state.decides(state.proposal.by.other, by):
            return Refusal(Code.NOT_YOURS, "you were not asked")
        case Withdraw() if state.proposal is None:
            return Refusal(Code.NOTHING, "you have not proposed anything")
        case Withdraw() if state.proposal and not state.decides(state.proposal.by, by):
            return Refusal(Code.NOT_YOURS, "only the player who proposed it can withdraw it")
        case NewMatch() if (
            # Whoever asks for what the other player has proposed meanwhile, agrees.
            state.proposal
            and isinstance(state.proposal.wish, NewMatch)
            and state.decides(state.proposal.by.other, by)
        ):
            return None
        case ProposeEnd() | Undo() | NewMatch() if state.proposal and (
            isinstance(request, ProposeEnd) or state.asks(by)
        ):
            return Refusal(Code.PROPOSED, "another proposal has not been answered yet")

        # Among people
        case Say() if by is None and state.participants.muted:
            return Refusal(Code.EXCLUDED, state.participants.muted)
        case Say(text):
            return why_not_say(state.participants, text)
        case GiveSeat() if state.participants.asking is None:
            return Refusal(Code.NOTHING, "nobody is asking for a seat")
    return None


def refused(state: TableState, request: Request) -> Refusal | None:
    """Return why a person here cannot make a kind of request, found once after each change.

    A claim becomes possible without any change: for that, ask `why_not`.
    """
    kind = type(request)
    if kind not in state.found:
        state.found[kind] = why_not(state, request)
    answer: Refusal | None = state.found[kind]
    return answer


def allows(state: TableState, request: Request) -> bool:
    """Whether a person here can make a kind of request, as far as `refused` knows."""
    return refused(state, request) is None


def why_not_say(participants: Participants, text: str) -> Refusal | None:
    """Return why nobody at a table can send a chat message, None if they can."""
    if not participants.talking:
        return Refusal(Code.EXCLUDED, "this match has no chat")
    return None if participants.words(text) else Refusal(Code.NOTHING, "the message is empty")


def _can_be_fairer(state: TableState) -> bool:
    """Whether there is a fairer match than the one that is over."""
    from thud.session.fairer import fairer_match

    return fairer_match(state) is not None


def _free_side(state: TableState, by: int | None) -> Side | None:
    """Return the side of a player's opponent if that seat is free."""
    own = state.side_of(by)
    free = own and state.match.commander(own.other) in state.participants.free
    return own.other if own and free else None


def _not_away(state: TableState, by: int | None) -> Refusal | None:
    """Return why the battle of a player cannot be claimed as long as it goes on."""
    own = state.side_of(by)
    assert own
    side, player = own.other, state.match.commander(own.other)
    if player not in state.participants.missing:
        away = f"you can claim a battle only while {state.match.name_of(side)} is away"
        return Refusal(Code.PRESENT, away)
    if state.to_move is not side:
        return Refusal(Code.TURN, "you can claim a battle only on the other player's turn")
    since = state.absent_for(player)
    if since is not None and since < state.claim_after:
        later = claim_later(state.match.players[player], since, state.claim_after)
        return Refusal(Code.TOO_EARLY, later)
    return None

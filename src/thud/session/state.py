"""A table as players see it: what they can request, and what is so.

From top to bottom: requests, which are values that a session carries out, and a guest sends to its
host; what is possible, and what is asked; the `TableState`; and the changes of a battle, for a
match played here and for a guest's.
"""

from __future__ import annotations

from contextlib import suppress
from time import monotonic
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

from thud.rules.battle import Battle
from thud.rules.clock import Clock, TimeLeft
from thud.rules.match import Match
from thud.rules.position import Move, Side
from thud.rules.variant import IllegalMove
from thud.session.events import (
    ConnectionLost,
    Ended,
    Event,
    Faulted,
    Played,
    TakenBack,
    Wish,
)
from thud.session.participants import Computer, Contenders, Participants, Seat, Seats
from thud.wording.clocks import claim_later
from thud.wording.match import untaken, with_display_names

if TYPE_CHECKING:
    from thud.records.record import Record


class TooLate(ValueError):
    """The request was about an earlier state of the match: nothing is changed."""


# Requests.  Each can be refused because the battle is over, or because the match has changed since


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


# To computers.  A guest has none: there the first is to no effect, and the others are refused


class Hold(NamedTuple):
    """Let computers and the clock wait while a question is open, or go on."""

    held: bool = True


class Pause(NamedTuple):
    """Pause computers that play each other, or let them go on."""

    paused: bool = True


class ChangeSpeed(NamedTuple):
    """Change the speed at which computers play each other by some steps."""

    by: int


class TryAgain(NamedTuple):
    """Restart computers that have failed, also those whose seats were taken over."""


class TakeOver(NamedTuple):
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


# What is possible, and what is asked

SPEEDS: Final = (4.0, 2.0, 1.0, 0.5, 0.0)
"""Shortest times for a move while computers play each other and are watched, in seconds."""


class Possible(NamedTuple):
    """What a player here can do now."""

    take_part: bool
    """The match is played or run here, not just spectated."""
    move: bool
    """A local player is to move, and so may play, propose the end and get hints."""
    undo: bool
    """There is an agreement or a move to take back."""
    redo: bool
    resign: bool
    """The battle has an opponent and is not over."""
    claim: bool
    """The player to move is absent, and claims are allowed."""
    talk: bool


class Proposal(NamedTuple):
    """An open proposal."""

    by: Side
    revision: int
    """The `TableState.revision` at which it was proposed."""
    otherwise: Move | None = None
    """The move to play if the proposal is refused or withdrawn."""
    wish: Wish = Wish.END


class Reply(NamedTuple):
    """A person here is to agree to a proposal, or to decline it."""

    proposal: Proposal
    made_here: bool
    """Whether another person here made it, and so can withdraw it."""


class Await(NamedTuple):
    """A person elsewhere is to answer a proposal made here, which can be withdrawn."""

    proposal: Proposal


class GoOn(NamedTuple):
    """The battle is over: what comes next?"""


Asked: TypeAlias = Faulted | Reply | Await | GoOn
"""What is asked; `Faulted` asks what to do about a computer that has failed."""


# The table


class TableState:
    """What is so at one table, for front ends to read and for words to describe.

    A session and what serves it change it; after `refresh`, what can be done is found out anew.

    Args:
        match: the match.
        contenders: who plays, if not two local people.
        guest: whether the match is played at a host's.

    Attributes:
        match: the match; read it only.
        guest: whether the match is played at a host's.
        seats: the players' seats.
        participants: remote players and spectators.
        revision: the count of the match's changes; a request made at an earlier one is refused.
        proposal: the open proposal, if any.
        fault: the failure that holds the match up, if any.
        engines_held: whether engines and the clock are stopped until a question is answered.
        paused: whether computers that play each other are paused.
        speed: how fast computers play each other, an index of `SPEEDS`.
        left: whether the session has been left.
        hints_allowed: whether players may get hints.
        clock: the clock of the battle, if any.
        clock_told: whether the clock runs by the host's latest update, at a guest's.
        waits: whether the clock is stopped while a remote player is away.
        claim_after: seconds of absence after which the battle can be claimed; 0 for never.
        lost: why the connection to the host is lost, while it is.
        silent: seconds since anything came from the host, 0 unless that is too long ago.
        sending: our move that is on its way to the host, if any.
        sent_in: what that move was sent in, if the host has not answered, so that it is sent again.
    """

    def __init__(self, match: Match, contenders: Contenders = None, *, guest: bool = False) -> None:
        self.match = match
        self.guest = guest
        self.seats = Seats(contenders)
        self.participants = Participants(self.seats, lambda: self.match.players)
        self.revision = 0
        self.proposal: Proposal | None = None
        self.fault: Faulted | None = None
        self.engines_held = self.paused = self.left = False
        self.speed = SPEEDS.index(1.0)
        self.hints_allowed = True
        self.clock: Clock | None = None
        self.clock_told = self.waits = False
        self.claim_after = 0
        self.lost: ConnectionLost | None = None
        self.silent = 0
        self.sending = ""
        self.sent_in: tuple[object, ...] | None = None
        self._changed_at = monotonic()
        self._can: Possible | None = None

    # Changes

    def agree_on(self, *, hints: bool, chat: bool, waits: bool, claim: int) -> None:
        """Set the terms that the host has decided on."""
        self.hints_allowed, self.participants.chat_allowed = hints, chat
        self.waits, self.claim_after = waits, claim
        self.refresh()

    def count_change(self) -> None:
        """Count a change of the match, dropping the open proposal and the fault."""
        self.revision += 1
        self._changed_at = monotonic()
        self.proposal = self.fault = None

    def refresh(self) -> None:
        """Find out anew what can be done, as something has changed."""
        self._can = None

    # The battle

    @property
    def battle(self) -> Battle:
        """The current battle, or the last."""
        return self.match.battle

    @property
    def to_move(self) -> Side:
        """The side to move."""
        return self.battle.position.to_move

    def seat_of(self, side: Side) -> Seat:
        """Return a side's seat in the current battle."""
        return self.seats[self.match.commander(side)]

    @property
    def watched(self) -> bool:
        """Whether only computers play."""
        return self.seats.engines_only

    @property
    def pausing(self) -> bool:
        """Whether computers that play each other are paused."""
        return self.paused and self.watched

    @property
    def engine_due(self) -> Computer | None:
        """The engine that is to move or to answer, unless something holds it up."""
        if self.engines_held or self.left or self.pausing or self.fault or self.battle.outcome:
            return None
        seat = self.seat_of(self.proposal.by.other if self.proposal else self.to_move)
        return seat if isinstance(seat, Computer) else None

    @property
    def clock_runs(self) -> bool:
        """Whether the clock runs for the player to move.

        Here it does once the battle has begun, unless something holds it up; it waits for a
        player's first arrival, or if agreed, while anybody is away.  A guest goes by the host.
        """
        if self.left or self.battle.outcome:
            return False
        if self.guest:
            return self.clock_told
        missing = self.participants.missing
        awaited = missing and (self.waits or not self.participants.been.issuperset(missing))
        return bool(self.battle.played) and not (
            self.engines_held or self.pausing or self.fault or awaited
        )

    # Who decides

    @property
    def you(self) -> int | None:
        """The only local player, if the other is a computer; else None."""
        match self.seats.local:
            case (player,) if self.seats.programs[1 - player] and not self.seats.has_remote:
                return player
        return None

    @property
    def with_display_names(self) -> Match:
        """The match with display names: a person against a computer is called `You`."""
        you = self.you
        return self.match if you is None else with_display_names(self.match, you)

    @property
    def not_yet(self) -> str:
        """Why nobody here can move, if it is a remote player's turn or their seat is free."""
        if self.match.commander(self.to_move) in self.participants.free:
            return untaken(self.to_move)
        return f"it is {self.match.name_of(self.to_move)}'s turn"

    def decides(self, side: Side, by: int | None = None) -> bool:
        """Whether a remote player decides for a side; None means any local player."""
        if by is None:
            return self.seat_of(side).is_local
        return self.match.commander(side) == by

    def side_of(self, by: int | None = None) -> Side | None:
        """Return a remote player's side, or for None the local player's.

        With two local players that is the side to move, with none it is None.
        """
        if by is None:
            local = self.seats.local
            if not local:
                return None
            if len(local) > 1:
                return self.to_move
            by = local[0]
        return self.match.side_of(by)

    def playing_side(self, by: int | None = None) -> Side:
        """Return the acting player's side in a battle that is not over.

        Raises:
            IllegalMove: the battle is over, nobody here plays, the connection to the host is
                broken, or the opponent's seat is free.
        """
        self.refuse_if_over()
        side = self.side_of(by)
        if side is None:
            raise IllegalMove("you do not play in this battle")
        if self.lost:
            raise IllegalMove("the connection to the host is broken")
        if self.match.commander(side.other) in self.participants.free:
            raise IllegalMove(untaken(side.other))
        return side

    def absent_side(self, by: int | None = None) -> Side:
        """Return the side of the acting player's opponent, who is to move and absent.

        Raises:
            IllegalMove: as for `playing_side`, the opponent is not, or claims are not allowed.
        """
        side = self.playing_side(by).other
        if not self.claim_after:
            raise IllegalMove("battles cannot be claimed in this match")
        if self.match.commander(side) not in self.participants.missing:
            name = self.match.name_of(side)
            raise IllegalMove(f"you can claim a battle only while {name} is away")
        if self.to_move is not side:
            raise IllegalMove("you can claim a battle only on the other player's turn")
        return side

    def refuse_early_claim(self) -> None:
        """Check that the player to move has been away for long enough, as far as is known here.

        Only the host knows when a player left who was not seen leaving here.

        Raises:
            IllegalMove: they have not.
        """
        player = self.match.commander(self.to_move)
        if self.guest and player not in self.participants.gone:
            return
        since = min(self.participants.away_for(player), monotonic() - self._changed_at)
        if since < self.claim_after:
            raise IllegalMove(claim_later(self.match.players[player], since, self.claim_after))

    def moves_back(self, by: int | None = None) -> int:
        """Return the number of moves back to a player's last turn, 0 if there is none.

        `by` is the remote player, None for a local one.  If only computers play, it is one move.
        After a forfeit nothing can be taken back.
        """
        if self.battle.forfeit:
            return 0
        for back, position in enumerate(self.battle.earlier(), 1):
            if self.watched or self.decides(position.to_move, by):
                return back
        return 0

    # What can be done, and what is asked

    @property
    def can(self) -> Possible:
        """What a player here can do, found out once after each change."""
        if self._can is None:
            self._can = self._possible()
        return self._can

    def _possible(self) -> Possible:
        over = self.left or self.battle.outcome is not None
        local, remote = bool(self.seats.local), self.seats.has_remote
        takes_part = local or self.watched
        moves = not over and self.seat_of(self.to_move).is_local
        playing = absent = None
        if not self.left:
            with suppress(IllegalMove):
                playing = self.playing_side()
                absent = self.absent_side()
        return Possible(
            take_part=takes_part,
            move=moves,
            # A move that waits to be sent again can be withdrawn.  Where undoing is proposed to
            # somebody elsewhere, another proposal must not be open.
            undo=self.withdrawable
            or (
                takes_part
                and not (remote and self.proposal)
                and (self.battle.agreed or self.moves_back() > 0)
            ),
            redo=bool(self.battle.undone) and self.battle.outcome is None and not remote,
            resign=playing is not None,
            claim=absent is not None,
            # At a host's, spectators chat among themselves.
            talk=(local or self.guest) and self.participants.talking,
        )

    @property
    def withdrawable(self) -> bool:
        """Whether a move waits for the connection, to be sent again."""
        return self.sent_in is not None and self.lost is not None

    @property
    def advisable(self) -> bool:
        """Whether a local player is to move, and hints are allowed."""
        return self.can.move and self.hints_allowed

    @property
    def asked(self) -> Asked | None:
        """What is asked of the people here now, if anything but a move."""
        if self.fault:
            return self.fault
        if proposal := self.proposal:
            made_here = self.seat_of(proposal.by).is_local
            answers = self.seat_of(proposal.by.other)
            if answers.is_local:
                return Reply(proposal, made_here)
            if made_here and answers.is_remote:
                return Await(proposal)
        return GoOn() if self.battle.outcome else None

    # What is refused

    def refuse_if_late(self, revision: int | None) -> None:
        """Check that the match is still at a revision, if one is given.

        Raises:
            TooLate: it is not, or has been left.
        """
        if self.left or revision not in (None, self.revision):
            raise TooLate("the match has moved on")

    def refuse_if_over(self) -> None:
        """Check that the battle is not over.

        Raises:
            IllegalMove: it is, and why.
        """
        if outcome := self.battle.outcome:
            raise IllegalMove(outcome.description)

    def refuse_on_turn_of_others(self, by: int | None = None) -> None:
        """Check that remote player `by` is to move, or somebody here for None.

        Raises:
            IllegalMove: somebody else is.
        """
        if not (self.decides(self.to_move, by) or self.battle.outcome):
            raise IllegalMove(self.not_yet)

    def proposal_now(self) -> Proposal:
        """Return the open proposal.

        Raises:
            IllegalMove: there is none.
        """
        if self.proposal is None:
            raise IllegalMove("there is no proposal")
        return self.proposal


# Changes of a battle, with the events that report them


def played(battle: Battle, move: Move, left: TimeLeft | None) -> list[Event]:
    """Play a move, after which its player has the given time left; return the events.

    Raises:
        IllegalMove: it cannot be played, and nothing has changed.
    """
    before = battle.position
    battle.play(move, left)
    return [Played(before, move), *ended(battle)]


def taken_back(battle: Battle, number: int) -> list[Event]:
    """Take back a number of moves, or for 0 the agreement to end; return the events."""
    turns = []
    for _ in range(number):
        assert battle.last
        turns.append(Played(*battle.last))
        battle.undo()
    if not number:
        battle.undo()
    return [TakenBack(tuple(turns))]


def ended(battle: Battle) -> list[Event]:
    """Return the event of a battle's end, if it is over."""
    return [Ended(battle.outcome)] if battle.outcome else []

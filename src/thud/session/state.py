"""A table as players see it.

From top to bottom: what is possible, and what is asked; the `TableState`; and the changes of a
battle, for a match played here and for a guest's.
"""

from __future__ import annotations

from enum import Enum, auto
from time import monotonic
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from msgspec import Struct

from thud.rules.battle import Battle
from thud.rules.clock import Clock, TimeLeft
from thud.rules.match import Match
from thud.rules.position import Move, Side
from thud.rules.variant import Outcome
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
from thud.words.match import untaken, with_display_names

if TYPE_CHECKING:
    from thud.exercises.lessons.aim import Attempt


class TooLate(ValueError):
    """The request was about an earlier state of the match: nothing is changed."""


# What is possible, and what is asked

SPEEDS: Final = (4.0, 2.0, 1.0, 0.5, 0.0)
"""Shortest times for a move while computers play each other and are watched, in seconds."""


class Whose(Enum):
    """What a battle waits for."""

    OVER = auto()
    """For nothing: it is over."""
    CONNECTION = auto()
    """For a guest's lost connection."""
    SENDING = auto()
    """For a guest's move to arrive at the host."""
    SILENT = auto()
    """For a host from whom nothing has come for some time."""
    ANSWER = auto()
    """For a player's answer to a proposal."""
    HERE = auto()
    """For the move of a person here."""
    FREE = auto()
    """For somebody to take a seat."""
    AWAY = auto()
    """For a player elsewhere who has left."""
    ELSEWHERE = auto()
    """For the move of a player elsewhere."""
    PAUSE = auto()
    """For computers that play each other and are paused."""
    FAULT = auto()
    """For a decision what to do about a computer that has failed."""
    COMPUTER = auto()
    """For the move of a computer."""


class Turn(Struct, frozen=True):
    """What a battle waits for at one moment."""

    whose: Whose
    side: Side
    """The side to move, or to answer."""
    here: bool
    """Whether a person here is to move, and so may get hints."""


class Proposal(Struct, frozen=True):
    """An open proposal."""

    by: Side
    revision: int
    """The `TableState.revision` at which it was proposed."""
    wish: Wish
    """The request that is carried out if the other player agrees."""
    otherwise: Move | None = None
    """The move to play if the proposal is refused or withdrawn."""


class Reply(Struct, frozen=True):
    """A person here is to agree to a proposal, or to decline it."""

    proposal: Proposal
    made_here: bool
    """Whether another person here made it, and so can withdraw it."""


class Await(Struct, frozen=True):
    """A person elsewhere is to answer a proposal made here, which can be withdrawn."""

    proposal: Proposal


Asked: TypeAlias = Faulted | Reply | Await | Outcome
"""What is asked; `Faulted` asks what to do about a computer that has failed, the `Outcome` of a
battle what comes next.
"""


# The table


class Part:
    """Part of a table: after each attribute set, what was found out is found anew.

    Attributes:
        found: what has been found out since the last change: the `Turn`, what the law says of each
            kind of request, and what a screen's actions do.
    """

    found: dict[object, Any]

    def __init__(self, found: dict[object, Any]) -> None:
        object.__setattr__(self, "found", found)

    if not TYPE_CHECKING:  # it would let any attribute be set

        def __setattr__(self, name: str, value: object) -> None:
            """Set an attribute, and find out anew what can be done."""
            super().__setattr__(name, value)
            self.found.clear()


class Connection(Part):
    """What only a guest has: a connection to the host.

    Attributes:
        lost: why it is lost, while it is.
        silent: seconds since anything came from the host, 0 unless that is too long ago.
        sending: our move that is on its way to the host, if any.
        sent_in: what that move was sent in, if the host has not answered, so that it is sent again.
        clock_runs: whether the clock runs by the host's latest update.
    """

    def __init__(self, found: dict[object, Any]) -> None:
        super().__init__(found)
        self.lost: ConnectionLost | None = None
        self.silent = 0
        self.sending = ""
        self.sent_in: tuple[object, ...] | None = None
        self.clock_runs = False

    @property
    def withdrawable(self) -> bool:
        """Whether a move waits for the connection, to be sent again."""
        return self.sent_in is not None and self.lost is not None


class Computers(Part):
    """What only computers need.

    Attributes:
        held: whether they are stopped until a question is answered, and the clock, too, where
            nobody plays elsewhere.
        paused: whether they are paused, if they play each other.
        speed: how fast they play each other, an index of `SPEEDS`.
        fault: the failure that holds the match up, if any.
    """

    def __init__(self, found: dict[object, Any]) -> None:
        super().__init__(found)
        self.held = self.paused = False
        self.speed = SPEEDS.index(1.0)
        self.fault: Faulted | None = None


class TableState(Part):
    """What is so at one table, for front ends to read and for words to describe.

    A session and what serves it change it, and `refresh` it after what changes within match, seats
    and participants.

    Args:
        match: the match.
        contenders: who plays, if not two local people.
        guest: whether the match is played at a host's.

    Attributes:
        match: the match; read it only.
        connection: the connection to the host; None where the match is played here.
        computers: how computers play here.
        seats: the players' seats.
        participants: remote players and spectators.
        revision: the count of the match's changes; a request made at an earlier one is refused.
        proposal: the open proposal, if any.
        left: whether the session has been left.
        hints_allowed: whether players may get hints.
        clock: the clock of the battle, if any.
        waits: whether the clock is stopped while a remote player is away.
        claim_after: seconds of absence after which the battle can be claimed; 0 for never.
        arranged: whether no other match follows, and the clock runs from the start of each battle.
        attempt: the aim of the first battle, if it is a lesson's.
    """

    def __init__(self, match: Match, contenders: Contenders = None, *, guest: bool = False) -> None:
        super().__init__({})
        self.match = match
        self.connection = Connection(self.found) if guest else None
        self.computers = Computers(self.found)
        self.seats = Seats(contenders)
        self.participants = Participants(self.seats, lambda: self.match.players)
        self.revision = 0
        self.proposal: Proposal | None = None
        self.left = False
        self.hints_allowed = True
        self.clock: Clock | None = None
        self.waits = False
        self.claim_after = 0
        self.arranged = False
        self.attempt: Attempt | None = None
        self._changed_at = monotonic()

    # Changes

    def agree_on(
        self, *, hints: bool, chat: bool, waits: bool, claim: int, arranged: bool = False
    ) -> None:
        """Set the terms that the host has decided on."""
        self.hints_allowed, self.participants.chat_allowed = hints, chat
        self.waits, self.claim_after, self.arranged = waits, claim, arranged

    def count_change(self) -> None:
        """Count a change of the match, dropping the open proposal and the fault."""
        self.revision += 1
        self._changed_at = monotonic()
        self.proposal = self.computers.fault = None

    def refresh(self) -> None:
        """Find out anew what can be done, as something has changed."""
        self.found.clear()

    # The battle

    @property
    def battle(self) -> Battle:
        """The current battle, or the last."""
        return self.match.battles[-1]

    @property
    def to_move(self) -> Side:
        """The side to move."""
        return self.battle.position.to_move

    def seat_of(self, side: Side) -> Seat:
        """Return a side's seat in the current battle."""
        return self.seats[self.match.commander(side)]

    @property
    def opponent_is_computer(self) -> bool:
        """Whether the side that is not to move is a computer's."""
        return isinstance(self.seat_of(self.to_move.other), Computer)

    @property
    def watched(self) -> bool:
        """Whether only computers play."""
        return self.seats.engines_only

    @property
    def pausing(self) -> bool:
        """Whether computers that play each other are paused."""
        return self.computers.paused and self.watched

    @property
    def engine_due(self) -> Computer | None:
        """The engine that is to move or to answer, unless something holds it up."""
        match self.turn:
            case Turn(Whose.COMPUTER | Whose.ANSWER, side) if not (
                self.computers.held or self.left
            ):
                seat = self.seat_of(side)
                return seat if isinstance(seat, Computer) else None
        return None

    @property
    def clock_runs(self) -> bool:
        """Whether the clock runs for the player to move.

        Here it does once the battle has begun, unless something holds it up; it waits for a
        player's first arrival, or if agreed, while anybody is away.  In an arranged match it waits
        for nothing of that.  A question holds it up only where nobody plays elsewhere: one player
        alone must not stop it.  A guest goes by the host.
        """
        if self.left or self.battle.outcome:
            return False
        if self.connection:
            return self.connection.clock_runs
        missing = self.participants.missing
        awaited = missing and (self.waits or not self.participants.been.issuperset(missing))
        waits = not self.arranged and (awaited or not self.battle.played)
        held = self.computers.held and not self.seats.has_remote
        return not (waits or held or self.pausing or self.computers.fault)

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
        match self.turn:
            case Turn(Whose.FREE, side):
                return untaken(side)
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

    def asks(self, by: int | None = None) -> Side | None:
        """Return the side of the acting player, if the other player is to be asked first."""
        player = by if by is not None else next(iter(self.seats.local), None)
        if player is None or 1 - player in self.participants.free:
            return None
        other = self.seats[1 - player]
        asked = other.is_remote or (other.is_local and by is not None)
        return self.match.side_of(player) if asked else None

    def absent_for(self, player: int) -> float | None:
        """Return for how many seconds of their turn a player has been away; None if unknown.

        Only the host knows when a player left who was not seen leaving here.
        """
        if self.connection and player not in self.participants.gone:
            return None
        return min(self.participants.away_for(player), monotonic() - self._changed_at)

    def moves_back(self, by: int | None = None) -> int:
        """Return the number of moves back to a player's last turn, 0 if there is none.

        `by` is the remote player, None for a local one.  If only computers play, it is one move.
        """
        for back, position in enumerate(self.battle.earlier(), 1):
            if self.watched or self.decides(position.to_move, by):
                return back
        return 0

    # What can be done, and what is asked

    @property
    def aimed(self) -> str:
        """What came of the aim of a lesson's battle, if the last move has decided that."""
        battle = self.battle
        if self.attempt is None or self.match.number > 1:
            return ""
        return self.attempt.told(battle.positions, battle.outcome)

    @property
    def takes_part(self) -> bool:
        """Whether the match is played or run here, not just spectated."""
        return bool(self.seats.local) or self.watched

    @property
    def turn(self) -> Turn:
        """What the battle waits for, found out once after each change."""
        if Turn not in self.found:
            here = self.seat_of(self.to_move).is_local
            here = here and not (self.left or self.battle.outcome)
            self.found[Turn] = Turn(*self._awaited(here), here)
        turn: Turn = self.found[Turn]
        return turn

    def _awaited(self, here: bool) -> tuple[Whose, Side]:  # noqa: PLR0911 - one for each
        side = self.to_move
        if self.battle.outcome:
            return Whose.OVER, side
        if connection := self.connection:
            if connection.lost:
                return Whose.CONNECTION, side
            if connection.sending:
                return Whose.SENDING, side
            if connection.silent and not here:
                return Whose.SILENT, side
        if self.pausing:
            return Whose.PAUSE, side
        if self.proposal:
            return Whose.ANSWER, self.proposal.by.other
        if here:
            return Whose.HERE, side
        player = self.match.commander(side)
        if self.seats[player].is_remote:
            if player in self.participants.connected:
                return Whose.ELSEWHERE, side
            return Whose.FREE if player in self.participants.free else Whose.AWAY, side
        return Whose.FAULT if self.computers.fault else Whose.COMPUTER, side

    @property
    def advisable(self) -> bool:
        """Whether a local player is to move, and hints are allowed."""
        return self.turn.here and self.hints_allowed

    @property
    def pending(self) -> Wish | None:
        """What was proposed here and is not answered, if anything."""
        proposal = self.proposal
        return proposal.wish if proposal and self.seat_of(proposal.by).is_local else None

    @property
    def asked(self) -> Asked | None:
        """What is asked of the people here now, if anything but a move."""
        if self.computers.fault:
            return self.computers.fault
        if proposal := self.proposal:
            made_here = self.seat_of(proposal.by).is_local
            answers = self.seat_of(proposal.by.other)
            if answers.is_local:
                return Reply(proposal, made_here)
            if made_here and answers.is_remote:
                return Await(proposal)
        return self.battle.outcome

    # What is refused

    def refuse_if_late(self, revision: int | None) -> None:
        """Check that the match is still at a revision, if one is given.

        Raises:
            TooLate: it is not, or has been left.
        """
        if self.left or revision not in (None, self.revision):
            raise TooLate("the match has moved on")


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

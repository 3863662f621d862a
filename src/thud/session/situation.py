"""How things stand at a table: the match, who sits there, and what everybody waits for."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextvars import Context, copy_context
from typing import Final, NamedTuple

from thud.rules.battle import Battle
from thud.rules.clock import Clock
from thud.rules.match import Match
from thud.rules.position import Move, Position, Side
from thud.rules.variant import Reason
from thud.session.events import Event, Faulted, LineLost, Listener, Wish
from thud.session.seats import Seat, Seats

_log: Final = logging.getLogger("thud.session")


class Proposal(NamedTuple):
    """Somebody wants what only both can do, and is not answered yet."""

    by: Side
    at: int
    """When it was proposed, as `Situation.number` counts."""
    otherwise: Move | None = None
    """What is played if the other player plays on."""
    wish: Wish = Wish.END


class Situation:
    """What there is to know of a session now.

    Attributes:
        match: what is played.
        seats: who decides for either player.
        number: how often the match has changed; who decides something says at which number, and
            comes too late if that is past.
        proposal: the wish that is not answered yet, if there is one.
        fault: what has failed and is to be mended before anything goes on, if something has.
        held: whether nobody may think until a question has been answered.
        paused: whether computers that play with one another wait.
        left: whether everybody has gone.
        hints_allowed: whether those who play may ask a computer.
        clock: the clock of the battle, if there is one.
        waits: whether the clock stands still while a player at another place is away.
        lost: how the line to where the match is played was lost, as long as it is.
        changing: held while something changes, until it is on the disk and has been told.
    """

    def __init__(self, match: Match, seats: Seats) -> None:
        self.match = match
        self.seats = seats
        self.number = 0
        self.proposal: Proposal | None = None
        self.fault: Faulted | None = None
        self.held = self.paused = self.left = False
        self.hints_allowed = True
        self.clock: Clock | None = None
        self.waits = False
        self.lost: LineLost | None = None
        self.changing = asyncio.Lock()
        self._listeners: list[tuple[Context, Listener]] = []

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        """Tell somebody everything from now on; return what ends that.

        Whoever has changed something, a task of a server perhaps, it is told in the context in
        which somebody began to listen: an interface draws and counts in its own.
        """
        listening = copy_context(), listener
        self._listeners.append(listening)
        return lambda: self._listeners.remove(listening)

    def tell(self, *events: Event) -> None:
        """Tell everybody who listens what has happened.

        A listener that fails is a fault of its own: it is logged, and the others hear all the same.
        """
        for event in events:
            for context, listener in tuple(self._listeners):
                try:
                    context.copy().run(listener, event)
                except Exception:
                    _log.exception("a listener failed at %s", type(event).__name__)

    async def settled(self) -> None:
        """Wait until what is changing is on the disk, and has been told."""
        async with self.changing:
            return

    @property
    def battle(self) -> Battle:
        """The battle now, or the last one."""
        return self.match.battle

    @property
    def to_move(self) -> Side:
        """The side to move."""
        return self.battle.position.to_move

    def seat_of(self, side: Side) -> Seat:
        """Return who decides for a side in the battle now."""
        return self.seats[self.match.commander(side)]

    @property
    def watched(self) -> bool:
        """Whether no people play: computers play with one another."""
        return self.seats.alone

    @property
    def pausing(self) -> bool:
        """Whether computers that play with one another wait until they are let go on."""
        return self.paused and self.watched

    @property
    def due(self) -> bool:
        """Whether a computer has to decide, and nothing holds that up."""
        if self.held or self.left or self.pausing or self.fault or self.battle.outcome:
            return False
        asked = self.seat_of(self.proposal.by.other if self.proposal else self.to_move)
        return not (asked.here or asked.elsewhere)

    def decides(self, side: Side, by: int | None = None) -> bool:
        """Say whether a player at another place decides for a side; None is anybody here."""
        if by is None:
            return self.seat_of(side).here
        return self.match.commander(side) == by

    def wished(self, by: Side, wish: Wish) -> bool:
        """Say whether the player of a side wishes something that is not answered yet."""
        proposal = self.proposal
        return proposal is not None and (proposal.by, proposal.wish) == (by, wish)

    # What can be done

    @property
    def can_move(self) -> bool:
        """Whether somebody here is to move: to play, to propose the end, to be advised."""
        over = self.left or self.battle.outcome is not None
        return not over and self.seat_of(self.to_move).here

    @property
    def can_undo(self) -> bool:
        """Whether there is an agreement to take back, or a move."""
        return self.takes_part and (self.agreed or self.moves_back() > 0)

    @property
    def takes_part(self) -> bool:
        """Whether who is here does more than to look on at what others play elsewhere."""
        return bool(self.seats.here) or self.watched

    @property
    def can_redo(self) -> bool:
        """Whether there is a move to make again."""
        again = bool(self.battle.undone) and self.battle.outcome is None
        return again and not self.seats.apart

    @property
    def can_be_advised(self) -> bool:
        """Whether somebody here is to move, and may ask a computer."""
        return self.can_move and self.hints_allowed

    @property
    def agreed(self) -> bool:
        """Whether the players have agreed to end the battle."""
        outcome = self.battle.outcome
        return outcome is not None and outcome.reason is Reason.AGREEMENT

    def moves_back(self, by: int | None = None) -> int:
        """How many moves back a player at another place was to move, None for anybody here; or 0.

        Where only computers play that is one, if there is any.  Where a time was up, nothing is
        taken back.
        """
        if self.battle.timed_out:
            return 0
        earlier = enumerate(self.battle.earlier(), 1)
        backwards = (each for each, position in earlier if self._stops(position, by))
        return next(backwards, 0)

    def _stops(self, position: Position, by: int | None) -> bool:
        return self.watched or self.decides(position.to_move, by)

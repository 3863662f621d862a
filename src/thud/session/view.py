"""A match as seen from one place, be it played here or at a host's."""

from __future__ import annotations

import asyncio
import logging
from abc import ABC, abstractmethod
from collections.abc import Callable, Coroutine, Iterable
from contextvars import Context, copy_context
from time import monotonic
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from thud.engines.analyst import Analyst
from thud.rules.battle import Battle
from thud.rules.clock import Clock
from thud.rules.match import Match
from thud.rules.position import Move, Side
from thud.rules.variant import IllegalMove
from thud.session.advice import Advice, Coach
from thud.session.autosave import Autosave
from thud.session.events import (
    ConnectionLost,
    Event,
    Faulted,
    HandedOver,
    Listener,
    Notified,
    SaveFailed,
    Wish,
)
from thud.session.participants import Participants
from thud.session.requests import Request
from thud.session.seats import Contenders, Seat, Seats
from thud.session.state import Possible
from thud.session.timekeeper import Timekeeper
from thud.session.turns import Turns
from thud.session.voices import Voices
from thud.wording.clocks import claim_later
from thud.wording.match import untaken, with_display_names

if TYPE_CHECKING:
    from thud.ai.player import Decision
    from thud.records.record import Record
    from thud.session.blunders import Blunder


SAVE_AGAIN: Final = 1.0
"""Seconds until what could not be saved is tried again."""

_log: Final = logging.getLogger("thud.session")

Work: TypeAlias = Coroutine[object, object, None]


class TooLate(ValueError):
    """The request was about an earlier state of the match: nothing is changed."""


class Proposal(NamedTuple):
    """An open proposal."""

    by: Side
    revision: int
    """The `SessionView.revision` at which it was proposed."""
    otherwise: Move | None = None
    """The move to play if the proposal is refused or withdrawn."""
    wish: Wish = Wish.END


class SessionView(ABC):
    """A match as front ends read and drive it: `Session`, or a guest's `Remote`.

    Once an awaited request returns, the match is changed and saved, and all listeners have been
    called.  A refused request raises an error with a sentence, and changes nothing.

    Args:
        match: the match; read it, but change it only through here.
        autosave: saves it.
        contenders: who plays, if not two local people.

    Attributes:
        match: the match.
        seats: the players' seats.
        revision: the count of the match's changes; a request made at an earlier one is refused.
        proposal: the open proposal, if any.
        fault: the failure that holds the match up, if any.
        engines_held: whether engines are stopped until a question is answered.
        paused: whether computers that play each other are paused.
        left: whether the session has been left.
        hints_allowed: whether players may get hints.
        clock: the clock of the battle, if any.
        waits: whether the clock is stopped while a remote player is away.
        claim_after: seconds of absence after which the battle can be claimed; 0 for never.
        lost: why the connection to the host is lost, while it is.
        changing: held during a change, until it is saved and reported.
        autosave: saves the match.
        turns: the engines' turns.
        analyst: the engine for advice, which plays for nobody.
        advice: hints and evaluations.
        coach: objects to blunders of people against computers, if it is on.
        voices: speaks for a computer, if it is on.
        participants: remote players and spectators.
        timekeeper: keeps the clock, if there is one.
    """

    def __init__(
        self,
        match: Match,
        autosave: Autosave,
        contenders: Contenders = None,
    ) -> None:
        self.match = match
        self.seats = Seats(contenders)
        self.revision = 0
        self._can: Possible | None = None
        self.proposal: Proposal | None = None
        self.fault: Faulted | None = None
        self.engines_held = self.paused = self.left = False
        self.hints_allowed = True
        self.clock: Clock | None = None
        self.waits = False
        self.claim_after = 0
        self.lost: ConnectionLost | None = None
        self.silent = 0
        self.sending = ""
        self._changed_at = monotonic()
        self.changing = asyncio.Lock()
        self._listeners: list[tuple[Context, Listener]] = []
        self._tasks: list[Callable[[], Work]] = []
        self._closings: list[Callable[[], Work]] = []
        self.autosave = autosave
        self.turns = Turns(self)
        self.analyst = Analyst()
        self.advice = Advice(self, self.analyst)
        self.coach = Coach(self, self.analyst)
        self.participants = Participants(self)
        self.voices = Voices(self, self.participants)
        self.timekeeper = Timekeeper(self)

    def agree_on(self, *, hints: bool, chat: bool, waits: bool, claim: int) -> None:
        """Set the terms that the host has decided on."""
        self.hints_allowed, self.participants.chat_allowed = hints, chat
        self.waits, self.claim_after = waits, claim
        self._can = None

    # Listeners and background tasks

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        """Call a listener with every event from now on; return a function to unsubscribe it.

        The listener is called in the `contextvars` context of this subscription, whatever task
        causes the event: an interface needs its own.
        """
        listening = copy_context(), listener
        self._listeners.append(listening)
        return lambda: self._listeners.remove(listening)

    def emit(self, *events: Event) -> None:
        """Call all listeners with some events; without any, note that something has changed.

        An error in a listener is logged, and the others are called all the same.
        """
        self._can = None
        for event in events:
            for context, listener in tuple(self._listeners):
                try:
                    context.copy().run(listener, event)
                except Exception:
                    _log.exception("a listener failed at %s", type(event).__name__)

    def add_task(self, run: Callable[[], Work]) -> None:
        """Add a background task that runs with the session."""
        self._tasks.append(run)

    @property
    def expects_events(self) -> bool:
        """Whether events may come at any time: from a remote player or a background task."""
        return self.seats.has_remote or bool(self._tasks)

    def on_close(self, close: Callable[[], Work]) -> None:
        """Add a callback for when the session is left."""
        self._closings.append(close)

    @abstractmethod
    async def begin(self) -> None:
        """Report the battle on the board, and any open proposal."""

    async def run(self) -> None:
        """Run engines, clock and connections until cancelled."""
        tasks = [task() for task in self._tasks]
        async with asyncio.TaskGroup() as group:
            # The coach goes first: a move waits for it, but nothing does for an evaluation.
            ours = self.coach.run(), self.advice.run(), self._keep_saving()
            for work in (*tasks, *self._work(), *ours):
                group.create_task(work)

    async def _keep_saving(self) -> None:
        while True:
            await asyncio.sleep(SAVE_AGAIN)
            await self.save_again()

    async def save_again(self) -> None:
        """Try again to save what could not be saved, if anything."""
        if self.autosave.has_unsaved:
            async with self.changing:
                await self.autosave.retry()
                self.emit(*map(Notified, self.autosave.take_notices()))

    @abstractmethod
    def _work(self) -> Iterable[Work]:
        """Return the tasks to run with the session."""

    @abstractmethod
    async def play_on(self) -> None:
        """Play the engines' moves until a local person has to act."""

    async def leave(self) -> None:
        """Stop every process and close the match; nothing changes any more."""
        self.left = True
        self._interrupt()
        for close in self._closings:
            await close()
        await self.turns.settle()
        await self.advice.settle()
        await self.coach.settle()
        await self.seats.close()
        await self.analyst.close()
        async with self.changing:
            await asyncio.to_thread(self.autosave.close)

    async def settled(self) -> None:
        """Wait until the current change is saved and reported."""
        async with self.changing:
            return

    # State

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
    def record(self) -> Record:
        """The match's current record, with the tags and comments it came with."""
        return self.autosave.record(self.match, self.seats.programs)

    @abstractmethod
    def farewell(self, how: str = "") -> str:
        """Return what happens to the match once it is left, empty if there is nothing to say.

        Args:
            how: options with which it is resumed.
        """

    @property
    @abstractmethod
    def outlook(self) -> str:
        """What happens to the match if the players leave now."""

    @property
    @abstractmethod
    def clock_runs(self) -> bool:
        """Whether the clock runs for the player to move."""

    @property
    def watched(self) -> bool:
        """Whether only computers play."""
        return self.seats.engines_only

    @property
    def pausing(self) -> bool:
        """Whether computers that play each other are paused."""
        return self.paused and self.watched

    @property
    def engine_due(self) -> bool:
        """Whether an engine is to move or to answer, and nothing holds that up."""
        if self.engines_held or self.left or self.pausing or self.fault or self.battle.outcome:
            return False
        asked = self.seat_of(self.proposal.by.other if self.proposal else self.to_move)
        return not (asked.is_local or asked.is_remote)

    def decides(self, side: Side, by: int | None = None) -> bool:
        """Whether a remote player decides for a side; None means any local player."""
        if by is None:
            return self.seat_of(side).is_local
        return self.match.commander(side) == by

    def wished(self, by: Side, wish: Wish) -> bool:
        """Whether a side's player has an open proposal of a kind."""
        proposal = self.proposal
        return proposal is not None and (proposal.by, proposal.wish) == (by, wish)

    # What can be done

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
        try:
            resigns = not (self.left or self.lost) and self.playing_side() is not None
        except IllegalMove:
            resigns = False
        waits = resigns and self.claim_after > 0 and self.playing_side() is not self.to_move
        return Possible(
            take_part=takes_part,
            move=moves,
            undo=takes_part and (self.agreed or self.moves_back() > 0),
            redo=bool(self.battle.undone) and self.battle.outcome is None and not remote,
            resign=resigns,
            claim=waits and self._is_away(self.to_move),
            be_advised=moves and self.hints_allowed,
            talk=local and self.participants.talking,
        )

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
        return with_display_names(self.match, self.you)

    @property
    def not_yet(self) -> str:
        """Why nobody here can move, if it is a remote player's turn or their seat is free."""
        if self.match.commander(self.to_move) in self.participants.free:
            return untaken(self.to_move)
        return f"it is {self.match.name_of(self.to_move)}'s turn"

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
            IllegalMove: the battle is over, nobody here plays, or the opponent's seat is free.
        """
        self._refuse_if_over()
        side = self.side_of(by)
        if side is None:
            raise IllegalMove("you do not play in this battle")
        if self.match.commander(side.other) in self.participants.free:
            raise IllegalMove(untaken(side.other))
        return side

    def refuse_early_claim(self) -> None:
        """Check that the player to move has been away for long enough, as far as is known here.

        Raises:
            IllegalMove: they have not.
        """
        player = self.match.commander(self.to_move)
        since = min(self.participants.away_for(player), monotonic() - self._changed_at)
        if since < self.claim_after:
            raise IllegalMove(claim_later(self.match.players[player], since, self.claim_after))

    def _is_away(self, side: Side) -> bool:
        """Whether a side's player is remote and not connected."""
        return self.match.commander(side) in self.participants.missing

    @property
    def agreed(self) -> bool:
        """Whether the players have agreed to end the battle."""
        return self.battle.agreed

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

    # Requests

    @abstractmethod
    async def request(self, request: Request, at: int | None = None) -> None:
        """Carry out a request of a player here.

        Args:
            request: the request.
            at: the `revision` at which it was decided on; None for now.

        Raises:
            ValueError: it is refused, and the message says why.
            TooLate: the match has changed since.
        """

    def reconnect(self) -> None:
        """Reconnect to the host while ssh asks at the terminal; blocks until done.

        Raises:
            ValueError: ssh needs no answer, or the host cannot be reached.
        """
        raise ValueError("no connection is waiting for an answer")

    # Engines

    def hold(self, held: bool = True) -> None:
        """Pause the engines while a question is open, or resume them."""
        self.engines_held = held
        self._interrupt()

    def pause(self, paused: bool = True) -> None:
        """Pause engines that play each other, or resume them."""
        self.paused = paused
        self._interrupt()

    def try_again(self) -> bool:
        """Restart a failed engine; return False if there is none."""
        fault, self.fault = self.fault, None
        taken_back = self.seats.take_back()
        self._interrupt()
        return taken_back or fault is not None

    def take_over(self) -> None:
        """Hand the seat of an engine that has just failed to a local person."""
        if self.fault is not None:
            player, self.fault = self.fault.player, None
            self.seats.hand_over(player)
            self.emit(HandedOver(player))
            self._interrupt()

    async def advise(self, revision: int | None = None) -> Decision | None:
        """Ask the analyst for the best move; None if the match changes before that.

        Raises:
            IllegalMove: the battle is over, or hints are not allowed.
            TooLate: the match has changed since.
            EngineFault: the engine fails.
        """
        self._refuse_if_late(revision)
        self._refuse_if_over()
        if not self.hints_allowed:
            raise IllegalMove("this match is played without hints")
        return await self.advice.hint()

    async def check_move(self, move: Move) -> Blunder | None:
        """Return the coach's objection to a move, to be shown to the player.

        None is returned if it has none, has raised it already, or takes too long.
        """
        if not self.coach.due:
            return None
        self.advice.interrupt()
        return await self.coach.check_move(move)

    # For subclasses

    def _count_change(self) -> None:
        """Count a change, dropping the open proposal, the fault and all running requests."""
        self.revision += 1
        self._changed_at = monotonic()
        self.proposal = self.fault = None
        self._interrupt()

    def _interrupt(self) -> None:
        self._can = None
        self.timekeeper.sync()
        self.turns.interrupt()
        self.coach.interrupt()
        self.advice.interrupt()

    async def _keep(self, name: str = "") -> list[Event]:
        """Save the match; return the events of a failure, or of what there is to say."""
        complaint = await self.autosave.keep(self.record, name)
        notices = map(Notified, self.autosave.take_notices())
        return [*([SaveFailed(complaint)] if complaint else []), *notices]

    def _refuse_if_late(self, revision: int | None) -> None:
        if self.left or revision not in (None, self.revision):
            raise TooLate("the match has moved on")

    def _refuse_if_over(self) -> None:
        if outcome := self.battle.outcome:
            raise IllegalMove(outcome.description)

    def _refuse_on_turn_of_others(self, by: int | None = None) -> None:
        if not (self.decides(self.to_move, by) or self.battle.outcome):
            raise IllegalMove(self.not_yet)

    def _proposal_now(self) -> Proposal:
        if self.proposal is None:
            raise IllegalMove("there is no proposal")
        return self.proposal

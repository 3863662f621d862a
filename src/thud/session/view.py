"""A match as one place sees it, whether it is played here or at a host's."""

from __future__ import annotations

import asyncio
import logging
from abc import ABC, abstractmethod
from collections.abc import Callable, Coroutine, Iterable
from contextvars import Context, copy_context
from typing import TYPE_CHECKING, Final, TypeAlias

from thud.engines.analyst import Analyst
from thud.namedtuple import NamedTuple
from thud.rules.battle import Battle
from thud.rules.clock import Clock
from thud.rules.match import Match
from thud.rules.position import Move, Position, Side
from thud.rules.variant import IllegalMove
from thud.session.advice import Advice, Coach
from thud.session.autosave import Autosave
from thud.session.company import Company
from thud.session.events import ConnectionLost, Event, Faulted, HandedOver, Listener, NotKept, Wish
from thud.session.seats import Contenders, Seat, Seats
from thud.session.timekeeper import Timekeeper
from thud.session.turns import Turns
from thud.wording.standing import addressed, untaken

if TYPE_CHECKING:
    from thud.ai.player import Decision
    from thud.records.record import Record
    from thud.session.blunders import Blunder


_log: Final = logging.getLogger("thud.session")

Work: TypeAlias = Coroutine[object, object, None]


class TooLate(ValueError):
    """The decision was about an earlier state of the match: nothing is done."""


class Proposal(NamedTuple):
    """An open proposal."""

    by: Side
    at: int
    """The `SessionView.number` at which it was proposed."""
    otherwise: Move | None = None
    """The move that is played if the other player plays on."""
    wish: Wish = Wish.END


class SessionView(ABC):
    """A match as front ends read and drive it: `Session`, or a guest's `Remote`.

    What is asked for is awaited: when that returns, the match has changed, is on the disk, and it
    has been told to everybody who listens.  What is refused raises an error with a sentence, and
    changes nothing.  Whoever may be late with what was decided passes the `number` that it was
    decided at.

    Args:
        match: what is played; read it, and change it only through here.
        autosave: keeps it.
        contenders: who plays, if not two people who sit here.

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
        claim_after: after how many seconds away a player can lose the battle by a claim; 0 never.
        lost: how the connection to where the match is played was lost, as long as it is.
        changing: held while something changes, until it is on the disk and has been told.
        autosave: what keeps the match.
        turns: the turns of computers.
        analyst: the computer that is asked for advice; it plays for nobody.
        advice: what it says to players.
        coach: what doubts the moves of people against computers, if it is on.
        company: those who are at other places.
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
        self.number = 0
        self.proposal: Proposal | None = None
        self.fault: Faulted | None = None
        self.held = self.paused = self.left = False
        self.hints_allowed = True
        self.clock: Clock | None = None
        self.waits = False
        self.claim_after = 0
        self.lost: ConnectionLost | None = None
        self.changing = asyncio.Lock()
        self._listeners: list[tuple[Context, Listener]] = []
        self._attendants: list[Callable[[], Work]] = []
        self._closings: list[Callable[[], Work]] = []
        self.autosave = autosave
        self.turns = Turns(self)
        self.analyst = Analyst()
        self.advice = Advice(self, self.analyst)
        self.coach = Coach(self, self.analyst)
        self.company = Company(self)
        self.timekeeper = Timekeeper(self)

    def agree_on(self, *, hints: bool, chat: bool, waits: bool, claim: int) -> None:
        """Keep to what the host has decided for everybody who plays."""
        self.hints_allowed, self.company.talks = hints, chat
        self.waits, self.claim_after = waits, claim

    # Who listens, and what runs beside it

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

    def attend(self, run: Callable[[], Work]) -> None:
        """Run something beside the session, for as long as that runs."""
        self._attendants.append(run)

    @property
    def attended(self) -> bool:
        """Whether something may happen at any time: a player is elsewhere, or something attends."""
        return self.seats.apart or bool(self._attendants)

    def at_the_end(self, close: Callable[[], Work]) -> None:
        """Close something when the session is left."""
        self._closings.append(close)

    @abstractmethod
    async def begin(self) -> None:
        """Tell which battle is at the board, and what waits there for an answer."""

    async def run(self) -> None:
        """Run engines, clock and connections until cancelled."""
        attendants = [attendant() for attendant in self._attendants]
        async with asyncio.TaskGroup() as group:
            # Nobody waits for a judgement, but whoever moves does for the coach.
            for work in (*attendants, *self._work(), self.coach.run(), self.advice.run()):
                group.create_task(work)

    @abstractmethod
    def _work(self) -> Iterable[Work]:
        """Return what runs here for as long as the session does."""

    @abstractmethod
    async def play_on(self) -> None:
        """Play the engines' moves until a person here has to act."""

    async def leave(self) -> None:
        """End every process and let the match go; nothing changes any more."""
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
        """Wait until what is changing is on the disk, and has been told."""
        async with self.changing:
            return

    # How it stands

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
    def record(self) -> Record:
        """The record of the match as it is now, with the tags and comments it came with."""
        return self.autosave.record(self.match, self.seats.programs)

    @abstractmethod
    def farewell(self, how: str = "") -> str:
        """Return what becomes of the match when it is left, empty if there is nothing to say.

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
        """Whether a player at another place decides for a side; None is anybody here."""
        if by is None:
            return self.seat_of(side).here
        return self.match.commander(side) == by

    def wished(self, by: Side, wish: Wish) -> bool:
        """Whether the player of a side wishes something that is not answered yet."""
        proposal = self.proposal
        return proposal is not None and (proposal.by, proposal.wish) == (by, wish)

    # What can be done

    @property
    def can_move(self) -> bool:
        """Whether somebody here is to move: to play, to propose the end, to be advised."""
        over = self.left or self.battle.outcome is not None
        return not over and self.seat_of(self.to_move).here

    @property
    def you(self) -> int | None:
        """The only player here, where the other is a computer; None where that is not so."""
        match self.seats.here:
            case (player,) if self.seats.programs[1 - player] and not self.seats.apart:
                return player
        return None

    @property
    def addressed(self) -> Match:
        """The match as it is told: a person who plays a computer is called `You`."""
        return addressed(self.match, self.you)

    @property
    def not_yet(self) -> str:
        """Why nobody here can move, if somebody at another place can, or could."""
        if self.match.commander(self.to_move) in self.company.free:
            return untaken(self.to_move)
        return f"it is {self.match.name_of(self.to_move)}'s turn"

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

    def side_of(self, by: int | None = None) -> Side | None:
        """Return the side that a player at another place has, None for whoever acts here.

        Where both players sit here that is the side to move; where none does, there is none.
        """
        if by is None:
            here = self.seats.here
            if not here:
                return None
            if len(here) > 1:
                return self.to_move
            by = here[0]
        return self.match.side_of(by)

    def playing_side(self, by: int | None = None) -> Side:
        """Return the side of whoever acts in a battle that goes on against somebody.

        Raises:
            IllegalMove: the battle is over, or nobody here plays, or against nobody yet.
        """
        self._refuse_if_over()
        side = self.side_of(by)
        if side is None:
            raise IllegalMove("you do not play in this battle")
        if self.match.commander(side.other) in self.company.free:
            raise IllegalMove(untaken(side.other))
        return side

    @property
    def can_resign(self) -> bool:
        """Whether somebody here plays in a battle that goes on, against somebody."""
        try:
            self.playing_side()
        except IllegalMove:
            return False
        return not (self.left or self.lost)

    @property
    def can_claim(self) -> bool:
        """Whether somebody here waits for a player who is away, and may claim the battle then."""
        waits = self.can_resign and self.claim_after > 0
        return waits and self.playing_side() is not self.to_move and self._is_away(self.to_move)

    def _is_away(self, side: Side) -> bool:
        """Whether the player of a side plays from another place, and is not there now."""
        return self.match.commander(side) in self.company.missing

    @property
    def can_be_advised(self) -> bool:
        """Whether somebody here is to move, and may ask a computer."""
        return self.can_move and self.hints_allowed

    @property
    def agreed(self) -> bool:
        """Whether the players have agreed to end the battle."""
        return self.battle.agreed

    def moves_back(self, by: int | None = None) -> int:
        """Moves back to a remote player's last turn; 0 or None for one here.

        Where only computers play that is one, if there is any.  Where a side has lost otherwise
        than on the board, nothing is taken back.
        """
        if self.battle.forfeit:
            return 0
        earlier = enumerate(self.battle.earlier(), 1)
        backwards = (each for each, position in earlier if self._stops(position, by))
        return next(backwards, 0)

    def _stops(self, position: Position, by: int | None) -> bool:
        return self.watched or self.decides(position.to_move, by)

    # What may be asked for

    @abstractmethod
    async def play(self, move: Move, at: int | None = None) -> None:
        """Play a move of the player to move.

        Raises:
            IllegalMove: it is not legal, the battle is over, or it is somebody else's turn.
            TooLate: the match has changed since, or the time is up.
        """

    @abstractmethod
    async def undo(self, at: int | None = None) -> None:
        """Take back the agreement to end, or else the moves since somebody here was to move.

        That is only proposed if the other player is a person who sits elsewhere than who asks.

        Raises:
            IllegalMove: there is nothing to undo.
            TooLate: the match has changed since.
        """

    @abstractmethod
    async def redo(self) -> None:
        """Make again what was taken back, as far as the next turn of somebody here.

        Raises:
            IllegalMove: there is nothing to redo.
        """

    @abstractmethod
    async def propose_end(self, at: int | None = None) -> None:
        """Propose to the other player to end the battle.

        If that is a person, `answer` is waited for; a computer is asked as on its turn.

        Raises:
            IllegalMove: the battle is over already, or it is somebody else's turn.
            TooLate: the match has changed since.
        """

    @abstractmethod
    async def resign(self, at: int | None = None) -> None:
        """Resign the battle for a player here, whoever is to move; cannot be undone.

        Raises:
            IllegalMove: the battle is over already, or nobody here plays, or against nobody yet.
            TooLate: the match has changed since.
        """

    @abstractmethod
    async def claim(self, at: int | None = None) -> None:
        """Claim the battle: the player to move has been away for longer than is agreed.

        Raises:
            IllegalMove: that is not so, and the message says when it may be; or as for `resign`.
            TooLate: the match has changed since.
        """

    @abstractmethod
    async def answer(self, agree: bool) -> None:
        """Answer for the player to whom something was proposed.

        Raises:
            IllegalMove: nothing is proposed to that one.
            TooLate: the match has changed since that was proposed.
        """

    @abstractmethod
    async def withdraw(self, because: str = "") -> None:
        """Propose no longer what was proposed.

        Raises:
            IllegalMove: nothing is proposed, or somebody else has.
        """

    @abstractmethod
    async def next_battle(self, at: int | None = None) -> None:
        """Exchange the sides for the second battle.

        Raises:
            IllegalMove: the first goes on, or the second has begun.
            TooLate: the match has changed since.
        """

    @abstractmethod
    async def new_match(self, at: int | None = None) -> None:
        """Leave the match, and begin another with the same players.

        That is only proposed if the other player is a person who sits elsewhere than who asks.

        Raises:
            IllegalMove: it is not over, and a player is at another place.
            TooLate: the match has changed since.
        """

    @abstractmethod
    async def open(self, record: Record) -> None:
        """Leave the match, and continue a record's, or look at it if it is over.

        Raises:
            IllegalMove: a player is at another place.
        """

    @property
    def can_talk(self) -> bool:
        """Whether whoever is here can say something to others."""
        return self.company.talking and bool(self.seats.here)

    @abstractmethod
    def say(self, text: str) -> None:
        """Send a chat message from here to the others.

        Raises:
            ValueError: nobody talks here, or there is nothing in it that prints.
        """

    def reconnect(self) -> None:
        """Reach the host again where somebody has to answer at the terminal, which takes as long.

        Raises:
            ValueError: nothing has to be answered, or the host cannot be reached.
        """
        raise ValueError("no connection is waiting for an answer")

    async def give_seat(self) -> None:
        """Give an absent player's seat to the person who asks for it.

        Raises:
            ValueError: nobody asks for one here.
        """
        self.tell(self.company.give())

    # Computers here

    def hold(self, held: bool = True) -> None:
        """Pause the engines while a question is open, or resume them."""
        self.held = held
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
        """Hand the seat of an engine that has just failed to a person here."""
        if self.fault is not None:
            player, self.fault = self.fault.player, None
            self.seats.hand_over(player)
            self.tell(HandedOver(player))
            self._interrupt()

    async def advise(self, at: int | None = None) -> Decision | None:
        """Ask the best computer for the best move; None if the match goes on before that.

        Raises:
            IllegalMove: the battle is over, or no hints are allowed.
            TooLate: the match has changed since that was asked for.
            EngineFault: it does not answer as it should.
        """
        self._refuse_if_late(at)
        self._refuse_if_over()
        if not self.hints_allowed:
            raise IllegalMove("this match is played without hints")
        return await self.advice.hint()

    async def weigh(self, move: Move) -> Blunder | None:
        """Return why the coach would not play a move, which the players are to be asked about.

        None is returned if it has nothing against it, has been heard on it, or takes too long.
        """
        if not self.coach.due:
            return None
        self.advice.interrupt()
        return await self.coach.weigh(move)

    # For whoever changes the match

    def _count_change(self) -> None:
        """Make what was thought, proposed and feared about the match until now of no use."""
        self.number += 1
        self.proposal = self.fault = None
        self._interrupt()

    def _interrupt(self) -> None:
        self.timekeeper.look()
        self.turns.interrupt()
        self.coach.interrupt()
        self.advice.interrupt()

    async def _keep(self, name: str = "") -> list[Event]:
        """Have the match kept; return what there is to tell of that."""
        complaint = await self.autosave.keep(self.record, name)
        return [NotKept(complaint)] if complaint else []

    def _refuse_if_late(self, at: int | None) -> None:
        if self.left or at not in (None, self.number):
            raise TooLate("the match has moved on")

    def _refuse_if_over(self) -> None:
        if outcome := self.battle.outcome:
            raise IllegalMove(outcome.told)

    def _refuse_on_turn_of_others(self, by: int | None = None) -> None:
        if not (self.decides(self.to_move, by) or self.battle.outcome):
            raise IllegalMove(self.not_yet)

    def _proposal_now(self) -> Proposal:
        if self.proposal is None:
            raise IllegalMove("nothing is proposed")
        return self.proposal

"""A match as seen from one place, be it played here or at a host's.

From top to bottom: the requests of players, which are values that a session carries out, and a
guest sends to a host; what is possible, and what is asked; the `SessionView` that front ends read
and drive; and the `Timekeeper` of its clock.
"""

from __future__ import annotations

import asyncio
import logging
from abc import ABC, abstractmethod
from collections.abc import Callable, Coroutine, Iterable
from contextlib import suppress
from contextvars import Context, copy_context
from time import monotonic
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

from thud.engines.analyst import Analyst
from thud.rules.battle import Battle
from thud.rules.clock import Clock, Control, Source, Times
from thud.rules.match import Match
from thud.rules.position import Move, Side
from thud.rules.variant import IllegalMove
from thud.session.advice import Advice, Blunder, Coach
from thud.session.autosave import Autosave
from thud.session.events import (
    ClockRuns,
    ConnectionLost,
    Event,
    Faulted,
    HandedOver,
    Listener,
    Notified,
    RunningOut,
    SaveFailed,
    Wish,
)
from thud.session.participants import Computer, Contenders, Participants, Seat, Seats, Voices
from thud.wording.clocks import claim_later
from thud.wording.match import untaken, with_display_names

if TYPE_CHECKING:
    from thud.ai.player import Decision
    from thud.records.record import Record


SAVE_AGAIN: Final = 1.0
"""Seconds until what could not be saved is tried again."""

SPEEDS: Final = (4.0, 2.0, 1.0, 0.5, 0.0)
"""Shortest times for a move while computers play each other and are watched, in seconds."""

_log: Final = logging.getLogger("thud.session")

Work: TypeAlias = Coroutine[object, object, None]


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
    """The `SessionView.revision` at which it was proposed."""
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


# The match


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
        paced: whether computers take long enough for a move that people can follow.
        speed: how fast computers play each other, an index of `SPEEDS`.
        left: whether the session has been left.
        hints_allowed: whether players may get hints.
        clock: the clock of the battle, if any.
        waits: whether the clock is stopped while a remote player is away.
        claim_after: seconds of absence after which the battle can be claimed; 0 for never.
        lost: why the connection to the host is lost, while it is.
        silent: seconds since anything came from the host, 0 unless that is too long ago.
        sending: our move that is on its way to the host, if any.
        changing: held during a change, until it is saved and reported.
        autosave: saves the match.
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
        self.engines_held = self.paused = self.left = self.paced = False
        self.speed = SPEEDS.index(1.0)
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
        self.analyst = Analyst()
        self.advice = Advice(self, self.analyst)
        self.coach = Coach(self, self.analyst)
        self.participants = Participants(self.seats, lambda: self.match.players)
        self.voices = Voices()
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
        """Add a callback for when the session is left; the last one is called first."""
        self._closings.append(close)

    @abstractmethod
    async def begin(self) -> None:
        """Report the battle on the board, and any open proposal."""

    async def run(self) -> None:
        """Run engines, clock and connections until cancelled."""

        async def keep_saving() -> None:
            while True:
                await asyncio.sleep(SAVE_AGAIN)
                await self.save_again()

        tasks = [task() for task in self._tasks]
        async with asyncio.TaskGroup() as group:
            # The coach goes first: a move waits for it, but nothing does for an evaluation.
            ours = self.coach.run(), self.advice.run(), keep_saving()
            for work in (*tasks, *self._work(), *ours):
                group.create_task(work)

    async def save_again(self) -> None:
        """Try again to save what could not be saved, if anything."""
        if self.autosave.has_unsaved:
            async with self.changing:
                await asyncio.to_thread(self.autosave.retry)
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
        for close in reversed(self._closings):
            await close()
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

    def farewell(self, how: str = "") -> str:
        """Return what happens to the match once it is left, empty if there is nothing to say.

        Args:
            how: options with which it is resumed, replayed or joined again.
        """
        return self.autosave.farewell(how)

    @property
    def outlook(self) -> str:
        """What happens to the match if the players leave now."""
        return self.autosave.outlook()

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
    def engine_due(self) -> Computer | None:
        """The engine that is to move or to answer, unless something holds it up."""
        if self.engines_held or self.left or self.pausing or self.fault or self.battle.outcome:
            return None
        seat = self.seat_of(self.proposal.by.other if self.proposal else self.to_move)
        return seat if isinstance(seat, Computer) else None

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

    def decides(self, side: Side, by: int | None = None) -> bool:
        """Whether a remote player decides for a side; None means any local player."""
        if by is None:
            return self.seat_of(side).is_local
        return self.match.commander(side) == by

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
        playing = absent = None
        if not (self.left or self.lost):
            with suppress(IllegalMove):
                playing = self.playing_side()
                absent = self.absent_side()
        return Possible(
            take_part=takes_part,
            move=moves,
            undo=takes_part and (self.battle.agreed or self.moves_back() > 0),
            redo=bool(self.battle.undone) and self.battle.outcome is None and not remote,
            resign=playing is not None,
            claim=absent is not None,
            talk=local and self.participants.talking,
        )

    @property
    def advisable(self) -> bool:
        """Whether a local player is to move, and hints are allowed."""
        return self.can.move and self.hints_allowed

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

    def absent_side(self, by: int | None = None) -> Side:
        """Return the side of the acting player's opponent, who is to move and absent.

        Raises:
            IllegalMove: as for `playing_side`, the opponent is not, or claims are not allowed.
        """
        side = self.playing_side(by).other
        if not self.claim_after:
            raise IllegalMove("battles cannot be claimed in this match")
        if self.match.commander(side) not in self.participants.missing:
            raise IllegalMove(f"{self.match.name_of(side)} is not away")
        if self.to_move is not side:
            raise IllegalMove("you can claim a battle only on the other player's turn")
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

    def faster(self, by: int) -> float:
        """Change the speed at which watched computers play; return the seconds per move."""
        self.speed = max(0, min(self.speed + by, len(SPEEDS) - 1))
        return SPEEDS[self.speed]

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
        """Drop what was found out or begun before a change, and start or stop the clock."""
        self._can = None
        self.timekeeper.sync()
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


# The clock

LOW: Final = 30_000
"""Milliseconds left at which a player is warned; at most a quarter of the full time."""

_LONGEST_SLEEP: Final = 5.0
"""Longest sleep in seconds: the machine may be suspended meanwhile."""


class Timekeeper:
    """Keeps a session's clock in step with its match, and notices when time is up.

    The clock runs for the player to move, after a battle's first move.  It is stopped while the
    players are asked whether to leave, while computers that play each other are paused, while an
    engine has failed, and while a remote player is awaited; anything else costs the player's time.

    Args:
        session: the session.

    Attributes:
        now: the source of time.
    """

    def __init__(self, session: SessionView) -> None:
        self._session = session
        self.now: Source = monotonic
        self._known: tuple[Battle, int, Control] | None = None
        self._warned: tuple[Battle, set[Side]] | None = None
        self._over = False
        self._changed = asyncio.Event()

    def sync(self) -> None:
        """Bring the clock in step with the battle, running or stopped."""
        session, battle, control = self._session, self._session.battle, self._session.match.control
        clock = session.clock
        if control is None:
            session.clock = self._known = None
        # Keep a clock of the same turn: only it knows the time used in that.
        elif clock is None or self._known != (battle, battle.played, control):
            self._known = battle, battle.played, control
            session.clock = Clock(control, battle.times(control), self.now)
            session.clock.run(session.clock_runs)
        elif clock.running is not (runs := session.clock_runs):
            clock.run(runs)
            if not (self._over or battle.outcome):  # at the end of a battle it goes without saying
                session.emit(ClockRuns(clock.running))
        self._over = battle.outcome is not None
        self._changed.set()

    def adopt(self, times: Times | None) -> None:
        """Set the clock, if any, to the host's times, and let it run."""

        def set_clock() -> None:
            if times and (clock := self._session.clock):
                clock.adopt(times._replace(running=clock.running))

        set_clock()
        self.sync()
        # In another turn, `sync` has replaced the clock.
        set_clock()

    @property
    def up(self) -> bool:
        """Whether the player to move is out of time, and the battle has not ended yet."""
        return self._session.clock is not None and self._session.clock.up

    async def changed(self) -> None:
        """Wait for the next `sync`."""
        self._changed.clear()
        await self._changed.wait()

    async def wait_until_up(self) -> None:
        """Wait until the player to move is out of time, warning them before."""
        while not self.up:
            self._changed.clear()
            clock, battle, due = self._session.clock, self._session.battle, None
            if clock is not None and clock.running:
                low = min(LOW, clock.control.total_ms(clock.control.full) // 4)
                left = clock.total_ms(clock.turn)
                if left <= low:
                    if self._warned is None or self._warned[0] is not battle:
                        self._warned = battle, set()
                    if clock.turn not in self._warned[1]:
                        self._warned[1].add(clock.turn)
                        self._session.emit(RunningOut(clock.turn))
                due = min(_LONGEST_SLEEP, (left - low if left > low else left) / 1000)
            with suppress(TimeoutError):
                await asyncio.wait_for(self._changed.wait(), due)

    def store_time_used(self) -> bool:
        """Store the time used in the current turn in the battle; return False if it is none."""
        clock, battle = self._session.clock, self._session.battle
        if clock is None or battle.outcome or not battle.played:
            return False
        battle.used = clock.times.used
        return battle.used > 0

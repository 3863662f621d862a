"""A running match as front ends drive it, be it played here or at a host's, and its clock."""

from __future__ import annotations

import asyncio
import logging
from abc import ABC, abstractmethod
from collections.abc import Callable, Coroutine, Iterable
from contextlib import suppress
from contextvars import Context, copy_context
from time import monotonic
from typing import TYPE_CHECKING, Final, TypeAlias

from thud.engines.analyst import Analyst
from thud.rules.battle import Battle
from thud.rules.clock import Clock, Control, Source, Times
from thud.rules.match import Match
from thud.rules.position import Move, Side
from thud.rules.variant import IllegalMove
from thud.session.advice import Advice
from thud.session.autosave import Autosave
from thud.session.events import ClockRuns, Event, Listener, Notified, RunningOut, SaveFailed
from thud.session.law import Request
from thud.session.participants import Contenders
from thud.session.state import TableState

if TYPE_CHECKING:
    from thud.ai.player import Decision
    from thud.records.record import Record
    from thud.session.blunders import Blunder


SAVE_AGAIN: Final = 1.0
"""Seconds until what could not be saved is tried again."""

_log: Final = logging.getLogger("thud.session")

Work: TypeAlias = Coroutine[object, object, None]


class SessionView(ABC):
    """A match as front ends drive it: a `Session`, or a guest's `Remote`.

    Once an awaited request returns, the match is changed and saved, and all listeners have been
    called.  A refused request raises an error with a sentence, and changes nothing.

    Args:
        match: the match; read it, but change it only through here.
        autosave: saves it.
        contenders: who plays, if not two local people.
        guest: whether it is played at a host's.

    Attributes:
        state: the match, who is here, and what can be done.
        autosave: saves the match.
        analyst: the engine for advice, which plays for nobody.
        advice: hints, evaluations and the coach, which is never on at a guest's.
        timekeeper: keeps the clock, if there is one.
        changing: held during a change, until it is saved and reported.
    """

    def __init__(
        self,
        match: Match,
        autosave: Autosave,
        contenders: Contenders = None,
        *,
        guest: bool = False,
    ) -> None:
        self.state = TableState(match, contenders, guest=guest)
        self.changing = asyncio.Lock()
        self._listeners: list[tuple[Context, Listener]] = []
        self._tasks: list[Callable[[], Work]] = []
        self._closings: list[Callable[[], Work]] = []
        self.autosave = autosave
        self.analyst = Analyst()
        self.advice = Advice(self.state, self.analyst, self.emit, self.changing, autosave)
        self.timekeeper = Timekeeper(self.state, self.emit)

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
        self.state.refresh()
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
        return self.state.seats.has_remote or bool(self._tasks)

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
            for work in (*tasks, *self._work(), self.advice.run(), keep_saving()):
                group.create_task(work)

    @abstractmethod
    def _work(self) -> Iterable[Work]:
        """Return the tasks to run with the session."""

    @abstractmethod
    async def play_on(self) -> None:
        """Play the engines' moves until a local person has to act."""

    async def leave(self) -> None:
        """Stop every process and close the match; nothing changes any more."""
        self.state.left = True
        self._interrupt()
        for close in reversed(self._closings):
            await close()
        await self.advice.settle()
        await self.state.seats.close()
        await self.analyst.close()
        async with self.changing:
            await asyncio.to_thread(self.autosave.close)

    async def settled(self) -> None:
        """Wait until the current change is saved and reported."""
        async with self.changing:
            return

    # Saving

    @property
    def record(self) -> Record:
        """The match's current record, with the tags and comments it came with."""
        return self.autosave.record(self.state.match, self.state.seats.programs)

    def farewell(self, how: str = "") -> str:
        """Return what happens to the match once it is left, empty if there is nothing to say.

        Args:
            how: options with which it is resumed, replayed or joined again.
        """
        return self.autosave.farewell(how)

    def outlook(self, way_back: str = "") -> str:
        """Return what happens to the match if the players leave now.

        Args:
            way_back: how they get back to it, if not by a command.
        """
        return self.autosave.outlook(way_back)

    async def save_again(self) -> None:
        """Try again to save what could not be saved, if anything."""
        if self.autosave.has_unsaved:
            async with self.changing:
                await asyncio.to_thread(self.autosave.retry)
                self.emit(*map(Notified, self.autosave.take_notices()))

    async def _keep(self, name: str = "") -> list[Event]:
        """Save the match; return the events of a failure, or of what there is to say."""
        complaint = await self.autosave.keep(self.record, name)
        notices = map(Notified, self.autosave.take_notices())
        return [*([SaveFailed(complaint)] if complaint else []), *notices]

    # Requests

    @abstractmethod
    async def request(self, request: Request, at: int | None = None) -> None:
        """Carry out a request of a player here.

        Args:
            request: the request.
            at: the `TableState.revision` at which it was decided on; None for now, and for
                requests to computers.

        Raises:
            ValueError: it is refused, and the message says why.
            TooLate: the match has changed since.
        """

    def _count_change(self) -> None:
        """Count a change, dropping what depends on what was so before it."""
        self.state.count_change()
        self._interrupt()

    def _interrupt(self) -> None:
        """Drop what was found out or begun before a change, and start or stop the clock."""
        self.state.refresh()
        self.timekeeper.sync()
        self.advice.interrupt()

    def reconnect(self) -> None:
        """Reconnect to the host while ssh asks at the terminal; blocks until done.

        Raises:
            ValueError: ssh needs no answer, or the host cannot be reached.
        """
        raise ValueError("no connection is waiting for an answer")

    # Advice

    async def advise(self, revision: int | None = None) -> Decision | None:
        """Ask the analyst for the best move; None if the match changes before that.

        Raises:
            IllegalMove: the battle is over, or hints are not allowed.
            TooLate: the match has changed since.
            EngineFault: the engine fails.
        """
        self.state.refuse_if_late(revision)
        if outcome := self.state.battle.outcome:
            raise IllegalMove(outcome.description)
        if not self.state.hints_allowed:
            raise IllegalMove("this match is played without hints")
        return await self.advice.hint()

    @abstractmethod
    def set_computers(
        self, *, coach: bool, voices: bool, paced: bool = False, looks_back: bool = False
    ) -> None:
        """Set how computers here treat people; nothing at a guest's, where none play.

        Args:
            coach: whether a coach objects to blunders against them.
            voices: whether they say something now and then.
            paced: whether they take long enough for a move that people can follow.
            looks_back: whether the costliest move is told after a battle without the coach, too.
        """

    async def prepare_coach(self) -> None:
        """Wait until the coach, if it is on, can judge a move at once."""
        await self.settled()
        await self.advice.coach.prepare(awaited=True)

    async def check_move(self, move: Move) -> Blunder | None:
        """Return the coach's objection to a move, to be shown to the player.

        None is returned if it has none, has raised it already, or takes too long.
        """
        return await self.advice.check_move(move)


# The clock

LOW: Final = 30_000
"""Milliseconds left at which a player is warned; at most a quarter of the full time."""

_LONGEST_SLEEP: Final = 5.0
"""Longest sleep in seconds: the machine may be suspended meanwhile."""


class Timekeeper:
    """Keeps the clock in step with the match, and notices when time is up.

    The clock runs for the player to move, after a battle's first move, or in an arranged match from
    the start.  It is stopped while players at one terminal are asked whether to leave, while
    computers that play each other are paused, while an engine has failed, and while a remote player
    is awaited; anything else costs the player's time.

    Args:
        state: the match; its clock is set here.
        emit: reports an event.

    Attributes:
        now: the source of time.
    """

    def __init__(self, state: TableState, emit: Callable[[Event], None]) -> None:
        self._state = state
        self._emit = emit
        self.now: Source = monotonic
        self._known: tuple[Battle, int, Control] | None = None
        self._warned: tuple[Battle, set[Side]] | None = None
        self._over = False
        self._changed = asyncio.Event()

    def sync(self) -> None:
        """Bring the clock in step with the battle, running or stopped."""
        state, battle, control = self._state, self._state.battle, self._state.match.control
        clock = state.clock
        if control is None:
            state.clock = self._known = None
        # Keep a clock of the same turn: only it knows the time used in that.
        elif clock is None or self._known != (battle, battle.played, control):
            self._known = battle, battle.played, control
            state.clock = Clock(control, battle.times(control), self.now)
            state.clock.run(state.clock_runs)
        elif clock.running is not (runs := state.clock_runs):
            clock.run(runs)
            if not (self._over or battle.outcome):  # at the end of a battle it goes without saying
                self._emit(ClockRuns(clock.running))
        self._over = battle.outcome is not None
        self._changed.set()

    def adopt(self, times: Times | None) -> None:
        """Set the clock, if any, to the host's times, and let it run."""

        def set_clock() -> None:
            if times and (clock := self._state.clock):
                clock.adopt(times._replace(running=clock.running))

        set_clock()
        self.sync()
        # In another turn, `sync` has replaced the clock.
        set_clock()

    @property
    def up(self) -> bool:
        """Whether the player to move is out of time, and the battle has not ended yet."""
        return self._state.clock is not None and self._state.clock.up

    async def changed(self) -> None:
        """Wait for the next `sync`."""
        self._changed.clear()
        await self._changed.wait()

    async def wait_until_up(self) -> None:
        """Wait until the player to move is out of time, warning them before."""
        while not self.up:
            self._changed.clear()
            clock, battle, due = self._state.clock, self._state.battle, None
            if clock is not None and clock.running:
                low = min(LOW, clock.control.total_ms(clock.control.full) // 4)
                left = clock.total_ms(clock.turn)
                if left <= low:
                    if self._warned is None or self._warned[0] is not battle:
                        self._warned = battle, set()
                    if clock.turn not in self._warned[1]:
                        self._warned[1].add(clock.turn)
                        self._emit(RunningOut(clock.turn))
                due = min(_LONGEST_SLEEP, (left - low if left > low else left) / 1000)
            with suppress(TimeoutError):
                await asyncio.wait_for(self._changed.wait(), due)

    def store_time_used(self) -> bool:
        """Store the time used in the current turn in the battle; return False if it is none."""
        clock, battle = self._state.clock, self._state.battle
        if clock is None or battle.outcome:
            return False
        battle.used = clock.times.used
        return battle.used > 0

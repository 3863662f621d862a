"""The dialogue on one session: questions, answers and moves, a line each."""

from __future__ import annotations

import asyncio
from asyncio import Runner
from collections.abc import Callable, Container, Coroutine, Sequence
from functools import partial
from typing import TypeVar

from thud.plain.lines import Lines, Superseded
from thud.plain.loop import Loop
from thud.plain.narrator import Narrator
from thud.plain.repl import NOTHING_MADE, Repl
from thud.rules.match import Match
from thud.rules.position import Move, Position, Side
from thud.rules.variant import IllegalMove, Variant
from thud.session.advice import ALL_THE_SAME
from thud.session.events import Event
from thud.session.view import Play, Proposal, SessionView, TooLate
from thud.wording.clocks import has_left, in_words, set_to
from thud.wording.session import away_rule, waiting

_Result = TypeVar("_Result")


class MatchRepl(Repl):
    """A REPL of one session, for its local players.

    The runner's tasks run while a line is awaited; with remote players or background tasks, so does
    the session itself.

    Args:
        session: the session played.
        lines: output and input.
        runner: runs the session; by default a new one, closed at the end.
        takes_all: whether a move without captures takes all it can.
        off: the disabled commands.

    Attributes:
        off: the disabled commands.
        session: the session played.
        narrator: reports what happens.
        revision: the session's revision when the players were last asked for a command.
    """

    def __init__(
        self,
        session: SessionView,
        lines: Lines,
        runner: Runner | None = None,
        *,
        takes_all: bool = False,
        off: Container[str] = (),
    ) -> None:
        super().__init__(lines, takes_all=takes_all)
        self.session = session
        self.off = off
        self.narrator = Narrator(session, self)
        self.revision: int | None = None
        self._loop = Loop(runner)
        lines.set_loop(self._loop)
        self._others: asyncio.Task[None] | None = None
        self._waited: tuple[int, Proposal | None] | None = None
        self._stop_listening = session.subscribe(self._hear)

    @property
    def match(self) -> Match:
        """The match played."""
        return self.session.match

    @property
    def variant(self) -> Variant:
        """The variant."""
        return self.match.variant

    @property
    def positions(self) -> Sequence[Position]:
        """Positions of the current battle so far."""
        return self.session.battle.positions

    def do(self, doing: Coroutine[object, object, _Result]) -> _Result:
        """Run a request to the session to its end."""
        return self._run(lambda: doing)

    def close(self) -> None:
        """Leave the session."""
        try:
            self._run(self._leave)
        finally:
            self.lines.set_loop(None)
            self._loop.close()

    def _run(self, do: Callable[[], Coroutine[object, object, _Result]]) -> _Result:
        try:
            return self._loop.run(do)
        finally:
            self.narrator.settle()

    async def _leave(self) -> None:
        await self.session.leave()
        if self._others:
            self._others.cancel()
            await asyncio.gather(self._others, return_exceptions=True)

    def _hear(self, event: Event) -> None:
        """Report an event; if output fails, end the conversation."""
        try:
            self.narrator(event)
        except Exception as error:
            self._stop_listening()
            self._loop.fail(error)

    # Engines and remote players

    def let_others_play(self) -> None:
        """Wait for the engines; remote players act while questions are asked."""
        if self._others or self.session.expects_events:
            self._run(partial(self._computers_done, self._awake()))
        else:
            self._run(self.session.play_on)

    def _awake(self) -> asyncio.Task[None]:
        """Start the session's task, unless it runs already."""
        if self._others is None:
            self._others = self._loop.begin(self.session.run)
            self._others.add_done_callback(lambda _: self.lines.recheck())
        return self._others

    async def _computers_done(self, others: asyncio.Task[None]) -> None:
        """Wait until no engine is to move, unless there are remote players."""
        await self.session.settled()
        while self.session.engine_due and not self.session.seats.has_remote and not others.done():
            await self._news(others)
        if others.done() and (fault := others.exception()):
            raise _innermost(fault)
        await self.session.coach.prepare()

    async def _news(self, others: asyncio.Task[None]) -> None:
        """Wait for an event or the session's end."""
        told = asyncio.Event()
        unsubscribe = self.session.subscribe(lambda _: told.set())
        telling = asyncio.create_task(told.wait())
        await asyncio.wait({telling, others}, return_when=asyncio.FIRST_COMPLETED)
        telling.cancel()
        unsubscribe()

    # Questions

    def ask(self, question: str, stands: Callable[[], bool] | None = None) -> str:
        """Ask a question, by default about the match as it is now, and return the answer.

        Raises:
            Left: the answer is to quit, or the input has ended.
            TooLate: the match has changed before there was an answer.
            Superseded: `stands` was given, and the question stands no longer.
        """
        if stands is not None:
            return super().ask(question, stands)
        revision = self.session.revision
        try:
            answer = super().ask(question, lambda: self._is_still(revision))
        except Superseded:
            raise _late() from None
        if self.session.revision != revision:
            raise _late()
        return answer

    def _is_still(self, revision: int) -> bool:
        """Whether the match has not changed, and is not about to."""
        self._run(self.session.settled)
        return self.session.revision == revision

    def ask_now(self, question: str, stands: Callable[[], bool]) -> str:
        """Ask what to do with the match as it is now, and return the line typed.

        Raises:
            Left: the answer is to quit, or the input has ended.
            Superseded: the question stands no longer.
        """
        self.revision = self.session.revision
        return self.ask(question, stands)

    def ask_command(self) -> str:
        """Ask for a command; any event ends the question with `Superseded`, to be asked again."""
        return self.ask_now(self._once(self.question), lambda: False)

    def _once(self, question: str) -> str:
        """Return a prompt; one that only says whom it waits for is returned once for each wait."""
        if question.endswith(("?", ":")):
            self._waited = None
            return question
        known, self._waited = self._waited, (self.session.revision, self.session.proposal)
        return "" if known == self._waited else question

    @property
    def question(self) -> str:
        """The prompt for a command, or whom it waits for."""
        session, match = self.session, self.match
        if session.seats.has_remote and (awaited := waiting(session)):
            return awaited
        undo = " undo," if session.can.undo else ""
        if match.over:
            return f"The match is over. New match,{undo} or quit?"
        if match.battle.outcome:
            return f"Next battle,{undo} or quit?"
        side = self.session.to_move
        left = f", {in_words(clock.left(side))} left" if (clock := self.session.clock) else ""
        if session.you is not None:
            return f"You have the {side.plural}{left}. Your move:"
        return f"{match.name_of(side)}, {side.plural}, to move{left}. Your move:"

    @property
    def clock_told(self) -> list[str]:
        """The clock in words, empty without one."""
        clock, match = self.session.clock, self.session.with_display_names
        if clock is None:
            return []
        left = [has_left(match.name_of(side), clock.left(side)) for side in Side]
        return [set_to(clock.control), *left, *away_rule(self.session)]

    # Moves

    def type_move(self, text: str) -> None:
        """Make a typed move, asking for its captures if they are open.

        Raises:
            ValueError: it is not a legal move, or not a local player's turn; the message says why.
            TooLate: the match has changed since the players were asked.
        """
        session = self.session
        if self.revision not in (None, session.revision):
            raise _late()
        if not (session.can.move or session.battle.outcome):
            raise IllegalMove(session.not_yet)
        super().type_move(text)

    def make(self, move: Move) -> None:
        """Play a legal move, after a confirmation if the coach objects."""
        if self._means(move):
            self.do(self.session.request(Play(move), self.revision))
            self.revision = self.session.revision

    def _means(self, move: Move) -> bool:
        """Whether to play a move: ask if the coach objects to it."""
        doubt = self.do(self.session.check_move(move))
        if doubt is None or self.ask_yes(f"{doubt.because} {ALL_THE_SAME}"):
            return True
        self.say(NOTHING_MADE)
        return False


def _late() -> TooLate:
    return TooLate("the match has moved on")


def _innermost(fault: BaseException) -> BaseException:
    """Unwrap exception groups of a single exception."""
    while isinstance(fault, BaseExceptionGroup) and len(fault.exceptions) == 1:
        fault = fault.exceptions[0]
    return fault

"""The dialogue of one session: questions, answers and moves, a line each."""

from __future__ import annotations

import asyncio
from asyncio import Runner
from collections.abc import Callable, Container, Coroutine, Sequence
from functools import partial
from typing import TypeVar

from thud.plain.lines import Lines, Overtaken
from thud.plain.loop import Loop
from thud.plain.narrator import Narrator
from thud.plain.talk import NOTHING_MADE, Talk
from thud.rules.match import Match
from thud.rules.position import Move, Position, Side
from thud.rules.variant import IllegalMove, Variant
from thud.session.advice import ALL_THE_SAME
from thud.session.events import Event
from thud.session.view import Proposal, SessionView, TooLate
from thud.wording.clocks import both_told, in_words, set_to
from thud.wording.session import away_rule, waiting

_Result = TypeVar("_Result")


class Conversation(Talk):
    """Talks about one session with the players who sit here.

    While a line is awaited everything else goes on: with a player at another place, or something
    else that attends it, the session itself, and in any case the tasks of the runner.

    Args:
        session: what is played.
        lines: where it is said, and answered.
        runner: what it is played by; one is made, and closed in the end, where none is given.
        takes_all: a move that does not say what it captures takes all it can.
        off: the words that are not to be had.

    Attributes:
        off: the same.
        session: what is played.
        narrator: tells what happens.
        at: how often the match had changed when the players were last asked what to do.
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
        self.at: int | None = None
        self._loop = Loop(runner)
        lines.attend(self._loop)
        self._others: asyncio.Task[None] | None = None
        self._waited: tuple[int, Proposal | None] | None = None
        self._stop_listening = session.subscribe(self._hear)

    @property
    def match(self) -> Match:
        """What is played."""
        return self.session.match

    @property
    def variant(self) -> Variant:
        """The game."""
        return self.match.variant

    @property
    def positions(self) -> Sequence[Position]:
        """Positions of the current battle so far."""
        return self.session.battle.positions

    def do(self, doing: Coroutine[object, object, _Result]) -> _Result:
        """Do something at the session, and wait for it."""
        return self._run(lambda: doing)

    def close(self) -> None:
        """Leave the session."""
        try:
            self._run(self._leave)
        finally:
            self.lines.attend(None)
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
        """Say what has happened; where nothing can be said any more, the conversation is over."""
        try:
            self.narrator(event)
        except Exception as error:
            self._stop_listening()
            self._loop.fail(error)

    # What others do

    def let_others_play(self) -> None:
        """Wait for computers; people at other places do what they do beside all that is asked."""
        if self._others or self.session.attended:
            self._run(partial(self._computers_done, self._awake()))
        else:
            self._run(self.session.play_on)

    def _awake(self) -> asyncio.Task[None]:
        """Have the session go on by itself."""
        if self._others is None:
            self._others = self._loop.begin(self.session.run)
            self._others.add_done_callback(lambda _: self.lines.rouse())
        return self._others

    async def _computers_done(self, others: asyncio.Task[None]) -> None:
        """Wait until no computer has to decide, unless people play with it from other places."""
        await self.session.settled()
        while self.session.due and not self.session.seats.apart and not others.done():
            await self._news(others)
        if others.done() and (fault := others.exception()):
            raise _innermost(fault)
        await self.session.coach.prepare()

    async def _news(self, others: asyncio.Task[None]) -> None:
        """Wait until something is told."""
        told = asyncio.Event()
        unsubscribe = self.session.subscribe(lambda _: told.set())
        telling = asyncio.create_task(told.wait())
        await asyncio.wait({telling, others}, return_when=asyncio.FIRST_COMPLETED)
        telling.cancel()
        unsubscribe()

    # Questions

    def ask(self, question: str, stands: Callable[[], bool] | None = None) -> str:
        """Ask something, by default about the match as it is now, and return the answer.

        Raises:
            Left: the answer is to quit, or the input has ended.
            TooLate: the match has gone on before there was an answer.
            Overtaken: the question stands no longer, and it was said when it does.
        """
        if stands is not None:
            return super().ask(question, stands)
        at = self.session.number
        try:
            answer = super().ask(question, lambda: self._is_still(at))
        except Overtaken:
            raise _late() from None
        if self.session.number != at:
            raise _late()
        return answer

    def _is_still(self, at: int) -> bool:
        """Whether the match has not changed, and is not about to."""
        self._run(self.session.settled)
        return self.session.number == at

    def ask_now(self, question: str, stands: Callable[[], bool]) -> str:
        """Ask what to do as the match is now, and return what is typed.

        Raises:
            Left: it is to quit, or the input has ended.
            Overtaken: the question stands no longer.
        """
        self.at = self.session.number
        return self.ask(question, stands)

    def ask_command(self) -> str:
        """Ask what to do next, as `ask_now`; whatever happens meanwhile, it is asked anew."""
        return self.ask_now(self._once(self.question), lambda: False)

    def _once(self, question: str) -> str:
        """Return a question, or what is said instead of one, the latter once for each wait."""
        if question.endswith(("?", ":")):
            self._waited = None
            return question
        known, self._waited = self._waited, (self.session.number, self.session.proposal)
        return "" if known == self._waited else question

    @property
    def question(self) -> str:
        """The usual prompt, or whom it waits for."""
        session, match = self.session, self.match
        if session.seats.apart and (awaited := waiting(session)):
            return awaited
        undo = " undo," if session.can_undo else ""
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
        clock, match = self.session.clock, self.session.addressed
        if clock is None:
            return []
        first, second = ((match.name_of(side), clock.left(side)) for side in Side)
        left = both_told((first[0], second[0]), (first[1], second[1]))
        return [set_to(clock.control), *left, *away_rule(self.session)]

    # Moves

    def type_move(self, text: str) -> None:
        """Make the move that a text means; ask what it captures where that is open.

        Raises:
            ValueError: the text means no legal move, or it is not a turn of somebody here; the
                message says why.
            TooLate: the match has gone on since the players were asked.
        """
        session = self.session
        if self.at not in (None, session.number):
            raise _late()
        if not (session.can_move or session.battle.outcome):
            raise IllegalMove(session.not_yet)
        super().type_move(text)

    def make(self, move: Move) -> None:
        """Play a legal move, unless the coach doubts it and it is not meant."""
        if self._means(move):
            self.do(self.session.play(move, self.at))

    def _means(self, move: Move) -> bool:
        """Ask whether a move is played that the coach doubts; any other is."""
        doubt = self.do(self.session.weigh(move))
        if doubt is None or self.ask_yes(f"{doubt.because} {ALL_THE_SAME}"):
            return True
        self.say(NOTHING_MADE)
        return False


def _late() -> TooLate:
    return TooLate("the match has moved on")


def _innermost(fault: BaseException) -> BaseException:
    """Return what a group of failures is about, where it is one thing."""
    while isinstance(fault, BaseExceptionGroup) and len(fault.exceptions) == 1:
        fault = fault.exceptions[0]
    return fault

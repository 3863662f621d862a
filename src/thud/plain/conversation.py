"""What is said to players and asked of them, a line each, about the match of a session."""

from __future__ import annotations

import asyncio
from asyncio import Runner
from collections.abc import Callable, Coroutine, Sequence
from typing import TypeVar

from thud.plain.lines import Lines, Overtaken
from thud.plain.narrator import Narrator
from thud.plain.talk import NOTHING_MADE, Left, Talk
from thud.rules.match import Match
from thud.rules.position import Move, Position
from thud.rules.variant import IllegalMove, Variant
from thud.session.coach import ALL_THE_SAME
from thud.session.session import Session, TooLate

_Result = TypeVar("_Result")


class Conversation(Talk):
    """Talks about one session with those who sit here.

    While a line is awaited everything else goes on: with a player at another place, that is the
    session itself, and always, the tasks of the runner.

    Args:
        session: what is played.
        lines: where it is said, and answered.
        runner: what it is played by; one is made, and closed in the end, where none is given.

    Attributes:
        session: what is played.
        narrator: tells what happens.
        at: how often the match had changed when the players were asked what to do.
    """

    def __init__(self, session: Session, lines: Lines, runner: Runner | None = None) -> None:
        super().__init__(lines)
        self.session = session
        self.narrator = Narrator(session, self)
        self.at: int | None = None
        self._own = runner is None
        self._runner = lines.runner = runner or Runner()
        self._others: asyncio.Task[None] | None = None
        self._stated: tuple[int, str] | None = None
        session.subscribe(self.narrator)

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
        """What has been on the board in the battle now."""
        return self.session.battle.positions

    @property
    def apart(self) -> bool:
        """Whether a player sits at another place."""
        return any(self.session.seats[player].elsewhere for player in range(2))

    def do(self, doing: Coroutine[object, object, _Result]) -> _Result:
        """Do something at the session, and wait for it."""
        try:
            return self._runner.run(doing)
        finally:
            self.narrator.settle()

    def let_others_play(self) -> None:
        """Wait for computers; who sits at another place is not waited for, and does it any time."""
        if self.apart:
            self._stay_awake()
        else:
            self.do(self._play_on())

    def close(self) -> None:
        """Leave the session."""
        self.do(self._leave())
        self.lines.runner = None
        if self._own:
            self._runner.close()

    def _stay_awake(self) -> None:
        """Have the session go on by itself, beside all that is asked."""
        if self._others is None:
            self._others = self._runner.get_loop().create_task(self.session.run())
            self._others.add_done_callback(lambda _: self.lines.rouse())
        elif self._others.done():
            _raise(self._others.exception())

    async def _play_on(self) -> None:
        await self._rest()
        await self.session.play_on()

    async def _leave(self) -> None:
        await self.session.leave()
        await self._rest()

    async def _rest(self) -> None:
        """Let nothing go on by itself any more."""
        others, self._others = self._others, None
        if others:
            others.cancel()
            await asyncio.gather(others, return_exceptions=True)

    # Questions

    def ask(self, question: str, stands: Callable[[], bool] | None = None) -> str:
        """Ask something about the match as it is now and return the answer.

        Raises:
            Left: the answer is to quit, or the input has ended.
            TooLate: the match has gone on before there was an answer.
            Overtaken: it has not, but the question stands no longer.
        """
        at = self.session.number
        if stands is not None:
            return super().ask(question, stands)
        try:
            answer = super().ask(question, lambda: not self._changed(at))
        except Overtaken:
            raise _late() from None
        if self._changed(at):
            raise _late()
        return answer

    def _changed(self, at: int) -> bool:
        failed = self._others is not None and self._others.done()
        return self.session.left or failed or at != self.session.number

    def ask_order(self) -> str:
        """Ask what to do next, and return what is typed.

        Raises:
            Left: it is to quit, the input has ended, or the match is gone.
            Overtaken: something has happened meanwhile, so that something else may be asked.
        """
        if self.session.left:
            raise Left
        self.at = self.session.number
        return self.ask(self._prompt(), lambda: False)

    def _prompt(self) -> str:
        """Return the question, or who is waited for; that is said once."""
        waiting = self.at, self.waiting
        ...

    @property
    def question(self) -> str:
        """What is asked when nothing else is."""
        match = self.match
        if match.over:
            return "The match is over. New match, undo, or quit?"
        if match.battle.outcome:
            return "Next battle, undo, or quit?"
        side = self.session.to_move
        return f"{match.name_of(side)}, {side.plural}, to move. Your move:"

    # Moves

    def type_move(self, text: str) -> None:
        """Make the move that a text means; ask what it captures where that is open.

        Raises:
            ValueError: the text means no legal move, or it is not a turn of somebody here; the
                message says why.
        """
        session, match = self.session, self.match
        if not (session.seat_of(session.to_move).here or session.battle.outcome):
            raise IllegalMove(f"it is {match.name_of(session.to_move)}'s turn")
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

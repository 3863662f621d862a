"""What is said to players and asked of them, a line each, about the match of a session."""

from __future__ import annotations

from asyncio import Runner
from collections.abc import Coroutine, Sequence
from typing import TypeVar

from thud.plain.lines import Lines
from thud.plain.narrator import Narrator
from thud.plain.talk import NOTHING_MADE, Talk
from thud.rules.match import Match
from thud.rules.position import Move, Position, Side
from thud.rules.variant import Variant
from thud.session.coach import ALL_THE_SAME
from thud.session.session import Session
from thud.session.time_words import both_told, in_words, set_to

_Result = TypeVar("_Result")


class Conversation(Talk):
    """Talks about one session with those who sit here.

    Attributes:
        session: what is played.
        narrator: tells what happens.
    """

    def __init__(self, session: Session, lines: Lines) -> None:
        super().__init__(lines)
        self.session = session
        self.narrator = Narrator(session, self)
        self._runner = Runner()
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

    def do(self, doing: Coroutine[object, object, _Result]) -> _Result:
        """Do something at the session, and wait for it."""
        try:
            return self._runner.run(doing)
        finally:
            self.narrator.settle()

    def close(self) -> None:
        """Leave the session."""
        self.do(self.session.leave())
        self._runner.close()

    @property
    def question(self) -> str:
        """What is asked when nothing else is."""
        match = self.match
        if match.over:
            return "The match is over. New match, undo, or quit?"
        if match.battle.outcome:
            return "Next battle, undo, or quit?"
        side = self.session.to_move
        left = f", {in_words(clock.left(side))} left" if (clock := self.session.clock) else ""
        return f"{match.name_of(side)}, {side.plural}, to move{left}. Your move:"

    @property
    def clock_told(self) -> list[str]:
        """What is said of the clock, nothing without one."""
        clock, match = self.session.clock, self.match
        if clock is None:
            return []
        first, second = ((match.name_of(side), clock.left(side)) for side in Side)
        left = both_told((first[0], second[0]), (first[1], second[1]))
        return [set_to(clock.control), *left]

    def make(self, move: Move) -> None:
        """Play a legal move, unless the coach doubts it and it is not meant."""
        if self._means(move):
            self.do(self.session.play(move))

    def _means(self, move: Move) -> bool:
        """Ask whether a move is played that the coach doubts; any other is."""
        doubt = self.do(self.session.weigh(move))
        if doubt is None or self.ask_yes(f"{doubt.because} {ALL_THE_SAME}"):
            return True
        self.say(NOTHING_MADE)
        return False

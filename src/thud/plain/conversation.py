"""What is said to players and asked of them, a line each, about the match of a session."""

from __future__ import annotations

from asyncio import Runner
from collections.abc import Coroutine
from typing import Final, TypeVar

from thud.plain.lines import Lines
from thud.plain.narrator import Narrator
from thud.plain.words import capture_question, plain, sentence
from thud.rules.match import Match
from thud.rules.position import Move
from thud.rules.typed import Moves, read_captures, read_typed
from thud.session.coach import ALL_THE_SAME
from thud.session.session import Session

YES: Final = ("y", "yes")
NO: Final = ("n", "no")
BACK: Final = ("", "back", "cancel")
QUIT: Final = ("quit", "q", "exit")
_NOTHING_MADE: Final = "No move was made."
_CAPTURES: Final = dict.fromkeys(YES, "all") | dict.fromkeys(NO, "none")

_Result = TypeVar("_Result")


class Left(Exception):
    """The players have left: they said so, or the input has ended."""


class Conversation:
    """Talks about one session with those who sit here.

    Attributes:
        session: what is played.
        narrator: tells what happens.
        takes_all: a move that does not say what it captures takes all it can.
    """

    def __init__(self, session: Session, lines: Lines) -> None:
        self.session = session
        self.narrator = Narrator(session, self.say)
        self.takes_all = False
        self._lines = lines
        self._runner = Runner()
        session.subscribe(self.narrator)

    @property
    def match(self) -> Match:
        """What is played."""
        return self.session.match

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

    def say(self, *sentences: str) -> None:
        """Say sentences, each as a line."""
        self._lines.say(*map(plain, sentences))

    def ask(self, question: str) -> str:
        """Ask the players something and return the answer.

        Raises:
            Left: the answer is to quit, or the input has ended.
        """
        answer = self._lines.ask(plain(question))
        if answer is None or answer.lower() in QUIT:
            raise Left
        return answer

    def ask_yes(self, question: str) -> bool:
        """Ask until the answer is yes or no."""
        while (answer := self.ask(f"{question} Yes or no?").lower()) not in YES + NO:
            self.say("Please answer yes or no.")
        return answer in YES

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

    def type_move(self, text: str) -> None:
        """Play the move that a text means; ask what it captures where that is open.

        Raises:
            ValueError: the text means no legal move; the message says why.
        """
        battle = self.session.battle
        moves = read_typed(battle.variant, battle.position, text, take_all=self.takes_all)
        if (move := self._chosen(moves)) and self._means(move):
            self.do(self.session.play(move))

    def _means(self, move: Move) -> bool:
        """Ask whether a move is played that the coach doubts; any other is."""
        doubt = self.do(self.session.weigh(move))
        if doubt is None or self.ask_yes(f"{doubt.because} {ALL_THE_SAME}"):
            return True
        self.say(_NOTHING_MADE)
        return False

    def _chosen(self, moves: Moves) -> Move | None:
        """Return the one of several moves that the player chooses by what it captures, if any."""
        while len(moves) > 1:
            answer = self.ask(capture_question(self.session.battle.position, moves))
            if answer.lower() in BACK:
                self.say(_NOTHING_MADE)
                return None
            try:
                moves = read_captures(moves, _CAPTURES.get(answer.lower(), answer))
            except ValueError as refusal:
                self.say(sentence(str(refusal)))
        return moves[0]

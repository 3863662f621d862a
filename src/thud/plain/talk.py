"""Talk over lines of text, about a board: what is said, asked, and answered with a move."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Final

from thud.plain.lines import Lines
from thud.plain.words import plain
from thud.rules.position import Move, Position
from thud.rules.typed import Moves, read_captures, read_typed
from thud.rules.variant import Variant
from thud.wording.moves import capture_question
from thud.wording.text import sentence

YES: Final = ("y", "yes")
NO: Final = ("n", "no")
BACK: Final = ("", "back", "cancel")
QUIT: Final = ("quit", "q", "exit")
NOTHING_MADE: Final = "No move was made."
_CAPTURES: Final = dict.fromkeys(YES, "all") | dict.fromkeys(NO, "none")


class Left(Exception):
    """Whoever sat here has left: they said so, or the input has ended."""


class Talk(ABC):
    """Talks about a board with those who sit here.

    Attributes:
        takes_all: a move that does not say what it captures takes all it can.
        flipped: rank 15 comes first when the board is said or drawn.
    """

    takes_all = False
    flipped = False

    def __init__(self, lines: Lines) -> None:
        self.lines = lines

    @property
    @abstractmethod
    def variant(self) -> Variant:
        """The game."""

    @property
    @abstractmethod
    def positions(self) -> Sequence[Position]:
        """What has been on the board, the position now as the last."""

    @property
    def position(self) -> Position:
        """What is on the board now."""
        return self.positions[-1]

    @abstractmethod
    def make(self, move: Move) -> None:
        """Make a legal move."""

    def say(self, *sentences: str) -> None:
        """Say sentences, each as a line."""
        self.lines.say(*map(plain, sentences))

    def ask(self, question: str, stands: Callable[[], bool] = lambda: True) -> str:
        """Ask something and return the answer.

        Args:
            question: what is asked.
            stands: whether it is still to be asked after something else has been said.

        Raises:
            Left: the answer is to quit, or the input has ended.
            Overtaken: it is not to be asked any more.
        """
        answer = self.lines.ask(plain(question), stands)
        if answer is None or answer.lower() in QUIT:
            raise Left
        return answer

    def ask_yes(self, question: str) -> bool:
        """Ask until the answer is yes or no."""
        while (answer := self.ask(f"{question} Yes or no?").lower()) not in YES + NO:
            self.say("Please answer yes or no.")
        return answer in YES

    def type_move(self, text: str) -> None:
        """Make the move that a text means; ask what it captures where that is open.

        Raises:
            ValueError: the text means no legal move; the message says why.
        """
        moves = read_typed(self.variant, self.position, text, take_all=self.takes_all)
        if move := self._chosen(moves):
            self.make(move)

    def _chosen(self, moves: Moves) -> Move | None:
        """Return the one of several moves that is chosen by what it captures, if any."""
        while len(moves) > 1:
            answer = self.ask(capture_question(self.position, moves))
            if answer.lower() in BACK:
                self.say(NOTHING_MADE)
                return None
            try:
                moves = read_captures(moves, _CAPTURES.get(answer.lower(), answer))
            except ValueError as refusal:
                self.say(sentence(str(refusal)))
        return moves[0]

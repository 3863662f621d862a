"""A match at a table: whose turn it is, what is asked, what is said of every change."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from thud.engines.seating import Seats
from thud.plain.board_words import board_in_words
from thud.plain.computers import Computers
from thud.plain.keeping import Keeping
from thud.plain.lines import Lines
from thud.plain.words import (
    capture_question,
    changes,
    plain,
    result,
    seats,
    sentence,
    told,
)
from thud.rules.battle import QUIET_LIMIT
from thud.rules.match import BATTLES, Match
from thud.rules.position import Move
from thud.rules.typed import Moves, read_captures, read_typed

YES: Final = ("y", "yes")
NO: Final = ("n", "no")
NEVER: Final = -1000
BACK: Final = ("", "back", "cancel")
_CAPTURES: Final = dict.fromkeys(YES, "all") | dict.fromkeys(NO, "none")
QUIT: Final = ("quit", "q", "exit")


class Left(Exception):
    """The players have left: they said so, or the input has ended."""


class Table:
    """One match after the other.

    Attributes:
        match: what is played now.
        keeping: keeps it on the disk.
        lines: where it is played.
        computers: who plays for those that are no people.
        takes_all: a move that does not say what it captures takes all it can.
        flipped: rank 15 comes first when the board is said or drawn.
        refused_at: after how many moves a computer's proposal to end was last refused.
    """

    def __init__(
        self, match: Match, keeping: Keeping, lines: Lines, computers: Computers | None = None
    ) -> None:
        self.match = match
        self.keeping = keeping
        self.lines = lines
        self.computers = computers or Computers()
        self.takes_all = False
        self.flipped = False
        self.refused_at = NEVER
        keeping.programs = self.computers.seating.programs

    def say(self, *sentences: str) -> None:
        """Say sentences, each as a line."""
        self.lines.say(*map(plain, sentences))

    def ask(self, question: str) -> str:
        """Ask the players something and return the answer.

        Raises:
            Left: the answer is to quit, or the input has ended.
        """
        answer = self.lines.ask(plain(question))
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
        if self.match.over:
            return "The match is over. New match, undo, or quit?"
        if self.match.battle.outcome:
            return "Next battle, undo, or quit?"
        side = self.match.battle.position.to_move
        return f"{self.match.name_of(side)}, {side.plural}, to move. Your move:"

    # Saying how it stands

    def begin_battle(self) -> None:
        """Say who plays what in a battle, and where everything stands."""
        match = self.match
        self.refused_at = NEVER
        if self.computers.seating.alone and match.battle.quiet_limit is None:
            match.battle.quiet_limit = QUIET_LIMIT
        self.say(f"{match.variant.title}, battle {match.number} of {BATTLES}.", seats(match))
        self.say_board()
        self.say_if_over()

    def say_board(self) -> None:
        """Say what stands where."""
        battle = self.match.battle
        self.say(*board_in_words(self.match.variant, battle.position, flipped=self.flipped))

    def say_if_over(self) -> None:
        """Say the result of a battle that has ended."""
        if self.match.battle.outcome:
            self.say(*result(self.match))

    def say_thinking(self, player: int) -> None:
        """Say that a computer takes its time."""
        self.say(f"{self.match.players[player]} is thinking.")

    # Changing

    def change(self, change: Callable[[], object]) -> None:
        """Change the match, and return when it is on the disk.

        Raises:
            IllegalMove: the change is not possible; nothing has changed.
        """
        change()
        if complaint := self.keeping.keep(self.match):
            self.say(sentence(complaint))

    def type_move(self, text: str) -> None:
        """Play the move that a text means; ask what it captures where that is open.

        Raises:
            ValueError: the text means no legal move; the message says why.
        """
        battle = self.match.battle
        moves = read_typed(self.match.variant, battle.position, text, take_all=self.takes_all)
        if move := self._chosen(moves):
            self.play(move)

    def _chosen(self, moves: Moves) -> Move | None:
        """Return the one of several moves that the player chooses by what it captures, if any."""
        while len(moves) > 1:
            answer = self.ask(capture_question(self.match.battle.position, moves))
            if answer.lower() in BACK:
                self.say("No move was made.")
                return None
            try:
                moves = read_captures(moves, _CAPTURES.get(answer.lower(), answer))
            except ValueError as refusal:
                self.say(sentence(str(refusal)))
        return moves[0]

    def play(self, move: Move) -> None:
        """Play a move and tell it."""
        battle = self.match.battle
        before = battle.position
        self.change(lambda: battle.play(move))
        self.say(told(self.match, before, move))
        self.say(*changes(self.match.variant, before, battle.position))
        self.say_if_over()

    @property
    def computer_to_move(self) -> int | None:
        """The player whose turn it is, if a computer moves for that player; else None."""
        battle = self.match.battle
        player = self.match.commander(battle.position.to_move)
        return None if battle.outcome or not self.computers.seating.plays(player) else player

    # Players and matches

    def seat(self, seats: Seats) -> None:
        """Let others play."""
        self.computers.seat(seats)
        self.keeping.programs = self.computers.seating.programs

    def next_battle(self) -> None:
        """Exchange the sides for the second battle.

        Raises:
            IllegalMove: the first goes on, or the second has begun.
        """
        self.change(self.match.next_battle)
        self.say("The players have exchanged sides.")
        self.begin_battle()

    def take_up(self, match: Match) -> None:
        """Play another match, which is kept already if it has to be."""
        self.match = match
        self.begin_battle()

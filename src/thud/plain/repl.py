"""The base of every REPL, and of those about a board: output, questions, shared commands."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Final

from thud.plain.board import (
    board_in_words,
    captures_in_words,
    dangers_in_words,
    drawing,
    piece_in_words,
    side_in_general,
    side_in_words,
    surroundings,
)
from thud.plain.lines import Lines
from thud.records.links import link_to_position
from thud.rulebook.chapters import chapter_on, chapters, topics_of
from thud.rulebook.printed import printed
from thud.rules.geometry import parse_square
from thud.rules.position import Move, Position, Side
from thud.rules.setup import Setup
from thud.rules.typed import moves_in, read_captures, read_sequence, read_typed
from thud.rules.variant import IllegalMove, Variant
from thud.session.commands import COMMANDS, DRILL_COMMANDS, TypedCommand, command_in
from thud.text import counted, is_number, meant, quoted, sentence, why_at
from thud.words.moves import capture_question

_SPOKEN: Final = {
    "±": "+/-",
    "×": "times ",
    "–": "-",
    "“": '"',
    "”": '"',
    "…": "...",
}
"""Replacements for signs that not every terminal shows and not every voice reads."""

YES: Final = ("y", "yes")
NO: Final = ("n", "no")
BACK: Final = ("", "back", "cancel")
QUIT: Final = ("quit", "q", "exit")
NOTHING_MADE: Final = "No move was made."
NO_MOVES: Final = "No move has been made."
YES_OR_NO: Final = "Please answer yes or no."
_CAPTURES: Final = dict.fromkeys(YES, "all") | dict.fromkeys(NO, "none")


def spoken(text: str) -> str:
    """Return a text with signs replaced by what every terminal and voice can read."""
    for sign, letters in _SPOKEN.items():
        text = text.replace(sign, letters)
    return text


class Left(Exception):
    """The player quit, or the input ended."""


class Repl(ABC):
    """Reads lines, obeys them, and answers in sentences.

    A command has a row in `commands`, and a method named after its word, such as `_do_help`, which
    gets what follows the word.

    Args:
        lines: output and input.
    """

    def __init__(self, lines: Lines) -> None:
        self.lines = lines

    @property
    @abstractmethod
    def commands(self) -> Mapping[str, TypedCommand]:
        """The commands there are."""

    @property
    def unavailable(self) -> Collection[str]:
        """The commands that are of no use here; the help leaves them out."""
        return ()

    def say(self, *sentences: str) -> None:
        """Write sentences, each on a line."""
        self.lines.say(*map(spoken, sentences))

    def ask(self, question: str, stands: Callable[[], bool] | None = None) -> str:
        """Ask a question and return the answer.

        Args:
            question: the question.
            stands: whether it still stands after something else was written; None for always.

        Raises:
            Left: the answer is to quit, or the input has ended.
            Superseded: it does not.
        """
        answer = self.lines.ask(spoken(question), stands or (lambda: True))
        if answer is None or answer.lower() in QUIT:
            raise Left
        return answer

    def ask_yes(self, question: str, stands: Callable[[], bool] | None = None) -> bool:
        """Ask until the answer is yes or no; see `ask`."""
        while (answer := self.ask(f"{question} Yes or no?", stands).lower()) not in YES + NO:
            self.say(YES_OR_NO)
        return answer in YES

    def obey(self, line: str) -> None:
        """Run a line: one of the commands, or what else can be typed.  Say why if it is refused.

        Raises:
            Left: the line is to quit, or the input has ended.
        """
        if command := command_in(self.commands, line):
            self.attempt(self.run_command, *command)
        else:
            self.attempt(self.take, line)

    def attempt(self, do: Callable[..., None], *given: object) -> None:
        """Call a function; say why if it is refused."""
        try:
            do(*given)
        except (ValueError, OSError) as refusal:
            self.say(sentence(why_at(refusal)))

    def run_command(self, word: str, rest: str) -> None:
        """Run a command, given its word and what follows it.

        Raises:
            ValueError: it is refused.
            Left: it is to quit.
        """
        getattr(self, f"_do_{word}")(rest)

    @abstractmethod
    def take(self, line: str) -> None:
        """Take a line that is no command.

        Raises:
            ValueError: it is refused.
        """

    def _do_help(self, _: str) -> None:
        listed = (each for name, each in self.commands.items() if name not in self.unavailable)
        self.say(*(f"{each.form}: {each.meaning}." for each in listed))

    def _do_quit(self, _: str) -> None:
        raise Left


class BoardRepl(Repl):
    """A REPL about a board.

    Args:
        lines: output and input.
        takes_all: whether a move without captures takes all it can.

    Attributes:
        takes_all: the same; a command changes it.
        flipped: whether the board is read out and drawn from rank 15 on; a command changes it.
    """

    def __init__(self, lines: Lines, *, takes_all: bool = False) -> None:
        super().__init__(lines)
        self.takes_all = takes_all
        self.flipped = False

    @property
    @abstractmethod
    def variant(self) -> Variant:
        """The variant."""

    @property
    def unavailable(self) -> Collection[str]:
        """What is about captures, where nobody is captured."""
        return () if self.variant.has_captures else ("captures", "threats", "take")

    @property
    @abstractmethod
    def positions(self) -> Sequence[Position]:
        """The battle's positions: those so far, the current one last, unless it is a replay."""

    @property
    def position(self) -> Position:
        """The current position."""
        return self.positions[-1]

    @abstractmethod
    def make(self, move: Move) -> None:
        """Make a legal move."""

    def take(self, line: str) -> None:
        """Make a typed move; say what can be typed instead of an unknown word."""
        if line.isascii() and line.isalpha():
            word, instead = line.lower(), "type help, or a move like F1 F5"
            if word in COMMANDS or word in DRILL_COMMANDS:
                # Known elsewhere, so no slip for a word that is like it.
                self.say(sentence(f"{quoted(word)} does nothing here: {instead}"))
                return
            then = meant(word, self.commands, instead)
            self.say(sentence(f"unknown command {quoted(line)}{then}"))
        elif line:
            self.type_move(line)
        else:
            self.say("Type a move like F1 F5, or help.")

    # Commands

    def _do_help(self, rest: str) -> None:
        captures = "; captures like F6 G6 x F5 G5, or all, or none"
        self.say(
            f"Type a move like F1 F5{captures if self.variant.has_captures else ''}.",
            "A square alone is enough where only one piece can go there.",
            "Other commands:",
        )
        super()._do_help(rest)

    def _do_rules(self, topic: str) -> None:
        self.say(*rules_in_lines(self.variant, topic))

    def _do_board(self, moves: str) -> None:
        position = self._position_after(moves)
        self.say(*board_in_words(self.variant, position, flipped=self.flipped))

    def _do_draw(self, moves: str) -> None:
        self.say(*drawing(self._position_after(moves), flipped=self.flipped))

    def _position_after(self, moves: str) -> Position:
        """Return the position after a typed number of moves, by default the current one.

        Raises:
            ValueError: there is none.
        """
        if not moves:
            return self.position
        if (number := number_of_moves(moves)) >= (of := len(self.positions)):
            raise ValueError(f"this battle has had {counted(of - 1, 'move')}")
        return self.positions[number]

    def _do_look(self, square: str) -> None:
        if not square:
            raise ValueError("say where to look, such as look H8")
        self.say(*surroundings(self.variant, self.position, parse_square(square)))

    def _do_dwarfs(self, _: str) -> None:
        self.say(side_in_words(self.position, Side.DWARFS))

    def _do_trolls(self, _: str) -> None:
        self.say(side_in_words(self.position, Side.TROLLS))

    def _do_moves(self, square: str) -> None:
        if square:
            self.say(*piece_in_words(self.variant, self.position, parse_square(square)))
        else:
            self.say(*side_in_general(self.variant, self.position))

    def _do_captures(self, _: str) -> None:
        self.say(*captures_in_words(self.variant, self.position))

    def _do_threats(self, _: str) -> None:
        self.say(*dangers_in_words(self.variant, self.position))

    def _do_take(self, what: str) -> None:
        if what.lower() not in ("all", "ask"):
            raise ValueError("say take all, or take ask")
        self.takes_all = what.lower() == "all"
        if self.takes_all:
            self.say("A move captures all it can unless you say what.")
        else:
            self.say("You are asked what to capture.")

    def _do_flip(self, _: str) -> None:
        self.flipped = not self.flipped
        self.say(f"Rank {15 if self.flipped else 1} is read first now.")

    def _do_text(self, _: str) -> None:
        self.say(self.position.to_text())

    def _do_link(self, _: str) -> None:
        self.say(link_to_position(Setup(self.variant, self.position)))

    # Moves

    def type_move(self, text: str) -> None:
        """Make a typed move, asking for its captures if they are open; or a line of moves.

        Raises:
            ValueError: it is not a legal move; the message says why.
        """
        position, texts = self.position, moves_in(text)
        if len(texts) > 1:
            for move in read_sequence(self.variant, position, texts):
                if self.position != position:
                    raise IllegalMove("the match has moved on: the other moves were not played")
                self.make(move)
                position = position.after(move)
            return
        moves = read_typed(self.variant, position, text, take_all=self.takes_all)
        while len(moves) > 1:
            answer = self.ask(capture_question(position, moves))
            if answer.lower() in BACK:
                self.say(NOTHING_MADE)
                return
            try:
                moves = read_captures(moves, _CAPTURES.get(answer.lower(), answer))
            except ValueError as refusal:
                self.say(sentence(str(refusal)))
        self.make(moves[0])


def rules_in_lines(variant: Variant, topic: str) -> list[str]:
    """Return the rules of a variant in a nutshell, or on one topic.

    Raises:
        ValueError: there is no such topic.
    """
    topics = topics_of(variant.name)
    if not topic:
        more = [f"For more, say rules and one of: {', '.join(topics)}."] if topics else []
        return [*variant.summary.splitlines(), *more]
    place = chapter_on(variant.name, topic.lower())
    if place is None:
        known = ", ".join(topics) or "only the rules in a nutshell"
        raise ValueError(f"the rules have no topic {quoted(topic.lower())}: use {known}")
    return printed(chapters()[place], 80)


def number_of_moves(text: str) -> int:
    """Parse a number of moves.

    Raises:
        ValueError: the text is none.
    """
    if not is_number(text):
        raise ValueError(f"{quoted(text)} is not a number of moves")
    return int(text)

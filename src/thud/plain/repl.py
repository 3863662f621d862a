"""The base of every REPL about a board: output, questions, shared commands."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Final, Generic, NamedTuple, TypeVar

from thud.plain.lines import Lines
from thud.rulebook.chapters import chapter_on, chapters, topics_of
from thud.rulebook.printed import printed
from thud.rules.geometry import parse_square
from thud.rules.position import Move, Position, Side
from thud.rules.typed import Moves, moves_in, read_captures, read_sequence, read_typed
from thud.rules.variant import IllegalMove, Variant
from thud.text import counted, meant, quoted, sentence, why_at
from thud.wording.board import (
    board_in_words,
    captures_in_words,
    dangers_in_words,
    drawing,
    piece_in_words,
    side_in_general,
    side_in_words,
    surroundings,
)
from thud.wording.moves import capture_question

_SPOKEN: Final = {
    " · ": ", ",
    "±": "+/-",
    "×": "times ",
    "–": "-",
    "“": '"',
    "”": '"',
    "…": "...",
}
"""Replacements for signs that not every terminal shows and not every voice reads."""
_WIDTH: Final = 80

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
    """A REPL about a board: reads lines, obeys them, and answers in sentences.

    Args:
        lines: output and input.
        takes_all: whether a move without captures takes all it can.

    Attributes:
        takes_all: the same; a command changes it.
        flipped: whether the board is read out and drawn from rank 15 on; a command changes it.
    """

    def __init__(self, lines: Lines, *, takes_all: bool = False) -> None:
        self.lines = lines
        self.takes_all = takes_all
        self.flipped = False

    @property
    @abstractmethod
    def variant(self) -> Variant:
        """The variant."""

    @property
    @abstractmethod
    def positions(self) -> Sequence[Position]:
        """Positions so far, the current one last."""

    @property
    def position(self) -> Position:
        """The current position."""
        return self.positions[-1]

    @abstractmethod
    def make(self, move: Move) -> None:
        """Make a legal move."""

    def say(self, *sentences: str) -> None:
        """Write sentences, each on a line."""
        self.lines.say(*map(spoken, sentences))

    def ask(self, question: str, stands: Callable[[], bool] = lambda: True) -> str:
        """Ask a question and return the answer.

        Args:
            question: the question.
            stands: whether it still stands after something else was written.

        Raises:
            Left: the answer is to quit, or the input has ended.
            Superseded: it does not.
        """
        answer = self.lines.ask(spoken(question), stands)
        if answer is None or answer.lower() in QUIT:
            raise Left
        return answer

    def ask_yes(self, question: str) -> bool:
        """Ask until the answer is yes or no."""
        while (answer := self.ask(f"{question} Yes or no?").lower()) not in YES + NO:
            self.say(YES_OR_NO)
        return answer in YES

    def type_move(self, text: str) -> None:
        """Make a typed move, asking for its captures if they are open; or a line of moves.

        Raises:
            ValueError: it is not a legal move; the message says why.
        """
        texts = moves_in(text)
        if len(texts) > 1:
            self._make_all(read_sequence(self.variant, self.position, texts))
            return
        moves = read_typed(self.variant, self.position, text, take_all=self.takes_all)
        if move := self._chosen(moves):
            self.make(move)

    def _make_all(self, moves: Sequence[Move]) -> None:
        """Make successive moves, as long as nothing else happens between them."""
        position = self.position
        for move in moves:
            if self.position != position:
                raise IllegalMove("the match has moved on: the other moves were not played")
            self.make(move)
            position = position.after(move)

    def _chosen(self, moves: Moves) -> Move | None:
        """Ask for captures until one move is left; None if cancelled."""
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


_Repl_contra = TypeVar("_Repl_contra", contravariant=True)


class TypedCommand(NamedTuple, Generic[_Repl_contra]):
    """A typed command: its action, its form and its meaning."""

    run: Callable[[_Repl_contra, str], None]
    form: str
    meaning: str


_Repl = TypeVar("_Repl", bound=Repl)


def execute(repl: _Repl, line: str, commands: Mapping[str, TypedCommand[_Repl]]) -> None:
    """Run a line: one of the given commands, or a move.

    Raises:
        Left: the line is to quit, or the input has ended.
    """
    word, _, rest = line.partition(" ")
    name = _SHORT.get(line.lower(), word.lower())
    try:
        if name in commands:
            commands[name].run(repl, rest.strip())
        elif line.isascii() and line.isalpha():
            then = meant(name, commands, "type help, or a move like F1 F5")
            repl.say(sentence(f"unknown command {quoted(line)}{then}"))
        elif line:
            repl.type_move(line)
        else:
            repl.say("Type a move like F1 F5, or help.")
    except (ValueError, OSError) as refusal:
        repl.say(sentence(why_at(refusal)))


def help_with(repl: Repl, commands: Mapping[str, TypedCommand[_Repl]]) -> None:
    """List the commands."""
    repl.say(
        "Type a move like F1 F5; captures like F6 G6 x F5 G5, or all, or none.",
        "A square alone is enough where only one piece can go there.",
        "Other commands:",
        *(f"{command.form}: {command.meaning}." for command in commands.values()),
    )


def leave(_: Repl, __: str) -> None:
    """Leave, as a command."""
    raise Left


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
    return printed(chapters()[place], _WIDTH)


def _rules(repl: Repl, topic: str) -> None:
    repl.say(*rules_in_lines(repl.variant, topic))


def _moves(repl: Repl, where: str) -> None:
    if where:
        repl.say(*piece_in_words(repl.variant, repl.position, parse_square(where)))
    else:
        repl.say(*side_in_general(repl.variant, repl.position))


def _captures(repl: Repl, _: str) -> None:
    repl.say(*captures_in_words(repl.variant, repl.position))


def _threats(repl: Repl, _: str) -> None:
    repl.say(*dangers_in_words(repl.variant, repl.position))


def _board(repl: Repl, number: str) -> None:
    position = _position(repl, number)
    repl.say(*board_in_words(repl.variant, position, flipped=repl.flipped))


def _draw(repl: Repl, number: str) -> None:
    repl.say(*drawing(_position(repl, number), flipped=repl.flipped))


def _position(repl: Repl, number: str) -> Position:
    """Return the position after a number of moves, by default the current one."""
    positions = repl.positions
    if not number:
        return positions[-1]
    if (moves := number_of_moves(number)) >= len(positions):
        raise ValueError(f"this battle has had {counted(len(positions) - 1, 'move')}")
    return positions[moves]


def number_of_moves(text: str) -> int:
    """Parse a number of moves.

    Raises:
        ValueError: the text is none.
    """
    if not (text.isascii() and text.isdigit() and len(text) < 7):
        raise ValueError(f"{quoted(text)} is not a number of moves")
    return int(text)


def _look(repl: Repl, where: str) -> None:
    if not where:
        raise ValueError("say where to look, such as look H8")
    repl.say(*surroundings(repl.variant, repl.position, parse_square(where)))


def _dwarfs(repl: Repl, _: str) -> None:
    repl.say(side_in_words(repl.position, Side.DWARFS))


def _trolls(repl: Repl, _: str) -> None:
    repl.say(side_in_words(repl.position, Side.TROLLS))


def _flip(repl: Repl, _: str) -> None:
    repl.flipped = not repl.flipped
    repl.say(f"Rank {15 if repl.flipped else 1} is read first now.")


def _take(repl: Repl, style: str) -> None:
    if style.lower() not in ("all", "ask"):
        raise ValueError("say take all, or take ask")
    repl.takes_all = style.lower() == "all"
    repl.say(
        "A move captures all it can unless you say what."
        if repl.takes_all
        else "You are asked what to capture."
    )


def _text(repl: Repl, _: str) -> None:
    repl.say(repl.position.to_text())


BOARD_COMMANDS: Final[Mapping[str, TypedCommand[Repl]]] = {
    "rules": TypedCommand(
        _rules, "rules, or rules end", "the rules in a nutshell, or on one topic"
    ),
    "board": TypedCommand(_board, "board, or board 12", "the board now, or after 12 moves"),
    "draw": TypedCommand(_draw, "draw, or draw 12", "the board drawn in letters"),
    "look": TypedCommand(_look, "look H8", "a square, and what is in each direction"),
    "dwarfs": TypedCommand(_dwarfs, "dwarfs", "where the dwarfs are"),
    "trolls": TypedCommand(_trolls, "trolls", "where the trolls are"),
    "moves": TypedCommand(_moves, "moves, or moves A6", "who can move, or what one piece can do"),
    "captures": TypedCommand(_captures, "captures", "the moves that capture"),
    "threats": TypedCommand(_threats, "threats", "pieces that could be captured next"),
    "take": TypedCommand(
        _take, "take all, or take ask", "what a move captures when you do not say"
    ),
    "flip": TypedCommand(_flip, "flip", "turn the board round"),
    "text": TypedCommand(_text, "text", "the position as text for other programs"),
}
_SHORT: Final = {"?": "help", "u": "undo", "r": "redo"}

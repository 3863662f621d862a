"""Setting up a position, in plain text."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Final, TypeAlias

from thud.plain.lines import Lines
from thud.plain.talk import BOARD_COMMANDS, Left, Repl, TypedCommand, execute, help_with, leave
from thud.records.formats import WRITABLE
from thud.rules.geometry import SQUARES, Square, parse_square, square_name
from thud.rules.position import Move, Position, Side
from thud.rules.setup import Setup, piece_letter
from thud.rules.variant import Variant
from thud.rules.variants import VARIANTS
from thud.session import editor
from thud.session.editor import Editor, add_to, confirmed, evaluated_once, puzzle_in_words
from thud.text import capitalised, joined, quoted, sentence
from thud.wording.board import board_in_words, surroundings
from thud.wording.moves import described
from thud.wording.pieces import name_at

if TYPE_CHECKING:
    from thud.engines.spec import Contender
    from thud.rules.match import Match


Play: TypeAlias = "Callable[[Match, tuple[Contender, Contender]], None]"
"""Plays a match until the players leave it."""


_FEW: Final = 6
"""Most changed squares to be read out one by one."""


class SetupRepl(Repl):
    """Talks about a position being set up.

    Args:
        setup: the setup to begin with.
        lines: output and input.
        play: callback to play a match from the setup.
    """

    question: Final = "What now? (help lists the commands):"

    def __init__(self, setup: Setup, lines: Lines, play: Play) -> None:
        super().__init__(lines)
        self.editor = Editor(setup)
        self.play = play
        self._told: list[str] = []

    @property
    def setup(self) -> Setup:
        """The current setup."""
        return self.editor.setup

    @property
    def variant(self) -> Variant:
        """The variant."""
        return self.setup.variant

    @property
    def positions(self) -> Sequence[Position]:
        """The position on the board."""
        return (self.setup.position,)

    def show(self) -> None:
        """Read out the game, the board, the side to move, and what is wrong."""
        self.say(f"{self.variant.title}.")
        self.say(*board_in_words(self.variant, self.position, flipped=self.flipped))
        self.say(f"{capitalised(self.position.to_move.plural)} to move.")
        self._told = []
        self._tell_faults()

    def change(self, setup: Setup, *done: str) -> None:
        """Change the setup; report what was done, and what is wrong with it then."""
        if self.editor.change(setup):
            self.say(*done)
            self._tell_faults()
        else:
            self.say("Nothing has changed.")

    def go_through(self, step: Callable[[], bool], nothing: str) -> None:
        """Undo or redo a change; report the changed squares."""
        before = self.setup
        if not step():
            raise ValueError(nothing)
        changed = _different(before.position, self.position)
        if before.variant != self.variant or len(changed) > _FEW:
            self.show()
            return
        self.say(*(surroundings(self.variant, self.position, square)[0] for square in changed))
        if before.position.to_move is not self.position.to_move:
            self.say(f"{capitalised(self.position.to_move.plural)} to move.")
        self._tell_faults()

    def _tell_faults(self) -> None:
        faults = self.setup.objections
        if not faults and self._told:
            self.say(f"The game is now {self.variant.title}.")
        self._told = faults
        self.say(*map(sentence, faults))

    def make(self, move: Move) -> None:
        """Play a legal move on the board."""
        told = described(self.variant, self.position, move)
        self.change(self.setup.after(move), sentence(told))

    def type_move(self, text: str) -> None:
        """Play a typed move, if the setup is playable.

        Raises:
            ValueError: it is not a legal move, or none can be played here.
        """
        self.setup.playable()
        super().type_move(text)


def run(talk: SetupRepl) -> None:
    """Set up a position until the user quits or the input ends."""
    talk.show()
    try:
        while True:
            execute(talk, talk.ask(talk.question), SETUP_COMMANDS)
    except Left:
        return


def _different(one: Position, other: Position) -> list[Square]:
    """Return the squares on which two positions differ."""
    return [each for each in SQUARES if one.letter_at(each) != other.letter_at(each)]


def _squares(words: Sequence[str], example: str) -> list[Square]:
    if not words:
        raise ValueError(f"say where, such as {example}")
    return [parse_square(word) for word in words]


def _put(talk: SetupRepl, rest: str) -> None:
    piece, *places = rest.split() or [""]
    letter = piece_letter(talk.variant, piece)
    setup = talk.setup
    for square in _squares(places, f"put {piece} F5"):
        setup = setup.put(letter, square)
    what = capitalised(name_at(setup.position, parse_square(places[0]), talk.variant.stone))
    talk.change(setup, *(f"{what} is on {place.upper()}." for place in places))


def _remove(talk: SetupRepl, rest: str) -> None:
    setup, gone = talk.setup, []
    for square in _squares(rest.split(), "remove F5"):
        what = capitalised(name_at(setup.position, square, talk.variant.stone))
        gone.append(f"{what} is removed from {square_name(square)}.")
        setup = setup.remove(square)
    talk.change(setup, *(each for each in gone if not each.startswith("Nothing")))


def _move(talk: SetupRepl, rest: str) -> None:
    squares = _squares(rest.split(), "move F5 G6")
    if len(squares) != 2:
        raise ValueError("say from where to where, such as move F5 G6")
    origin, destination = squares
    what = name_at(talk.position, origin, talk.variant.stone)
    if what == "nothing":
        raise ValueError(f"{square_name(origin)} is empty")
    done = f"{capitalised(what)} is moved from {square_name(origin)} to {square_name(destination)}."
    talk.change(talk.setup.move(origin, destination), done)


def _side(talk: SetupRepl, rest: str) -> None:
    for side in Side:
        if rest.lower() in (side.plural, side.singular, side.value.lower()):
            talk.change(talk.setup.give_turn(side), f"{capitalised(side.plural)} to move.")
            return
    raise ValueError("say side dwarfs, or side trolls")


def _game(talk: SetupRepl, rest: str) -> None:
    if rest.lower() not in VARIANTS:
        raise ValueError(f"{quoted(rest)} is not a game: use {', '.join(VARIANTS)}")
    variant = VARIANTS[rest.lower()]
    talk.change(talk.setup.at_game(variant), f"The game is {variant.title}.")


def _clear(talk: SetupRepl, _: str) -> None:
    talk.change(talk.setup.clear(), f"Only the {talk.variant.stone} is left.")


def _start(talk: SetupRepl, _: str) -> None:
    talk.change(Setup.usual(talk.variant), "All pieces are back at the usual start.")


def _mirror(talk: SetupRepl, _: str) -> None:
    talk.change(talk.setup.mirror(), "Left and right are swapped.")


def _turn(talk: SetupRepl, _: str) -> None:
    talk.change(talk.setup.turn(), "The board is turned a quarter, clockwise.")


def _position(talk: SetupRepl, rest: str) -> None:
    if not rest:
        raise ValueError("give the text of a position, as text prints it")
    before = talk.setup
    if talk.editor.change(before.read(rest)):
        talk.show()


def _undo(talk: SetupRepl, _: str) -> None:
    talk.go_through(talk.editor.undo, "there is nothing to undo")


def _redo(talk: SetupRepl, _: str) -> None:
    talk.go_through(talk.editor.redo, "there is nothing to redo")


def _show(talk: SetupRepl, _: str) -> None:
    talk.show()


def _judge(talk: SetupRepl, _: str) -> None:
    from thud.wording.hints import evaluation

    setup = talk.setup
    talk.say(*evaluation(*setup, *asyncio.run(evaluated_once(setup))))


def _puzzle(talk: SetupRepl, name: str) -> None:
    if not name:
        raise ValueError("name a file for the puzzle, such as puzzle mine.jsonl")
    puzzle = asyncio.run(confirmed(talk.setup))
    talk.say(f"This is a puzzle: {puzzle_in_words(puzzle)}.", sentence(add_to(puzzle, name)))


def _play(talk: SetupRepl, who: str) -> None:
    seats = editor.seats_of(who)
    talk.play(editor.match_of(talk.setup, seats), seats)
    talk.say("", "Back to the position that is set up.")
    talk.show()


def _save(talk: SetupRepl, name: str) -> None:
    if not name:
        raise ValueError("name a file, such as save position.tgn")
    talk.say(sentence(editor.save_as(talk.setup, name)))


def _help(talk: SetupRepl, _: str) -> None:
    help_with(talk, SETUP_COMMANDS)


def _as_a_position(name: str) -> TypedCommand[SetupRepl]:
    """Return a board command that first checks that the setup is a position of the game."""
    command = BOARD_COMMANDS[name]

    def run_checked(talk: SetupRepl, rest: str) -> None:
        talk.setup.checked()
        command.run(talk, rest)

    return TypedCommand(run_checked, command.form, command.meaning)


_PLAIN_WORDS: Final = ("rules", "draw", "look", "dwarfs", "trolls", "take", "flip")
_TEXT: Final = BOARD_COMMANDS["text"]

SETUP_COMMANDS: Final[Mapping[str, TypedCommand[SetupRepl]]] = {
    "help": TypedCommand(_help, "help, or ?", "this"),
    "put": TypedCommand(
        _put, "put d F5, or put t A6 B7", "put pieces on squares: d dwarf, t troll, r stone"
    ),
    "remove": TypedCommand(_remove, "remove F5", "remove the piece there"),
    "move": TypedCommand(_move, "move F5 G6", "move a piece to another square"),
    "side": TypedCommand(_side, "side trolls, or side dwarfs", "who is to move"),
    "clear": TypedCommand(_clear, "clear", "remove all pieces but the stone"),
    "start": TypedCommand(_start, "start", "the usual start"),
    "mirror": TypedCommand(_mirror, "mirror", "mirror left and right"),
    "turn": TypedCommand(_turn, "turn", "turn the board a quarter"),
    "game": TypedCommand(_game, "game koom", f"another game: {', '.join(VARIANTS)}"),
    "position": TypedCommand(_position, "position TEXT", "use a position text"),
    "text": _TEXT,
    "copy": TypedCommand(_TEXT.run, "copy", "the same as text"),
    "undo": TypedCommand(_undo, "undo, or u", "undo the last change"),
    "redo": TypedCommand(_redo, "redo, or r", "redo it"),
    "show": TypedCommand(_show, "show", "read it out again, and what is wrong with it"),
    **{name: BOARD_COMMANDS[name] for name in _PLAIN_WORDS},
    **{name: _as_a_position(name) for name in ("moves", "captures", "threats")},
    "judge": TypedCommand(_judge, "judge", "the computer's view of it"),
    "play": TypedCommand(
        _play, "play, or play human 4", "play it; name who has the dwarfs first, then the trolls"
    ),
    "puzzle": TypedCommand(
        _puzzle, "puzzle FILE", "add it to a file of puzzles, if it is a puzzle"
    ),
    "save": TypedCommand(_save, "save FILE", f"write it to a file: {joined(WRITABLE, 'or')}"),
    "quit": TypedCommand(leave, "quit", "leave"),
}

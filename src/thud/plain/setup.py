"""Setting up a position, in plain text."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Final, TypeAlias

from thud.plain.lines import Lines
from thud.plain.repl import BOARD_COMMANDS, Left, Repl, TypedCommand, execute, help_with, leave
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
    """A REPL of a position being set up.

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


def run(repl: SetupRepl) -> None:
    """Set up a position until the user quits or the input ends."""
    repl.show()
    try:
        while True:
            execute(repl, repl.ask(repl.question), SETUP_COMMANDS)
    except Left:
        return


def _different(one: Position, other: Position) -> list[Square]:
    """Return the squares on which two positions differ."""
    return [each for each in SQUARES if one.letter_at(each) != other.letter_at(each)]


def _squares(words: Sequence[str], example: str) -> list[Square]:
    if not words:
        raise ValueError(f"say where, such as {example}")
    return [parse_square(word) for word in words]


def _put(repl: SetupRepl, rest: str) -> None:
    piece, *places = rest.split() or [""]
    letter = piece_letter(repl.variant, piece)
    setup = repl.setup
    for square in _squares(places, f"put {piece} F5"):
        setup = setup.put(letter, square)
    what = capitalised(name_at(setup.position, parse_square(places[0]), repl.variant.stone))
    repl.change(setup, *(f"{what} is on {place.upper()}." for place in places))


def _remove(repl: SetupRepl, rest: str) -> None:
    setup, gone = repl.setup, []
    for square in _squares(rest.split(), "remove F5"):
        what = capitalised(name_at(setup.position, square, repl.variant.stone))
        gone.append(f"{what} is removed from {square_name(square)}.")
        setup = setup.remove(square)
    repl.change(setup, *(each for each in gone if not each.startswith("Nothing")))


def _move(repl: SetupRepl, rest: str) -> None:
    squares = _squares(rest.split(), "move F5 G6")
    if len(squares) != 2:
        raise ValueError("say from where to where, such as move F5 G6")
    origin, destination = squares
    what = name_at(repl.position, origin, repl.variant.stone)
    if what == "nothing":
        raise ValueError(f"{square_name(origin)} is empty")
    done = f"{capitalised(what)} is moved from {square_name(origin)} to {square_name(destination)}."
    repl.change(repl.setup.move(origin, destination), done)


def _side(repl: SetupRepl, rest: str) -> None:
    for side in Side:
        if rest.lower() in (side.plural, side.singular, side.value.lower()):
            repl.change(repl.setup.give_turn(side), f"{capitalised(side.plural)} to move.")
            return
    raise ValueError("say side dwarfs, or side trolls")


def _game(repl: SetupRepl, rest: str) -> None:
    if rest.lower() not in VARIANTS:
        raise ValueError(f"{quoted(rest)} is not a game: use {', '.join(VARIANTS)}")
    variant = VARIANTS[rest.lower()]
    repl.change(repl.setup.at_game(variant), f"The game is {variant.title}.")


def _clear(repl: SetupRepl, _: str) -> None:
    repl.change(repl.setup.clear(), f"Only the {repl.variant.stone} is left.")


def _start(repl: SetupRepl, _: str) -> None:
    repl.change(Setup.usual(repl.variant), "All pieces are back at the usual start.")


def _mirror(repl: SetupRepl, _: str) -> None:
    repl.change(repl.setup.mirror(), "Left and right are swapped.")


def _turn(repl: SetupRepl, _: str) -> None:
    repl.change(repl.setup.turn(), "The board is turned a quarter, clockwise.")


def _position(repl: SetupRepl, rest: str) -> None:
    if not rest:
        raise ValueError("give the text of a position, as text prints it")
    before = repl.setup
    if repl.editor.change(before.read(rest)):
        repl.show()


def _undo(repl: SetupRepl, _: str) -> None:
    repl.go_through(repl.editor.undo, "there is nothing to undo")


def _redo(repl: SetupRepl, _: str) -> None:
    repl.go_through(repl.editor.redo, "there is nothing to redo")


def _show(repl: SetupRepl, _: str) -> None:
    repl.show()


def _judge(repl: SetupRepl, _: str) -> None:
    from thud.wording.hints import evaluation

    setup = repl.setup
    repl.say(*evaluation(*setup, *asyncio.run(evaluated_once(setup))))


def _puzzle(repl: SetupRepl, name: str) -> None:
    if not name:
        raise ValueError("name a file for the puzzle, such as puzzle mine.jsonl")
    puzzle = asyncio.run(confirmed(repl.setup))
    repl.say(f"This is a puzzle: {puzzle_in_words(puzzle)}.", sentence(add_to(puzzle, name)))


def _play(repl: SetupRepl, who: str) -> None:
    seats = editor.seats_of(who)
    repl.play(editor.match_of(repl.setup, seats), seats)
    repl.say("", "Back to the position that is set up.")
    repl.show()


def _save(repl: SetupRepl, name: str) -> None:
    if not name:
        raise ValueError("name a file, such as save position.tgn")
    repl.say(sentence(editor.save_as(repl.setup, name)))


def _help(repl: SetupRepl, _: str) -> None:
    help_with(repl, SETUP_COMMANDS)


def _as_a_position(name: str) -> TypedCommand[SetupRepl]:
    """Return a board command that first checks that the setup is a position of the game."""
    command = BOARD_COMMANDS[name]

    def run_checked(repl: SetupRepl, rest: str) -> None:
        repl.setup.checked()
        command.run(repl, rest)

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

"""Setting up a position, in plain text."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Final, TypeAlias

from thud.plain.board import board_in_words, surroundings
from thud.plain.lines import Lines
from thud.plain.repl import BoardRepl, Left
from thud.records.formats import WRITABLE
from thud.review.hints import evaluation
from thud.rules.geometry import SQUARES, Square, parse_square, square_name
from thud.rules.position import Move, Position, Side
from thud.rules.reasons import name_at
from thud.rules.setup import Setup, piece_letter
from thud.rules.variant import Variant
from thud.rules.variants import VARIANTS
from thud.session import editor
from thud.session.commands import BOARD_COMMANDS, HELP, TypedCommand
from thud.session.editor import Editor, add_to, confirmed, evaluated_once, puzzle_in_words
from thud.text import capitalised, joined, quoted, sentence
from thud.words.moves import described

if TYPE_CHECKING:
    from thud.engines.spec import Contender
    from thud.rules.match import Match


Play: TypeAlias = "Callable[[Match, tuple[Contender, Contender]], None]"
"""Plays a match until the players leave it."""


_FEW: Final = 6
"""Most changed squares to be read out one by one."""


_UNCHANGED: Final = "Nothing has changed."


SETUP_COMMANDS: Final[Mapping[str, TypedCommand]] = {
    "help": HELP,
    "put": TypedCommand(
        "put d F5, or put t A6 B7", "put pieces on squares: d dwarf, t troll, r stone"
    ),
    "remove": TypedCommand("remove F5", "remove the piece there"),
    "move": TypedCommand("move F5 G6", "move a piece to another square"),
    "side": TypedCommand("side trolls, or side dwarfs", "who is to move"),
    "clear": TypedCommand("clear", "remove all pieces but the stone"),
    "start": TypedCommand("start", "the usual start"),
    "mirror": TypedCommand("mirror", "mirror left and right"),
    "turn": TypedCommand("turn", "turn the board a quarter"),
    "game": TypedCommand("game koom", f"another game: {', '.join(VARIANTS)}"),
    "position": TypedCommand("position TEXT", "use a position text"),
    "text": BOARD_COMMANDS["text"],
    "draw": BOARD_COMMANDS["draw"]._replace(form="draw"),
    "copy": TypedCommand("copy", "the same as text"),
    "undo": TypedCommand("undo, or u", "undo the last change"),
    "redo": TypedCommand("redo, or r", "redo it"),
    "show": TypedCommand("show", "read it out again, and what is wrong with it"),
    **{
        name: BOARD_COMMANDS[name]
        for name in (
            *("rules", "look", "dwarfs", "trolls", "take", "flip"),
            *("moves", "captures", "threats", "link"),
        )
    },
    "judge": TypedCommand("judge", "the computer's view of it"),
    "play": TypedCommand(
        "play, or play human 4", "play it; name who has the dwarfs first, then the trolls"
    ),
    "puzzle": TypedCommand("puzzle FILE", "add it to a file of puzzles, if it is a puzzle"),
    "save": TypedCommand("save FILE", f"write it to a file: {joined(WRITABLE, 'or')}"),
    "quit": TypedCommand("quit", "leave"),
}


class SetupRepl(BoardRepl):
    """A REPL of a position being set up.

    Args:
        setup: the setup to begin with.
        lines: output and input.
        play: callback to play a match from the setup.
    """

    commands = SETUP_COMMANDS

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
            self.say(_UNCHANGED)

    def _tell_faults(self) -> None:
        faults = self.setup.objections
        if not faults and self._told:
            self.say("It can be played now.")
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

    # Commands

    def run_command(self, word: str, rest: str) -> None:
        """Run a command; what speaks of moves needs a position in which there can be some."""
        if word in ("moves", "captures", "threats"):
            self.setup.checked()
        super().run_command(word, rest)

    def _do_side(self, name: str) -> None:
        for side in Side:
            if name.lower() in (side.plural, side.singular, side.value.lower()):
                self.change(self.setup.give_turn(side), f"{capitalised(side.plural)} to move.")
                return
        raise ValueError("say side dwarfs, or side trolls")

    def _do_clear(self, _: str) -> None:
        self.change(self.setup.clear(), f"Only the {self.variant.stone} is left.")

    def _do_start(self, _: str) -> None:
        self.change(Setup.usual(self.variant), "All pieces are back at the usual start.")

    def _do_mirror(self, _: str) -> None:
        self.change(self.setup.mirror(), "Left and right are swapped.")

    def _do_turn(self, _: str) -> None:
        self.change(self.setup.turn(), "The board is turned a quarter, clockwise.")

    def _do_game(self, name: str) -> None:
        if not name:
            raise ValueError("say which game, such as game koom")
        if (game := VARIANTS.get(name.lower())) is None:
            raise ValueError(f"{quoted(name)} is not a game: use {', '.join(VARIANTS)}")
        self.change(self.setup.at_game(game), f"The game is {game.title}.")

    def _do_position(self, text: str) -> None:
        if not text:
            raise ValueError("give the text of a position, as text prints it")
        if self.editor.change(self.setup.read(text)):
            self.show()
        else:
            self.say(_UNCHANGED)

    def _do_copy(self, rest: str) -> None:
        self._do_text(rest)

    def _do_undo(self, _: str) -> None:
        before = self.setup
        if not self.editor.undo():
            raise ValueError("there is nothing to undo")
        self._tell_difference(before)

    def _do_redo(self, _: str) -> None:
        before = self.setup
        if not self.editor.redo():
            raise ValueError("there is nothing to redo")
        self._tell_difference(before)

    def _do_show(self, _: str) -> None:
        self.show()

    def _do_judge(self, _: str) -> None:
        self.say(*evaluation(*self.setup, *asyncio.run(evaluated_once(self.setup))))

    def _do_play(self, names: str) -> None:
        seats = editor.seats_of(names)
        self.play(editor.match_of(self.setup, seats), seats)
        self.say("", "Back to the position that is set up.")
        self.show()

    def _do_puzzle(self, file: str) -> None:
        if not file:
            raise ValueError("name a file for the puzzle, such as puzzle mine.jsonl")
        puzzle = asyncio.run(confirmed(self.setup))
        told = f"This is a puzzle: {puzzle_in_words(puzzle)}."
        self.say(told, sentence(add_to(puzzle, file)))

    def _do_save(self, file: str) -> None:
        if not file:
            raise ValueError("name a file, such as save position.tgn")
        self.say(sentence(editor.save_as(self.setup, file)))

    def _do_put(self, rest: str) -> None:
        if not rest:
            raise ValueError("say what and where, such as put d F5")
        piece, *places = rest.split()
        setup, letter = self.setup, piece_letter(self.variant, piece)
        squares = dict.fromkeys(_squares(places, f"put {piece} F5"))
        for square in squares:
            setup = setup.put(letter, square)
        there = [each for each in squares if setup.position.letter_at(each)]  # one for the stone
        what = capitalised(name_at(setup.position, there[0], self.variant.stone))
        self.change(setup, *(f"{what} is on {square_name(each)}." for each in there))

    def _do_remove(self, rest: str) -> None:
        setup, gone = self.setup, []
        for square in _squares(rest.split(), "remove F5"):
            what = capitalised(name_at(setup.position, square, self.variant.stone))
            if what != "Nothing":
                gone.append(f"{what} is removed from {square_name(square)}.")
            setup = setup.remove(square)
        self.change(setup, *gone)

    def _do_move(self, rest: str) -> None:
        squares = _squares(rest.split(), "move F5 G6")
        if len(squares) != 2:
            raise ValueError("say from where to where, such as move F5 G6")
        origin, destination = squares
        what = name_at(self.position, origin, self.variant.stone)
        if what == "nothing":
            raise ValueError(f"{square_name(origin)} is empty")
        moved = f"{capitalised(what)} is moved from {square_name(origin)}"
        told = f"{moved} to {square_name(destination)}."
        self.change(self.setup.move(origin, destination), told)

    def _tell_difference(self, before: Setup) -> None:
        """Report the changed squares, or the whole setup if there are many."""
        was, now = before.position, self.position
        changed = [each for each in SQUARES if was.letter_at(each) != now.letter_at(each)]
        if before.variant != self.variant or len(changed) > _FEW:
            self.show()
            return
        self.say(*(surroundings(self.variant, now, square)[0] for square in changed))
        if was.to_move is not now.to_move:
            self.say(f"{capitalised(now.to_move.plural)} to move.")
        self._tell_faults()


def _squares(words: Sequence[str], example: str) -> list[Square]:
    if not words:
        raise ValueError(f"say where, such as {example}")
    return [parse_square(word) for word in words]


def run(repl: SetupRepl) -> None:
    """Set up a position until the user quits or the input ends."""
    repl.show()
    with suppress(Left):
        while True:
            repl.obey(repl.ask("What now? (help lists the commands):"))

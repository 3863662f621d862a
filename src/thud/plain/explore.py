"""Exploring what others played, in plain text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from thud.explore.library import ExploredMove, Library, Sample, shown_path
from thud.explore.material import battles_with, parse_material
from thud.plain.lines import Lines
from thud.plain.repl import (
    BOARD_COMMANDS,
    NO_MOVES,
    Left,
    Repl,
    TypedCommand,
    execute,
    help_with,
    leave,
)
from thud.rules.match import Match
from thud.rules.notation import move_text
from thud.rules.position import Move, Position
from thud.rules.variant import IllegalMove, Variant
from thud.text import capitalised, counted, quoted, sentence
from thud.wording.explore import (
    NO_MATCHES,
    NOBODY_HERE,
    NOBODY_WENT_ON,
    TITLE,
    counting,
    made,
    nobody_had,
    result,
    spot,
)
from thud.wording.moves import described
from thud.wording.outcomes import points

_MOST: Final = 12
"""Most moves listed at once."""


class ExploreRepl(Repl):
    """A REPL of the moves made in a position; it steps on from there.

    Args:
        library: the matches.
        match: the match to begin from; its battle is changed by the steps.
        lines: output and input.
    """

    def __init__(self, library: Library, match: Match, lines: Lines) -> None:
        super().__init__(lines)
        self.library = library
        self.battle = match.battle
        self.played: Sequence[ExploredMove] = ()

    @property
    def variant(self) -> Variant:
        """The variant."""
        return self.battle.variant

    @property
    def positions(self) -> Sequence[Position]:
        """Positions on the way here."""
        return self.battle.positions

    def type_move(self, text: str) -> None:
        """Make a typed move, or the one with a number in the list.

        Raises:
            ValueError: the text is neither; the message says why.
        """
        if text.isascii() and text.isdigit():
            self.make(self.numbered(text).move)
        else:
            super().type_move(text)

    def numbered(self, text: str) -> ExploredMove:
        """Return the move with a number in the list.

        Raises:
            ValueError: there is none.
        """
        number = int(text) if text.isascii() and text.isdigit() and len(text) < 7 else 0
        if not 1 <= number <= len(self.played):
            raise ValueError(f"there is no move {quoted(text)} in the list")
        return self.played[number - 1]

    def make(self, move: Move) -> None:
        """Step into a move, and list the moves made after it."""
        told = described(self.variant, self.position, move)
        self.battle.play(move)
        self.say(sentence(told))
        self.tell()

    def tell(self) -> None:
        """List the moves made here."""
        self.played = self.library.played(self.variant, self.position)
        if outcome := self.battle.outcome:
            self.say(sentence(outcome.description))
        elif not self.played:
            self.say(NOBODY_WENT_ON)
            if not self.library.state.files:
                self.say(NO_MATCHES)
        else:
            battles = sum(each.number for each in self.played)
            moves = counted(len(self.played), "move")
            self.say(f"{capitalised(moves)} in {counted(battles, 'battle')}:")
            self.say_moves(0)

    def say_moves(self, first: int) -> None:
        """Read out a page of the list, from an index on."""
        for number, each in list(enumerate(self.played, 1))[first : first + _MOST]:
            text = move_text(self.position, each.move)
            told = made(self.variant, each, compared=self.library.compares)
            self.say(f"{number}. {text}: {told}")
        if (more := len(self.played) - first - _MOST) > 0:
            self.say(f"{more} more: type list {first + _MOST + 1}.")

    @property
    def question(self) -> str:
        """The prompt for a move."""
        return f"{self.position.to_move.plural.capitalize()} to move. A move, its number, or back:"


def run(library: Library, match: Match, lines: Lines) -> None:
    """Explore until the user quits or the input ends."""
    repl = ExploreRepl(library, match, lines)
    try:
        repl.say(f"{TITLE}. {repl.variant.title}: {counting(repl.variant)}.")
        repl.tell()
        while True:
            execute(repl, repl.ask(repl.question), EXPLORE_COMMANDS)
    except Left:
        return


def _help(repl: ExploreRepl, _: str) -> None:
    help_with(repl, EXPLORE_COMMANDS)


def _list(repl: ExploreRepl, first: str) -> None:
    if not first:
        repl.tell()
        return
    repl.numbered(first)
    repl.say_moves(int(first) - 1)


def _back(repl: ExploreRepl, _: str) -> None:
    if not repl.battle.played:
        raise IllegalMove("this is the start of the walk")
    repl.battle.undo()
    repl.say("One move back.")
    repl.tell()


def _start(repl: ExploreRepl, _: str) -> None:
    while repl.battle.played:
        repl.battle.undo()
    repl.say("The start of the walk.")
    repl.tell()


def _way(repl: ExploreRepl, _: str) -> None:
    moves = map(move_text, repl.battle.positions, repl.battle.moves)
    repl.say(" ".join(moves) or NO_MOVES)


def _matches(repl: ExploreRepl, number: str) -> None:
    move = repl.numbered(number).move if number else None
    found = repl.library.samples(repl.variant, repl.position, move)
    if not found:
        repl.say(NOBODY_HERE)
    for each in found:
        repl.say(sample_line(repl.variant, each))


def _material(repl: ExploreRepl, numbers: str) -> None:
    material = parse_material(numbers)
    found = battles_with(repl.library.paths, repl.variant, material)
    if not found:
        repl.say(nobody_had(material))
    for each in found:
        repl.say(sample_line(repl.variant, each))


def sample_line(variant: Variant, sample: Sample) -> str:
    """Return a match as a line: players, place, result and file."""
    match = sample.where.match
    which = f", match {match}" if match > 1 else ""
    where = spot(sample.where.battle, sample.where.ply)
    how = result(variant, sample.margin, points)
    return f"{sample.players}, {where}: {how}. {shown_path(sample.path)}{which}"


EXPLORE_COMMANDS: Final[Mapping[str, TypedCommand[ExploreRepl]]] = {
    "help": TypedCommand(_help, "help, or ?", "this"),
    "list": TypedCommand(_list, "list, or list 13", "the moves made here, or from the 13th on"),
    "back": TypedCommand(_back, "back", "one move back"),
    "start": TypedCommand(_start, "start", "back to the start"),
    "way": TypedCommand(_way, "way", "the moves so far"),
    "matches": TypedCommand(
        _matches, "matches, or matches 2", "the matches here, or with the second move"
    ),
    "material": TypedCommand(
        _material, "material 24 1", "the matches with 24 dwarfs and one troll"
    ),
    **BOARD_COMMANDS,
    "quit": TypedCommand(leave, "quit", "leave"),
}
"""Commands, besides a move or its number in the list."""

"""Exploring what others played, in plain text."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Final

from thud.engines.analyst import Analyst
from thud.explore.library import ExploredMove, Library
from thud.explore.material import battles_with, parse_material
from thud.explore.words import (
    NO_MATCHES,
    NOBODY_WENT_ON,
    TITLE,
    counting,
    made,
    nobody_had,
    sample_line,
)
from thud.plain.lines import Lines
from thud.plain.repl import NO_MOVES, BoardRepl, Left
from thud.rules.match import Match
from thud.rules.notation import move_text
from thud.rules.position import Move, Position
from thud.rules.variant import IllegalMove, Variant
from thud.session.commands import BOARD_COMMANDS, HELP, TypedCommand
from thud.session.editor import judged
from thud.text import capitalised, counted, is_number, quoted, sentence
from thud.words.moves import described

_MOST: Final = 12
"""Most moves listed at once."""


EXPLORE_COMMANDS: Final[Mapping[str, TypedCommand]] = {
    "help": HELP,
    "list": TypedCommand("list, or list 13", "the moves made here, or from the 13th on"),
    "back": TypedCommand("back", "one move back"),
    "start": TypedCommand("start", "back to the start"),
    "way": TypedCommand("way", "the moves so far"),
    "matches": TypedCommand("matches, or matches 2", "the matches here, or with the second move"),
    "judge": TypedCommand("judge 2", "what the computer says of the second move"),
    "material": TypedCommand("material 24 1", "the matches with 24 dwarfs and one troll"),
    **BOARD_COMMANDS,
    "quit": TypedCommand("quit", "leave"),
}
"""Commands, besides a move or its number in the list."""


class ExploreRepl(BoardRepl):
    """A REPL of the moves made in a position; it steps on from there.

    Args:
        library: the matches.
        match: the match to begin from; its battle is changed by the steps.
        lines: output and input.
    """

    commands = EXPLORE_COMMANDS

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
        number = int(text) if is_number(text) else 0
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

    # Commands

    def _do_list(self, number: str) -> None:
        if number:
            self.numbered(number)
            self.say_moves(int(number) - 1)
        else:
            self.tell()

    def _do_back(self, _: str) -> None:
        if not self.battle.played:
            raise IllegalMove("this is the start of the walk")
        self.battle.undo()
        self.say("One move back.")
        self.tell()

    def _do_start(self, _: str) -> None:
        while self.battle.played:
            self.battle.undo()
        self.say("The start of the walk.")
        self.tell()

    def _do_way(self, _: str) -> None:
        way = map(move_text, self.battle.positions, self.battle.moves)
        self.say(" ".join(way) or NO_MOVES)

    def _do_matches(self, number: str) -> None:
        move = self.numbered(number).move if number else None
        found = self.library.samples(self.variant, self.position, move)
        after = 1 if move else 0
        told = [sample_line(self.variant, each, after=after) for each in found]
        self.say(*(told or [NOBODY_WENT_ON]))

    def _do_judge(self, number: str) -> None:
        move = self.numbered(number).move

        async def ask() -> str:
            async with Analyst() as analyst:
                return await judged(self.variant, self.position, move, analyst)

        self.say(asyncio.run(ask()))

    def _do_material(self, pieces: str) -> None:
        material = parse_material(pieces)
        found = battles_with(self.library.paths, self.variant, material)
        nobody = nobody_had(material)
        self.say(*([sample_line(self.variant, each) for each in found] or [nobody]))


def run(library: Library, match: Match, lines: Lines) -> None:
    """Explore until the user quits or the input ends."""
    repl = ExploreRepl(library, match, lines)
    repl.say(f"{TITLE}. {repl.variant.title}: {counting(repl.variant)}.")
    repl.tell()
    with suppress(Left):
        while True:
            side = repl.position.to_move.plural.capitalize()
            repl.obey(repl.ask(f"{side} to move. A move, its number, or back:"))

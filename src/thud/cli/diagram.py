"""A position as text, with colour where the terminal has it."""

from __future__ import annotations

from typing import Final

from rich.console import Console
from rich.text import Text

from thud.rules.geometry import FILES, RANKS, SIZE, file_of
from thud.rules.position import Position, Side
from thud.rules.variant import Variant
from thud.text import capitalised
from thud.words.moves import pieces_left

_STYLES: Final = {"d": "bold bright_yellow", "T": "bold bright_green", "R": "bold reverse"}


def board_lines(position: Position) -> list[Text]:
    """Draw the board, files lettered above and below, ranks numbered on both sides."""
    files = Text("   " + "".join(f" {letter}" for letter in FILES), "dim")
    lines = [files]
    for number, squares in enumerate(RANKS, 1):
        line = Text("  " * (file_of(squares[0]) - 1))
        for square in squares:
            letter = position.letter_at(square)
            line.append(" ").append(letter or ".", _STYLES[letter] if letter else "dim")
        line.pad_right(2 * SIZE - len(line))
        lines.append(Text.assemble((f"{number:>3}", "dim"), line, (f" {number}", "dim")))
    return [*lines, files]


class _Console(Console):
    """A console that raises an error for a closed pipe: Rich's ends the program with status 1."""

    def on_broken_pipe(self) -> None:
        """Leave it to the caller."""
        raise BrokenPipeError


def print_position(variant: Variant, position: Position) -> None:
    """Print the board, the pieces left, the standing and the side to move."""
    console = _Console(highlight=False, markup=False, emoji=False)
    for line in board_lines(position):
        console.print(line, soft_wrap=True)
    counts = (pieces_left(position, side) for side in Side)
    console.print(f"\n{variant.title}: {', '.join(counts)}", soft_wrap=True)
    for label, value in variant.progress(position):
        console.print(f"{label}: {value}", soft_wrap=True)
    console.print(position.to_text(), soft_wrap=True)
    if outcome := variant.outcome(position):
        console.print(capitalised(outcome.description), soft_wrap=True)
    else:
        console.print(f"{position.to_move.plural} to move", soft_wrap=True)

"""A puzzle: a position with its best moves, for each move that is to be found in turn."""

from __future__ import annotations

from typing import Final, NamedTuple

from thud.rules.position import Move, Position
from thud.rules.variant import Variant

BANDS: Final = ("easy", "middling", "hard")
"""How hard a puzzle is, the easiest first."""


GAINS: Final = ("a win", "not losing")
"""What a solution is better by where it is not points."""


class Puzzle(NamedTuple):
    """A position in which some moves are much better than every other."""

    id: str
    """The variant's name and a number, such as `"koom-12"`."""
    variant: Variant
    position: Position
    band: str
    theme: str
    """What it is about, in words: `"hurl the troll"`."""
    solutions: tuple[tuple[Move, ...], ...]
    """The best moves, for each move that is to be found."""
    replies: tuple[Move, ...]
    """The best defence between them: one fewer."""
    tempting: tuple[Move, ...]
    """The best of the other moves, and what refutes it."""
    gain: float | str
    """By how many points the solution is better, or what else it is better by: `"a win"`."""

    @property
    def number(self) -> int:
        """Its number among the puzzles of its variant."""
        return int(self.id.rpartition("-")[2])

    @property
    def gain_in_words(self) -> str:
        """A sentence of what it is better by than any other move."""
        if isinstance(self.gain, str):
            return "No other move wins." if self.gain == GAINS[0] else "Every other move loses."
        unit = "points" if self.variant.worth else "dwarfs"
        return f"It is worth {self.gain:g} {unit} more than any other move."

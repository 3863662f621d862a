"""A position being set up, legal or not."""

from __future__ import annotations

from typing import Final, NamedTuple

from thud.rules.geometry import Square, bit, square_name
from thud.rules.position import STONE_LETTER, InvalidPosition, Move, Position, Side
from thud.rules.symmetry import mirror, quarter_turn
from thud.rules.text import quoted
from thud.rules.variant import Variant

NOWHERE: Final[Square] = 0
"""Place of a stone taken off the board: the corner A1, outside the octagon."""


class Setup(NamedTuple):
    """A variant, and a position that it need not allow.

    Immutable: whatever changes it returns another one.  The stone may be `NOWHERE`.
    """

    variant: Variant
    position: Position

    @classmethod
    def usual(cls, variant: Variant) -> Setup:
        """Return a variant's own start."""
        return cls(variant, variant.start)

    # Pieces

    def put(self, letter: str, square: Square) -> Setup:
        """Put a piece on a square, in place of what is there; the stone leaves its own square."""
        position = self.remove(square).position
        if letter == STONE_LETTER:
            return self._with(position._replace(stone=square))
        if letter == Side.DWARFS.value:
            return self._with(position._replace(dwarfs=position.dwarfs | bit(square)))
        return self._with(position._replace(trolls=position.trolls | bit(square)))

    def remove(self, square: Square) -> Setup:
        """Take away what stands on a square, if anything does."""
        dwarfs, trolls, stone, to_move = self.position
        kept = ~bit(square)
        stone = NOWHERE if stone == square else stone
        return self._with(Position(dwarfs & kept, trolls & kept, stone, to_move))

    def move(self, origin: Square, destination: Square) -> Setup:
        """Put what stands on a square on another one; nothing happens where nothing stands."""
        letter = self.position.letter_at(origin)
        if letter is None or origin == destination:
            return self
        return self.remove(origin).put(letter, destination)

    # All of it

    def give_turn(self, side: Side) -> Setup:
        """Return the setup with this side to move."""
        return self._with(self.position._replace(to_move=side))

    def clear(self) -> Setup:
        """Take away every piece, and put the stone where it usually begins."""
        return self._with(Position(0, 0, self.variant.start.stone, self.position.to_move))

    def mirror(self) -> Setup:
        """Exchange left and right."""
        return self._with(mirror().position(self.position))

    def turn(self) -> Setup:
        """Turn everything by a quarter, clockwise."""
        return self._with(quarter_turn().position(self.position))

    def after(self, move: Move) -> Setup:
        """Play a move, which must be legal."""
        return self._with(self.position.after(move))

    def at_game(self, variant: Variant) -> Setup:
        """Take another game; the usual start of one becomes that of the other."""
        untouched = self.position == self.variant.start
        return Setup(variant, variant.start if untouched else self.position)

    def read(self, text: str) -> Setup:
        """Take a position from its text, whatever the game says to it, with a stone or without.

        Raises:
            InvalidPosition: the text is no position text.
        """
        return self._with(Position.from_text(text, missing_stone=NOWHERE))

    def _with(self, position: Position) -> Setup:
        return self._replace(position=position)

    # What is wrong with it

    @property
    def faults(self) -> list[str]:
        """Reasons why it is no position of the game, in words; empty if it is one."""
        variant, position = self
        if position.stone != NOWHERE:
            return variant.faults(position)
        usual = variant.start.stone
        missing = f"the {variant.stone} is missing: it begins on {square_name(usual)}"
        return [*variant.faults(position._replace(stone=usual)), missing]

    @property
    def objections(self) -> list[str]:
        """Reasons why no move can be made in it; empty if one can."""
        over = [f"the battle would be over at once: {self.ending}"] if self.ending else []
        return self.faults or over

    @property
    def ending(self) -> str:
        """Why the battle would be over at once, nothing if it would not or cannot be told."""
        outcome = None if self.faults else self.variant.outcome(self.position)
        return outcome.because if outcome else ""

    def checked(self) -> Position:
        """Return the position, which is one of the game's.

        Raises:
            InvalidPosition: it is none; the message says why.
        """
        if faults := self.faults:
            raise InvalidPosition("; ".join(faults))
        return self.position

    def playable(self) -> Position:
        """Return the position, in which a move can be made.

        Raises:
            InvalidPosition: it is none of the game's, or the battle is over in it.
        """
        if objections := self.objections:
            raise InvalidPosition("; ".join(objections))
        return self.position


_NAMES: Final = {"dwarf": "d", "d": "d", "troll": "T", "t": "T", "stone": "R", "r": "R"}


def piece_letter(variant: Variant, word: str) -> str:
    """Return the letter of a piece that is named, in either case: `d`, `troll`, `Rock`.

    Raises:
        ValueError: nothing is called so.
    """
    if word.lower() == variant.stone.lower():
        return STONE_LETTER
    if word.lower() in _NAMES:
        return _NAMES[word.lower()]
    stone = variant.stone
    raise ValueError(f"{quoted(word)} is not a piece: use d (dwarf), t (troll) and r ({stone})")

"""A position being set up, legal or not."""

from __future__ import annotations

from typing import Final, NamedTuple

from thud.rules.geometry import Square, bit, square_name
from thud.rules.position import STONE_LETTER, InvalidPosition, Move, Position, Side
from thud.rules.symmetry import mirror, quarter_turn
from thud.rules.variant import Variant
from thud.text import quoted

NOWHERE: Final[Square] = 0
"""Place of a stone taken off the board: the corner A1, outside the octagon."""


class Setup(NamedTuple):
    """A variant, and a position that it need not allow.

    Immutable: each edit returns a new one.  The stone may be `NOWHERE`.
    """

    variant: Variant
    position: Position

    @classmethod
    def usual(cls, variant: Variant) -> Setup:
        """Return a variant's own start."""
        return cls(variant, variant.start)

    # Pieces

    def put(self, letter: str, square: Square) -> Setup:
        """Put a piece on a square, replacing any there; the stone leaves its former square."""
        position = self.remove(square).position
        if letter == STONE_LETTER:
            return self._with(position._replace(stone=square))
        if letter == Side.DWARFS.value:
            return self._with(position._replace(dwarfs=position.dwarfs | bit(square)))
        return self._with(position._replace(trolls=position.trolls | bit(square)))

    def remove(self, square: Square) -> Setup:
        """Remove a square's piece, if there is one."""
        dwarfs, trolls, stone, to_move = self.position
        kept = ~bit(square)
        stone = NOWHERE if stone == square else stone
        return self._with(Position(dwarfs & kept, trolls & kept, stone, to_move))

    def move(self, origin: Square, destination: Square) -> Setup:
        """Move a square's piece, if there is one, to another square."""
        letter = self.position.letter_at(origin)
        if letter is None or origin == destination:
            return self
        return self.remove(origin).put(letter, destination)

    # The whole position

    def give_turn(self, side: Side) -> Setup:
        """Return the setup with this side to move."""
        return self._with(self.position._replace(to_move=side))

    def clear(self) -> Setup:
        """Remove all pieces, and put the stone on its usual square."""
        return self._with(Position(0, 0, self.variant.start.stone, self.position.to_move))

    def mirror(self) -> Setup:
        """Mirror left and right."""
        return self._with(mirror().position(self.position))

    def turn(self) -> Setup:
        """Rotate by a quarter turn, clockwise."""
        return self._with(quarter_turn().position(self.position))

    def after(self, move: Move) -> Setup:
        """Play a legal move."""
        return self._with(self.position.after(move))

    def at_game(self, variant: Variant) -> Setup:
        """Switch to another variant; an unchanged start becomes the other's start."""
        untouched = self.position == self.variant.start
        return Setup(variant, variant.start if untouched else self.position)

    def read(self, text: str) -> Setup:
        """Load a position from its text, allowed by the variant or not, even without a stone.

        Raises:
            InvalidPosition: the text is malformed.
        """
        return self._with(Position.from_text(text, missing_stone=NOWHERE))

    def _with(self, position: Position) -> Setup:
        return self._replace(position=position)

    # Faults

    @property
    def faults(self) -> list[str]:
        """Reasons why the variant does not allow the position; empty if it does."""
        variant, position = self
        if position.stone != NOWHERE:
            return variant.faults(position)
        usual = variant.start.stone
        missing = f"the {variant.stone} is missing: it begins on {square_name(usual)}"
        return [*variant.faults(position._replace(stone=usual)), missing]

    @property
    def objections(self) -> list[str]:
        """Reasons why it cannot be played; empty if it can."""
        over = [f"the battle would be over at once: {self.ending}"] if self.ending else []
        return self.faults or over

    @property
    def ending(self) -> str:
        """Why the battle would be over at once; empty if not, or if the position is faulty."""
        outcome = None if self.faults else self.variant.outcome(self.position)
        return outcome.because if outcome else ""

    def checked(self) -> Position:
        """Return the position, checked to be allowed by the variant.

        Raises:
            InvalidPosition: it is not; the message says why.
        """
        if faults := self.faults:
            raise InvalidPosition("; ".join(faults))
        return self.position

    def playable(self) -> Position:
        """Return the position, checked to be playable.

        Raises:
            InvalidPosition: the variant does not allow it, or the battle would be over.
        """
        if objections := self.objections:
            raise InvalidPosition("; ".join(objections))
        return self.position


_NAMES: Final = {"dwarf": "d", "d": "d", "troll": "T", "t": "T", "stone": "R", "r": "R"}


def piece_letter(variant: Variant, word: str) -> str:
    """Return a piece's letter by name, case-insensitive: `d`, `troll`, `Rock`.

    Raises:
        ValueError: there is no such piece.
    """
    if word.lower() == variant.stone.lower():
        return STONE_LETTER
    if word.lower() in _NAMES:
        return _NAMES[word.lower()]
    stone = variant.stone
    raise ValueError(f"{quoted(word)} is not a piece: use d (dwarf), t (troll) and r ({stone})")

"""Sides, moves, positions and the position text."""

from __future__ import annotations

import re
from enum import Enum
from typing import Final, NamedTuple

from thud.rules.geometry import RANKS, SIZE, Mask, Square, bit, squares_of
from thud.text import plural, quoted

STONE_LETTER: Final = "R"
_MAX_TEXT: Final = 400


class InvalidPosition(ValueError):
    """A position text is malformed, or the variant does not allow the position."""


class Side(Enum):
    """The two sides; the value is the letter of the side's pieces."""

    DWARFS = "d"
    TROLLS = "T"

    @property
    def other(self) -> Side:
        """The opponent."""
        return Side.TROLLS if self is Side.DWARFS else Side.DWARFS

    @property
    def plural(self) -> str:
        """The side's name in a sentence: `"dwarfs"` or `"trolls"`."""
        return "dwarfs" if self is Side.DWARFS else "trolls"

    @property
    def singular(self) -> str:
        """One piece of the side in a sentence: `"dwarf"` or `"troll"`."""
        return self.plural[:-1]

    def named(self, number: int) -> str:
        """Return the noun for a number of pieces: `"dwarf"` after 1, else `"dwarfs"`."""
        return self.singular if number == 1 else self.plural


_DWARF: Final = Side.DWARFS.value
_TROLL: Final = Side.TROLLS.value

_GREAT: Final = 3
"""Fewest pieces captured at once that are more than everyday."""


class Move(NamedTuple):
    """A move as its effect: origin, destination, and the mask of captured squares."""

    origin: Square
    destination: Square
    captures: Mask = 0

    @property
    def is_great(self) -> bool:
        """Whether it lands on what it captures, as a hurl does, or captures three at once."""
        lands = self.captures >> self.destination & 1
        return bool(lands) or self.captures.bit_count() >= _GREAT


class Position(NamedTuple):
    """The pieces and the side to move: immutable, compared by value."""

    dwarfs: Mask
    trolls: Mask
    stone: Square
    to_move: Side = Side.DWARFS

    @property
    def occupied(self) -> Mask:
        """Every square that holds a piece or the stone."""
        return self.dwarfs | self.trolls | 1 << self.stone

    def pieces(self, side: Side) -> Mask:
        """Return the squares of one side's pieces."""
        return self.dwarfs if side is Side.DWARFS else self.trolls

    def letter_at(self, square: Square) -> str | None:
        """Return a square's piece as `"d"`, `"T"` or `"R"`, None if empty."""
        if self.dwarfs >> square & 1:
            return _DWARF
        if self.trolls >> square & 1:
            return _TROLL
        return STONE_LETTER if square == self.stone else None

    @property
    def letters(self) -> dict[Square, str]:
        """The piece on each occupied square, as `letter_at` says it."""
        letters = dict.fromkeys(squares_of(self.dwarfs), Side.DWARFS.value)
        letters |= dict.fromkeys(squares_of(self.trolls), Side.TROLLS.value)
        return letters | {self.stone: STONE_LETTER}

    def after(self, move: Move) -> Position:
        """Return the position after a legal move; legality is not checked."""
        origin, destination, captures = move
        dwarfs, trolls, stone, to_move = self
        path = 1 << origin ^ 1 << destination
        if origin == stone:
            stone = destination
        elif to_move is Side.DWARFS:
            dwarfs ^= path
            trolls &= ~captures
        else:
            trolls ^= path
            dwarfs &= ~captures
        return Position(dwarfs, trolls, stone, to_move.other)

    @classmethod
    def from_text(cls, text: str, *, missing_stone: Square | None = None) -> Position:
        """Parse a position text, such as `"5/1T1T1T1/…/ddddd d"`.

        Args:
            text: the text.
            missing_stone: the stone's square if the text has none; None if it must have one.

        Raises:
            InvalidPosition: with every fault of the text, by rank; or with only the wrong number of
                ranks.
        """
        if len(text) > _MAX_TEXT:
            raise InvalidPosition(
                f"a position text has at most {_MAX_TEXT} characters, this one has {len(text)}"
            )
        if not text.strip():
            raise InvalidPosition("the position text is empty")
        board, _, side = text.strip().partition(" ")
        ranks = board.split("/")
        masks = dict.fromkeys("dTR", 0)
        if len(ranks) != SIZE:
            raise InvalidPosition(
                f"found {len(ranks)} {plural(len(ranks), 'rank')}; expected {SIZE}, separated by /"
            )
        faults = [
            f"rank {number}: {fault}"
            for number, (rank, squares) in enumerate(zip(ranks, RANKS, strict=True), 1)
            for fault in _read_rank(rank, squares, masks)
        ]
        if not masks[STONE_LETTER] and missing_stone is not None:
            masks[STONE_LETTER] = bit(missing_stone)
        if not faults and masks[STONE_LETTER].bit_count() != 1:
            faults.append(_stone_fault(masks[STONE_LETTER]))
        faults += _side_faults(side.strip())
        if faults:
            raise InvalidPosition("; ".join(faults))
        stone = masks[STONE_LETTER].bit_length() - 1
        return cls(masks["d"], masks["T"], stone, Side(side.strip()))

    def to_text(self) -> str:
        """Return the position text."""
        letters = self.letters
        ranks = ("".join(letters.get(square, " ") for square in rank) for rank in RANKS)
        board = "/".join(re.sub(" +", lambda run: str(len(run[0])), rank) for rank in ranks)
        return f"{board} {self.to_move.value}"


def _read_rank(text: str, squares: tuple[Square, ...], masks: dict[str, Mask]) -> list[str]:
    """Add one rank's pieces to the masks by letter; return its faults."""
    place = 0
    for token in re.findall(r"[0-9]+|.", text, re.DOTALL):
        if token in masks:
            if place < len(squares):
                masks[token] |= bit(squares[place])
            place += 1
        elif re.fullmatch(r"[1-9][0-9]*", token):
            place += int(token)
        else:
            return [f"{quoted(token)} is neither d, T, R nor a number of empty squares"]
    if place != len(squares):
        return [f"{place} {plural(place, 'square')}, expected {len(squares)}"]
    return []


def _stone_fault(stones: Mask) -> str:
    ranks = [str(number) for number, rank in enumerate(RANKS, 1) for s in rank if stones >> s & 1]
    if not ranks:
        return "no stone (R) on any rank"
    return f"{len(ranks)} stones (R), on ranks {', '.join(ranks)}; there is exactly one"


def _side_faults(side: str) -> list[str]:
    if not side:
        return ["after rank 15: the side to move is missing, d or T"]
    if side not in ("d", "T"):
        return [f"after rank 15: the side to move is d or T, not {quoted(side)}"]
    return []

"""Names and counts of pieces."""

from __future__ import annotations

from thud.rules.geometry import Mask, Square, listed
from thud.rules.position import Position, Side
from thud.rules.reasons import name_at

__all__ = ["name_at", "piece_at", "pieces", "pieces_left"]


def piece_at(position: Position, square: Square, stone: str) -> str:
    """Return the name of a square's piece without an article: `"dwarf"`, `"Rock"`."""
    return name_at(position, square, stone).split()[-1]


def pieces(side: Side, squares: Mask) -> str:
    """Name a side's pieces in a sentence: `"the dwarf on K4"`, `"the trolls on F6 and G7"`."""
    return f"the {side.named(squares.bit_count())} on {listed(squares)}"


def pieces_left(position: Position, side: Side) -> str:
    """Return the number of a side's pieces: `"32 dwarfs"`."""
    number = position.pieces(side).bit_count()
    return f"{number} {side.named(number)}"

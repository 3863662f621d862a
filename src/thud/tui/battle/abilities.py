"""A piece's possible moves, listed beside the board."""

from __future__ import annotations

from rich.text import Text

from thud.rules.geometry import Mask, Square, square_name
from thud.rules.position import Position
from thud.rules.tactics import abilities
from thud.rules.variant import Variant
from thud.text import capitalised
from thud.wording.pieces import piece_at


def abilities_told(variant: Variant, position: Position, square: Square) -> Text:
    """Describe where the piece on a square can move, by kind of move; captures are marked."""
    may = abilities(variant, position, square)
    piece = piece_at(position, square, variant.stone)
    text = Text(f"{capitalised(piece)} on {square_name(square)}", "bold")
    if may.side is not position.to_move:
        text.append("\nif it were its turn", "italic")
    if not may.moves:
        return text.append("\n\ncannot move.")
    for kind, places in may.kinds.items():
        text.append(f"\n\n{kind.value}: ", "bold")
        text.append(" ".join(_place(where, taken) for where, taken in places.items()))
    return text


def _place(square: Square, taken: Mask) -> str:
    most = taken.bit_count()
    return square_name(square) + ("×" + (str(most) if most > 1 else "") if most else "")

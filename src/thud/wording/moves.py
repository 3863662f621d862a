"""What a move does, in words."""

from __future__ import annotations

from typing import Final

from thud.rules.geometry import in_file_order, square_name
from thud.rules.moves import hopped_over
from thud.rules.position import Move, Position
from thud.rules.reasons import name_at
from thud.rules.variant import Kind, Variant
from thud.wording.text import joined

_VERBS: Final = {
    Kind.MOVE: "moves",
    Kind.HURL: "is hurled",
    Kind.STEP: "steps",
    Kind.SHOVE: "is shoved",
    Kind.TRAP: "moves",
    Kind.TRAMPLE: "tramples",
    Kind.ROLL: "moves",
}


def described(variant: Variant, before: Position, move: Move) -> str:
    """Describe a move of a position: `"troll steps from G8 to G7, captures F6 and F7"`.

    What a trample captures is told hop by hop.
    """
    kind = variant.kind(before, move)
    hops = kind is Kind.TRAMPLE
    victims = hopped_over(before, move) if hops else in_file_order(move.captures)
    piece = name_at(before, move.origin, variant.stone).split()[-1]
    path = f"from {square_name(move.origin)} to {square_name(move.destination)}"
    taken = f", captures {joined(map(square_name, victims))}" if victims else ""
    return f"{piece} {_VERBS[kind]} {path}{taken}"

"""What a move does, in words."""

from __future__ import annotations

from typing import Final

from thud.rules.geometry import listed, square_name
from thud.rules.position import Move, Position
from thud.rules.reasons import name_at
from thud.rules.variant import Kind, Variant

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
    """Describe a move of a position: `"troll steps from G8 to G7, captures F6 and F7"`."""
    piece = name_at(before, move.origin, variant.stone).split()[-1]
    path = f"from {square_name(move.origin)} to {square_name(move.destination)}"
    taken = f", captures {listed(move.captures)}" if move.captures else ""
    return f"{piece} {_VERBS[variant.kind(before, move)]} {path}{taken}"

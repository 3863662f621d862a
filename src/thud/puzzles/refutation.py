"""What refutes a move: the best answer to it that a short search finds."""

from __future__ import annotations

from typing import Final

from thud.ai.player import Limits
from thud.rules.position import Move, Position
from thud.rules.variant import Variant

_LIMITS: Final = Limits(nodes=2_000)


def refutation(variant: Variant, position: Position) -> Move | None:
    """Return the best move of a position, always the same, or None where the battle is over."""
    if variant.outcome(position):
        return None
    from thud.ai.thinker import Thinker

    return Thinker(variant, seed=0).search([position], _LIMITS).move

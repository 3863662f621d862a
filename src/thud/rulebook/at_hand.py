"""Which topic of the rules is at hand."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from thud.rulebook.chapters import END, GAME
from thud.rules.position import Move, Position
from thud.rules.variant import Kind, Variant

_MOST_TELLING: Final = (
    Kind.HURL,
    Kind.SHOVE,
    Kind.TRAP,
    Kind.TRAMPLE,
    Kind.STEP,
    Kind.ROLL,
    Kind.MOVE,
)
"""The kinds of moves, those first of which a player will ask where there are several."""


def topic_at_hand(variant: Variant, position: Position, moves: Collection[Move]) -> str:
    """Return what to tell somebody who is about to make one of some moves, or of none yet."""
    if variant.outcome(position):
        return END
    kinds = {variant.kind(position, move) for move in moves}
    return next((_topic(position, kind) for kind in _MOST_TELLING if kind in kinds), GAME)


def _topic(position: Position, kind: Kind) -> str:
    """Return the topic of a kind of move; dwarfs and trolls may each have a plain one."""
    return f"{position.to_move.singular} move" if kind is Kind.MOVE else kind.value

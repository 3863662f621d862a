"""What either side could do at once in a position: win, or capture what stands exposed."""

from __future__ import annotations

from typing import Final, NamedTuple

from thud.rules.geometry import Mask, Square
from thud.rules.position import Move, Position, Side
from thud.rules.threats import threats
from thud.rules.variant import Variant

_MOST_AVENGED: Final = 40
"""So many captures are tried, each with all that could answer it."""


class Prospects(NamedTuple):
    """What either side could do at once in a position, each as if it were its turn."""

    exposed: dict[Side, Mask]
    """The pieces of a side that could be captured."""
    winning: frozenset[Side]
    """The sides that could reach their goal."""


def prospects(variant: Variant, position: Position) -> Prospects:
    """Return what either side could do at once; nothing once a battle is over."""
    threatened = threats(variant, position).threatened
    turns = [] if variant.outcome(position) else [position._replace(to_move=s) for s in Side]
    return Prospects(
        {side: threatened & position.pieces(side) for side in Side},
        frozenset(turn.to_move for turn in turns if can_win(variant, turn)),
    )


def can_win(variant: Variant, position: Position) -> bool:
    """Say whether the side to move can reach its goal at once."""
    if not variant.goals:
        return False
    return any(wins(variant, position, move) for move in variant.legal_moves(position))


def wins(variant: Variant, position: Position, move: Move) -> bool:
    """Say whether a legal move reaches the goal of whoever plays it."""
    outcome = variant.decided(position.after(move))
    return outcome is not None and outcome.winner is position.to_move


def avenged(variant: Variant, position: Position) -> bool:
    """Say whether whatever the side to move captures with can then be captured itself.

    Where there are very many captures that is not looked into.
    """
    captures = [move for move in variant.legal_moves(position) if move.captures]
    if len(captures) > _MOST_AVENGED:
        return False
    return all(_can_capture(variant, position.after(m), m.destination) for m in captures)


def _can_capture(variant: Variant, position: Position, square: Square) -> bool:
    return any(move.captures >> square & 1 for move in variant.legal_moves(position))

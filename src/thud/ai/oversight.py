"""The moves that a weak player overlooks, much as people do."""

from __future__ import annotations

from collections.abc import Sequence, Set
from hashlib import blake2b
from typing import Final

from thud.rules.geometry import ADJACENT, Mask, bit, distance
from thud.rules.position import Move, Position
from thud.rules.variant import Kind, Variant

_EASE: Final = {
    Kind.HURL: 1.5,
    Kind.STEP: 1.5,
    Kind.TRAMPLE: 1.5,
    Kind.TRAP: 1.2,
    Kind.SHOVE: 0.7,
    Kind.ROLL: 2.0,
}
"""How easily captures of each kind, and rolls, are seen, as an exponent; 1 for other moves."""

_FAR: Final = 4
"""Squares a move goes that is seen half as easily."""

_LONG: Final = 8
"""Bytes of luck."""


def overlooked(
    variant: Variant, positions: Sequence[Position], share: float, seed: int
) -> Set[Move]:
    """Return the moves that a player overlooks in the last position, never all of them.

    Captures are seen more easily than other moves, near ones more easily than far ones, and those
    beside the piece that moved last most easily. What was overlooked stays so until a piece comes
    or goes beside either end of the move, or the position comes back. Moves with the same origin
    and destination are overlooked together, whatever they capture.

    Args:
        variant: the game.
        positions: the battle's positions so far.
        share: the share of ordinary moves that are overlooked, from 0 to 1.
        seed: makes it repeatable.
    """
    position = positions[-1]
    arrived = _arrived(positions)
    moves = variant.legal_moves(position)
    ease = dict[tuple[int, int], float]()
    for move in moves:
        path = move.origin, move.destination
        ease[path] = max(ease.get(path, 0), _ease(variant, position, move, arrived))
    look = seed, positions.count(position)
    clear = {path: _luck(position, path, look) ** (1 / ease[path]) for path in ease}
    limit = min(share, max(clear.values()))
    return {move for move in moves if clear[move.origin, move.destination] < limit}


def _arrived(positions: Sequence[Position]) -> Mask:
    """Return the squares that the last move filled."""
    if len(positions) < 2:
        return 0
    before, after = positions[-2:]
    return after.occupied & ~before.occupied


def _ease(variant: Variant, position: Position, move: Move, arrived: Mask) -> float:
    ends = ADJACENT[move.origin] | ADJACENT[move.destination] | bit(move.destination)
    kind = variant.kind(position, move)
    ease = _EASE.get(kind, 1.0) if move.captures or kind is Kind.ROLL else 1.0
    if distance(move.origin, move.destination) >= _FAR:
        ease /= 2
    return ease * 2 if ends & arrived else ease


def _luck(position: Position, path: tuple[int, int], look: tuple[int, int]) -> float:
    """Return a number from 0 to 1 that changes only with the pieces around a path's ends."""
    near = ADJACENT[path[0]] | ADJACENT[path[1]] | bit(path[0]) | bit(path[1])
    around = position.dwarfs & near, position.trolls & near, bit(position.stone) & near
    drawn = blake2b(repr((look, path, around)).encode(), digest_size=_LONG).digest()
    return int.from_bytes(drawn) / 256**_LONG

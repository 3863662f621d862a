"""What a single piece may do: its moves by kinds, where they lead, and what they capture."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from thud.rules.geometry import Mask, Square, bit, in_file_order, mask_of
from thud.rules.position import Move, Position, Side
from thud.rules.variant import Kind, Variant


class Abilities(NamedTuple):
    """What a piece may do, or could if it were its side's turn."""

    side: Side
    """Whose turn it has to be."""
    moves: int
    """How many moves the piece has."""
    kinds: Mapping[Kind, Mapping[Square, Mask]]
    """For each kind of move the destinations, file by file, each with the most captured there."""


def abilities(variant: Variant, position: Position, square: Square) -> Abilities:
    """Return what the piece on a square may do."""
    turn = position._replace(to_move=_mover(position, square))
    moves = variant.legal_moves(turn, bit(square))
    by_kind: dict[Kind, list[Move]] = defaultdict(list)
    for move in moves:
        by_kind[variant.kind(turn, move)].append(move)
    kinds = {kind: _destinations(by_kind[kind]) for kind in Kind if kind in by_kind}
    return Abilities(turn.to_move, len(moves), kinds)


def _mover(position: Position, square: Square) -> Side:
    """Return the side that moves what stands on a square: the stone is the dwarfs' to move."""
    if position.stone == square:
        return Side.DWARFS
    return next((side for side in Side if position.pieces(side) >> square & 1), position.to_move)


def _destinations(moves: Sequence[Move]) -> dict[Square, Mask]:
    """Return where moves lead, file by file, each with the most that is captured there."""
    most: dict[Square, Mask] = defaultdict(int)
    for _, destination, captures in moves:
        most[destination] = max(most[destination], captures, key=int.bit_count)
    return {square: most[square] for square in in_file_order(mask_of(*most))}

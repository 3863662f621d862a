"""How pieces stand together: blocks, the edge, single ones."""

from __future__ import annotations

from functools import reduce
from operator import or_

from thud.rules.geometry import ADJACENT, Mask, squares_of


def blocks(pieces: Mask) -> list[Mask]:
    """Return the groups of pieces that stand next to each other, the largest first."""
    found = []
    while pieces:
        block, grown = 0, pieces & -pieces
        while grown != block:
            block = grown
            grown |= reduce(or_, (ADJACENT[square] for square in squares_of(block))) & pieces
        found.append(block)
        pieces &= ~block
    return sorted(found, key=int.bit_count, reverse=True)


def largest_block(pieces: Mask) -> Mask:
    """Return the largest group of pieces that stand next to each other; 0 without pieces."""
    return next(iter(blocks(pieces)), 0)


def alone(pieces: Mask) -> Mask:
    """Return the pieces without another one of them next to them."""
    return reduce(or_, (block for block in blocks(pieces) if block.bit_count() == 1), 0)

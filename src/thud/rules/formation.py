"""How pieces stand together: blocks, and what can be captured without an answer."""

from __future__ import annotations

from functools import reduce
from operator import or_

from thud.rules.geometry import ADJACENT, Mask, Square, squares_of
from thud.rules.position import Position, Side
from thud.rules.tactics import TELLING, Compared, Fault
from thud.rules.threats import unanswered
from thud.rules.variant import Variant


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


def left_open(variant: Variant, after: Position, instead: Position) -> tuple[Square, Mask] | None:
    """Return the largest capture without an answer that one move allows, and another does not.

    None if the other move allows one as large that the first does not.

    Args:
        variant: the variant.
        after: the position after the first move.
        instead: the position after the other.
    """
    one, other = unanswered(variant, after), unanswered(variant, instead)

    def more(here: dict[Square, Mask], there: dict[Square, Mask]) -> dict[Square, Mask]:
        return {s: m for s, m in here.items() if m.bit_count() > there.get(s, 0).bit_count()}

    worse, better = more(one, other), more(other, one)
    most = max(map(int.bit_count, better.values()), default=0)
    return next((each for each in worse.items() if each[1].bit_count() > most), None)


def breaks_up(before: Mask, after: Mask, instead: Mask) -> bool:
    """Whether one move makes the largest block smaller, and another does not."""
    now, then, other = (largest_block(each).bit_count() for each in (before, after, instead))
    return then < now <= other


def weakness(variant: Variant, compared: Compared) -> Fault | None:
    """Return a fault in how the dwarfs stand where pieces count, None if there is none."""
    position, move, best, _ = compared
    if position.to_move is not Side.DWARFS or not variant.counts_points:
        return None
    after, instead = position.after(move), position.after(best)
    found = left_open(variant, after, instead)
    if found and found[1].bit_count() >= TELLING:
        return Fault.LEAVES_OPEN
    return Fault.BREAKS_BLOCK if breaks_up(position.dwarfs, after.dwarfs, instead.dwarfs) else None

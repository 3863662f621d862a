"""Sentences about how the dwarfs stand, which the rules prove."""

from __future__ import annotations

from typing import Final

from thud.rules.formation import blocks, largest_block, left_open, weakness
from thud.rules.geometry import EDGE, Mask, Square, square_name
from thud.rules.position import Position, Side
from thud.rules.tactics import Compared, Fault
from thud.rules.threats import unanswered
from thud.rules.variant import Variant
from thud.text import counted, spelled

_MANY: Final = 3
"""Fewest dwarfs whose capture without an answer is told at any place."""


def open_in_words(side: Side, square: Square, captures: Mask) -> str:
    """Say how many of a side's pieces could be captured from a square, without an answer."""
    what = f"capture {counted(captures.bit_count(), side.singular)}"
    return f"A {side.other.singular} could go to {square_name(square)} and {what}, unanswered."


def broken_in_words(before: Mask, after: Mask) -> str:
    """Say how a move has made the largest block smaller, and into how many parts it fell."""
    block = largest_block(before)
    now, then = (each.bit_count() for each in (block, largest_block(after)))
    parts = len(blocks(block & after))
    fell = f", in {spelled(parts)} pieces" if parts > 1 else ""
    return f"The largest block: {spelled(now)}, then {spelled(then)}{fell}."


def block_in_words(dwarfs: Mask) -> str:
    """Say how large the largest block of dwarfs is, and how much of it stands on the edge."""
    block = largest_block(dwarfs)
    size, edge = block.bit_count(), (block & EDGE).bit_count()
    where = f", {spelled(edge) if edge < size else 'all'} on the edge" if edge else ""
    return f"Largest block: {counted(size, 'dwarf')}{where}."


def formation_in_words(variant: Variant, position: Position) -> list[str]:
    """Say how large the largest block is, and what many dwarfs could be captured unanswered."""
    free = unanswered(variant, position._replace(to_move=Side.TROLLS))
    most = [each for each in free.items() if each[1].bit_count() >= _MANY]
    opened = [open_in_words(Side.DWARFS, *each) for each in most[:1]]
    return [block_in_words(position.dwarfs), *opened] if position.dwarfs else []


def describe_weakness(variant: Variant, compared: Compared) -> str:
    """Say in what way a move leaves the dwarfs worse than the better one: what it opened first."""
    position, move, best, _ = compared
    after, instead = position.after(move), position.after(best)
    if weakness(variant, compared) is Fault.BREAKS_BLOCK:
        return broken_in_words(position.dwarfs, after.dwarfs)
    opened = left_open(variant, after, instead)
    return open_in_words(Side.DWARFS, *opened) if opened else ""

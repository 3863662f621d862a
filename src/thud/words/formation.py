"""Sentences about how pieces stand, which the rules prove."""

from __future__ import annotations

from typing import Final

from thud.rules.formation import (
    blocks,
    exposed,
    largest_block,
    left_open,
    open_squares,
    strayed,
    threatened,
    weakness,
)
from thud.rules.geometry import EDGE, Mask, Square, listed, square_name
from thud.rules.position import Position, Side
from thud.rules.tactics import Compared, Fault
from thud.rules.threats import unanswered
from thud.rules.variant import Variant
from thud.text import capitalised, counted, plural, spelled

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
    fell = f", because the block fell into {spelled(parts)} pieces" if parts > 1 else ""
    had = f"The largest block had {counted(now, 'dwarf')} before the move"
    return f"{had}, and has {spelled(then)} after it{fell}."


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


def describe_weakness(variant: Variant, compared: Compared) -> str:  # noqa: PLR0911 - one for each
    """Say in what way a move leaves its side worse than the better one; empty if in none."""
    position, move, best, _ = compared
    after, instead, side = position.after(move), position.after(best), position.to_move
    match weakness(variant, compared):
        case Fault.LEAVES_OPEN:
            opened = left_open(variant, after, instead)
            return open_in_words(Side.DWARFS, *opened) if opened else ""
        case Fault.BREAKS_BLOCK:
            return broken_in_words(position.dwarfs, after.dwarfs)
        case Fault.OPENS_MORE:
            change = open_squares(variant, compared)
            squares = (
                f"{counted(change.after, 'square')} from which a troll could capture unanswered"
            )
            there = f"there {'is' if change.after == 1 else 'are'} {squares}"
            was = "was" if change.before == 1 else "were"
            return f"After this move {there}. Before it there {was} {_none(change.before)}."
        case Fault.STRAYS:
            found = strayed(compared)
            have = "has" if found.bit_count() == 1 else "have"
            dwarfs = plural(found.bit_count(), side.singular)
            return f"The {dwarfs} on {listed(found)} {have} no neighbour."
        case Fault.FORGOES_BLOCK:
            now, then = (largest_block(each.dwarfs).bit_count() for each in (after, instead))
            stays = f"The largest block stays at {counted(now, 'dwarf')}"
            return f"{stays}. The better move would have made it {spelled(then)}."
        case Fault.EXPOSES:
            change = exposed(variant, compared)
            what = f"{counted(change.after, side.singular)} could be captured next"
            fewer = f"after the better move {_none(change.instead)} could be"
            return capitalised(f"{what}; {fewer}.")
        case Fault.FORGOES_THREAT:
            change, other = threatened(variant, compared), side.other
            number = change.after
            who = counted(number, other.singular) if number else f"no {other.singular}"
            told = f"After this move {who} {'are' if number > 1 else 'is'} in danger"
            return f"{told}; after the better move {spelled(change.instead)} would be."
    return ""


def _none(number: int) -> str:
    return spelled(number) if number else "none"

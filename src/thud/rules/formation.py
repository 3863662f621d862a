"""How pieces stand together: blocks, and what can be captured without an answer."""

from __future__ import annotations

from functools import reduce
from operator import or_
from typing import NamedTuple

from thud.rules.geometry import ADJACENT, Mask, Square, squares_of
from thud.rules.position import Position, Side
from thud.rules.tactics import TELLING, Compared, Fault, prospects
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


def gathers_less(before: Mask, after: Mask, instead: Mask) -> bool:
    """Whether one move makes the largest block no larger, and another does."""
    now, then, other = (largest_block(each).bit_count() for each in (before, after, instead))
    return then <= now < other


class Change(NamedTuple):
    """A figure before a move, after it, and after the better one."""

    before: int
    after: int
    instead: int

    @property
    def worsens(self) -> bool:
        """Whether it grows, and with the better move does not."""
        return self.instead <= self.before < self.after

    @property
    def stays(self) -> bool:
        """Whether it gets no smaller, and with the better move does."""
        return self.instead < self.before <= self.after


def open_squares(variant: Variant, compared: Compared) -> Change:
    """Return on how many squares trolls could capture without an answer, if it is their turn."""
    trolls = (each._replace(to_move=Side.TROLLS) for each in _three(compared))
    return Change(*(len(unanswered(variant, each)) for each in trolls))


def strayed(compared: Compared) -> Mask:
    """Return the dwarfs that a move leaves alone; 0 if the better move leaves one, too."""
    before, after, instead = (alone(each.dwarfs) for each in _three(compared))
    return 0 if instead & ~before else after & ~before


def exposed(variant: Variant, compared: Compared) -> Change:
    """Return how many pieces of the side that moves could be captured next."""
    return _threatened(variant, compared, compared.position.to_move)


def threatened(variant: Variant, compared: Compared) -> Change:
    """Return how many pieces of the other side could be captured, if it did nothing about it."""
    return _threatened(variant, compared, compared.position.to_move.other)


def _threatened(variant: Variant, compared: Compared, side: Side) -> Change:
    masks = (prospects(variant, each).exposed[side] for each in _three(compared))
    return Change(*map(int.bit_count, masks))


def _three(compared: Compared) -> tuple[Position, Position, Position]:
    """Return the position before a move, after it, and after the better one."""
    position, move, best, _ = compared
    return position, position.after(move), position.after(best)


def weakness(variant: Variant, compared: Compared) -> Fault | None:  # noqa: PLR0911 - one for each
    """Return a fault in how the pieces stand; None if the better move improves nothing of it."""
    position, after, instead = _three(compared)
    if position.to_move is Side.DWARFS and variant.counts_points:
        found = left_open(variant, after, instead)
        if found and found[1].bit_count() >= TELLING:
            return Fault.LEAVES_OPEN
        if breaks_up(position.dwarfs, after.dwarfs, instead.dwarfs):
            return Fault.BREAKS_BLOCK
        if open_squares(variant, compared).worsens:
            return Fault.OPENS_MORE
        if strayed(compared):
            return Fault.STRAYS
        if gathers_less(position.dwarfs, after.dwarfs, instead.dwarfs):
            return Fault.FORGOES_BLOCK
    if exposed(variant, compared).stays:
        return Fault.EXPOSES
    change = threatened(variant, compared)
    return Fault.FORGOES_THREAT if change.after <= change.before < change.instead else None

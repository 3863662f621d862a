"""Threatened captures, and their lines."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from functools import reduce
from operator import or_
from typing import NamedTuple

from thud.rules.geometry import ADJACENT, BOARD, RAYS, Mask, Square, bit, mask_of, step_between
from thud.rules.moves import hops_from
from thud.rules.position import Move, Position, Side
from thud.rules.variant import Kind, Variant


class Aim(NamedTuple):
    """A threatened capture: origin, destination, and all pieces that could be captured there."""

    kind: Kind
    origin: Square
    destination: Square
    victims: Mask
    support: Mask
    """The pieces behind the mover that give it its reach, or its partners in a trap."""

    @property
    def path(self) -> tuple[Square, ...]:
        """The squares from the origin (excluded) to the destination."""
        line = step_between(self.origin, self.destination)
        if self.kind is Kind.TRAMPLE or line is None:
            return (self.destination,)
        step, length = line
        return RAYS[self.origin][step][:length]


class Threats(NamedTuple):
    """The threats of both sides, each as if it were its turn."""

    aims: tuple[Aim, ...] = ()
    covered: Mask = 0
    """The ends of aims on which every capture could be answered, where known."""

    @property
    def threatened(self) -> Mask:
        """The pieces that could be captured."""
        return reduce(or_, (aim.victims for aim in self.aims), 0)


def threats_in(variant: Variant, position: Position) -> Threats:
    """Return both sides' threats, each as if to move; none once the battle is over."""
    if variant.outcome(position):
        return Threats()
    turns = (position._replace(to_move=side) for side in Side)
    return Threats(tuple(aim for turn in turns for aim in _aims(variant, turn)))


def threat_map(variant: Variant, position: Position) -> Threats:
    """Return both sides' threats, and which of their ends are covered."""
    aims = threats_in(variant, position).aims
    return Threats(aims, _covered(variant, position, aims))


def threat_of(variant: Variant, position: Position, move: Move) -> Threats:
    """Return a capture by the side to move as the only threat."""
    covered = bit(move.destination) if answered(variant, position, move) else 0
    return Threats((aim_of(variant, position, move),), covered)


def _covered(variant: Variant, position: Position, aims: Sequence[Aim]) -> Mask:
    ends = mask_of(*(aim.destination for aim in aims))
    turns = [position._replace(to_move=side) for side in Side] if aims else []
    return ends & ~mask_of(*(end for turn in turns for end in unanswered(variant, turn)))


def unanswered(variant: Variant, position: Position) -> dict[Square, Mask]:
    """Return where the side to move could capture without an answer.

    That is for each such square the largest of these captures, the largest of all first.
    """
    found: dict[Square, Mask] = {}
    captures = [move for move in variant.legal_moves(position) if move.captures]
    for move in sorted(captures, key=lambda each: -each.captures.bit_count()):
        if move.destination not in found and not answered(variant, position, move):
            found[move.destination] = move.captures
    return found


def answered(variant: Variant, position: Position, move: Move) -> bool:
    """Whether the piece that makes a legal move could be captured in return."""
    after, where = position.after(move), move.destination
    # A capture ends on its victim or next to it, or could have stopped there.
    near = bit(where) | ADJACENT[where]
    return any(reply.captures >> where & 1 for reply in variant.legal_moves(after, BOARD, near))


def aim_of(variant: Variant, position: Position, move: Move) -> Aim:
    """Return a move of the side to move as an aim."""
    kind, (origin, destination, captures) = variant.kind(position, move), move
    support = _support(position, kind, origin, destination, captures)
    return Aim(kind, origin, destination, captures, support)


def _aims(variant: Variant, position: Position) -> list[Aim]:
    """Return the possible captures of the side to move."""
    victims: dict[tuple[Kind, Square, Square], Mask] = defaultdict(int)
    for move in variant.legal_moves(position):
        if move.captures:
            way = variant.kind(position, move), move.origin, move.destination
            victims[way] |= move.captures
    return [
        Aim(kind, origin, destination, taken, _support(position, kind, origin, destination, taken))
        for (kind, origin, destination), taken in victims.items()
    ]


def _support(
    position: Position, kind: Kind, origin: Square, destination: Square, victims: Mask
) -> Mask:
    """Return the pieces that a capture depends on, except the mover."""
    own = position.pieces(position.to_move)
    if kind is Kind.TRAP:
        partners = (
            bit(beyond) for between, beyond in hops_from(destination) if victims >> between & 1
        )
        return reduce(or_, partners, 0) & own & ~bit(origin)
    line = step_between(origin, destination)
    if kind not in (Kind.HURL, Kind.SHOVE) or line is None:
        return 0
    step, length = line
    behind = RAYS[origin].get(-step, ())[: max(length - 1, kind is Kind.SHOVE)]
    return reduce(or_, map(bit, behind), 0)

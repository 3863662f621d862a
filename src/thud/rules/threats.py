"""Threatened captures, and their lines."""

from __future__ import annotations

from collections import defaultdict
from functools import reduce
from operator import or_
from typing import NamedTuple

from thud.rules.geometry import RAYS, Mask, Square, bit, step_between
from thud.rules.moves import HOPS
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
        partners = (bit(beyond) for between, beyond in HOPS[destination] if victims >> between & 1)
        return reduce(or_, partners, 0) & own & ~bit(origin)
    line = step_between(origin, destination)
    if kind not in (Kind.HURL, Kind.SHOVE) or line is None:
        return 0
    step, length = line
    behind = RAYS[origin].get(-step, ())[: max(length - 1, kind is Kind.SHOVE)]
    return reduce(or_, map(bit, behind), 0)

"""A level as a player: it searches within limits, and overlooks moves on purpose."""

from __future__ import annotations

import secrets
from collections.abc import Sequence, Set
from functools import reduce
from hashlib import blake2b
from operator import or_
from random import Random
from typing import Final, TypeAlias, TypeVar

from thud.ai.levels import LEVELS, LevelStrength, strength
from thud.ai.player import Decision, Limits, Report, Stop
from thud.ai.thinker import Thinker
from thud.rules.geometry import ADJACENT, Mask, Square, bit, distance, squares_of
from thud.rules.position import Move, Position
from thud.rules.variant import Kind, Variant

_Path: TypeAlias = tuple[Square, Square]
"""A move's origin and destination."""

_EASE: Final = {
    Kind.HURL: 3.0,
    Kind.STEP: 3.0,
    Kind.TRAMPLE: 3.0,
    Kind.TRAP: 2.0,
    Kind.ROLL: 2.0,
    Kind.SHOVE: 0.5,
}
"""How easily moves are seen, by their kind; the others have 1."""

_FAR: Final = 4
"""Squares from which on a move is half as easily seen."""

_Amount = TypeVar("_Amount", int, float)


class LevelPlayer:
    """A level as a player.

    Args:
        variant: what it plays.
        level: its number.
        seed: makes its play repeatable.
    """

    def __init__(self, variant: Variant, level: int, seed: int | None = None) -> None:
        self.level = level
        self.name = LEVELS[level].name
        self._seed = secrets.randbits(32) if seed is None else seed
        self._thinker = Thinker(variant, self._seed, name=self.name)

    def decide(
        self,
        positions: Sequence[Position],
        limits: Limits = Limits(),  # noqa: B008 - an immutable value
        *,
        stop: Stop | None = None,
        report: Report | None = None,
    ) -> Decision:
        """Decide at the level's strength, within the narrower of its limits and those given."""
        own = self._strength(positions).limits
        narrow = Limits(
            _least(own.seconds, limits.seconds),
            _least(own.nodes, limits.nodes),
            _least(own.depth, limits.depth),
        )
        unseen = self.overlooked(positions)
        first = self._thinker.first_limits(positions, narrow)
        found = self._thinker.search(positions, first, stop=stop, report=report, without=unseen)
        return self._thinker.decision(positions, found, stop)

    def overlooked(self, positions: Sequence[Position]) -> Set[Move]:
        """Return the moves that it overlooks, never all of them.

        It overlooks what a person would: hurls and single captures seldom, shoves and long lines
        often, and less of what is next to the last move.  Moves with the same origin and
        destination are overlooked together, whatever they capture, and stay so while nothing
        changes next to either square.
        """
        oversight = self._strength(positions).oversight
        if not any(oversight):
            return frozenset()
        share = Random(f"{self._seed} day").uniform(*oversight)
        here = positions[-1]
        moves = self._thinker.variant.legal_moves(here)
        eye = _next_to_last_move(positions)
        ease = dict[_Path, float]()
        for move in moves:
            path = move.origin, move.destination
            ease[path] = max(ease.get(path, 0), self._ease(here, move, eye))
        # A path with the ease 1 is overlooked with the chance `share`, with 3 with its third power.
        clarity = {path: self._luck(here, path) ** (1 / ease[path]) for path in ease}
        clarity[max(clarity, key=clarity.__getitem__)] = 1
        return {move for move in moves if clarity[move.origin, move.destination] < share}

    def _ease(self, position: Position, move: Move, eye: Mask) -> float:
        """How easily a move is seen, 1 for a usual one."""
        ease = _EASE.get(self._thinker.variant.kind(position, move), 1)
        if distance(move.origin, move.destination) >= _FAR:
            ease /= 2
        if eye & (bit(move.origin) | bit(move.destination)):
            ease *= 2
        return ease

    def _luck(self, position: Position, path: _Path) -> float:
        """A number from 0 to 1 that stays the same while nothing changes next to a path's ends."""
        near = reduce(or_, (ADJACENT[square] | bit(square) for square in path))
        around = (position.dwarfs & near, position.trolls & near, bit(position.stone) & near)
        text = f"{self._seed} {path} {around}"
        return int.from_bytes(blake2b(text.encode(), digest_size=6).digest(), "big") / 2**48

    def _strength(self, positions: Sequence[Position]) -> LevelStrength:
        return strength(self.level, self._thinker.variant, positions[-1].to_move)


def _next_to_last_move(positions: Sequence[Position]) -> Mask:
    """Return the squares of the last move, with their neighbours; none at the beginning."""
    if len(positions) < 2:
        return 0
    before, here = positions[-2:]
    changed = before.dwarfs ^ here.dwarfs | before.trolls ^ here.trolls
    changed |= bit(before.stone) ^ bit(here.stone)
    return reduce(or_, (ADJACENT[each] | bit(each) for each in squares_of(changed)), 0)


def _least(one: _Amount | None, other: _Amount | None) -> _Amount | None:
    return other if one is None else one if other is None else min(one, other)

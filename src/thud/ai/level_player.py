"""A level as a player: it searches within limits, and overlooks moves on purpose."""

from __future__ import annotations

import secrets
from collections.abc import Sequence, Set
from random import Random
from typing import TypeVar

from thud.ai.levels import LEVELS, LevelStrength, strength
from thud.ai.oversight import overlooked
from thud.ai.player import Decision, Limits, Report, Stop
from thud.ai.thinker import Thinker
from thud.rules.position import Move, Position
from thud.rules.variant import Variant

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
        return self._thinker.decision(positions, found, first, stop)

    def overlooked(self, positions: Sequence[Position]) -> Set[Move]:
        """Return the moves that it overlooks, never all of them."""
        oversight = self._strength(positions).oversight
        if not any(oversight):
            return frozenset()
        share = Random(f"{self._seed} day").uniform(*oversight)
        return overlooked(self._thinker.variant, positions, share, self._seed)

    def _strength(self, positions: Sequence[Position]) -> LevelStrength:
        return strength(self.level, self._thinker.variant, positions[-1].to_move)


def _least(one: _Amount | None, other: _Amount | None) -> _Amount | None:
    return other if one is None else one if other is None else min(one, other)

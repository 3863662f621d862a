"""The levels of play, 1 to 7: search limits, and errors made on purpose."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from random import Random
from typing import Final, NamedTuple, TypeVar

from thud.ai.player import Decision, Limits, Report, Stop
from thud.ai.scores import goal_in
from thud.ai.searcher import Found
from thud.ai.thinker import Thinker
from thud.rules.position import Position
from thud.rules.variant import Variant

_Amount = TypeVar("_Amount", int, float)


class Level(NamedTuple):
    """A level's name, limits and errors.

    The levels are bounded by nodes, so that they are equally strong on every machine; the seconds
    are there for machines that are very slow.
    """

    name: str
    limits: Limits
    noise: float = 0
    """How far it misjudges a move; a troll is worth some hundreds."""
    oversight: float = 0
    """How likely it overlooks a move altogether."""


LEVELS: Final[dict[int, Level]] = {
    1: Level("Pebble", Limits(20.0, None, 1), noise=200, oversight=0.6),
    2: Level("Lamplighter", Limits(20.0, None, 1), noise=40, oversight=0.2),
    3: Level("Miner", Limits(20.0, None, 1)),
    4: Level("Bridge Keeper", Limits(20.0, 1_500)),
    5: Level("Forge Master", Limits(20.0, 8_000)),
    6: Level("War Chief", Limits(20.0, 60_000)),
    7: Level("Old Mountain", Limits(10.0)),
}
"""Every level by its number."""


class LevelPlayer:
    """A level as a player.

    Args:
        variant: what it plays.
        level: 1 to 7.
        seed: makes its play repeatable.
    """

    def __init__(self, variant: Variant, level: int, seed: int | None = None) -> None:
        self.level = level
        self._level = LEVELS[level]
        self._seed = secrets.randbits(32) if seed is None else seed
        self._thinker = Thinker(variant, self._seed, name=self._level.name)

    @property
    def name(self) -> str:
        """What the player is called at the board."""
        return self._level.name

    def decide(
        self,
        positions: Sequence[Position],
        limits: Limits = Limits(),  # noqa: B008 - an immutable value
        *,
        stop: Stop | None = None,
        report: Report | None = None,
    ) -> Decision:
        """Decide on a move as well as the level allows, within the limits if they are narrower."""
        narrow = _narrower(self._level.limits, limits)
        found = self._thinker.search(positions, narrow, stop=stop, report=report)
        chance = Random(f"{self._seed} {(len(positions),)}")
        return self._thinker.decision(positions, self._taken_for_best(found, chance), stop)

    def _taken_for_best(self, found: Found, chance: Random) -> Found:
        """Return what the level makes of the search: another move, perhaps."""
        level = self._level
        if not level.noise and not level.oversight:
            return found
        seen = [ranked for ranked in found.ranked if chance.random() >= level.oversight]
        taken = max(
            seen or found.ranked, key=lambda ranked: ranked.worth + chance.gauss(0, level.noise)
        )
        if taken.move == found.move:
            return found
        thought = found.thought._replace(
            score=taken.score, line=(taken.move,), goal_in=goal_in(taken.score)
        )
        return found._replace(thought=thought)


def _narrower(one: Limits, other: Limits) -> Limits:
    """Return the limits of which each is the narrower one of two."""
    return Limits(
        _least(one.seconds, other.seconds),
        _least(one.nodes, other.nodes),
        _least(one.depth, other.depth),
    )


def _least(one: _Amount | None, other: _Amount | None) -> _Amount | None:
    return other if one is None else one if other is None else min(one, other)

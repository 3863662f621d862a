"""The levels of play: search limits and deliberate oversights."""

from __future__ import annotations

import secrets
from collections.abc import Sequence, Set
from random import Random
from typing import Final, NamedTuple, TypeVar

from thud.ai.player import Decision, Limits, Report, Stop
from thud.ai.thinker import Thinker
from thud.rules.position import Move, Position
from thud.rules.variant import Variant

_Amount = TypeVar("_Amount", int, float)


class Level(NamedTuple):
    """A level's name, limits and oversights.

    Levels are limited by nodes, so that they are equally strong on every machine; the seconds are
    a fallback for very slow machines.
    """

    name: str
    meeting: str
    """What it is like to play against, without a full stop."""
    limits: Limits
    oversight: tuple[float, float] = (0, 0)
    """Share of moves it overlooks, on its best day and on its worst."""


_ONE_MOVE: Final = Limits(20.0, None, 1)


def _nodes(number: int) -> Limits:
    return Limits(20.0, number)


LEVELS: Final[dict[int, Level]] = dict(
    enumerate(
        (
            Level("Pebble", "overlooks nine moves in ten", _ONE_MOVE, (0.86, 0.97)),
            Level("Lamplighter", "takes what it sees, which is little", _ONE_MOVE, (0.74, 0.97)),
            Level("Goatherd", "sees one move in three; has better days", _ONE_MOVE, (0.46, 0.95)),
            Level("Tinsmith", "sees every other move; has bad days", _ONE_MOVE, (0.10, 0.84)),
            Level("Ferryman", "overlooks a good move now and then", _ONE_MOVE, (0.0, 0.55)),
            Level("Miner", "sees the next exchange; forgives nothing after it", _ONE_MOVE),
            Level("Bridge Keeper", "looks a move or two ahead; carelessness costs", _nodes(800)),
            Level("Rune Carver", "sees through simple traps", _nodes(2_500)),
            Level("Forge Master", "prepares captures and sees yours coming", _nodes(8_000)),
            Level("Gate Captain", "rarely gives anything away", _nodes(20_000)),
            Level("War Chief", "looks four moves ahead and uses every slip", _nodes(60_000)),
            Level("Old Mountain", "thinks for ten seconds and plays its best", Limits(10.0)),
        ),
        start=1,
    )
)
"""Levels by number."""


class LevelPlayer:
    """A level as a player.

    Args:
        variant: what it plays.
        level: its number.
        seed: makes its play repeatable.
    """

    def __init__(self, variant: Variant, level: int, seed: int | None = None) -> None:
        self.level = level
        self._level = LEVELS[level]
        self._seed = secrets.randbits(32) if seed is None else seed
        self._thinker = Thinker(variant, self._seed, name=self._level.name)

    @property
    def name(self) -> str:
        """The player's name at the board."""
        return self._level.name

    def decide(
        self,
        positions: Sequence[Position],
        limits: Limits = Limits(),  # noqa: B008 - an immutable value
        *,
        stop: Stop | None = None,
        report: Report | None = None,
    ) -> Decision:
        """Decide at the level's strength, within the narrower of its limits and those given."""
        narrow = _narrower(self._level.limits, limits)
        unseen = self.overlooked(positions)
        found = self._thinker.search(positions, narrow, stop=stop, report=report, without=unseen)
        return self._thinker.decision(positions, found, stop)

    def overlooked(self, positions: Sequence[Position]) -> Set[Move]:
        """Return the moves that it overlooks, never all of them.

        Moves with the same origin and destination are overlooked together, whatever they capture.
        """
        if not any(self._level.oversight):
            return frozenset()
        share = Random(f"{self._seed} day").uniform(*self._level.oversight)
        chance = Random(f"{self._seed} {(len(positions),)}")
        moves = self._thinker.variant.legal_moves(positions[-1])
        paths = dict.fromkeys((move.origin, move.destination) for move in moves)
        unseen = {path for path in paths if chance.random() < share}
        if len(unseen) == len(paths):
            return frozenset()
        return {move for move in moves if (move.origin, move.destination) in unseen}


def _narrower(one: Limits, other: Limits) -> Limits:
    """Return the narrower of two limits, field by field."""
    return Limits(
        _least(one.seconds, other.seconds),
        _least(one.nodes, other.nodes),
        _least(one.depth, other.depth),
    )


def _least(one: _Amount | None, other: _Amount | None) -> _Amount | None:
    return other if one is None else one if other is None else min(one, other)

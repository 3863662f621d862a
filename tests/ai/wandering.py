"""Positions that come about by chance, to try the computer players on."""

from collections.abc import Iterator
from random import Random

from thud.rules.position import Position
from thud.rules.variant import Variant


def wander(variant: Variant, seed: int, turns: int, greed: float = 0.3) -> list[Position]:
    """Play moves at random, captures now and then on purpose; return all the positions."""
    chance = Random(seed)
    positions = [variant.start]
    for _ in range(turns):
        moves = variant.legal_moves(positions[-1])
        if not moves:
            break
        captures = [move for move in moves if move.captures]
        greedy = captures and chance.random() < greed
        positions.append(positions[-1].after(chance.choice(captures if greedy else moves)))
    return positions


def wanderings(variant: Variant, count: int, turns: int = 120) -> Iterator[Position]:
    """Yield positions from all over random battles that have not ended."""
    for seed in range(count):
        chance = Random(seed + 1000)
        for position in chance.sample(wander(variant, seed, turns), 3):
            if variant.outcome(position) is None:
                yield position


def endgames(variant: Variant, count: int, left: tuple[int, int] = (4, 3)) -> Iterator[Position]:
    """Yield positions with few pieces left, so that everything can be tried."""
    for seed in range(count):
        position = Random(seed).choice(wander(variant, seed, 60))
        chance = Random(seed)
        dwarfs, trolls = (
            _thinned(pieces, most, chance) for pieces, most in zip(position[:2], left, strict=True)
        )
        position = position._replace(dwarfs=dwarfs, trolls=trolls)
        if variant.outcome(position) is None:
            yield position


def _thinned(pieces: int, left: int, chance: Random) -> int:
    squares = [square for square in range(256) if pieces >> square & 1]
    return sum(1 << square for square in chance.sample(squares, min(left, len(squares))))

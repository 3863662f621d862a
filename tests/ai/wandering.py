"""Random positions for tests of the computer players."""

from collections.abc import Iterator
from random import Random

from thud.rules.position import Move, Position
from thud.rules.variant import Variant

_BEGUN: dict[tuple[Variant, int, float], tuple[Random, list[Position]]] = {}
"""The random battles played so far, which many tests begin with."""


def wander(variant: Variant, seed: int, turns: int, greed: float = 0.3) -> list[Position]:
    """Play random moves, with probability `greed` a capture; return all positions."""
    chance, positions = _BEGUN.setdefault((variant, seed, greed), (Random(seed), [variant.start]))
    while len(positions) <= turns:
        moves = variant.legal_moves(positions[-1])
        if not moves:
            break
        captures = [move for move in moves if move.captures]
        greedy = captures and chance.random() < greed
        positions.append(positions[-1].after(chance.choice(captures if greedy else moves)))
    return positions[: turns + 1]


def wanderings(variant: Variant, count: int, turns: int = 120) -> Iterator[Position]:
    """Yield positions from random battles in which the battle has not ended."""
    for seed in range(count):
        chance = Random(seed + 1000)
        for position in chance.sample(wander(variant, seed, turns), 3):
            if variant.outcome(position) is None:
                yield position


def endgames(variant: Variant, count: int, left: tuple[int, int] = (4, 3)) -> Iterator[Position]:
    """Yield positions with few pieces left, so that a search can be exhaustive."""
    for seed in range(count):
        position = Random(seed).choice(wander(variant, seed, 60))
        chance = Random(seed)
        dwarfs, trolls = (
            _thinned(pieces, most, chance) for pieces, most in zip(position[:2], left, strict=True)
        )
        position = position._replace(dwarfs=dwarfs, trolls=trolls)
        if variant.outcome(position) is None:
            yield position


def winning(variant: Variant, position: Position) -> list[Move]:
    """Return the moves that win the battle at once by reaching a goal."""
    outcomes = {
        move: variant.decided(position.after(move)) for move in variant.legal_moves(position)
    }
    return [m for m, outcome in outcomes.items() if outcome and outcome.winner is position.to_move]


def _thinned(pieces: int, left: int, chance: Random) -> int:
    squares = [square for square in range(256) if pieces >> square & 1]
    return sum(1 << square for square in chance.sample(squares, min(left, len(squares))))

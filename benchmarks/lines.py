"""Measure how often several lines are reported out of order.

Usage: python benchmarks/lines.py [--positions 1000] [--nodes 20000] [--lines 2] [--module WASM]

The positions are from quick battles of all games that the search knows, every fifth turn, and some
of few trolls among many dwarfs, whose lines often end the battle.  For each, all that is told of
the lines at each depth is compared: a line is out of order if it scores above the one before it.
Scores are as the search tells them, and as players see them.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator
from itertools import cycle, islice, pairwise
from pathlib import Path
from random import Random

from thud.ai import core
from thud.ai.player import Limits, Thought
from thud.engines.outlook import calibrated
from thud.rules.geometry import BOARD, bit, squares_of
from thud.rules.position import Position, Side
from thud.rules.variant import Variant
from thud.rules.variants import VARIANTS


def positions(seed: int) -> Iterator[tuple[Variant, Position]]:
    """Yield positions of battles with random beginnings, without end."""
    chance = Random(seed)
    for variant in cycle(filter(core.knows, list(VARIANTS.values()))):
        searcher, position = core.CoreSearcher(variant, chance.randrange(1 << 30)), variant.start
        for turn in range(120):
            if variant.outcome(position):
                break
            if turn % 5 == 4:
                yield variant, position
            if turn < 6 or chance.random() < 0.1:
                move = chance.choice(sorted(variant.legal_moves(position)))
            else:
                move = searcher.search([position], Limits(nodes=400)).move
            position = position.after(move)
        yield variant, crowded(variant, chance)


def crowded(variant: Variant, chance: Random) -> Position:
    """Draw a position of one to three trolls among 15 to 30 dwarfs, in which the battle goes on."""
    squares = squares_of(BOARD & ~(bit(variant.start.stone) | variant.goals))
    while True:
        drawn, count = chance.sample(squares, chance.randrange(18, 34)), chance.randrange(1, 4)
        trolls, dwarfs = (sum(map(bit, each)) for each in (drawn[:count], drawn[count:]))
        side = chance.choice(tuple(Side))
        position = Position(dwarfs, trolls, variant.start.stone, side)
        if variant.outcome(position) is None:
            return position


def out_of_order(scores: list[int]) -> int:
    """Return by how much a line scores above the one before it at most, 0 if none does."""
    return max([0, *(other - one for one, other in pairwise(scores))])


def looked_at(
    variant: Variant, position: Position, limits: Limits, lines: int
) -> tuple[int, int, int]:
    """Search lines; return how far out of order they were, also as shown, and the depth."""
    told, wrong, seen = list[Thought](), list[int](), list[int]()

    def compare(thought: Thought) -> None:
        # All lines of a depth are reported together, the best first.
        told[thought.rank - 1 :] = [thought]
        wrong.append(out_of_order([each.score for each in told]))
        shown = [calibrated(variant, position, each, told).score for each in told]
        seen.append(out_of_order(shown))

    core.CoreSearcher(variant, 1).search([position], limits, report=compare, lines=lines)
    return max(wrong), max(seen), told[0].depth


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--positions", type=int, default=1000)
    parser.add_argument("--nodes", type=int, default=20_000)
    parser.add_argument("--lines", type=int, default=2)
    parser.add_argument("--module", type=Path, default=core.MODULE)
    options = parser.parse_args()
    core.MODULE = options.module  # type: ignore[misc]
    count, searched, said, worst, depths = Counter[str](), Counter[str](), Counter[str](), 0, 0
    for variant, position in islice(positions(1), options.positions):
        wrong, seen, depth = looked_at(
            variant, position, Limits(nodes=options.nodes), options.lines
        )
        depths += depth
        count[variant.name] += 1
        searched[variant.name] += wrong > 0
        said[variant.name] += seen > 0
        worst = max(worst, wrong, seen)
    for name, number in count.items():
        wrong_of = f"{searched[name]:4} out of order, {said[name]:4} as shown"
        print(f"{name:10} {number:5} positions: {wrong_of}")
    print(f"worst {worst / 100:.2f} points; mean depth {depths / count.total():.2f}")


if __name__ == "__main__":
    main()

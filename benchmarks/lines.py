"""Measure how often several lines are reported out of order.

Usage: python benchmarks/lines.py [--positions 1000] [--nodes 20000] [--lines 2] [--module WASM]

The positions are from quick battles of all games that the search knows, every fifth turn.  For
each, what is last told of every line is compared: a line is out of order if it scores above the one
before it.  Scores are as the search tells them, and as players see them.
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
from thud.rules.position import Position
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
        told = dict[int, Thought]()
        core.CoreSearcher(variant, 1).search(
            [position],
            Limits(nodes=options.nodes),
            report=lambda thought: told.update({thought.rank: thought}),  # noqa: B023
            lines=options.lines,
        )
        lines = [told[rank] for rank in sorted(told)]
        depths += lines[0].depth
        wrong = [other.score - one.score for one, other in pairwise(lines)]
        seen = [calibrated(variant, position, each).score for each in lines]
        count[variant.name] += 1
        searched[variant.name] += max(wrong, default=0) > 0
        said[variant.name] += any(one < other for one, other in pairwise(seen))
        worst = max([worst, *wrong])
    for name, number in count.items():
        wrong_of = f"{searched[name]:4} out of order, {said[name]:4} as shown"
        print(f"{name:10} {number:5} positions: {wrong_of}")
    print(f"worst {worst / 100:.2f} points; mean depth {depths / count.total():.2f}")


if __name__ == "__main__":
    main()

"""What is left of lopsided endings of Classic: the search against itself from random positions.

Usage: python benchmarks/endings.py [--battles N] [--nodes N]
"""

from __future__ import annotations

import argparse
from random import Random
from statistics import fmean

from thud.ai.core import searcher_for
from thud.ai.player import Limits
from thud.rules.battle import Battle
from thud.rules.geometry import SQUARES, mask_of, parse_square
from thud.rules.position import Position, Side
from thud.rules.variants import VARIANTS

CLASSIC = VARIANTS["classic"]
STONE = parse_square("H8")
QUIET, LONGEST = 60, 200


def ending(dwarfs: int, trolls: int, nodes: int, chance: Random) -> Position:
    """Return the end of a battle of so many dwarfs and trolls, set up at random."""
    pieces = chance.sample([square for square in SQUARES if square != STONE], dwarfs + trolls)
    start = Position(mask_of(*pieces[:dwarfs]), mask_of(*pieces[dwarfs:]), STONE, Side.DWARFS)
    battle = Battle(CLASSIC, CLASSIC.position(start.to_text()), quiet_limit=QUIET)
    searcher = searcher_for(CLASSIC, None)
    while battle.outcome is None and len(battle.moves) < LONGEST:
        found = searcher.search([battle.position], Limits(nodes=nodes))
        battle.play(found.thought.line[0])
    return battle.position


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--battles", type=int, default=60)
    parser.add_argument("--nodes", type=int, default=3_000)
    options = parser.parse_args()
    chance = Random(1)
    print("| dwarfs | trolls | dwarfs left | trolls left | all trolls captured |")
    print("| --- | --- | --- | --- | --- |")
    for trolls in 1, 2, 3, 4, 6:
        for dwarfs in 4, 8, 12, 16:
            ends = [ending(dwarfs, trolls, options.nodes, chance) for _ in range(options.battles)]
            left = [(each.dwarfs.bit_count(), each.trolls.bit_count()) for each in ends]
            gone = sum(not standing for _, standing in left)
            means = " | ".join(f"{fmean(each):.1f}" for each in zip(*left, strict=True))
            print(f"| {dwarfs} | {trolls} | {means} | {gone} of {len(left)} |", flush=True)


if __name__ == "__main__":
    main()

"""Whether what a hint says of the other moves is true.

Usage: nice python benchmarks/rivals.py DIRECTORY [--games classic koom] [--claims 30]

In positions of `tools/battles.py` to which nothing was fitted, it asks for hints, until so many
would say "Every other move …" by the search of two lines alone. Each claim is then checked: every
other move is searched, and the best dozen as deep as the best of all. It counts the claims by that
search alone, and those still made after the closer search of the rivals, with those that are false:
another move is less than half as much worse as is the least that is claimed.
"""

import argparse
import asyncio
import sys
from math import inf
from pathlib import Path
from random import Random
from typing import Final

sys.path.insert(0, str(Path(__file__).parents[1] / "tools"))

from battles import Judged, judged
from thud.ai.player import Limits, Thought
from thud.ai.scores import seen_by
from thud.engines.analyst import Analyst
from thud.review.judgement import chance
from thud.rules.battle import Battle
from thud.rules.position import Move, Position
from thud.rules.variant import Variant
from thud.rules.variants import VARIANTS

_HINT: Final = Limits(nodes=400_000)
_EACH: Final = Limits(nodes=60_000)
_LONGER: Final = Limits(nodes=400_000)
_GLANCE: Final = Limits(nodes=2_000)
_RIVALS: Final = 12


class Unchecked(Analyst):
    """An analyst whose second line is believed."""

    async def _best_rival(self, battle: Battle, best: Thought, second: Thought) -> Thought:
        return second


def gap(variant: Variant, position: Position, best: int, other: int) -> float:
    """Return how much worse a score is, where 1 is the least that is claimed."""
    if variant.counts_points:
        return (best - other) / 100
    before, after = (chance(variant, seen_by(position.to_move, each)) for each in (best, other))
    return abs(before - after) / 0.05 * (1 if best > other else -1)


async def after(analyst: Analyst, battle: Battle, move: Move, limits: Limits) -> Thought | None:
    """Search the position after a move."""
    if battle.variant.outcome(battle.position.after(move)):
        return None
    return (await analyst.analyse(battle, limits, then=move)).thought


async def smallest_gap(analyst: Analyst, battle: Battle, best: Move) -> float:
    """Return how much worse the best of all other moves is."""
    variant, position = battle.variant, battle.position
    own = await after(analyst, battle, best, _EACH)
    assert own
    others = [move for move in variant.legal_moves(position) if move[:2] != best[:2]]
    seen = {move: await after(analyst, battle, move, _GLANCE) for move in others}
    rivals = sorted((then.score, move) for move, then in seen.items() if then)[:_RIVALS]
    found = list[float]()
    for _, move in rivals:
        then = await after(analyst, battle, move, _LONGER._replace(depth=own.depth))
        if then and then.depth == own.depth:
            found.append(gap(variant, position, -own.score, -then.score))
    return min(found, default=inf)


async def measure(variant: Variant, seen: list[Judged], claims: int) -> None:
    """Print the row of a game."""
    counts, false = [0, 0], [0, 0]
    async with Analyst() as checked, Unchecked() as unchecked:
        for one in seen:
            battle = Battle(variant, one.position)
            for place, analyst in enumerate((unchecked, checked)):
                decision, second = await analyst.best_two(battle, _HINT)
                best = decision.thought
                if not (best and second) or best.goal_in is not None or second.goal_in is not None:
                    break
                if gap(variant, one.position, best.score, second.score) < 1:
                    break
                if not place:
                    real = await smallest_gap(unchecked, battle, decision.move)
                counts[place] += 1
                false[place] += real < 0.5
            if counts[0] >= claims:
                break
    print(
        f"| {variant.title} | {false[0]} of {counts[0]} | {false[1]} of {counts[1]} |", flush=True
    )


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("directory", type=Path)
    parser.add_argument("--games", choices=VARIANTS, nargs="+", default=[*VARIANTS])
    parser.add_argument("--claims", type=int, default=30)
    options = parser.parse_args()
    print("| | false by two lines | after the closer search |\n| --- | --- | --- |")
    for name in options.games:
        seen = [one for one in judged(options.directory / f"{name}.jsonl") if one.is_held_out]
        Random(0).shuffle(seen)
        asyncio.run(measure(VARIANTS[name], seen, options.claims))


if __name__ == "__main__":
    main()

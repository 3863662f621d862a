"""How often each level beats the one below, in every game.

Usage: python benchmarks/ladder.py [--matches 40] [--games classic koom] [--levels 2 3] [--jobs 2]
           [--keep]

A match is two battles from one opening, each side once. A drawn match counts as half. Battles end
when both players agree, or after 100 moves without a capture; in Football, where nothing is ever
captured, after 400 moves.

With --keep what is measured replaces what `benchmarks/results/ladder.json` has of these levels;
`tools/fill_documents.py` fills the documents from that.
"""

import argparse
import json
from functools import partial
from multiprocessing import Pool
from pathlib import Path
from random import Random
from time import process_time

from gate import fight, mean, player

from thud.ai.levels import LEVELS
from thud.ai.player import Limits, Thought
from thud.ai.thinker import Thinker
from thud.disk.atomic import write_atomic
from thud.rules.position import Move, Position
from thud.rules.variant import Variant
from thud.rules.variants import VARIANTS

KEPT = Path(__file__).parent / "results/ladder.json"
"""Shares of matches that each level won against the one below, by game and level."""

_MOVES = 6
_CHOICE = 6
_GLANCE = Limits(depth=1)
_LEVELS = sorted(LEVELS)[1:]


def _quiet(variant: Variant) -> int:
    return 400 if variant.name == "football" else 100


def opening(variant: Variant, seed: int) -> list[Position]:
    """Return a battle's first positions, with random choices among the best moves at a glance."""
    chance = Random(f"ladder {seed}")
    judge = Thinker(variant, seed)
    positions = [variant.start]
    for _ in range(_MOVES):
        best = dict[int, Move]()

        def keep(thought: Thought, best: dict[int, Move] = best) -> None:
            best[thought.rank] = thought.line[0]

        judge.search(positions, _GLANCE, report=keep, lines=_CHOICE)
        positions.append(positions[-1].after(chance.choice([*best.values()])))
    return positions


def match(
    seed: int, variant: Variant, first: str, second: str, limits: Limits
) -> tuple[float, float]:
    """Play a match; return the first player's total margin, and the seconds it took."""
    begun = process_time()
    positions, margin = opening(variant, seed), 0.0
    for sign in (1, -1):
        one, other = player(first, variant, seed), player(second, variant, seed + 1)
        pair = (one, other) if sign > 0 else (other, one)
        battle, _ = fight(pair, positions, variant, limits, _quiet(variant), agree=True)
        assert battle.outcome is not None
        margin += sign * battle.outcome.margin
    return margin, process_time() - begun


def write_down(game: str, level: int, matches: int, share: float) -> None:
    """Write down the share of matches that a level won against the one below, a draw as half."""
    kept = json.loads(KEPT.read_text())
    kept[game][f"{level}"] = {"matches": matches, "share": round(share, 3)}
    write_atomic(KEPT, f"{json.dumps(kept, indent=1)}\n".encode())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=40)
    parser.add_argument("--games", nargs="+", choices=VARIANTS, default=list(VARIANTS))
    parser.add_argument("--levels", nargs="+", type=int, choices=_LEVELS, default=_LEVELS)
    parser.add_argument("--against", help="a player of benchmarks/gate.py; the level below")
    parser.add_argument("--seed", type=int, default=0, help="of the first opening")
    parser.add_argument("--nodes", type=int, help="greatest number of positions a move")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--keep", action="store_true", help="write down what is measured")
    options = parser.parse_args()
    if options.keep and options.against:
        parser.error("only matches against the level below are kept")
    print("| level | against | game | matches | won | drawn | share | margin | took |")
    print("| --- " * 9 + "|")
    seeds = range(options.seed, options.seed + options.matches)
    with Pool(options.jobs) as pool:
        for level in options.levels:
            for game in options.games:
                against = options.against or str(level - 1)
                play = partial(
                    match,
                    variant=VARIANTS[game],
                    first=str(level),
                    second=against,
                    limits=Limits(nodes=options.nodes),
                )
                margins, seconds = zip(*pool.map(play, seeds, chunksize=1), strict=True)
                won = sum(margin > 0 for margin in margins)
                drawn = sum(margin == 0 for margin in margins)
                share = (won + drawn / 2) / len(margins)
                print(
                    f"| {level} | {against} | {game} | {len(margins)} | {won} | {drawn} "
                    f"| {share:.0%} | {mean(list(margins))} | {sum(seconds):.0f} s |",
                    flush=True,
                )
                if options.keep:
                    write_down(game, level, len(margins), share)


if __name__ == "__main__":
    main()

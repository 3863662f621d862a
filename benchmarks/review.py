"""How reliable the marks of a review are, and how long a review takes.

Usage: nice -n 10 python benchmarks/review.py [--battles 2] [--plants 10] [--seed 0]
                                              [--variant classic ...] [--calibrate N]

Level 11 plays itself.  Few of its moves should be marked ? or ??, since it plays well.  In each
battle some moves are replaced by blunders that lose a troll's worth, confirmed by a search of ten
times as many positions; nearly all of these should be marked.  In variants without points, a
troll's worth is three tenths of the chance of winning.  Last, a full review of a battle of 120
moves is timed.

With --calibrate, N battles of level 9 against itself give the winning chance by score, to fit the
logistic function in `review/judgement.py`.
"""

import argparse
import asyncio
from collections.abc import Iterator
from math import exp, log
from random import Random
from time import perf_counter
from typing import NamedTuple

from thud.ai.level_player import LevelPlayer
from thud.ai.player import Limits, quiet_moves
from thud.ai.scores import LIMIT
from thud.ai.thinker import Thinker
from thud.engines.analyst import Analyst
from thud.engines.arena import opening
from thud.engines.processors import processors
from thud.review.judgement import Judgement, Mark, given_away, is_mistake, mark_of
from thud.review.reviewer import LOOK, Judged, Reviewer
from thud.rules.battle import Battle
from thud.rules.position import Move, Side
from thud.rules.variant import Variant
from thud.rules.variants import VARIANTS

LOST = {True: 4.0, False: 0.3}
"""What a blunder that is planted loses at least: points, or chance of winning."""

LOOK_NODES = LOOK.nodes or 0
LONGER = 10
CANDIDATES = 15
PLIES = 60
WHOLE = 120


class Plant(NamedTuple):
    """A battle whose last move, after `ply` moves, is a planted blunder."""

    battle: Battle
    ply: int
    lost: float


def fought(variant: Variant, level: int, seed: int, plies: int) -> Battle:
    """Return a battle of a level against itself, after a few random moves."""
    battle = Battle(variant)
    for move in opening(variant, 4, Random(f"{variant.name} {seed}")):
        battle.play(move)
    players = [LevelPlayer(variant, level, 2 * seed + n) for n in range(2)]
    while battle.outcome is None and len(battle.moves) < plies:
        battle.play(players[len(battle.moves) % 2].decide(battle.positions).move)
    return battle


def replaced(battle: Battle, ply: int, move: Move) -> Battle:
    """Return a battle up to a ply, with another move played there."""
    other = Battle(battle.variant)
    for each in (*battle.moves[:ply], move):
        other.play(each)
    return other


async def judged(
    battle: Battle, plies: list[int], analyst: Analyst, limits: Limits = LOOK
) -> dict[int, Judgement]:
    """Return the judgements of moves of a battle, by ply."""
    found: dict[int, Judgement] = {}

    def tell(judgement: Judged) -> None:
        found[judgement.ply] = judgement.judgement

    await Reviewer(battle, analyst, limits).judge_all(plies, tell)
    return found


async def planted(battle: Battle, ply: int, analyst: Analyst, random: Random) -> Plant | None:
    """Replace a move by a blunder; None if none of a few random moves is one."""
    variant, position = battle.variant, battle.positions[ply]
    moves = variant.legal_moves(position)
    for move in random.sample(moves, min(CANDIDATES, len(moves))):
        other = replaced(battle, ply, move)
        least = LOST[variant.counts_points]
        # A short search first rules out moves that lose little.
        for nodes, enough in ((1_000, least / 4), (LONGER * LOOK_NODES // 4, least)):
            found = (await judged(other, [ply], analyst, Limits(nodes=nodes)))[ply]
            lost = given_away(variant, position, found)
            if lost < enough:
                break
        else:
            return Plant(other, ply, lost)
    return None


class Row(NamedTuple):
    """Results for a variant."""

    plants: int = 0
    found: int = 0
    moves: int = 0
    marked: int = 0
    dubious: int = 0


async def measured(variant: Variant, options: argparse.Namespace, analyst: Analyst) -> Row:
    """Count the blunders found, and the marked moves of a strong level."""
    row = Row()
    for number in range(options.battles):
        random = Random(f"{variant.name} {options.seed} {number}")
        battle = await asyncio.to_thread(fought, variant, 11, options.seed + number, PLIES)
        own = list(range(4, len(battle.moves)))
        row = _with_moves(row, battle, await judged(battle, own, analyst))
        plies = random.sample(own, len(own))
        wanted = row.plants + options.plants // options.battles
        while plies and row.plants < wanted:
            plant = await planted(battle, plies.pop(), analyst, random)
            if plant is not None:
                found = (await judged(plant.battle, [plant.ply], analyst))[plant.ply]
                mark = _mark(plant.battle, plant.ply, found)
                row = row._replace(plants=row.plants + 1, found=row.found + is_mistake(mark))
                if not is_mistake(mark):
                    print(f"  missed: {variant.name}, {plant.lost:.2f} lost", flush=True)
    print(f"  {variant.name}: {row}", flush=True)
    return row


def _mark(battle: Battle, ply: int, judgement: Judgement) -> Mark | None:
    positions = battle.positions[: ply + 1]
    return mark_of(battle.variant, positions[-1], judgement, quiet_moves(positions))


def _with_moves(row: Row, battle: Battle, found: dict[int, Judgement]) -> Row:
    marks = [_mark(battle, ply, judgement) for ply, judgement in found.items()]
    return row._replace(
        moves=row.moves + len(marks),
        marked=row.marked + sum(map(is_mistake, marks)),
        dubious=row.dubious + marks.count(Mark.DUBIOUS),
    )


async def timed(variant: Variant, jobs: int) -> float:
    """Return the seconds to review a battle of 120 moves between levels 8 and 11."""
    battle = Battle(variant)
    players = [LevelPlayer(variant, level, 7) for level in (8, 11)]
    while battle.outcome is None and len(battle.moves) < WHOLE:
        battle.play(players[len(battle.moves) % 2].decide(battle.positions).move)
    begun = perf_counter()
    analyst = Analyst(jobs)
    try:
        await judged(battle, list(range(len(battle.moves))), analyst)
    finally:
        await analyst.close()
    return perf_counter() - begun


def standings(variant: Variant, battles: int) -> Iterator[tuple[int, float]]:
    """Yield scores from the dwarfs' view, each with the battle's result: 1, 0.5 or 0."""
    for seed in range(battles):
        battle = fought(variant, 9, seed, 200)
        winner = battle.outcome.winner if battle.outcome else None
        result = 0.5 if winner is None else float(winner is Side.DWARFS)
        thinker = Thinker(variant, 1)
        for played in range(6, len(battle.moves), 5):
            positions = battle.positions[: played + 1]
            score = thinker.search(positions, Limits(nodes=4_000)).thought.score
            if abs(score) < LIMIT:
                yield (score if positions[-1].to_move is Side.DWARFS else -score), result


def likeliest(found: list[tuple[int, float]]) -> tuple[int, int]:
    """Fit a logistic function by maximum likelihood: its centre and its scale."""

    def unlikely(shape: tuple[int, int]) -> float:
        level, steep = shape
        total = 0.0
        for score, result in found:
            chance = min(max(1 / (1 + exp((level - score) / steep)), 1e-6), 1 - 1e-6)
            total -= result * log(chance) + (1 - result) * log(1 - chance)
        return total

    shapes = [(level, steep) for level in range(-500, 1001, 50) for steep in range(50, 1001, 25)]
    return min(shapes, key=unlikely)


async def main_async(options: argparse.Namespace) -> None:
    analyst = Analyst(2)
    variants = [VARIANTS[name] for name in options.variant]
    try:
        rows = {each.name: await measured(each, options, analyst) for each in variants}
    finally:
        await analyst.close()
    print("| variant | blunders | marked ? or ?? | its other moves | marked ? or ?? | marked ?! |")
    print("| --- | --- | --- | --- | --- | --- |")
    for name, row in rows.items():
        print(f"| {name} | {' | '.join(map(str, row))} |")
    for variant in variants:
        seconds = await timed(variant, processors())
        print(
            f"{variant.name}: a battle of {WHOLE} moves is reviewed in {seconds:.0f} s", flush=True
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--battles", type=int, default=2)
    parser.add_argument("--plants", type=int, default=10, help="blunders for each variant")
    parser.add_argument("--seed", type=int, default=0, help="of the first battle: other battles")
    parser.add_argument("--variant", nargs="+", choices=VARIANTS, default=list(VARIANTS))
    parser.add_argument("--calibrate", type=int, default=0, metavar="N")
    options = parser.parse_args()
    if not options.calibrate:
        asyncio.run(main_async(options))
        return
    for name in options.variant:
        found = list(standings(VARIANTS[name], options.calibrate))
        level, steep = likeliest(found)
        print(f"{name}: {len(found)} positions, level at {level}, steep {steep}", flush=True)
        for low in range(-1000, 1000, 100):
            results = [result for score, result in found if low <= score < low + 100]
            if results:
                mean = sum(results) / len(results)
                print(f"  {low:+5} to {low + 100:+5}: {mean:.2f} of {len(results)}", flush=True)


if __name__ == "__main__":
    main()

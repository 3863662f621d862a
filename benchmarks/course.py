"""What the course in strategy is worth: a learner who follows it, against levels of the computer.

Usage: nice python benchmarks/course.py [VARIANT...] [--levels 2 4] [--battles 8]

The learner looks at the other side's captures after each move, as the key for threats shows them,
and else follows what the lessons say: dwarfs gather, trolls keep together and go for dwarfs that
stand alone; the Rock goes forward with an escort, and trolls come together beside it.  Beside it a
player who knows the rules, and takes what there is.
"""

import argparse
from collections.abc import Callable
from random import Random
from statistics import fmean

from thud.ai.level_player import LevelPlayer
from thud.rules.battle import Battle
from thud.rules.geometry import ADJACENT, distance, rank_of, squares_of
from thud.rules.position import Move, Position, Side
from thud.rules.variant import Variant
from thud.rules.variants import VARIANTS

LONGEST = 200
_WORTH = {Side.DWARFS: 1.0, Side.TROLLS: 4.0}
_LOST = 100.0


def gathered(position: Position, side: Side) -> float:
    """How well a side stands in Classic by what the lessons say."""
    dwarfs, trolls = position.dwarfs, position.trolls
    if side is Side.DWARFS:
        return 0.05 * sum(min((ADJACENT[at] & dwarfs).bit_count(), 4) for at in squares_of(dwarfs))
    alone = [at for at in squares_of(dwarfs) if (ADJACENT[at] & dwarfs).bit_count() <= 2]
    return sum(
        0.1 * min((ADJACENT[at] & trolls).bit_count(), 2)
        - 0.08 * min((distance(at, dwarf) for dwarf in alone), default=8)
        for at in squares_of(trolls)
    )


def escorted(position: Position, side: Side) -> float:
    """How well a side stands in the Koom Valley games by what the lessons say."""
    dwarfs, trolls, stone, _ = position
    beside = [(ADJACENT[stone] & pieces).bit_count() for pieces in (dwarfs, trolls)]
    if side is Side.TROLLS:
        near = sorted(distance(at, stone) for at in squares_of(trolls))[:5]
        return 0.6 * beside[1] - 0.2 * beside[0] - 0.15 * sum(near)
    near = sorted(distance(at, stone) for at in squares_of(dwarfs))[:8]
    ahead = sum(
        bool(ADJACENT[at] & dwarfs)
        for at in squares_of(ADJACENT[stone] & ~dwarfs & ~trolls)
        if rank_of(at) < rank_of(stone)
    )
    here = 0.25 * min(3, beside[0]) - 0.6 * beside[1] + 0.2 * ahead
    return here - 1.2 * rank_of(stone) - 0.02 * sum(near)


def taken(variant: Variant, position: Position, move: Move, side: Side) -> float:
    """What a move takes, or that it wins."""
    outcome = variant.outcome(position.after(move))
    won = outcome is not None and outcome.winner is side
    return won * _LOST + move.captures.bit_count() * _WORTH[side.other]


def by_the_course(variant: Variant, position: Position, move: Move) -> float:
    """What the learner thinks of a move."""
    side, after = position.to_move, position.after(move)
    stands = gathered if variant.counts_points else escorted
    replies = variant.legal_moves(after)
    if variant.counts_points:
        replies = [each for each in replies if each.captures]
    worst = max((taken(variant, after, each, side.other) for each in replies), default=0.0)
    return taken(variant, position, move, side) + stands(after, side) - worst


def by_the_rules(variant: Variant, position: Position, move: Move) -> float:
    """What somebody who knows the rules thinks of a move."""
    return taken(variant, position, move, position.to_move)


def margin(
    variant: Variant,
    side: Side,
    level: int,
    thinks: Callable[[Variant, Position, Move], float],
    seed: int,
) -> float:
    """Play a battle; return its margin for the learner."""
    battle, chance = Battle(variant), Random(seed)
    computer = LevelPlayer(variant, level, seed)
    while battle.outcome is None and len(battle.moves) < LONGEST:
        position = battle.position
        if position.to_move is side:
            moves = variant.legal_moves(position)
            worth = {
                move: thinks(variant, position, move) + 0.01 * chance.random() for move in moves
            }
            battle.play(max(worth, key=worth.__getitem__))
        else:
            battle.play(computer.decide(battle.positions).move)
    if battle.outcome:
        lead = battle.outcome.margin
    else:
        lead = variant.lead(battle.position) if variant.counts_points else 0.0
    return lead if side is Side.DWARFS else -lead


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("variants", nargs="*", help="all without any")
    parser.add_argument("--levels", type=int, nargs="+", default=[2, 4])
    parser.add_argument("--battles", type=int, default=8)
    options = parser.parse_args()
    print("| game | side | level | knows the rules | knows the course |")
    print("| --- " * 5 + "|")
    for variant in map(VARIANTS.__getitem__, options.variants or VARIANTS):
        for side in Side:
            for level in options.levels:
                row = [variant.title, side.plural, str(level)]
                for thinks in by_the_rules, by_the_course:
                    found = [
                        margin(variant, side, level, thinks, seed)
                        for seed in range(options.battles)
                    ]
                    won = sum(each > 0 for each in found)
                    row.append(f"{won} of {len(found)}, {fmean(found):+.1f}")
                print(f"| {' | '.join(row)} |", flush=True)


if __name__ == "__main__":
    main()

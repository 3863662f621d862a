"""What the course in strategy is worth: a learner who follows it, against levels of the computer.

Usage: nice python benchmarks/course.py [VARIANT...] [--levels 3 5] [--battles 8] [--half]

The learner looks at the other side's captures after each move, as the key for threats shows them,
and else follows what the lessons say: dwarfs gather, trolls keep together and go for dwarfs that
stand alone; the Rock goes forward with an escort, and trolls come together beside it.  Beside it a
player who knows the rules, and takes what there is.

With --half two learners have the dwarfs of Classic, and look at captures, at the best shapes and at
what takes dangers away: one knows only to gather, the other their half of the course: one thick
block at a flat side, and a pair behind where a troll would land.
"""

import argparse
from collections.abc import Callable, Sequence
from functools import reduce
from itertools import islice
from operator import or_
from random import Random
from statistics import fmean, stdev
from typing import Final, TypeAlias

from thud.ai.level_player import LevelPlayer
from thud.rules.battle import Battle
from thud.rules.formation import largest_block
from thud.rules.geometry import ADJACENT, EDGE, distance, parse_square, rank_of, squares_of
from thud.rules.position import Move, Position, Side
from thud.rules.threats import answered, unanswered
from thud.rules.variant import Variant
from thud.rules.variants import VARIANTS

LONGEST = 200
_WORTH = {Side.DWARFS: 1.0, Side.TROLLS: 4.0}
_LOST = 100.0
_HOME: Final = parse_square("N8")
"""Where a learner of the dwarfs' half gathers, at a flat side."""
_CONSIDERED: Final = 24
"""Moves by shape that a learner of the dwarfs' half looks at, captures included."""
_REPAIRS: Final = 40
"""Most others that they look at where something is open."""


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


Learner: TypeAlias = Callable[[Variant, Position], dict[Move, float]]
"""Returns what somebody thinks of the moves that they consider."""


def by_the_course(variant: Variant, position: Position) -> dict[Move, float]:
    """What the learner thinks of every move."""
    return {move: looked_at(variant, position, move) for move in variant.legal_moves(position)}


def looked_at(variant: Variant, position: Position, move: Move) -> float:
    """What the learner thinks of a move after a look at the replies."""
    side, after = position.to_move, position.after(move)
    stands = gathered if variant.counts_points else escorted
    replies = variant.legal_moves(after)
    if variant.counts_points:
        replies = [each for each in replies if each.captures]
    worst = max((taken(variant, after, each, side.other) for each in replies), default=0.0)
    return taken(variant, position, move, side) + stands(after, side) - worst


def by_the_rules(variant: Variant, position: Position) -> dict[Move, float]:
    """What somebody who knows the rules thinks of every move."""
    side = position.to_move
    return {m: taken(variant, position, m, side) for m in variant.legal_moves(position)}


def shaped(position: Position, _: Side) -> float:
    """How well dwarfs stand by what their half of the course says."""
    dwarfs = position.dwarfs
    block = largest_block(dwarfs)
    size, edge = block.bit_count(), (block & EDGE).bit_count()
    each = sum(
        0.06 * max(0, 6 - distance(at, _HOME)) + 0.12 * min((ADJACENT[at] & dwarfs).bit_count(), 5)
        for at in squares_of(dwarfs)
    )
    return each + 0.3 * min(size, 16) - 0.1 * max(0, edge - size / 2)


def looking(stands: Callable[[Position, Side], float], *, answers: bool) -> Learner:
    """Return a learner who looks at the replies to captures, to the best shapes and to repairs.

    Args:
        stands: how well the dwarfs stand in the learner's eyes.
        answers: whether a capture that is answered costs the troll, and several open captures more
            than one, as one move does not answer them all.
    """

    def think(variant: Variant, position: Position) -> dict[Move, float]:
        return considered(variant, position, stands, answers=answers)

    return think


def considered(
    variant: Variant,
    position: Position,
    stands: Callable[[Position, Side], float],
    *,
    answers: bool,
) -> dict[Move, float]:
    """Return what such a learner thinks of the moves looked at."""

    def glance(move: Move) -> float:
        taken = 4.0 * move.captures.bit_count()
        return taken + stands(position.after(move), Side.DWARFS)

    def worth(move: Move) -> float:
        after = position.after(move)
        costs = dict[int, float]()
        for reply in variant.legal_moves(after):
            if reply.captures:
                lost = reply.captures.bit_count()
                lost -= 4 * (answers and answered(variant, after, reply))
                costs[reply.destination] = max(lost, costs.get(reply.destination, 0.0))
        first, *others = sorted(costs.values(), reverse=True) or [0.0]
        return glance(move) - max(0.0, first) - 0.25 * answers * sum(others)

    moves = sorted(variant.legal_moves(position), key=glance, reverse=True)
    others = filter(repairs(variant, position), moves[_CONSIDERED:])
    return {move: worth(move) for move in [*moves[:_CONSIDERED], *islice(others, _REPAIRS)]}


def repairs(variant: Variant, position: Position) -> Callable[[Move], bool]:
    """Return whether a move takes away what a troll could capture unanswered, or comes near."""
    free = unanswered(variant, position._replace(to_move=Side.TROLLS))
    victims = reduce(or_, free.values(), 0)

    def does(move: Move) -> bool:
        near = (distance(move.destination, square) for square in free)
        return bool(victims >> move.origin & 1) or min(near, default=9) <= 2

    return does


def margin(variant: Variant, side: Side, level: int, learner: Learner, seed: int) -> float:
    """Play a battle; return its margin for the learner."""
    battle, chance = Battle(variant), Random(seed)
    computer = LevelPlayer(variant, level, seed)
    while battle.outcome is None and len(battle.moves) < LONGEST:
        position = battle.position
        if position.to_move is side:
            worth = learner(variant, position)
            battle.play(max(worth, key=lambda each: worth[each] + 0.01 * chance.random()))
        else:
            battle.play(computer.decide(battle.positions).move)
    if battle.outcome:
        lead = battle.outcome.margin
    else:
        lead = variant.lead(battle.position) if variant.counts_points else 0.0
    return lead if side is Side.DWARFS else -lead


def figures(found: Sequence[float]) -> str:
    """Say how many battles were won, and the mean margin, with its standard error if of many."""
    won = sum(each > 0 for each in found)
    error = f" ± {stdev(found) / len(found) ** 0.5:.1f}" if len(found) > 20 else ""
    return f"{won} of {len(found)}, {fmean(found):+.1f}{error}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("variants", nargs="*", help="all without any")
    parser.add_argument("--levels", type=int, nargs="+", default=[3, 5])
    parser.add_argument("--battles", type=int, default=8)
    parser.add_argument(
        "--half", action="store_true", help="the dwarfs of Classic, with their half"
    )
    options = parser.parse_args()
    learners: list[Learner] = [by_the_rules, by_the_course]
    sides, titles = tuple(Side), "knows the rules | knows the course"
    if options.half:
        options.variants, sides = ["classic"], (Side.DWARFS,)
        learners = [looking(gathered, answers=False), looking(shaped, answers=True)]
        titles = "without the dwarfs' half | with it"
    print(f"| game | side | level | {titles} |")
    print("| --- " * 5 + "|")
    for variant in map(VARIANTS.__getitem__, options.variants or VARIANTS):
        for side in sides:
            for level in options.levels:
                row = [variant.title, side.plural, str(level)]
                for learner in learners:
                    seeds = range(options.battles)
                    row.append(figures([margin(variant, side, level, learner, s) for s in seeds]))
                print(f"| {' | '.join(row)} |", flush=True)


if __name__ == "__main__":
    main()

"""How often the coach warns about weak players' moves, and how often it is right.

Usage: nice -n 5 python benchmarks/coach.py [--positions 100] [--longer 10] [--seed 0]
                                             [--variant classic ...]

Players of three low levels and a random one play each other.  Every few moves the coach judges the
chosen move with the same time limit as at the board.  A warning counts as right if a search of
--longer times as many positions finds that the move loses three points.
"""

import argparse
from collections.abc import Iterator
from itertools import count, islice
from random import Random
from statistics import median
from time import perf_counter
from typing import NamedTuple

from thud.ai.level_player import LevelPlayer
from thud.ai.player import Decision, Limits, Player
from thud.ai.simple import RandomPlayer
from thud.ai.thinker import Thinker
from thud.rules.notation import move_text
from thud.rules.position import Move, Position
from thud.rules.variant import Variant
from thud.rules.variants import VARIANTS
from thud.session.advice import LOOK_NODES, LOOK_SECONDS
from thud.session.blunders import Best, Blunder, depth_of, doubt, loss

LOST = 300
"""Least loss of a blunder, in hundredths of a point."""

LONGEST = 120


class Choice(NamedTuple):
    """A chosen move, and all positions of the battle before it."""

    positions: list[Position]
    move: Move


def choices(variant: Variant, first: int) -> Iterator[Choice]:
    """Yield choices from battles between weak players, with seeds from `first` on."""
    for seed in count(first):
        chance = Random(f"{variant.name} {seed}")
        players: list[Player] = [LevelPlayer(variant, level, seed) for level in (1, 3, 8)]
        yield from fought(variant, chance.choices([*players, RandomPlayer(variant, seed)], k=2))


def fought(variant: Variant, pair: list[Player]) -> Iterator[Choice]:
    """Yield every ninth choice of a battle; an odd step, so that both players occur."""
    positions = [variant.start]
    while variant.outcome(positions[-1]) is None and len(positions) < LONGEST:
        move = pair[len(positions) % 2].decide(positions).move
        if len(positions) % 9 == 0:
            yield Choice(list(positions), move)
        positions.append(positions[-1].after(move))


class Looker:
    """Searches as the coach does, within limits."""

    def __init__(self, variant: Variant, limits: Limits) -> None:
        self.variant = variant
        self.limits = limits
        self.thinker = Thinker(variant, 1)

    def best(self, positions: list[Position]) -> Best:
        """Return the best move in a position, and the reply to it."""
        move = self.thinker.decide(positions, self.limits).move
        return Best(move, self.answer(positions, move))

    def answer(
        self, positions: list[Position], move: Move, depth: int | None = None
    ) -> Decision | None:
        """Return the reply to a move; None if the battle is over then."""
        after = positions[-1].after(move)
        if self.variant.outcome(after):
            return None
        return self.thinker.decide([*positions, after], self.limits._replace(depth=depth))

    def lost(self, choice: Choice) -> int:
        """Return the loss by a choice, in hundredths of a point."""
        best = self.best(choice.positions)
        position, move = choice.positions[-1], choice.move
        answer = self.answer(*choice, depth_of(self.variant, position, *best))
        return loss(self.variant, position, move, best, answer) if answer else 0

    def doubt(self, choice: Choice) -> Blunder | None:
        """Return the coach's warning about a choice, if any."""
        best, position = self.best(choice.positions), choice.positions[-1]
        answer = self.answer(*choice, depth_of(self.variant, position, *best))
        if choice.move == best.move or answer is None:
            return None
        return doubt(self.variant, position, choice.move, best, answer)


def measured(
    variant: Variant, positions: int, longer: int, seed: int
) -> tuple[int, int, list[float]]:
    """Return the numbers of warnings and of right ones, and the seconds for each choice."""
    quick = Looker(variant, Limits(LOOK_SECONDS, LOOK_NODES))
    slow = Looker(variant, Limits(nodes=longer * LOOK_NODES))
    warned = right = 0
    seconds = []
    for choice in islice(choices(variant, seed), positions):
        begun = perf_counter()
        found = quick.doubt(choice)
        seconds.append(perf_counter() - begun)
        if found:
            lost = slow.lost(choice)
            warned, right = warned + 1, right + (lost >= LOST)
            text = move_text(choice.positions[-1], choice.move)
            print(f"  {text}: {found.because} {lost / 100:+.1f}", flush=True)
    return warned, right, seconds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--positions", type=int, default=100)
    parser.add_argument("--longer", type=int, default=10)
    parser.add_argument("--seed", type=int, default=0, help="of the first battle: other battles")
    parser.add_argument("--variant", nargs="+", choices=VARIANTS, default=list(VARIANTS))
    options = parser.parse_args()
    rows = {
        name: measured(VARIANTS[name], options.positions, options.longer, options.seed)
        for name in options.variant
    }
    print("| variant | moves weighed | warned | confirmed | seconds for three looks |")
    print("| --- | --- | --- | --- | --- |")
    for name, (warned, right, seconds) in rows.items():
        print(f"| {name} | {len(seconds)} | {warned} | {right} | {median(seconds):.2f} |")
    warned, right = sum(row[0] for row in rows.values()), sum(row[1] for row in rows.values())
    print(f"{right} of {warned} warnings confirmed.")


if __name__ == "__main__":
    main()

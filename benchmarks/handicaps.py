"""Worth of the pieces missing at each step of a handicap.

Usage: python benchmarks/handicaps.py VARIANT [--battles N] [--level L] [--seconds S]

The computer plays itself at one level from the usual start and from the handicap starts, each time
after a few random moves.  The missing pieces' worth is how much worse their side does than with
all pieces: in points, in Koom Valley and Football in battles.
"""

import argparse
from collections.abc import Iterator
from random import Random
from statistics import fmean, stdev
from time import monotonic

from thud.ai.level_player import LevelPlayer
from thud.rules.battle import Battle
from thud.rules.match import MOST_STEPS, pieces_missing, start_without
from thud.rules.position import Position, Side
from thud.rules.variant import Variant
from thud.rules.variants import VARIANTS

_OPENING = 4
_QUIET = 60
"""Moves without a capture that end a battle, to keep it short."""


def opened(variant: Variant, start: Position, seed: int) -> Battle:
    """Begin a battle with random moves that neither capture nor decide anything."""
    chance = Random(seed)
    while True:
        battle = Battle(variant, start, quiet_limit=_QUIET)
        while battle.outcome is None and len(battle.moves) < _OPENING:
            moves = variant.legal_moves(battle.position)
            battle.play(chance.choice([each for each in moves if not each.captures]))
        if battle.outcome is None:
            return battle


def margin(variant: Variant, start: Position, level: int, seed: int) -> float:
    """Play a battle and return the dwarfs' final lead."""
    battle = opened(variant, start, seed)
    players = {side: LevelPlayer(variant, level, seed) for side in Side}
    while battle.outcome is None:
        battle.play(players[battle.position.to_move].decide(battle.positions).move)
    return battle.outcome.margin


def starts(variant: Variant) -> Iterator[tuple[str, Side | None, Position]]:
    """Yield each handicap: the missing pieces in words, their side, and the start."""
    yield "nothing", None, variant.start
    for side in Side:
        for step in range(1, MOST_STEPS + 1):
            number = pieces_missing(variant, side, step).bit_count()
            words = f"{step}: {number} {side.singular if number == 1 else side.plural}"
            yield words, side, start_without(variant, side, step)


def mean(numbers: list[float]) -> str:
    """Return a mean with its standard error."""
    if len(numbers) < 2:
        return "?"
    return f"{fmean(numbers):+.2f} ± {stdev(numbers) / len(numbers) ** 0.5:.2f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("variant", choices=VARIANTS)
    parser.add_argument("--battles", type=int, default=100)
    parser.add_argument("--level", type=int, default=8)
    parser.add_argument("--seconds", type=float, default=240, help="in all; fewer battles then")
    options = parser.parse_args()
    variant, until = VARIANTS[options.variant], monotonic() + options.seconds
    cases = list(starts(variant))
    margins: list[list[float]] = [[] for _ in cases]
    for seed in range(options.battles):
        if monotonic() > until:
            break
        for found, (_, _, start) in zip(margins, cases, strict=True):
            found.append(margin(variant, start, options.level, seed))
    print(f"{variant.name}, level {options.level} against itself, {len(margins[0])} battles each\n")
    print("| step: missing | dwarfs' margin | worth |\n| --- | --- | --- |")
    for found, (words, side, _) in zip(margins, cases, strict=True):
        sign = -1 if side is Side.DWARFS else 1
        worth = [sign * (less - whole) for less, whole in zip(found, margins[0], strict=True)]
        print(f"| {words} | {mean(found)} | {mean(worth) if side else ''} |")


if __name__ == "__main__":
    main()

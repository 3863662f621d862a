"""What pieces are worth that are missing at the start, to scale the handicaps.

Usage: python benchmarks/handicaps.py VARIANT [--battles N] [--level L] [--seconds S]

The computer plays itself at one level from the usual start, and from starts with some dwarfs or some
trolls fewer, each time after the same moves at random.  The worth of what is missing is how much less
its side has in the end, in points (in Koom Valley and Football in battles), beside the same battle
with all pieces.
"""

import argparse
from collections.abc import Iterator
from random import Random
from statistics import fmean, stdev
from time import monotonic

from thud.ai.levels import LevelPlayer
from thud.rules.battle import Battle
from thud.rules.geometry import mask_of, parse_square
from thud.rules.position import Position, Side
from thud.rules.variant import Variant
from thud.rules.variants import VARIANTS

_OPENING = 4
_QUIET = 60
"""So many turns without a capture end a battle: it is to be short."""

ORDERS = {
    "classic": {
        Side.DWARFS: "C4 N12 N4 C12 E2 L14 L2 E14 B5 O11 O5 B11 D3 M13 M3 D13",
        Side.TROLLS: "H9 H7 J8 G8",
    },
    "koom": {
        Side.DWARFS: "C12 N12 E14 L14 A10 P10 G15 J15",
        Side.TROLLS: "H2 H3 E3 L3",
    },
}
ORDERS |= {"single": ORDERS["classic"], "football": ORDERS["koom"]}
STEPS = {
    "classic": {Side.DWARFS: (2, 4, 6, 8, 12, 16), Side.TROLLS: (1, 2, 3, 4)},
    "koom": {Side.DWARFS: (2, 4, 6, 8), Side.TROLLS: (1, 2, 3, 4)},
}
STEPS |= {"single": STEPS["classic"], "football": STEPS["koom"]}


def without(variant: Variant, side: Side, number: int) -> Position:
    """Return the start without some pieces of a side."""
    start = variant.start
    gone = mask_of(*map(parse_square, ORDERS[variant.name][side].split()[:number]))
    assert start.pieces(side) & gone == gone
    if side is Side.DWARFS:
        return start._replace(dwarfs=start.dwarfs ^ gone)
    return start._replace(trolls=start.trolls ^ gone)


def opened(variant: Variant, start: Position, seed: int) -> Battle:
    """Begin a battle with some moves at random that capture nothing."""
    chance, battle = Random(seed), Battle(variant, start, quiet_limit=_QUIET)
    for _ in range(_OPENING):
        moves = [each for each in variant.legal_moves(battle.position) if not each.captures]
        battle.play(chance.choice(moves))
    return battle


def margin(variant: Variant, start: Position, level: int, seed: int) -> float:
    """Play a battle and return how far the dwarfs are ahead in the end."""
    battle = opened(variant, start, seed)
    players = {side: LevelPlayer(variant, level, seed) for side in Side}
    while battle.outcome is None:
        battle.play(players[battle.position.to_move].decide(battle.positions).move)
    return battle.outcome.margin


def starts(variant: Variant) -> Iterator[tuple[str, Side | None, Position]]:
    """Yield what is missing in words, whose it is, and where the battle begins."""
    yield "nothing", None, variant.start
    for side in Side:
        for number in STEPS[variant.name][side]:
            yield f"{number} {side.plural}", side, without(variant, side, number)


def mean(numbers: list[float]) -> str:
    """Return a mean with its standard error."""
    return f"{fmean(numbers):+.2f} ± {stdev(numbers) / len(numbers) ** 0.5:.2f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("variant", choices=VARIANTS)
    parser.add_argument("--battles", type=int, default=100)
    parser.add_argument("--level", type=int, default=3)
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
    print("| missing | dwarfs' margin | worth |\n| --- | --- | --- |")
    for found, (words, side, _) in zip(margins, cases, strict=True):
        sign = -1 if side is Side.DWARFS else 1
        worth = [sign * (less - all_) for less, all_ in zip(found, margins[0], strict=True)]
        print(f"| {words} | {mean(found)} | {mean(worth) if side else ''} |")


if __name__ == "__main__":
    main()

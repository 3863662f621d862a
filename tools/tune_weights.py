"""Fit the weights of a Valley game's evaluation to the results of battles (Texel's method).

It also plays the new weights against the old ones.

Usage: python tools/tune_weights.py VARIANT FILE plays battles of the computer against itself, fits
the weights of each side's evaluation to their results, and writes them to FILE.  With --compare it
instead plays matches of two battles, the weights in FILE against those of the core; only weights
that win should go into core/src.  Weights that FILE does not name are those of the core.

Every second quiet position of a battle is an example: the counts of the evaluation's features, and
the result of the battle.  An evaluation is a sum of weights times counts, so evaluating with one
weight 1 and all others 0 gives that weight's count.  Logistic regression finds the weights that
predict the results best; a penalty keeps weights near the old ones where the data say little.
Finally all weights are scaled so that the evaluation has the same spread as before, for which the
margins of the search are made.

The openings of --compare are not those of the fit.
"""

import argparse
import json
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from math import exp
from multiprocessing import Pool
from operator import mul
from pathlib import Path
from random import Random
from statistics import fmean, pstdev, stdev
from typing import Any, Final, NamedTuple, TypeAlias

from thud.ai.core import Instance, position_line, thought_in
from thud.ai.player import Thought
from thud.ai.scores import LIMIT
from thud.ai.searcher import since_capture
from thud.rules.battle import Battle
from thud.rules.position import Position, Side
from thud.rules.variant import Variant
from thud.rules.variants import VARIANTS

_OPENING: Final = 6
"""Opening moves of a battle, each drawn from the best of a short search."""
_CHOICE: Final = 6
_GLANCE: Final = "depth 1"
"""Limit of the search for several moves; one of nodes would end it before all are found."""
_SLIP: Final = 0.08
"""Probability of a random move among the best dozen, after the opening of an example."""
_LONGEST: Final = 240
"""Moves after which a battle counts as drawn."""
_HELD_OUT: Final = 10_000_000
"""Seed of the first opening of the comparisons."""
_ROUNDS: Final = 120
_PACE: Final = 0.02
_PENALTY: Final = 0.002

Weights: TypeAlias = dict[str, list[int]]
"""Numbers by the weight's name."""


class Example(NamedTuple):
    """A position with its battle's result, from 1 (dwarfs) to 0 (trolls)."""

    position: Position
    result: float


def asked(instance: Instance, kind: str, variant: Variant, *lines: str) -> dict[str, Any]:
    """Return the core's answer to a request about a variant."""
    return instance.ask("\n".join((kind, f"variant {variant.name}", *lines)))


def weigh(instance: Instance, variant: Variant, role: str, new: Mapping[str, list[int]]) -> Weights:
    """Change some of a role's weights; return them all.

    Args:
        instance: whose weights they are.
        variant: the variant.
        role: a side.
        new: the weights to change.
    """
    lines = (f"weight {name} {' '.join(map(str, numbers))}" for name, numbers in new.items())
    return asked(instance, "weights", variant, f"of {role}", *lines)


def evaluated(
    instance: Instance, variant: Variant, role: str, positions: Iterable[Position]
) -> list[dict[str, Any]]:
    """Return the score for the dwarfs of each position, and whether it is quiet."""
    lines = (f"position {position_line(position)}" for position in positions)
    found: list[dict[str, Any]]
    found = asked(instance, "evaluate", variant, f"of {role}", *lines)["evaluations"]
    return found


# Battles


def best(
    instance: Instance, battle: Battle, chance: Random, limit: str, lines: int = 1
) -> list[Thought]:
    """Return the best moves of a search, the best first; chance orders equally good ones."""
    ranked = dict[int, Thought]()

    def keep(report: str) -> None:
        thought = thought_in(json.loads(report))
        ranked[thought.rank] = thought

    *before, position = map(position_line, since_capture(battle.positions))
    request = (
        *("search", f"variant {battle.variant.name}", f"position {position}"),
        *(f"before {each}" for each in before),
        *(limit, f"lines {lines}", "shuffled"),
    )
    answer = instance.ask("\n".join(request), report=keep, chance=chance)
    ranked[1] = thought_in(answer["thought"])
    return [ranked[rank] for rank in sorted(ranked)]


def opened(variant: Variant, seed: int, instance: Instance) -> Battle:
    """Return a battle after a random opening of good moves."""
    chance = Random(f"opening {variant.name} {seed}")
    battle = Battle(variant, quiet_limit=100)
    for _ in range(_OPENING):
        battle.play(chance.choice(best(instance, battle, chance, _GLANCE, _CHOICE)).line[0])
    return battle


def play(
    battle: Battle, players: Mapping[Side, Instance], nodes: int, seed: int, slip: float = 0
) -> list[Position]:
    """Play a battle to its end; return its positions without a goal in sight."""
    chance = Random(seed)
    open_ = []
    while battle.outcome is None and battle.played < _LONGEST:
        player = players[battle.position.to_move]
        [thought] = best(player, battle, chance, f"nodes {nodes}")
        if abs(thought.score) <= LIMIT:
            open_.append(battle.position)
        if chance.random() < slip:
            thought = chance.choice(best(player, battle, chance, _GLANCE, 2 * _CHOICE))
        battle.play(thought.line[0])
    return open_


def margin_of(battle: Battle) -> float:
    """Return the dwarfs' lead."""
    return 0.0 if battle.outcome is None else battle.outcome.margin


def examples(variant: Variant, nodes: int, seed: int) -> list[Example]:
    """Play a battle and return its examples."""
    instance = Instance()
    battle = opened(variant, seed, instance)
    positions = play(battle, dict.fromkeys(Side, instance), nodes, seed, _SLIP)
    found = evaluated(instance, variant, Side.DWARFS.plural, positions)
    quiet = [position for position, each in zip(positions, found, strict=True) if each["quiet"]]
    result = (1 + margin_of(battle)) / 2
    return [Example(position, result) for position in quiet[::2]]


# The fit


class Counts:
    """The feature matrix: counts for each example, for weights whose counts vary."""

    def __init__(
        self, variant: Variant, role: str, weights: Weights, positions: Sequence[Position]
    ) -> None:
        self.used: list[tuple[str, int]] = []
        self.columns: list[list[float]] = []
        instance = Instance()
        weigh(instance, variant, role, {name: [0] * len(weights[name]) for name in weights})
        for name, numbers in weights.items():
            nothing = [0] * len(numbers)
            for place in range(len(numbers)):
                unit = [*nothing[:place], 1, *nothing[place + 1 :]]
                weigh(instance, variant, role, {name: unit})
                found = evaluated(instance, variant, role, positions)
                column = [float(each["score"]) for each in found]
                if len(set(column)) > 1:
                    self.used.append((name, place))
                    self.columns.append(column)
            weigh(instance, variant, role, {name: nothing})
        self.rows = list(zip(*self.columns, strict=True))
        self.spreads = [pstdev(column) for column in self.columns]

    def sums(self, weights: Sequence[float]) -> list[float]:
        """Return the evaluation of each example."""
        return [sum(map(mul, weights, row)) for row in self.rows]


def fitted(counts: Counts, results: Sequence[float], old: Sequence[float]) -> list[float]:
    """Return the weights, in the order of the columns, that predict the results best.

    Uses gradient descent with Adam.
    """
    scale = pstdev(counts.sums(old)) or 1.0
    first = [weight / scale for weight in old]
    weights, offset = list(first), 0.0
    speeds, sizes = [0.0] * len(old), [0.0] * len(old)
    for number in range(1, _ROUNDS + 1):
        wrong = [
            1 / (1 + exp(-max(-30.0, min(30.0, value + offset)))) - result
            for value, result in zip(counts.sums(weights), results, strict=True)
        ]
        offset -= 5 * _PACE * fmean(wrong)
        for place, (column, spread) in enumerate(zip(counts.columns, counts.spreads, strict=True)):
            pull = _PENALTY * (weights[place] - first[place]) * spread
            slope = sum(map(mul, wrong, column)) / len(wrong) / spread + pull
            speeds[place] = 0.9 * speeds[place] + 0.1 * slope
            sizes[place] = 0.99 * sizes[place] + 0.01 * slope * slope
            speed = speeds[place] / (1 - 0.9**number)
            size = (sizes[place] / (1 - 0.99**number)) ** 0.5
            weights[place] -= _PACE / spread * speed / (size + 1e-4)
    factor = scale / pstdev(counts.sums([weight * scale for weight in weights])) * scale
    return [weight * factor for weight in weights]


def tune(variant: Variant, options: argparse.Namespace) -> dict[str, Weights]:
    """Return weights fitted to battles of the computer against itself."""
    with Pool(options.jobs) as pool:
        work = partial(examples, variant, options.nodes)
        battles = pool.map(work, range(options.battles), chunksize=1)
    found = [example for battle in battles for example in battle]
    results = [example.result for example in found]
    print(f"{len(battles)} battles, {len(found)} positions, mean result {fmean(results):.3f}")
    tuned = dict[str, Weights]()
    for role in [side.plural for side in Side]:
        weights = weigh(Instance(), variant, role, {})
        counts = Counts(variant, role, weights, [example.position for example in found])
        new = fitted(counts, results, [weights[name][place] for name, place in counts.used])
        for (name, place), number in zip(counts.used, new, strict=True):
            weights[name][place] = round(number)
        tuned[role] = weights
        print(role, weights, flush=True)
    return tuned


# The comparison


def match(variant: Variant, nodes: int, new: Mapping[str, Weights], number: int) -> list[float]:
    """Play a match of two battles; return the lead of the new weights as each side."""
    usual, other, ahead = Instance(), Instance(), []
    for role, weights in new.items():
        weigh(other, variant, role, weights)
    for side in Side:
        battle = opened(variant, _HELD_OUT + number, usual)
        play(battle, {side: other, side.other: usual}, nodes, number)
        margin = margin_of(battle)
        ahead.append(margin if side is Side.DWARFS else -margin)
    return ahead


def compare(variant: Variant, new: Mapping[str, Weights], options: argparse.Namespace) -> None:
    """Play matches of new weights against those of the core, and print the results."""
    numbers = range(options.first, options.first + options.matches)
    with Pool(options.jobs) as pool:
        played = pool.map(partial(match, variant, options.nodes, new), numbers, chunksize=1)
    margins = [sum(both) for both in played]
    won, lost = (sum(sign * margin > 0 for margin in margins) for sign in (1, -1))
    print("| game | positions a move | matches | margin | as dwarfs | as trolls | won | lost |")
    means = " | ".join(map(_mean, (margins, *zip(*played, strict=True))))
    print(f"| {variant.name} | {options.nodes} | {len(played)} | {means} | {won} | {lost} |")


def _mean(numbers: Sequence[float]) -> str:
    """Return a mean, and its standard error if there are several numbers."""
    error = f" ± {stdev(numbers) / len(numbers) ** 0.5:.2f}" if len(numbers) > 1 else ""
    return f"{fmean(numbers):+.2f}{error}"


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    games = [name for name, variant in VARIANTS.items() if not variant.counts_points]
    parser.add_argument("variant", choices=games)
    parser.add_argument("file", type=Path, metavar="FILE")
    parser.add_argument("--battles", type=int, default=400, help="to learn from")
    parser.add_argument("--nodes", type=int, default=600, help="positions for each move")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--compare", action="store_true")
    parser.add_argument("--matches", type=int, default=40, help="to compare")
    parser.add_argument("--first", type=int, default=0, help="the first opening to compare")
    options = parser.parse_args()
    variant = VARIANTS[options.variant]
    if not options.compare:
        options.file.write_text(json.dumps(tune(variant, options), indent=1) + "\n")
        return
    compare(variant, json.loads(options.file.read_text()), options)


if __name__ == "__main__":
    main()

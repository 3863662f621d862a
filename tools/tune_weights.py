"""Fit the weights of the evaluation to the results of battles (Texel's method), and test them.

Usage: python tools/tune_weights.py VARIANT FILE plays battles of the computer against itself, fits
the weights of each side's evaluation to their results, and writes them to FILE.  With --compare it
instead plays matches of two battles, the weights in FILE against those of the package; only weights
that win should go into the package.  Weights that FILE does not name are those of the package, such
as those of the advance in Classic, which are not fitted.  It is too slow without the compiled core.

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
from collections.abc import Mapping, Sequence
from functools import partial
from math import exp
from multiprocessing import Pool
from operator import mul
from pathlib import Path
from random import Random
from statistics import fmean, pstdev, stdev
from typing import Any, Final, NamedTuple, TypeAlias

from thud.ai.classic.evaluation import ADVANCE_WEIGHTS
from thud.ai.classic.game import ClassicGame
from thud.ai.game import Game, State
from thud.ai.games import game_for
from thud.ai.player import Limits
from thud.ai.quick import think, tree_for
from thud.ai.scores import LIMIT
from thud.rules.battle import Battle
from thud.rules.position import Side
from thud.rules.variant import Variant
from thud.rules.variants import VARIANTS
from thud.rules.variants.classic import Classic

_OPENING: Final = 6
"""Opening moves of a battle, each drawn from the best of a short search."""
_CHOICE: Final = 6
_GLANCE: Final = Limits(nodes=500)
_SLIP: Final = 0.08
"""Probability of a random move among the best dozen, after the opening of an example."""
_LONGEST: Final = 240
"""Moves after which a battle is scored as it stands."""
_HELD_OUT: Final = 10_000_000
"""Seed of the first opening of the comparisons."""
_ROUNDS: Final = 120
_PACE: Final = 0.02
_PENALTY: Final = 0.002
_ADVANCING: Final = "advancing"
"""The name of the weights that the dwarfs of Classic have once they advance."""

Weights: TypeAlias = Any
"""A named tuple of numbers and tuples of numbers."""


class Example(NamedTuple):
    """A position with its battle's result, from 1 (dwarfs) to 0 (trolls)."""

    state: State
    result: float


def flat(value: Any) -> list[float]:
    """Flatten weights to a list of numbers, in order."""
    if not isinstance(value, (tuple, list)):
        return [value]
    return [number for each in value for number in flat(each)]


def shaped(like: Any, numbers: Sequence[float]) -> Any:
    """Return numbers in the shape of given weights: the inverse of `flat`."""
    left = iter(numbers)

    def filled(value: Any) -> Any:
        return tuple(map(filled, value)) if isinstance(value, (tuple, list)) else next(left)

    return type(like)(*map(filled, like))


def game_with(variant: Variant, side: Side, weights: Mapping[str, Weights]) -> Game:
    """Return a side's game with other weights."""
    usual: Any = game_for(variant, side)
    own = weights[side.plural]
    if not isinstance(usual, ClassicGame):
        other: Game = type(usual)(own)
        return other
    advancing = weights[_ADVANCING] if side is Side.DWARFS else None
    return ClassicGame(usual.variant, own, usual.enough, passing=usual.passing, advancing=advancing)


def weights_of(variant: Variant) -> dict[str, Weights]:
    """Return the weights of the package by the side that has them."""
    games: dict[str, Any] = {side.plural: game_for(variant, side) for side in Side}
    advancing = {_ADVANCING: ADVANCE_WEIGHTS} if isinstance(variant, Classic) else {}
    return {side: game.weights for side, game in games.items()} | advancing


# Battles


def opened(variant: Variant, seed: int) -> Battle:
    """Return a battle after a random opening of good moves."""
    chance = Random(f"opening {variant.name} {seed}")
    trees = {side: tree_for(game_for(variant, side)) for side in Side}
    battle = Battle(variant, quiet_limit=60 if variant.worth else 100)
    for _ in range(_OPENING):
        tree = trees[battle.position.to_move]
        state = tree.game.state(battle.position)
        tree.turn_to(tree.game.seen_from(state, battle.quiet_turns))
        ranked = think(tree, state, _GLANCE, chance=chance).ranked[:_CHOICE]
        battle.play(tree.game.rules_move(state, chance.choice(ranked)[1]))
    return battle


def play(
    battle: Battle,
    weights: Mapping[Side, Mapping[str, Weights]],
    nodes: int,
    seed: int,
    slip: float = 0,
) -> list[State]:
    """Play a battle to its end; return its quiet positions."""
    chance = Random(seed)
    games = {side: game_with(battle.variant, side, weights[side]) for side in Side}
    trees = {side: tree_for(game) for side, game in games.items()}
    quiet = []
    while battle.outcome is None and battle.played < _LONGEST:
        side = battle.position.to_move
        game, tree = games[side], trees[side]
        state = game.state(battle.position)
        before = () if battle.variant.worth else map(game.state, battle.earlier())
        tree.turn_to(game.seen_from(state, battle.quiet_turns), before)
        found = think(tree, state, Limits(nodes=nodes), chance=chance)
        if abs(found.score) <= LIMIT and not game.captures(state) and not game.pressed(state):
            quiet.append(state)
        move = found.move
        if chance.random() < slip:
            _, move = chance.choice(found.ranked[: 2 * _CHOICE])
        battle.play(game.rules_move(state, move))
    return quiet


def margin_of(battle: Battle) -> float:
    """Return the dwarfs' lead."""
    if battle.outcome is not None:
        return battle.outcome.margin
    return battle.variant.lead(battle.position) if battle.variant.worth else 0.0


def examples(variant: Variant, nodes: int, seed: int) -> list[Example]:
    """Play a battle and return its examples."""
    battle = opened(variant, seed)
    quiet = play(battle, dict.fromkeys(Side, weights_of(variant)), nodes, seed, _SLIP)
    most = 32 if variant.worth else 1
    result = (1 + max(-1.0, min(1.0, margin_of(battle) / most))) / 2
    return [Example(state, result) for state in quiet[::2]]


# The fit


class Counts:
    """The feature matrix: counts for each example, for weights whose counts vary."""

    def __init__(self, variant: Variant, weights: Weights, states: Sequence[State]) -> None:
        numbers, usual = flat(weights), weights_of(variant)
        self.used: list[int] = []
        self.columns: list[list[float]] = []
        for place in range(len(numbers)):
            unit = shaped(weights, [int(place == other) for other in range(len(numbers))])
            game = game_with(variant, Side.DWARFS, {**usual, Side.DWARFS.plural: unit})
            column = [float(-game.evaluate(s) if s[2] else game.evaluate(s)) for s in states]
            if len(set(column)) > 1:
                self.used.append(place)
                self.columns.append(column)
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
    tuned = {}
    usual = weights_of(variant)
    for side in [each.plural for each in Side]:
        weights = usual[side]
        counts = Counts(variant, weights, [example.state for example in found])
        numbers = flat(weights)
        new = fitted(counts, results, [numbers[place] for place in counts.used])
        for place, number in zip(counts.used, new, strict=True):
            numbers[place] = round(number)
        tuned[side] = shaped(weights, numbers)
        print(side, tuned[side], flush=True)
    return tuned


# The comparison


def match(variant: Variant, nodes: int, new: Mapping[str, Weights], number: int) -> list[float]:
    """Play a match of two battles; return the lead of the new weights as each side."""
    old, ahead = weights_of(variant), []
    for side in Side:
        battle = opened(variant, _HELD_OUT + number)
        play(battle, {side: new, side.other: old}, nodes, number)
        margin = margin_of(battle)
        ahead.append(margin if side is Side.DWARFS else -margin)
    return ahead


def compare(variant: Variant, new: Mapping[str, Weights], options: argparse.Namespace) -> None:
    """Play matches of new weights against those of the package, and print the results."""
    numbers = range(options.first, options.first + options.matches)
    with Pool(options.jobs) as pool:
        played = pool.map(partial(match, variant, options.nodes, new), numbers, chunksize=1)
    margins = [sum(both) for both in played]
    won, lost = (sum(sign * margin > 0 for margin in margins) for sign in (1, -1))
    print("| game | positions a move | matches | margin | as dwarfs | as trolls | won | lost |")
    means = " | ".join(map(_mean, (margins, *zip(*played, strict=True))))
    print(f"| {variant.name} | {options.nodes} | {len(played)} | {means} | {won} | {lost} |")


def _mean(numbers: Sequence[float]) -> str:
    """Return a mean with its standard error."""
    return f"{fmean(numbers):+.2f} ± {stdev(numbers) / len(numbers) ** 0.5:.2f}"


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("variant", choices=VARIANTS)
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
        tuned = tune(variant, options)
        kept = {side: weights._asdict() for side, weights in tuned.items()}
        options.file.write_text(json.dumps(kept, indent=1) + "\n")
        return
    kept = json.loads(options.file.read_text())
    new = {
        side: shaped(weights, flat(weights._replace(**kept.get(side, {}))))
        for side, weights in weights_of(variant).items()
    }
    compare(variant, new, options)


if __name__ == "__main__":
    main()

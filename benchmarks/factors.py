"""Which weights and options of the search pay in Classic: a factorial experiment.

Every battle draws a level, low or high, for each factor of each side.  A least-squares fit of the
margin to the levels estimates every factor's effect from the same battles, which takes far fewer
battles than one comparison at a time.

Usage: python benchmarks/factors.py BATTLES [--nodes N] [--turns N] [--jobs J]
"""

import argparse
from collections.abc import Sequence
from multiprocessing import Pool
from random import Random
from statistics import fmean
from typing import Any, NamedTuple

from gate import opening

from thud.ai.classic.game import ClassicGame, make_game
from thud.ai.game import SELECTIVE
from thud.ai.player import Limits
from thud.ai.quick import think
from thud.ai.search import Tree
from thud.rules.battle import Battle
from thud.rules.position import Side
from thud.rules.variants.classic import CLASSIC

FACTORS = {
    Side.DWARFS: {
        "rescues": (False, True),
        "extensions": (0, 1),
        "dwarf": (32, 44),
        "pair": (10, 18),
        "line": (0, 6),
        "hanging": (34, 50),
        "crowded": (14, 22),
        "packed": (0, 10),
        "inroad": (2, 10),
        "guarded": (3, 9),
        "gathering": (4, 12),
        "skirmisher": (16, 36),
        "exposed": (4, 12),
        "gap": (5, 15),
    },
    Side.TROLLS: {
        "passing": (0, 2),
        "dwarf": (32, 40),
        "pair": (7, 13),
        "line": (12, 22),
        "hanging": (8, 18),
        "isolated": (3, 10),
    },
}
"""The factors: search options and weights by name, with their low and high levels."""

QUIET = 40


class Trial(NamedTuple):
    """A battle to play; the seed decides its opening and levels."""

    seed: int
    nodes: int
    turns: int


def drawn(trial: Trial) -> dict[Side, dict[str, int]]:
    """Draw a level for each factor: -1 for low, 1 for high."""
    chance = Random(f"levels {trial.seed}")
    return {side: {name: chance.choice((-1, 1)) for name in FACTORS[side]} for side in Side}


def player(side: Side, levels: dict[str, int]) -> tuple[ClassicGame, Tree]:
    """Return a side's game with its levels applied, and its search tree."""
    values: dict[str, Any] = {
        name: FACTORS[side][name][level > 0] for name, level in levels.items()
    }
    game = make_game(CLASSIC, side)
    weights = {name: values.pop(name) for name in game.weights._fields if name in values}
    game.weights = game.weights._replace(**weights)
    return game, Tree(game, SELECTIVE._replace(**values))


def fought(trial: Trial) -> float:
    """Play a battle; return the margin at its end or the turn limit."""
    levels = drawn(trial)
    players = {side: player(side, levels[side]) for side in Side}
    battle = Battle(CLASSIC, opening(CLASSIC, trial.seed, 4)[-1], quiet_limit=QUIET)
    while battle.outcome is None and len(battle.moves) < trial.turns:
        game, tree = players[battle.position.to_move]
        state = game.state(battle.position)
        tree.turn_to(game.seen_from(state, battle.quiet_turns))
        found = think(tree, state, Limits(nodes=trial.nodes), chance=Random(trial.seed))
        battle.play(game.rules_move(state, found.move))
    return CLASSIC.lead(battle.position)


def solved(rows: list[list[float]], values: Sequence[float]) -> tuple[list[float], list[float]]:
    """Return the least-squares solution and the diagonal of the inverse normal matrix."""
    size = len(rows[0])
    table = [
        [sum(row[i] * row[j] for row in rows) + (i == j) * 1e-6 for j in range(size)]
        + [sum(row[i] * value for row, value in zip(rows, values, strict=True))]
        + [float(i == j) for j in range(size)]
        for i in range(size)
    ]
    for i in range(size):
        table[i] = [cell / table[i][i] for cell in table[i]]
        for j in range(size):
            if j != i:
                share = table[j][i]
                table[j] = [a - share * b for a, b in zip(table[j], table[i], strict=True)]
    return [row[size] for row in table], [table[i][size + 1 + i] for i in range(size)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("battles", type=int)
    parser.add_argument("--nodes", type=int, default=2000)
    parser.add_argument("--turns", type=int, default=76)
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    trials = [Trial(seed, options.nodes, options.turns) for seed in range(options.battles)]
    with Pool(options.jobs) as pool:
        margins = pool.map(fought, trials, chunksize=1)
    rows = [
        [1.0, *(float(x) for side in drawn(trial).values() for x in side.values())]
        for trial in trials
    ]
    effects, spreads = solved(rows, margins)
    fitted = [sum(a * b for a, b in zip(effects, row, strict=True)) for row in rows]
    left = sum((a - b) ** 2 for a, b in zip(margins, fitted, strict=True))
    noise = left / max(1, len(rows) - len(effects))
    print(f"{len(rows)} battles, the dwarfs' margin {fmean(margins):+.1f}")
    names = [(side, name) for side in Side for name in FACTORS[side]]
    for (side, name), effect, share in zip(names, effects[1:], spreads[1:], strict=True):
        low, high = FACTORS[side][name]
        error = 2 * (noise * share) ** 0.5
        print(f"{side.plural} {name}: {low} to {high} is {2 * effect:+.1f} ± {error:.1f}")


if __name__ == "__main__":
    main()

"""Matches between two players to test a change: sides swapped, openings shared.

Usage: python benchmarks/gate.py FIRST SECOND [options], see --help.  A player is a level,
`full` (the search without a level), `beginner`, `material` or `random`.

All seconds are processor time, also those of the highest level, so that other load on the machine
does not skew the result: lost time hurts a dwarf player, who has ten times as many moves to search,
more than a troll player.
"""

import argparse
import sys
from multiprocessing import Pool
from pathlib import Path
from random import Random
from statistics import fmean, stdev
from time import perf_counter, thread_time_ns
from typing import NamedTuple

from beginner import BeginnerPlayer

from thud.ai import core
from thud.ai.level_player import LevelPlayer
from thud.ai.player import Limits, Player
from thud.ai.scores import Score, seen_by
from thud.ai.simple import MaterialPlayer, RandomPlayer
from thud.ai.thinker import Thinker
from thud.rules.battle import Battle
from thud.rules.position import Position, Side
from thud.rules.variant import Variant
from thud.rules.variants import VARIANTS


class Task(NamedTuple):
    """A match to play in a process of its own."""

    first: str
    second: str
    variant: str
    seed: int
    plies: int
    limits: Limits
    quiet: int
    agree: bool


class Played(NamedTuple):
    """A match's result from the first player's view: its lead as dwarfs and as trolls."""

    seed: int
    as_dwarfs: float
    as_trolls: float
    turns: int
    early: int
    """Battles that both players would have ended before the lead still changed."""

    @property
    def margin(self) -> float:
        """The lead over both battles."""
        return self.as_dwarfs + self.as_trolls


def player(word: str, variant: Variant, seed: int) -> Player:
    if word == "material":
        return MaterialPlayer(variant, seed)
    if word == "beginner":
        return BeginnerPlayer(variant, seed)
    if word == "random":
        return RandomPlayer(variant, seed)
    if word == "full":
        return Thinker(variant, seed)
    return LevelPlayer(variant, int(word), seed)


core.clock = thread_time_ns

_EVEN = 200
"""Greatest gain of either side in a fair opening, in hundredths of a point."""


def opening(variant: Variant, seed: int, plies: int) -> list[Position]:
    """Return the positions of a quiet opening in which a search finds that neither side gained."""
    chance = Random(seed)
    judge = Thinker(variant, 0)
    usual = _expected(judge, [variant.start])
    while True:
        positions = _quiet_moves(variant, judge, chance, plies)
        if abs(_expected(judge, positions) - usual) <= _EVEN:
            return positions


def _expected(judge: Thinker, positions: list[Position]) -> Score:
    """Return what a quick search expects for the dwarfs."""
    thought = judge.decide(positions, Limits(nodes=10_000)).thought
    assert thought is not None
    return seen_by(positions[-1].to_move, thought.score)


def _quiet_moves(variant: Variant, judge: Thinker, chance: Random, plies: int) -> list[Position]:
    """Play quiet moves: each time the best of a dozen at random, by a quick search.

    Purely random moves may decide a battle: a search of the resulting position would not see
    the cost of a stray dwarf or a lost turn.
    """
    positions = [variant.start]
    for _ in range(plies):
        moves = variant.legal_moves(positions[-1])
        quiet = [move for move in moves if not move.captures]
        others = {*moves}.difference(chance.sample(quiet, min(12, len(quiet))))
        found = judge.search(positions, Limits(depth=3), without=others)
        positions.append(positions[-1].after(found.move))
        assert variant.outcome(positions[-1]) is None
    return positions


def fight(
    sides: tuple[Player, Player],
    positions: list[Position],
    variant: Variant,
    limits: Limits,
    quiet: int,
    *,
    agree: bool,
) -> tuple[Battle, int]:
    """Play a battle from an opening; return it, and whether an agreed end was too early."""
    dwarfs, trolls = sides
    battle = Battle(variant, positions[-1], quiet_limit=quiet)
    willing: set[Side] = set()
    standing = None
    while battle.outcome is None:
        side = battle.position.to_move
        seen = [*positions[:-1], *battle.positions]
        decision = (dwarfs if side is Side.DWARFS else trolls).decide(seen, limits)
        willing = willing | {side} if decision.ends else willing - {side}
        if len(willing) == len(Side) and standing is None:
            standing = variant.lead(battle.position)
            if agree:
                battle.agree()
                break
        battle.play(decision.move)
    return battle, standing is not None and standing != variant.lead(battle.position)


def match(task: Task) -> Played:
    variant = VARIANTS[task.variant]
    positions = opening(variant, task.seed, task.plies)
    margins, turns, early = [], 0, 0
    for sign in (1, -1):
        first = player(task.first, variant, task.seed)
        second = player(task.second, variant, task.seed + 1)
        sides = (first, second) if sign > 0 else (second, first)
        battle, hasty = fight(sides, positions, variant, task.limits, task.quiet, agree=task.agree)
        assert battle.outcome is not None
        margins.append(sign * battle.outcome.margin)
        turns += len(battle.moves)
        early += hasty
    return Played(task.seed, margins[0], margins[1], turns, early)


def mean(numbers: list[float]) -> str:
    """Return a mean with its standard error."""
    if len(numbers) < 2:
        return f"{numbers[0]:+.1f}"
    return f"{fmean(numbers):+.1f} ± {stdev(numbers) / len(numbers) ** 0.5:.1f}"


def summary(played: list[Played], options: argparse.Namespace, seconds: float) -> str:
    """Return a row of the results table."""
    dwarfs = [margin for one in played for margin in (one.as_dwarfs, -one.as_trolls)]
    held = sum(margin >= 0 for margin in dwarfs)
    pace = f"{options.seconds:g} s" if options.seconds else "its own"
    pace = f"{options.nodes} nodes" if options.nodes else pace
    return (
        f"| {options.variant} | {options.first} | {options.second} | {pace} | {len(played)} "
        f"| {mean([one.margin for one in played])} "
        f"| {mean([one.as_dwarfs for one in played])} | {mean([one.as_trolls for one in played])} "
        f"| {mean(dwarfs)} | {held} of {len(dwarfs)} "
        f"| {sum(one.turns for one in played) / 2 / len(played):.0f} "
        f"| {sum(one.early for one in played)} | {seconds:.0f} s |"
    )


HEAD = (
    "| variant | first | second | a move | matches | first's margin | as dwarfs | as trolls "
    "| all dwarfs | dwarfs not beaten | turns | ended too soon | took |\n" + "| --- " * 13 + "|"
)


def read_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("first")
    parser.add_argument("second")
    parser.add_argument("--variant", choices=VARIANTS, default="classic")
    parser.add_argument("--matches", type=int, default=10)
    parser.add_argument("--plies", type=int, default=4, help="moves in an opening")
    parser.add_argument("--seed", type=int, default=0, help="of the first opening")
    parser.add_argument("--seconds", type=float, help="for each move")
    parser.add_argument("--nodes", type=int, help="for each move")
    parser.add_argument("--quiet", type=int, default=200, help="moves without capture to the end")
    parser.add_argument("--agree", action="store_true", help="end when both players would")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--out", type=Path, help="append the row to this file, too")
    return parser.parse_args()


def main() -> None:
    options = read_options()
    limits = Limits(options.seconds, options.nodes)
    tasks = [
        Task(
            options.first,
            options.second,
            options.variant,
            options.seed + number,
            options.plies,
            limits,
            options.quiet,
            options.agree,
        )
        for number in range(options.matches)
    ]
    begin, played = perf_counter(), []
    with Pool(options.jobs) as pool:
        for one in pool.imap_unordered(match, tasks):
            played.append(one)
            print(
                f"seed {one.seed}: {one.as_dwarfs:+g} as dwarfs, {one.as_trolls:+g} as trolls",
                file=sys.stderr,
            )
    row = summary(played, options, perf_counter() - begin)
    print(HEAD, row, sep="\n")
    if options.out:
        with options.out.open("a") as out:
            print(row, file=out)


if __name__ == "__main__":
    main()

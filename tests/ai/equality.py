"""Differential test of both searches, Python and the compiled core: their answers must be equal.

Usage: PYTHONPATH=tests python -m ai.equality NUMBER [SEED]

Asks NUMBER questions about each variant, prints the number of positions searched, and exits with
status 1 if any answers differ.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from random import Random
from typing import Final, NamedTuple

from ai.valley_positions import crowds
from ai.wandering import wander
from thud.ai.core import OFF, REQUIRED, VARIABLE
from thud.ai.game import FULL, SELECTIVE, Options
from thud.ai.games import game_for, searcher_for
from thud.ai.player import Limits, Thought
from thud.ai.searcher import Found
from thud.rules.geometry import SQUARES, mask_of
from thud.rules.position import Move, Position, Side
from thud.rules.variant import Variant
from thud.rules.variants import VARIANTS

_CHUNK: Final = 25


class Question(NamedTuple):
    """The arguments of a search."""

    variant: Variant
    seed: int
    positions: Sequence[Position]
    limits: Limits
    options: Options | None
    without: frozenset[Move]


class Answer(NamedTuple):
    """All results of a search, except the time it took."""

    found: Found
    told: Sequence[Thought]


def question(variant: Variant, seed: int | str) -> Question:
    """Return a random question, reproducible by its seed."""
    chance = Random(f"{variant.name} {seed}")
    positions = _battle(variant, chance)
    while variant.outcome(positions[-1]):
        positions = _battle(variant, chance)
    moves = variant.legal_moves(positions[-1])
    barred = chance.sample(moves, min(len(moves) - 1, chance.choice((1, 3, 100))))
    without = frozenset(barred) if chance.random() < 0.2 else frozenset[Move]()
    options = _options(variant, positions[-1].to_move, chance)
    limits = _limits(chance, 2 if options and not options.selective else 6)
    return Question(variant, chance.getrandbits(16), positions, limits, options, without)


def _battle(variant: Variant, chance: Random) -> Sequence[Position]:
    """Return the positions of a random battle, or an odd position that no battle reaches."""
    kind = chance.random()
    if kind < 0.2:
        return [_unreachable(variant, chance)]
    battle = wander(variant, chance.getrandbits(32), chance.randint(0, 150), chance.random())
    if kind < 0.3 and len(battle) > 3:
        # Pieces move back and forth, so that positions repeat.
        return [*battle, *_back_and_forth(variant, battle[-1], chance)]
    return battle


def _back_and_forth(variant: Variant, position: Position, chance: Random) -> Iterator[Position]:
    there: list[Move] = []
    for turn in range(12):
        moves = [move for move in variant.legal_moves(position) if not move.captures]
        back = [Move(move.destination, move.origin) for move in there[-2:-1]]
        if turn % 4 > 1 and back and back[0] in moves:
            moves = back
        if not moves:
            return
        there.append(chance.choice(moves))
        position = position.after(there[-1])
        if variant.outcome(position):
            return
        yield position


def _unreachable(variant: Variant, chance: Random) -> Position:
    """Return a position with any number of pieces anywhere."""
    if not variant.worth and chance.random() < 0.5:
        crowd = chance.randrange(600)
        return next(each for place, each in enumerate(crowds(variant)) if place == crowd)
    stone = variant.start.stone if variant.worth else chance.choice(SQUARES)
    room = [square for square in SQUARES if square != stone]
    chance.shuffle(room)
    dwarfs, trolls = chance.choice((0, 1, 5, 32, 60)), chance.choice((0, 1, 3, 8, 20, 60))
    placed = room[dwarfs : dwarfs + trolls]
    return Position(mask_of(*room[:dwarfs]), mask_of(*placed), stone, chance.choice(tuple(Side)))


def _limits(chance: Random, deepest: int) -> Limits:
    depth = chance.randint(1, deepest)
    nodes = chance.choice((0, 1, 127, 128, 129, 1_000, 1_500, 3_000))
    return chance.choice((Limits(nodes=nodes), Limits(nodes=3_000, depth=depth)))


def _options(variant: Variant, side: Side, chance: Random) -> Options | None:
    """Return search options, None for the game's own."""
    usual = game_for(variant, side).options
    return chance.choice(
        (
            *[None] * 8,
            usual._replace(passing=0),
            usual._replace(passing=3, delta=False, futility=0),
            usual._replace(table=100),
            usual._replace(repetitions=not usual.repetitions, exact_depth=True),
            usual._replace(extensions=3, rescues=not usual.rescues, reduce_after=(1, 1)),
            SELECTIVE,
            FULL,
        )
    )


def answer(asked: Question, which: str) -> Answer:
    """Search with the Python if `which` is `off`, with the core if it is `required`."""
    before = os.environ.get(VARIABLE)
    os.environ[VARIABLE] = which
    try:
        searcher = searcher_for(asked.variant, asked.seed, asked.options)
    finally:
        os.environ.pop(VARIABLE)
        if before is not None:
            os.environ[VARIABLE] = before
    told = list[Thought]()
    found = searcher.search(
        asked.positions,
        asked.limits,
        report=lambda thought: told.append(thought._replace(seconds=0)),
        without=asked.without,
    )
    return Answer(found._replace(thought=found.thought._replace(seconds=0)), told)


def both(asked: Question) -> tuple[Answer, Answer]:
    """Return the answers of the Python and of the core."""
    return answer(asked, OFF), answer(asked, REQUIRED)


def _compared(name: str, seeds: Sequence[str]) -> tuple[int, list[str]]:
    """Return the number of positions searched, and the questions whose answers differ."""
    searched, others = 0, []
    for seed in seeds:
        asked = question(VARIANTS[name], seed)
        python, core = both(asked)
        searched += python.found.thought.nodes
        if python != core:
            others.append(f"{name} {seed}")
    return searched, others


def main(number: int, seed: str) -> int:
    """Ask a number of questions about each variant; return the exit status."""
    status = 0
    seeds = [f"{seed} {place}" for place in range(number)]
    chunks = [seeds[place : place + _CHUNK] for place in range(0, number, _CHUNK)]
    with ProcessPoolExecutor() as pool:
        for name in VARIANTS:
            searched, others = 0, list[str]()
            for more, unlike in pool.map(partial(_compared, name), chunks):
                searched += more
                others += unlike
            print(f"{name}: {number} questions, {searched} positions, disagreements: {len(others)}")
            print(*others, sep="\n", end="\n" if others else "", flush=True)
            status |= bool(others)
    return status


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), " ".join(sys.argv[2:])))

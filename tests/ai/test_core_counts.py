"""The compiled core's perft agrees with the rules, and it survives invalid calls."""

from __future__ import annotations

import os
import subprocess
import sys
from itertools import chain, islice
from pathlib import Path
from random import Random

import pytest

from ai.cores import the_core
from ai.valley_positions import crowds
from ai.wandering import wander
from thud.ai.classic.game import make_game
from thud.ai.compiled import CompiledTree
from thud.ai.quick import tree_for
from thud.ai.search import Tree
from thud.rules.geometry import BOARD, SQUARES
from thud.rules.position import Position, Side
from thud.rules.variant import Variant, perft
from thud.rules.variants import VARIANTS
from thud.rules.variants.classic import CLASSIC, Classic
from toy_variant import SKIRMISH, registered

TESTS = Path(__file__).parents[1]
EVERY = pytest.mark.parametrize("variant", VARIANTS.values(), ids=VARIANTS)


def full(variant: Variant) -> list[Position]:
    """Return extreme positions: no pieces, only one kind, no empty square."""
    stone = variant.start.stone
    everywhere = BOARD & ~(1 << stone)
    half = sum(1 << square for square in SQUARES[::2]) & everywhere
    masks = [
        (0, 0),
        (everywhere, 0),
        (0, everywhere),
        (half, everywhere & ~half),
        (half, 0),
        (0, half),
    ]
    return [Position(*pair, stone, side) for pair in masks for side in Side]


@EVERY
def test_it_counts_the_moves_that_the_rules_count(variant: Variant) -> None:
    core = the_core()
    battles = chain.from_iterable(wander(variant, seed, 150, 0.5) for seed in range(5))
    for position in (
        battles if variant.worth else chain(battles, islice(crowds(variant), 0, None, 5))
    ):
        assert core.perft(variant, position, 1, 1) == variant.count_moves(position)
    for position in full(variant):
        # None if there are too many moves: then the rules count.
        assert core.perft(variant, position, 1, 1) in (variant.count_moves(position), None)


@EVERY
def test_it_counts_sequences_of_moves_on_any_number_of_threads(variant: Variant) -> None:
    core = the_core()
    for position in Random(7).sample(wander(variant, 3, 80), 2):
        expected = perft(variant, position, 2)
        assert {core.perft(variant, position, 2, threads) for threads in (1, 2, 64)} == {expected}
    assert core.perft(variant, variant.start, 3, 2) == core.perft(variant, variant.start, 3, 1)


def test_what_it_does_not_know_it_leaves_to_the_rules() -> None:
    core, start = the_core(), VARIANTS["classic"].start
    assert core.perft(SKIRMISH, SKIRMISH.start, 1, 1) is None
    with registered() as variant:
        assert core.perft(variant, variant.start, 2, 2) is None
    for position in (
        start._replace(dwarfs=start.dwarfs | 1 << 300),
        start._replace(dwarfs=-1),
        start._replace(dwarfs=start.trolls),
        start._replace(dwarfs=start.dwarfs | 1),
        start._replace(stone=-1),
        start._replace(stone=400),
    ):
        assert core.perft(VARIANTS["classic"], position, 1, 1) is None


def test_a_new_variant_with_the_game_of_an_old_one_is_searched_in_python() -> None:
    with registered(Classic("other", "Other", "Other")) as variant:
        assert isinstance(variant, Classic)
        for side in Side:
            assert isinstance(tree_for(make_game(variant, side)), Tree)
            assert CompiledTree.can_search(make_game(CLASSIC, side))


@pytest.mark.parametrize("seed", range(4))
def test_nothing_that_it_is_asked_ends_the_process(seed: int) -> None:
    the_core()
    done = subprocess.run(
        [sys.executable, "-m", "ai.misuse", str(seed)],
        env={**os.environ, "PYTHONPATH": str(TESTS)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "alive\n", "")

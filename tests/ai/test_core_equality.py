"""The compiled core's searches equal the Python's, move for move and node for node."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import pytest

from ai.cores import the_core
from ai.equality import Question, both, question
from ai.wandering import wanderings
from thud.ai.core import OFF, REQUIRED, VARIABLE
from thud.ai.levels import LevelPlayer
from thud.ai.player import Decision, Limits
from thud.rules.geometry import SQUARES, mask_of
from thud.rules.position import Position, Side
from thud.rules.variant import Variant
from thud.rules.variants import VARIANTS


@pytest.mark.parametrize("tens", range(6))
@pytest.mark.parametrize("variant", VARIANTS.values(), ids=VARIANTS)
def test_both_answer_the_same(variant: Variant, tens: int) -> None:
    the_core()
    for seed in range(10 * tens, 10 * tens + 10):
        asked = question(variant, seed)
        python, core = both(asked)
        assert python == core, asked


@pytest.mark.parametrize("variant", VARIANTS.values(), ids=VARIANTS)
def test_levels_that_are_bounded_by_positions_play_the_same(
    variant: Variant, monkeypatch: pytest.MonkeyPatch
) -> None:
    the_core()
    decided: dict[str, list[Decision]] = {OFF: [], REQUIRED: []}
    for which, decisions in decided.items():
        monkeypatch.setenv(VARIABLE, which)
        for level in (1, 5, 6, 7):
            player = LevelPlayer(variant, level, 5)
            for position in islice(wanderings(variant, 3), 3):
                decision = player.decide([position])
                assert decision.thought
                untimed = decision.thought._replace(seconds=0)
                decisions.append(decision._replace(thought=untimed))
    assert decided[OFF] == decided[REQUIRED]


def unreachable(variant: Variant) -> Iterator[Position]:
    """Yield positions that no battle reaches: next to nothing on the board, or next to no room."""
    stone = variant.start.stone
    room = [square for square in SQUARES if square != stone]
    full = mask_of(*room)
    corner, other = mask_of(room[0]), mask_of(room[-1])
    for side in Side:
        yield Position(corner, other, stone, side)
        yield Position(full ^ corner ^ other, corner, stone, side)
        yield Position(corner, full ^ corner ^ other, stone, side)


@pytest.mark.parametrize(
    "limits",
    [
        Limits(nodes=0),
        Limits(seconds=0),
        Limits(nodes=600, depth=60),
        Limits(nodes=600, depth=2**40),
        Limits(nodes=2**63, depth=2),
        Limits(nodes=2**70, depth=1),
        Limits(seconds=1e308, depth=1),
    ],
)
@pytest.mark.parametrize("variant", VARIANTS.values(), ids=VARIANTS)
def test_both_answer_the_same_at_the_limits(variant: Variant, limits: Limits) -> None:
    the_core()
    asked = 0
    for position in unreachable(variant):
        if variant.legal_moves(position) and not variant.outcome(position):
            python, core = both(Question(variant, 0, [position], limits, None, frozenset()))
            assert python == core, position
            asked += 1
    assert asked > 1

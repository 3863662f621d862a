"""The compiled core's searches equal the Python's, move for move and node for node."""

from __future__ import annotations

from itertools import islice

import pytest

from ai.cores import the_core
from ai.equality import both, question
from ai.wandering import wanderings
from thud.ai.core import OFF, REQUIRED, VARIABLE
from thud.ai.levels import LevelPlayer
from thud.ai.player import Decision
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

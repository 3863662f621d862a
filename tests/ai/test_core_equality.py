"""The compiled core finds what the Python finds, move for move and position for position."""

from __future__ import annotations

import pytest

from ai.cores import the_core
from ai.equality import both, question
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

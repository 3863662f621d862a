"""The search wins Koom Valley and Football when it can, and sees what it must prevent."""

import pytest

from ai.valley_positions import crowds
from ai.wandering import winning
from rules.drawing import drawn
from thud.ai.core import searcher_for
from thud.ai.player import Limits
from thud.ai.searcher import Found
from thud.rules.position import Position, Side
from thud.rules.variant import Variant
from thud.rules.variants import VARIANTS

KOOM, FOOTBALL = VARIANTS["koom"], VARIANTS["football"]

BOTH = pytest.mark.parametrize("variant", [KOOM, FOOTBALL], ids=lambda variant: variant.name)


def searched(variant: Variant, position: Position, depth: int) -> Found:
    return searcher_for(variant, None).search([position], Limits(depth=depth))


@BOTH
def test_it_prevents_what_would_lose_at_once_if_anything_does(variant: Variant, full: bool) -> None:
    tried, most = dict.fromkeys(Side, 0), 2 if full else 1
    for position in crowds(variant):
        side = position.to_move
        turned = position._replace(to_move=side.other)
        if tried[side] >= most or variant.outcome(position) or variant.outcome(turned):
            continue
        if winning(variant, position) or not winning(variant, turned):
            continue
        held = {m for m in variant.legal_moves(position) if not winning(variant, position.after(m))}
        if held:
            assert searched(variant, position, 2).move in held, position.to_text()
            tried[side] += 1
    assert min(tried.values()) >= most


IN_THREE = {
    "the rock rolls twice past trolls that are too far away": (
        KOOM,
        """
    F G H J K L
 1  . . . . .
 2  . d . . . .
 3  . . R . . .
12  . . . . T T
13  . . . . T
""",
        "d",
    ),
    "two trolls come where a lone dwarf stops but one": (
        KOOM,
        """
    D E F G H J K L M N
 5  . . . . . . . . . .
 6  . . T . . . T . . .
 7  . . . . . . . . . .
 8  . . . . R . . . . .
 9  . . . . T . . . . .
12  . . d . . . .
""",
        "T",
    ),
    "the ball is passed to where a lane is open": (
        FOOTBALL,
        """
    D E F G H J K L M N
 1      . d . . .
12  . d . . . . . . T .
13  R . . . . . . T .
11  . . . . . . . . . T
""",
        "d",
    ),
}


@pytest.mark.parametrize(("variant", "drawing", "side"), IN_THREE.values(), ids=IN_THREE)
def test_it_sees_a_goal_three_moves_ahead(variant: Variant, drawing: str, side: str) -> None:
    position = drawn(drawing, side)
    found = searched(variant, position, 3)
    assert found.thought.goal_in == 3
    after = position.after(found.move)
    answers = variant.legal_moves(after)
    assert answers
    assert all(winning(variant, after.after(answer)) for answer in answers)

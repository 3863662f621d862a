"""The search wins Koom Valley and Football when it can, and sees what it must prevent."""

import pytest

from ai.valley_positions import crowds
from rules.drawing import drawn
from thud.ai.core import searcher_for
from thud.ai.player import Limits, Thought
from thud.rules.position import Move, Position, Side
from thud.rules.variant import Variant
from thud.rules.variants import VARIANTS

KOOM, FOOTBALL = VARIANTS["koom"], VARIANTS["football"]

BOTH = pytest.mark.parametrize("variant", [KOOM, FOOTBALL], ids=lambda variant: variant.name)


def searched(variant: Variant, position: Position, limits: Limits) -> tuple[Move, Thought]:
    found = searcher_for(variant, None).search([position], limits)
    return found.move, found.thought


def wins(variant: Variant, position: Position) -> list[Move]:
    """Return the moves that win at once."""
    won = []
    for move in variant.legal_moves(position):
        outcome = variant.decided(position.after(move))
        if outcome and outcome.winner is position.to_move:
            won.append(move)
    return won


@pytest.mark.slow
@BOTH
def test_it_prevents_what_would_lose_at_once_if_anything_does(variant: Variant) -> None:
    tried = dict.fromkeys(Side, 0)
    for position in crowds(variant):
        side = position.to_move
        turned = position._replace(to_move=side.other)
        if tried[side] >= 2 or variant.outcome(position) or variant.outcome(turned):
            continue
        if wins(variant, position) or not wins(variant, turned):
            continue
        held = {m for m in variant.legal_moves(position) if not wins(variant, position.after(m))}
        if held:
            move, _ = searched(variant, position, Limits(depth=2))
            assert move in held, position.to_text()
            tried[side] += 1
    assert min(tried.values()) >= 2


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
    move, found = searched(variant, position, Limits(depth=3))
    assert found.goal_in == 3
    answers = variant.legal_moves(position.after(move))
    assert answers
    assert all(wins(variant, position.after(move).after(answer)) for answer in answers)


def test_the_dwarfs_see_a_third_troll_coming() -> None:
    position = drawn(
        """
    F G H J K L
 6  . . . . . .
 7  . T . T . .
 8  . d R . . T
 9  . . . . . .
10  . d . . . .
""",
        "d",
    )
    assert wins(KOOM, position._replace(to_move=Side.TROLLS))
    move, found = searched(KOOM, position, Limits(depth=4))
    assert not wins(KOOM, position.after(move))
    assert found.goal_in is None

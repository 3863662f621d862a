"""Every kind of ending of a battle of Koom Valley or Koom Valley Football."""

from __future__ import annotations

import pytest

from rules.drawing import drawn, mask
from thud.rules.geometry import parse_square
from thud.rules.notation import parse_move
from thud.rules.position import Position, Side
from thud.rules.variant import Outcome, Reason, Score, Variant
from thud.rules.variants import VARIANTS

KOOM, FOOTBALL = VARIANTS["koom"], VARIANTS["football"]
both = pytest.mark.parametrize("variant", [KOOM, FOOTBALL], ids=["koom", "football"])
SCORES = {Side.DWARFS: Score(1, 0), Side.TROLLS: Score(0, 1), None: Score(0.5, 0.5)}


def played(variant: Variant, position: Position, moves: str) -> Position:
    for text in moves.split():
        position = position.after(parse_move(variant, position, text))
    return position


def ending(winner: Side | None, reason: Reason, because: str) -> Outcome:
    return Outcome(winner, reason, because, SCORES[winner])


def of(variant: Variant, outcome: Outcome) -> Outcome:
    """Return an outcome with the name of the variant's stone."""
    return outcome._replace(because=outcome.because.format(variant.stone))


HOME = ending(Side.DWARFS, Reason.GOAL, "the {} stands on the far side")
HELD = ending(Side.TROLLS, Reason.GOAL, "three trolls stand next to the {}")
HELD_BY_FOUR = ending(Side.TROLLS, Reason.GOAL, "four trolls stand next to the {}")
NO_GOAL = ending(None, Reason.NO_GOAL, "neither side can reach its goal any more")
NO_DWARF_MOVES = ending(Side.TROLLS, Reason.NO_MOVES, "the dwarfs have no legal move")
NO_TROLL_MOVES = ending(Side.DWARFS, Reason.NO_MOVES, "the trolls have no legal move")
NO_DWARF_LEFT = ending(Side.TROLLS, Reason.NO_MOVES, "no dwarf is left")
NO_TROLL_LEFT = ending(Side.DWARFS, Reason.NO_MOVES, "no troll is left")

BESIDE_HOME = "   F G H J K\n1  . d . T .\n2  . R T T ."
THIRD_TROLL = "   F G H J K\n6  . T . . .\n7  . . . T .\n8  . . R T .\n9  . d . . ."
AMBUSH = "   F G H J K\n6  . T T T .\n8  . d R . .\n9  . . . . T"
HEMMED_IN = "   D E F G H\n1      T d d\n2    d d d .\n3  d . d . d"
BOTH = (KOOM, FOOTBALL)

ENDINGS: list[tuple[tuple[Variant, ...], str, str, Outcome | None]] = [
    (BOTH, BESIDE_HOME, "d RG2-H1", HOME),  # even beside three trolls
    ((FOOTBALL,), "   H J\n1  . d\n8  R .\n9  d .", "d RH8-H1", HOME),
    (BOTH, THIRD_TROLL, "T TG6-G7", HELD),
    (BOTH, THIRD_TROLL, "T TG6-F5", None),
    (BOTH, "   F G H J K\n7  . T T T .\n8  . . R T .\n9  . d . . .", "d", HELD_BY_FOUR),
    # The stone may come to rest beside three trolls; a troll's move decides whether it is held.
    (BOTH, AMBUSH, "d RH8-H7 TK9-K10", HELD),
    (BOTH, AMBUSH, "d RH8-H7 TK9-K8", HELD),
    (BOTH, AMBUSH, "d RH8-H7 TG6-F5", None),
    # Sides without pieces, or with too few
    (BOTH, "   F G H J\n5  . . . .", "d", NO_GOAL),
    (BOTH, "   F G H J\n5  T T . .", "d", NO_GOAL),
    (BOTH, "   F G H J\n5  T T T .", "T", None),
    (BOTH, "   F G H J\n5  T T T .", "d", NO_DWARF_LEFT),
    (BOTH, "   F G H J\n5  . . . d", "T", NO_TROLL_LEFT),
    (BOTH, "   F G H J\n5  T T . d", "d", None),
    ((KOOM,), "   F G H J K\n5  . T d . T", "T TG5-J5xH5", NO_GOAL),
    # No move: hemmed in by two rows of dwarfs, by trolls, or with the edge forbidden
    ((KOOM,), HEMMED_IN, "T", NO_TROLL_MOVES),
    ((KOOM,), HEMMED_IN.replace("d . d . d", "d . . . d"), "T", None),
    # A stone that would leave the only dwarf behind does not help.
    (BOTH, "   E F G\n1    d T\n2  T T R", "d", NO_DWARF_MOVES),
    (BOTH, "   E F G H\n1    d T .\n2  T T R d", "d", None),
    ((FOOTBALL,), "   E F G\n1    T .\n2  . d d", "T", NO_TROLL_MOVES),
    ((KOOM,), "   E F G\n1    T .\n2  . d d", "T", None),
]


@pytest.mark.parametrize(("variants", "drawing", "line", "expected"), ENDINGS)
def test_a_battle_ends_as_it_should(
    variants: tuple[Variant, ...], drawing: str, line: str, expected: Outcome | None
) -> None:
    to_move, _, moves = line.partition(" ")
    for variant in variants:
        position = played(variant, drawn(drawing, to_move), moves)
        assert variant.outcome(position) == (expected and of(variant, expected))
        assert bool(variant.legal_moves(position)) == (expected is None)


@both
def test_the_far_side_is_where_the_dwarfs_have_to_bring_the_stone(variant: Variant) -> None:
    goals = "F1 G1 H1 J1 K1"
    assert variant.goals == mask(goals)
    for square in goals.split():
        for side in Side:
            position = variant.start._replace(stone=parse_square(square), to_move=side)
            assert variant.outcome(position) == of(variant, HOME)
    for square in ("E2", "L2", "H2", "F15", "A6"):
        assert variant.outcome(drawn("   H J\n5  d T", "d", stone=square)) is None


@both
def test_no_move_is_a_draw_where_the_other_side_cannot_reach_its_goal(variant: Variant) -> None:
    """No position with so few pieces is stuck, so the rule is tested directly."""
    few_trolls = variant.stuck(drawn("   F G H\n5  d T T", "d"))
    assert few_trolls == ending(None, Reason.NO_MOVES, "the dwarfs have no legal move")
    no_dwarfs = variant.stuck(drawn("   F G H\n5  T T T", "T"))
    assert no_dwarfs == ending(None, Reason.NO_MOVES, "the trolls have no legal move")


@both
@pytest.mark.parametrize(
    ("stone", "to_go", "beside", "lead"),
    [
        ("H8", "7 squares", 0, 0),
        ("H3", "2 squares", 0, 5),
        ("D5", "4 squares", 1, 2),
    ],
)
def test_what_counts_in_the_valley(
    variant: Variant, stone: str, to_go: str, beside: int, lead: float
) -> None:
    position = drawn("   C D E\n6  T . .", "d", stone=stone)
    rows = (f"{variant.stone} to goal", to_go), ("trolls next to it", f"{beside} of 3")
    assert variant.progress(position) == rows
    assert variant.lead(position) == lead


@both
def test_trolls_that_have_won_are_not_behind(variant: Variant) -> None:
    position = drawn("   F G H\n1  T . T\n2  . R .\n3  T . T", "d")
    assert variant.progress(position)[1] == ("trolls next to it", "4, 3 win")
    assert variant.lead(position) == -7
    assert variant.lead(position._replace(to_move=Side.TROLLS)) == 2, "they win after their move"

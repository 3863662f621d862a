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


def ended(winner: Side | None, reason: Reason, because: str) -> Outcome:
    return Outcome(winner, reason, because, SCORES[winner])


def played(variant: Variant, position: Position, *moves: str) -> Position:
    for text in moves:
        position = position.after(parse_move(variant, position, text))
    return position


@both
@pytest.mark.parametrize("to_move", ["d", "T"])
@pytest.mark.parametrize("square", ["F1", "G1", "H1", "J1", "K1"])
def test_the_dwarfs_win_with_the_stone_on_the_far_side(
    variant: Variant, square: str, to_move: str
) -> None:
    position = variant.start._replace(stone=parse_square(square), to_move=Side(to_move))
    because = f"the {variant.stone} stands on the far side"
    assert variant.outcome(position) == ended(Side.DWARFS, Reason.GOAL, because)
    assert not variant.legal_moves(position)


@both
def test_the_far_side_is_where_the_stone_has_to_go(variant: Variant) -> None:
    assert variant.goals == mask("F1 G1 H1 J1 K1")


@both
@pytest.mark.parametrize("square", ["E2", "L2", "H2", "F15", "A6"])
def test_no_other_edge_is_the_far_side(variant: Variant, square: str) -> None:
    assert variant.outcome(drawn("   H J\n5  d T", "d", stone=square)) is None


@both
def test_the_stone_is_home_even_beside_three_trolls(variant: Variant) -> None:
    position = drawn("   F G H J K\n1  . d . T .\n2  . R T T .", "d")
    because = f"the {variant.stone} stands on the far side"
    home = played(variant, position, "RG2-H1")
    assert variant.outcome(home) == ended(Side.DWARFS, Reason.GOAL, because)
    still_home = home._replace(to_move=Side.DWARFS)
    assert variant.outcome(still_home) == ended(Side.DWARFS, Reason.GOAL, because)


def test_the_ball_rolls_home_from_afar() -> None:
    position = drawn("   F G H J K\n1  . . . d .\n8  . . R . .\n9  . . d . .", "d")
    home = played(FOOTBALL, position, "RH8-H1")
    because = "the Ball stands on the far side"
    assert FOOTBALL.outcome(home) == ended(Side.DWARFS, Reason.GOAL, because)


HELD = """
   F G H J K
6  . T . . .
7  . . . T .
8  . . R T .
9  . d . . .
"""


@both
def test_the_trolls_win_when_a_troll_makes_three_beside_the_stone(variant: Variant) -> None:
    position = drawn(HELD, "T")
    assert variant.outcome(position) is None
    held = played(variant, position, "TG6-G7")
    because = f"three trolls stand beside the {variant.stone}"
    assert variant.outcome(held) == ended(Side.TROLLS, Reason.GOAL, because)
    assert variant.outcome(played(variant, position, "TG6-F5")) is None


@both
def test_four_trolls_hold_the_stone_as_well(variant: Variant) -> None:
    position = drawn("   F G H J K\n7  . T T T .\n8  . . R T .\n9  . d . . .", "d")
    because = f"four trolls stand beside the {variant.stone}"
    assert variant.outcome(position) == ended(Side.TROLLS, Reason.GOAL, because)


AMBUSH = """
   F G H J K
5  . . . . .
6  . T T T .
7  . . . . .
8  . d R . .
9  . . . . T
"""


@both
def test_the_stone_may_come_to_rest_beside_three_trolls(variant: Variant) -> None:
    beside = played(variant, drawn(AMBUSH, "d"), "RH8-H7")
    assert variant.outcome(beside) is None
    assert variant.legal_moves(beside)


@both
@pytest.mark.parametrize("reply", ["TG6-G7", "TK9-K10", "TK9-K8"])
def test_it_is_lost_if_three_trolls_are_still_there_after_a_troll_move(
    variant: Variant, reply: str
) -> None:
    lost = played(variant, drawn(AMBUSH, "d"), "RH8-H7", reply)
    because = f"three trolls stand beside the {variant.stone}"
    assert variant.outcome(lost) == ended(Side.TROLLS, Reason.GOAL, because)


@both
def test_it_is_saved_if_a_troll_leaves(variant: Variant) -> None:
    assert variant.outcome(played(variant, drawn(AMBUSH, "d"), "RH8-H7", "TG6-F5")) is None


NO_GOAL = ended(None, Reason.NO_GOAL, "neither side can reach its goal any more")
NO_DWARF_MOVES = ended(Side.TROLLS, Reason.NO_MOVES, "the dwarfs have no legal move")
NO_TROLL_MOVES = ended(Side.DWARFS, Reason.NO_MOVES, "the trolls have no legal move")
NO_DWARF_LEFT = ended(Side.TROLLS, Reason.NO_MOVES, "no dwarf is left")
NO_TROLL_LEFT = ended(Side.DWARFS, Reason.NO_MOVES, "no troll is left")


@both
@pytest.mark.parametrize(
    ("pieces", "to_move", "outcome"),
    [
        (". . . .", "d", NO_GOAL),
        (". . . .", "T", NO_GOAL),
        ("T T . .", "d", NO_GOAL),
        ("T T . .", "T", NO_GOAL),
        ("T T T .", "T", None),
        ("T T T .", "d", NO_DWARF_LEFT),
        (". . . d", "d", None),
        (". . . d", "T", NO_TROLL_LEFT),
        ("T T . d", "d", None),
        ("T T . d", "T", None),
    ],
)
def test_sides_without_pieces_or_with_too_few(
    variant: Variant, pieces: str, to_move: str, outcome: Outcome | None
) -> None:
    position = drawn(f"   F G H J\n5  {pieces}", to_move)
    assert variant.outcome(position) == outcome
    assert bool(variant.legal_moves(position)) == (outcome is None)


def test_trampling_the_last_dwarf_draws_with_two_trolls_and_wins_with_three() -> None:
    two = drawn("   F G H J K\n5  . T d . T", "T")
    assert KOOM.outcome(played(KOOM, two, "TG5-J5xH5")) == NO_GOAL
    three = drawn("   F G H J K\n5  . T d . T\n6  . T . . .", "T")
    assert KOOM.outcome(played(KOOM, three, "TG5-J5xH5")) == NO_DWARF_LEFT


def test_trapping_the_last_troll_wins() -> None:
    position = drawn("   E F G H J K\n5  d T . . . d", "d")
    assert KOOM.outcome(played(KOOM, position, "dK5-G5xF5")) == NO_TROLL_LEFT


HEMMED_IN = """
   D E F G H
1      T d d
2    d d d .
3  d . d . d
"""


def test_a_troll_hemmed_in_by_dwarfs_two_deep_loses() -> None:
    assert KOOM.outcome(drawn(HEMMED_IN, "T")) == NO_TROLL_MOVES
    one_deep = drawn(HEMMED_IN.replace("d . d . d", "d . . . d"), "T")
    assert KOOM.outcome(one_deep) is None


@both
def test_a_dwarf_hemmed_in_by_trolls_loses(variant: Variant) -> None:
    assert variant.outcome(drawn("   E F G\n1    d T\n2  T T T", "d")) == NO_DWARF_MOVES


@both
def test_a_stone_that_would_leave_the_only_dwarf_behind_does_not_help(variant: Variant) -> None:
    assert variant.outcome(drawn("   E F G\n1    d T\n2  T T R", "d")) == NO_DWARF_MOVES
    assert variant.outcome(drawn("   E F G H\n1    d T .\n2  T T R d", "d")) is None


def test_a_football_troll_that_could_only_stop_on_the_edge_is_stuck() -> None:
    position = drawn("   E F G\n1    T .\n2  . d d", "T")
    assert FOOTBALL.outcome(position) == NO_TROLL_MOVES
    assert KOOM.outcome(position) is None


@both
def test_no_move_is_a_draw_where_the_other_side_cannot_reach_its_goal(variant: Variant) -> None:
    """No position with so few pieces is stuck, so the rule is tested directly."""
    few_trolls = variant.stuck(drawn("   F G H\n5  d T T", "d"))
    assert few_trolls == ended(None, Reason.NO_MOVES, "the dwarfs have no legal move")
    no_dwarfs = variant.stuck(drawn("   F G H\n5  T T T", "T"))
    assert no_dwarfs == ended(None, Reason.NO_MOVES, "the trolls have no legal move")


@both
@pytest.mark.parametrize(
    ("stone", "to_go", "beside", "lead"),
    [
        ("H8", "7 squares", 0, 0),
        ("H3", "2 squares", 0, 5),
        ("G2", "1 square", 0, 6),
        ("O8", "7 squares", 0, 0),
        ("D5", "4 squares", 1, 2),
        ("F1", "0 squares", 0, 7),
    ],
)
def test_what_counts_in_the_valley(
    variant: Variant, stone: str, to_go: str, beside: int, lead: float
) -> None:
    position = drawn("   C D E\n6  T . .", "d", stone=stone)
    rows = (f"{variant.stone} to goal", to_go), ("trolls beside it", f"{beside} of 3")
    assert variant.progress(position) == rows
    assert variant.lead(position) == lead

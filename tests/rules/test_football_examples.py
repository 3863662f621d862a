"""Worked examples of Koom Valley Football: the Ball, the edge, no captures."""

from __future__ import annotations

import pytest

from rules.drawing import drawn, texts
from thud.rules.notation import parse_move
from thud.rules.variant import Kind
from thud.rules.variants import VARIANTS

FOOTBALL = VARIANTS["football"]

BALL = """
   F G H J K
1  . . . . .
2  . . . . .
3  . . . d .
4  . . . . .
5  . . . . .
6  . . . . .
7  . . . . .
8  . . R . .
9  . . d . .
"""


def test_the_ball_rolls_any_distance_to_where_a_dwarf_is_adjacent() -> None:
    position = drawn(BALL, "d")
    ends = ["H2", "H3", "H4", "G8", "J8", "G9", "J9"]
    assert texts(FOOTBALL, position, origin="H8") == {f"RH8-{to}" for to in ends}
    roll = parse_move(FOOTBALL, position, "RH8-H2")
    assert FOOTBALL.kind(position, roll) is Kind.ROLL
    assert position.after(roll) == drawn(
        "   F G H J K\n2  . . R . .\n3  . . . d .\n9  . . d . .", "T"
    )


@pytest.mark.parametrize("blocker", ["d", "T"])
def test_the_ball_does_not_roll_through_a_piece(blocker: str) -> None:
    position = drawn(BALL.replace("6  . . .", f"6  . . {blocker}"), "d")
    north = texts(FOOTBALL, position, origin="H8") & {f"RH8-H{rank}" for rank in range(1, 8)}
    assert north == ({"RH8-H7"} if blocker == "d" else set())


def test_the_ball_stays_where_no_dwarf_is_adjacent() -> None:
    position = drawn(BALL.replace("9  . . d", "9  d . ."), "d")
    assert not texts(FOOTBALL, position, origin="H8")


def test_the_ball_may_pass_from_one_dwarf_to_another() -> None:
    position = drawn("   C D E F G H J K L\n8  d . . . . R d . .", "d")
    along = {text for text in texts(FOOTBALL, position, origin="H8") if text.endswith("8")}
    assert along == {"RH8-D8"}


def test_a_troll_does_not_stop_on_the_edge() -> None:
    position = drawn(
        """
   D E F G H J K
1      . . . . .
2    . . . . . .
3  . . . T . . .
4  . . . . . . .
""",
        "T",
    )._replace(dwarfs=FOOTBALL.start.dwarfs)
    ends = [
        "F2",
        "G2",
        "H2",
        "E3",
        "F3",
        "H3",
        "J3",
        "K3",
        "F4",
        "G4",
        "H4",
        "E5",
        "G5",
        "J5",
        "D6",
        "G6",
        "K6",
    ]
    assert texts(FOOTBALL, position, origin="G3") == {f"TG3-{to}" for to in ends}


def test_a_troll_on_the_edge_may_leave_it_but_not_move_along_it() -> None:
    position = drawn("   F G H J K\n1  . T . . .\n2  . . . . .\n4  . . d . .", "T")
    ends = ["F2", "E3", "G2", "D4", "G3", "G4", "H2", "J3", "K4"]
    assert texts(FOOTBALL, position, origin="G1") == {f"TG1-{to}" for to in ends}


def test_nothing_is_trapped_and_nobody_trampled() -> None:
    drawing = "   E F G H J K L\n5  d T . d T . .\n6  . . . . . . ."
    for side in "d", "T":
        assert not [text for text in texts(FOOTBALL, drawn(drawing, side)) if "x" in text]
    assert "dH5-G5" in texts(FOOTBALL, drawn(drawing, "d"))

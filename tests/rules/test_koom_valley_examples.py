"""Worked examples of Koom Valley: traps, the Rock, trampling."""

from __future__ import annotations

import pytest

from rules.drawing import drawn, texts
from thud.rules.notation import parse_move
from thud.rules.variant import Kind
from thud.rules.variants import VARIANTS

KOOM = VARIANTS["koom"]

TRAP = """
    E F G H J K
 5  . . d . . .
 6  . . T . . .
 7  . . . T d .
 8  . . . R . .
 9  . . . . . .
10  . . d . . .
"""


def test_a_dwarf_takes_any_of_the_trolls_it_traps() -> None:
    position = drawn(TRAP, "d")
    free, one, other, both = "dG10-G7", "dG10-G7xG6", "dG10-G7xH7", "dG10-G7xG6xH7"
    assert texts(KOOM, position, to="G7") == {free, one, other, both}
    kinds = [KOOM.kind(position, parse_move(KOOM, position, text)) for text in (free, one, both)]
    assert kinds == [Kind.MOVE, Kind.TRAP, Kind.TRAP]
    assert position.after(parse_move(KOOM, position, other)) == drawn(
        """
    E F G H J K
 5  . . d . . .
 6  . . T . . .
 7  . . d . d .
 8  . . . R . .
 9  . . . . . .
10  . . . . . .
""",
        "T",
    )


@pytest.mark.parametrize(
    ("rank", "takes", "reason"),
    [
        ("d T . . . . d", {"dL6-G6xF6"}, "the dwarf on the other side closes the trap"),
        ("d T . T d . .", set(), "no dwarf arrives between them"),
        (". T . . . . d", set(), "one dwarf traps nobody"),
        ("R T . . . . d", set(), "the stone traps nobody"),
        ("T T . . . . d", set(), "a troll traps nobody"),
        ("d . T . . . d", set(), "a dwarf has to be adjacent to the troll"),
        ("d T T . . . d", set(), "only one troll fits in a trap"),
        ("d T d . . . .", set(), "those who stand there already trap nobody"),
    ],
)
def test_what_traps_a_troll(rank: str, takes: set[str], reason: str) -> None:
    position = drawn(f"   E F G H J K L\n6  {rank}", "d")
    assert {text for text in texts(KOOM, position) if "x" in text} == takes, reason


def test_the_edge_traps_nobody() -> None:
    position = drawn("   F G H J K\n1  . T . . d\n2  . T . . .\n3  . . . d .", "d")
    assert not [text for text in texts(KOOM, position) if "x" in text]


def test_a_troll_may_stop_between_two_dwarfs() -> None:
    position = drawn("   E F G H J\n5  . . T . .\n6  . d . d .\n9  d . . . .", "T")
    after = position.after(parse_move(KOOM, position, "TG5-G6"))
    assert not [text for text in texts(KOOM, after) if "x" in text]


@pytest.mark.parametrize(
    ("drawing", "ends"),
    [
        ("   F G H J K\n8  . . R . .\n9  . . d . .", "G8 J8 G9 J9"),
        ("   F G H J K\n8  . . R . .\n9  . . . . .\n10 . . d . .", ""),
        ("   F G H J K\n6  . . d . .\n7  . . . . .\n8  . . R . .\n9  d . . . .", ""),
        ("   F G H J K\n7  . d . . .\n8  . . R . .", "H7 G8"),
        ("   F G H J K\n6  d . . . .\n7  . T . . .\n8  . . R d .", "H7 J7 H9 J9"),
        ("   F G H J K\n6  d . . . .\n7  . . . . .\n8  . . R d .", "G7 H7 J7 H9 J9"),
        ("   F G H J K\n7  . T d T .\n8  . d R d .\n9  . . d . .", "G9 J9"),
    ],
)
def test_the_rock_moves_one_square_with_a_dwarf_beside_it_before_and_after(
    drawing: str, ends: str
) -> None:
    position = drawn(drawing, "d")
    assert texts(KOOM, position, origin="H8") == {f"RH8-{end}" for end in ends.split()}


def test_the_rock_at_the_start() -> None:
    moves = texts(KOOM, KOOM.start, origin="H8")
    assert moves == {"RH8-G8", "RH8-J8", "RH8-G9", "RH8-J9"}
    roll = parse_move(KOOM, KOOM.start, "RH8-G9")
    assert KOOM.kind(KOOM.start, roll) is Kind.ROLL
    assert KOOM.start.after(roll).to_text().split("/")[7:9] == ["15", "6Rd7"]


def test_a_troll_moves_up_to_three_squares_over_empty_ones() -> None:
    position = drawn(
        """
   E F G H J K L
3  . . d . . . .
4  . . . . . . .
5  . T . . . R d
6  . . . . . . .
""",
        "T",
    )
    east = texts(KOOM, position, origin="F5") & {f"TF5-{to}5" for to in "GHJKL"}
    assert east == {"TF5-G5", "TF5-H5", "TF5-J5"}
    north_east = texts(KOOM, position, origin="F5") & {"TF5-G4", "TF5-H3", "TF5-J2", "TF5-K1"}
    assert north_east == {"TF5-G4", "TF5-H3", "TF5-J2"}
    assert not [text for text in texts(KOOM, position) if "x" in text]


TRAMPLE = """
   F G H J K L M
5  . T d . d . .
6  . . . . . d .
7  . . . . . . .
"""


def test_a_troll_tramples_on_and_may_stop_after_any_capture() -> None:
    position = drawn(TRAMPLE, "T")
    tramples = {"TG5-J5xH5", "TG5-L5xH5xK5", "TG5-L7xH5xK5xL6"}
    assert {text for text in texts(KOOM, position) if "x" in text} == tramples
    assert KOOM.kind(position, parse_move(KOOM, position, "TG5-J5xH5")) is Kind.TRAMPLE
    after = position.after(parse_move(KOOM, position, "TG5-L7xH5xK5xL6"))
    assert after == drawn("   F G H J K L M\n7  . . . . . T .", "d")


@pytest.mark.parametrize(
    ("rank", "tramples"),
    [
        ("T d . . d .", {"TF5-H5xG5"}),
        ("T d d . . .", set()),
        ("T d R d . .", set()),
        ("T d T . . .", set()),
        (". . T . d d", set()),
        ("T d . d d .", {"TF5-H5xG5"}),
    ],
)
def test_trampling_needs_an_empty_square_straight_beyond(rank: str, tramples: set[str]) -> None:
    position = drawn(f"   F G H J K L\n5  {rank}", "T")
    assert {text for text in texts(KOOM, position) if text.startswith("TF5") and "x" in text} == (
        tramples
    )


def test_a_trampled_dwarf_is_gone_at_once_and_leaves_its_square_free() -> None:
    position = drawn("   F G H J\n4  . T d .\n5  . . d .\n6  . . . .\n7  . . . .", "T")
    captures = {text for text in texts(KOOM, position) if "x" in text}
    assert captures == {"TG4-J4xH4", "TG4-J6xH5", "TG4-G6xH4xH5"}


LOOP = """
   F G H J K
4  . . . . .
5  . T d . .
6  . d . d .
7  . . d . .
"""


def test_a_closed_loop_of_trampling_ends_where_it_began_and_is_one_move() -> None:
    position = drawn(LOOP, "T", stone="H9")
    moves = [move for move in KOOM.legal_moves(position) if move.captures]
    one_way = {"TG5-J5xH5", "TG5-J7xH5xJ6", "TG5-G7xH5xH7xJ6"}
    other_way = {"TG5-G7xG6", "TG5-J7xG6xH7", "TG5-J5xG6xH7xJ6"}
    loop = "TG5-G5xG6xH5xH7xJ6"
    assert {text for text in texts(KOOM, position) if "x" in text} == {*one_way, *other_way, loop}
    assert len(moves) == 7
    after = position.after(parse_move(KOOM, position, loop))
    assert after == drawn("   F G H J K\n5  . T . . .", "d", stone="H9")

"""Explanations of every kind of illegal move."""

from __future__ import annotations

import pytest

from rules.drawing import drawn
from thud.rules.notation import parse_move
from thud.rules.position import Position, Side
from thud.rules.variant import IllegalMove, Variant
from thud.rules.variants import VARIANTS
from variants import TOLD

DRAWINGS = {
    "hurl": """
   A B C D E F G H
8  d d T . d . T R
""",
    "far": """
   A B C D E F G H
8  d d d T T . T R
9  d d . . . T . .
""",
    "step": """
   D E F G H
4  d . . . .
5  d . T T .
6  . . . . .
""",
    "shove": """
   A B C D E F G H
7  . d . . . . . .
8  d . . . T T . R
""",
    "trap": """
    E F G H J K
 5  . . d . . .
 6  . . T . . .
 7  . . . T d .
 8  . . . R . .
 9  . . . . . .
10  . . d . . .
""",
    "trample": """
   F G H J K L M
5  . T d . d . .
6  . . . . . d .
7  . . . . . . .
""",
    "apart": """
   F G H J K
6  . . d . .
7  . . . . .
8  . . R . .
""",
    "home": """
   F G H J K
1  . R . . .
2  d . . . T
""",
    "held": """
   F G H J K
7  . T T T .
8  . d R . .
""",
    "nobody": """
   F G H J K
1  . . . T .
""",
}

CLASSIC = [
    ("start d", "A6-A6", "the dwarf on A6 has to leave its square"),
    ("start d", "A6-C7", "dwarf on A6 cannot reach C7: the squares are not in a straight line"),
    ("start d", "A6-F1", "dwarf on A6 cannot reach F1: a dwarf stands on B5"),
    ("start d", "A6-A7", "dwarf on A6 cannot reach A7: a dwarf stands on A7"),
    ("start d", "H8-H9", "the Thudstone never moves"),
    ("start d", "G7-F6", "it is the dwarfs' turn, but G7 has a troll"),
    ("start d", "D4-D5", "D4 is empty"),
    ("start d", "F1-F5xG7", "a dwarf captures only by being hurled onto a troll"),
    ("start d", "A7-G7xG7", "the line has one dwarf, and the troll is six squares away"),
    ("hurl d", "A8-C8xC8", "dwarf on A8 cannot reach C8: a dwarf stands on B8"),
    ("hurl d", "B8-C8", "a dwarf that is hurled onto the troll on C8 has to capture it"),
    ("hurl d", "B8-C8xC8xG8", "a hurl captures the troll it lands on, here C8 alone"),
    ("hurl d", "E8-F8xG8", "a dwarf captures only by being hurled onto a troll"),
    ("far d", "B9-F9xF9", "the line has two dwarfs, and the troll is four squares away"),
    ("start T", "A6-B7", "it is the trolls' turn, but A6 has a dwarf"),
    ("start T", "H8-H7", "the Thudstone never moves"),
    ("start T", "G7-G7", "the troll on G7 has to leave its square"),
    ("start T", "G7-H8", "troll on G7 cannot reach H8: the Thudstone stands on H8"),
    ("start T", "G7-F5", "troll on G7 cannot reach F5: the squares are not in a straight line"),
    ("start T", "G7-E5", "the line has one troll, and E5 is two squares away"),
    ("start T", "G7-H6xA6xB5", "no dwarf on A6 or B5 is adjacent to H6"),
    ("step T", "G5-J5", "a shove has to capture, and no dwarf is adjacent to J5"),
    ("shove T", "E8-C8", "a shove has to capture at least one dwarf"),
    ("shove T", "E8-B8xA8", "the line has two trolls, and B8 is three squares away"),
    ("nobody d", "J1-J2", "the battle is over: no dwarf is left"),
]

SINGLE = [
    ("step T", "F5-E4xD4xD5", "a step captures one dwarf at most; only a shove captures more")
]

VALLEY = [
    ("start d", "F2-F1", "it is the dwarfs' turn, but F2 has a troll"),
    ("start d", "C7-C8", "C7 is empty"),
    ("start d", "A10-B8", "dwarf on A10 cannot reach B8: the squares are not in a straight line"),
    ("start d", "H15-H15", "the dwarf on H15 has to leave its square"),
    ("start T", "H9-H10", "it is the trolls' turn, but H9 has a dwarf"),
    ("start T", "F2-F2", "the troll on F2 has to leave its square"),
    ("start T", "F2-F5", "troll on F2 cannot reach F5: a troll stands on F3"),
    ("start T", "E3-G4", "troll on E3 cannot reach G4: the squares are not in a straight line"),
    ("start T", "F3-F8", "a troll moves up to three squares, and F8 is five squares away"),
]

KOOM = [
    *VALLEY,
    ("start d", "H9-H4", "dwarf on H9 cannot reach H4: the Rock stands on H8"),
    ("start d", "H8-H7", "no dwarf would be adjacent to the Rock on H7"),
    ("start d", "H8-H9", "the Rock on H8 cannot reach H9: a dwarf stands on H9"),
    ("start d", "H8-F6", "the Rock moves one square, and F6 is two squares away"),
    ("start d", "H8-F7", "the Rock on H8 cannot reach F7: the squares are not in a straight line"),
    ("start d", "H8-H8", "the Rock on H8 has to leave its square"),
    ("start d", "H8-G9xF2", "the Rock captures nothing"),
    ("apart d", "H8-H7", "no dwarf is adjacent to the Rock to move it"),
    ("start T", "H8-H7", "only the dwarfs move the Rock"),
    (
        "trap d",
        "G10-G8xG6",
        "no troll is trapped on G6: "
        "a trapped troll stands between G8 and another dwarf, adjacent to both",
    ),
    ("trap d", "G10-G5xG6", "dwarf on G10 cannot reach G5: a troll stands on G6"),
    ("trample T", "G5-J5", "troll on G5 cannot reach J5: a dwarf stands on H5"),
    ("trample T", "G5-J5xK5", "no trampling route captures K5 alone and ends on J5"),
    ("trample T", "G5-G6xH5", "no trampling route captures H5 alone and ends on G6"),
    ("trample T", "G5-L7xH5xL6", "no trampling route captures H5 and L6 alone and ends on L7"),
    ("home T", "K2-K3", "the battle is over: the Rock stands on the far side"),
    ("held d", "G8-F8", "the battle is over: three trolls stand next to the Rock"),
    ("nobody d", "J1-J2", "the battle is over: neither side can reach its goal any more"),
]

FOOTBALL = [
    *VALLEY,
    ("start d", "H9-H6", "dwarf on H9 cannot reach H6: the Ball stands on H8"),
    ("start d", "H8-L8", "no dwarf would be adjacent to the Ball on L8"),
    ("start d", "H8-H1", "the Ball on H8 cannot reach H1: a troll stands on H3"),
    ("start d", "H8-H8", "the Ball on H8 has to leave its square"),
    ("start d", "H8-G9xF2", "nothing is captured in Koom Valley Football"),
    ("start T", "H8-H7", "only the dwarfs move the Ball"),
    ("start T", "F2-F1", "a troll may not stop on the edge, and F1 lies there"),
]

CASES = {"classic": CLASSIC, "single": CLASSIC + SINGLE, "koom": KOOM, "football": FOOTBALL}


def position_of(variant: Variant, where: str) -> Position:
    drawing, to_move = where.split()
    if drawing == "start":
        return variant.start._replace(to_move=Side(to_move))
    return drawn(DRAWINGS[drawing], to_move)


@pytest.mark.parametrize("name", TOLD)
def test_why_a_move_is_illegal(name: str) -> None:
    told = []
    for where, text, _ in CASES[name]:
        with pytest.raises(IllegalMove) as caught:
            parse_move(VARIANTS[name], position_of(VARIANTS[name], where), text)
        told.append((where, text, str(caught.value)))
    assert told == CASES[name]

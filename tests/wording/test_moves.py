"""Moves in words."""

from rules.drawing import drawn
from thud.rules.moves import hopped_over, tramples
from thud.rules.notation import parse_move
from thud.rules.variants import VARIANTS
from thud.wording.moves import described

KOOM = VARIANTS["koom"]

WINDING = """
   F G H J K
5  . T d . .
6  . . . d .
7  . d . . d
8  . . d . .
"""


def test_a_trample_is_told_hop_by_hop() -> None:
    position = drawn("   E F G H J\n5  . d . d T", "T")
    move = parse_move(KOOM, position, "TJ5-E5xF5xH5")
    told = described(KOOM, position, move)
    assert told == "troll tramples from J5 to E5 and captures H5 and F5"


def test_every_trample_has_its_hops() -> None:
    position = drawn(WINDING, "T")
    for move in tramples(position, position.trolls.bit_length() - 1):
        hops = hopped_over(position, move)
        assert len(hops) == len({*hops}) == move.captures.bit_count()

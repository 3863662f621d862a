"""Moves in words."""

from hypothesis import given
from hypothesis import strategies as st

from rules.drawing import drawn
from rules.strategies import every_variant, positions
from thud.rules.geometry import step_between
from thud.rules.match import Match
from thud.rules.moves import hopped_over, tramples
from thud.rules.notation import parse_move
from thud.rules.variant import Kind, Variant
from thud.rules.variants import VARIANTS
from thud.text import counted
from thud.words.moves import describe, describe_short, described

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


def test_a_shove_and_a_hurl_are_told_with_the_line_behind_them() -> None:
    trolls = drawn("   F G H J\n2  d d . .\n6  . T . .\n7  . T . .\n8  . T", "T")
    match = Match(VARIANTS["classic"], ("Ann", "Bob"), trolls)
    move = parse_move(match.variant, trolls, "TG6-G3xF2xG2")
    assert describe_short(match, trolls, move) == (
        "Bob's three trolls in a line shove G6 to G3 and capture 2 dwarfs"
    )
    assert describe(match, trolls, move) == (
        "Bob: three trolls in a line shove G6 to G3 and capture F2 and G2."
    )
    dwarfs = drawn("   A B C D E\n6  d d . T .", "d")
    match = Match(VARIANTS["classic"], ("You", "Bob"), dwarfs)
    move = parse_move(match.variant, dwarfs, "dB6-D6xD6")
    told = "two dwarfs in a line hurl B6 onto the troll on D6"
    assert describe_short(match, dwarfs, move) == f"Your {told}"
    assert describe(match, dwarfs, move) == f"You: {told}."
    match.players = ("Dwarfs", "Trolls")
    assert describe_short(match, dwarfs, move) == f"T{told[1:]}"


@every_variant
@given(st.data())
def test_a_line_is_as_long_as_the_move_needs(variant: Variant, data: st.DataObject) -> None:
    position = data.draw(positions(variant))
    match = Match(variant, ("Ann", "Bob"))
    for move in variant.legal_moves(position)[:60]:
        told, straight = describe(match, position, move), step_between(*move[:2])
        if variant.kind(position, move) not in (Kind.HURL, Kind.SHOVE):
            assert "in a line" not in told
        elif straight and straight[1] > 1:
            side = position.to_move.singular
            assert any(
                f": {counted(number, side)} in a line" in told for number in range(straight[1], 16)
            )

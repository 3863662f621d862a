"""Where the dwarfs gather: edge areas, for many dwarfs and few trolls; then they advance."""

from itertools import pairwise

import pytest

from thud.ai.classic.game import FREE, make_game
from thud.ai.classic.gathering import AREAS, advance, gathering
from thud.rules.geometry import BOARD, NEIGHBOURS, Mask, mask_of, parse_square
from thud.rules.position import Side
from thud.rules.variants.classic import CLASSIC


def mask(names: str) -> Mask:
    return mask_of(*(parse_square(name) for name in names.split()))


def test_the_belts_of_an_area_lie_within_one_another() -> None:
    for area in (*AREAS, advance(mask("C8"), mask("A7 B6"))):
        for wide, narrow in pairwise(area):
            assert narrow & ~wide == 0 < narrow < BOARD
    assert len(set(AREAS)) == len(AREAS) == 8


def test_edges_of_a_kind_have_areas_of_a_size() -> None:
    sizes = [tuple(belt.bit_count() for belt in area) for area in AREAS]
    assert len(set(sizes[:4])) == len(set(sizes[4:])) == 1


@pytest.mark.parametrize(
    ("dwarfs", "troll", "edge"),
    [
        ("H15 J15 G15 H14", "H2", 0),
        ("A8 A7 A9 B8", "O8", 3),
        ("A7 B6 E3 G2", "M12", 4),
        ("O9 N10 K13 J14", "D4", 7),
    ],
)
def test_dwarfs_gather_where_most_of_them_are(dwarfs: str, troll: str, edge: int) -> None:
    assert gathering(mask(dwarfs), mask(troll)) == AREAS[edge]


def test_dwarfs_gather_away_from_trolls() -> None:
    dwarfs = mask("H15 G15 H1 G1")
    assert gathering(dwarfs, mask("H4")) == AREAS[0]
    assert gathering(dwarfs, mask("H12")) == AREAS[1]


def test_only_who_plays_the_dwarfs_thinks_of_gathering() -> None:
    position = CLASSIC.start
    for side in Side:
        game = make_game(CLASSIC, side)
        state = game.state(position)
        assert bool(game.seen_from(state, 0).area) is (side is Side.DWARFS)


def test_a_dwarf_that_joins_the_others_stands_better() -> None:
    game = make_game(CLASSIC, Side.DWARFS)
    trolls = mask("H7")
    together, apart = mask("G15 H15 J15 G13"), mask("G15 H15 J15 G1")
    game = game.seen_from((together, trolls, 0), 0)
    assert game.evaluate((together, trolls, 0)) > game.evaluate((apart, trolls, 0))
    assert FREE & together == together


@pytest.mark.parametrize(
    ("dwarfs", "trolls", "aim"),
    [
        ("G7 H7", "C7 K7", "K7"),
        ("G7 H7 J7", "C7 K11", "K11"),
        ("B5 B6 P10", "O10 C7", "C7"),
        ("H1", "", "H8"),
        ("", "B6 K7", "K7"),
    ],
)
def test_dwarfs_advance_on_the_troll_nearest_to_their_middle(
    dwarfs: str, trolls: str, aim: str
) -> None:
    square = parse_square(aim)
    assert advance(mask(dwarfs), mask(trolls))[-1] == mask_of(square, *NEIGHBOURS[square])


def test_dwarfs_advance_once_nothing_has_been_captured_for_a_while() -> None:
    game = make_game(CLASSIC, Side.DWARFS)
    dwarfs, trolls, side = game.state(CLASSIC.start)
    fewer = dwarfs & ~mask("F1"), trolls, side
    for state, settled in (((dwarfs, trolls, side), 40), (fewer, 4)):
        assert game.seen_from(state, settled - 1).area in AREAS
        assert game.seen_from(state, settled).area == advance(*state[:2])


def test_a_dwarf_nearer_to_the_centre_stands_better_in_the_advance() -> None:
    game = make_game(CLASSIC, Side.DWARFS)
    trolls = mask("G2")
    near, far = mask("H10 H11 G11 J11"), mask("H14 H15 G15 J15")
    for quiet, better in ((0, far), (20, near)):
        seen = game.seen_from((near, trolls, 0), quiet)
        scores = {dwarfs: seen.evaluate((dwarfs, trolls, 0)) for dwarfs in (near, far)}
        assert max(scores, key=lambda dwarfs: scores[dwarfs]) == better

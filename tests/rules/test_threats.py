"""Pieces that could be captured next move, and the lines that threaten them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.drawing import drawn
from rules.strategies import every_variant, positions
from thud.rules.geometry import Mask, bit, mask_of, parse_square, square_name, squares_of
from thud.rules.position import Position, Side
from thud.rules.threats import Aim, threats_in
from thud.rules.variant import Kind, Variant
from thud.rules.variants import VARIANTS

CLASSIC, SINGLE, KOOM = (VARIANTS[name] for name in ("classic", "single", "koom"))


def mask(*names: str) -> Mask:
    return mask_of(*map(parse_square, names))


def capturable(variant: Variant, position: Position) -> set[str]:
    """Return all squares that a move of either side could capture."""
    if variant.outcome(position):
        return set()
    moves = (m for side in Side for m in variant.legal_moves(position._replace(to_move=side)))
    return {square_name(square) for move in moves for square in squares_of(move.captures)}


@every_variant
@given(data=st.data())
def test_threatened_is_what_some_legal_move_captures(variant: Variant, data: st.DataObject) -> None:
    position = data.draw(positions(variant))
    found = threats_in(variant, position).threatened
    assert set(map(square_name, squares_of(found))) == capturable(variant, position)


@every_variant
@given(data=st.data())
def test_without_its_support_an_aim_is_gone(variant: Variant, data: st.DataObject) -> None:
    position = data.draw(positions(variant))
    for aim in threats_in(variant, position).aims:
        assert not aim.support & (bit(aim.origin) | aim.victims)
        for square in squares_of(aim.support):
            left = Position(
                position.dwarfs & ~bit(square),
                position.trolls & ~bit(square),
                position.stone,
                position.to_move,
            )
            assert aim not in threats_in(variant, left).aims


@every_variant
@given(data=st.data())
def test_a_path_leads_to_the_destination(variant: Variant, data: st.DataObject) -> None:
    position = data.draw(positions(variant))
    for aim in threats_in(variant, position).aims:
        *between, last = aim.path
        assert last == aim.destination
        assert not mask_of(*between) & position.occupied


def aims(variant: Variant, position: Position) -> dict[tuple[Kind, str], Aim]:
    """Return the aims by their kinds, origins and destinations."""
    return {
        (aim.kind, f"{square_name(aim.origin)}-{square_name(aim.destination)}"): aim
        for aim in threats_in(variant, position).aims
    }


@pytest.mark.parametrize("to_move", ["d", "T"])
def test_a_hurl_is_aimed_by_its_whole_line(to_move: str) -> None:
    position = drawn("   A B C D E F G\n8  d d d . . T .", to_move)
    found = aims(CLASSIC, position)
    hurl = found[Kind.HURL, "C8-F8"]
    assert hurl.victims == mask("F8")
    assert hurl.support == mask("A8", "B8")
    assert hurl.path == tuple(map(parse_square, ("D8", "E8", "F8")))


def test_a_shove_is_aimed_by_as_many_trolls_as_it_needs() -> None:
    position = drawn("   E F G\n8  T . .\n9  T . .\n10 T . .\n5  . d .", "d")
    found = aims(CLASSIC, position)
    assert found[Kind.SHOVE, "E8-E6"].support == mask("E9")
    assert found[Kind.SHOVE, "E8-E6"].victims == mask("F5")


def test_a_shove_by_one_square_takes_more_than_a_step_in_single_capture() -> None:
    position = drawn("   D E F\n7  d . d\n8  . . .\n9  . T .\n10 . T .", "T")
    found = aims(SINGLE, position)
    assert found[Kind.SHOVE, "E9-E8"].support == mask("E10")
    assert found[Kind.SHOVE, "E9-E8"].victims == mask("D7", "F7")
    assert found[Kind.STEP, "E9-E8"].support == 0


def test_a_trap_is_aimed_by_the_dwarf_beyond() -> None:
    position = drawn("   E F G H J\n5  . . T d .\n6  d . . . .", "T")
    trap = aims(KOOM, position)[Kind.TRAP, "E6-F5"]
    assert (trap.victims, trap.support) == (mask("G5"), mask("H5"))


def test_a_trample_threatens_all_that_a_route_takes() -> None:
    position = drawn("   E F G H J K\n5  T d . d . .\n6  . . . . . .", "d")
    found = aims(KOOM, position)
    assert found[Kind.TRAMPLE, "E5-G5"].victims == mask("F5")
    assert found[Kind.TRAMPLE, "E5-J5"].victims == mask("F5", "H5")


def test_nothing_is_threatened_once_the_battle_is_over() -> None:
    over = drawn("   G H J\n5  T d .\n6  . . .", "d", stone="H1")
    assert threats_in(KOOM, over).aims == ()

"""Pieces that could be captured next move, and the lines that threaten them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.drawing import drawn, mask
from rules.strategies import every_variant, positions
from thud.rules.geometry import bit, mask_of, parse_square, square_name, squares_of
from thud.rules.position import Position, Side
from thud.rules.threats import threat_map, threats_in, unanswered
from thud.rules.variant import Kind, Variant
from thud.rules.variants import VARIANTS

CLASSIC, SINGLE, KOOM = (VARIANTS[name] for name in ("classic", "single", "koom"))


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
def test_an_aim_has_a_free_path_and_needs_its_support(
    variant: Variant, data: st.DataObject
) -> None:
    position = data.draw(positions(variant))
    for aim in threats_in(variant, position).aims:
        *between, last = aim.path
        assert last == aim.destination
        assert not mask_of(*between) & position.occupied
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
def test_an_end_is_covered_if_every_capture_there_can_be_answered(
    variant: Variant, data: st.DataObject
) -> None:
    position = data.draw(positions(variant))
    found = threat_map(variant, position)
    assert found.aims == threats_in(variant, position).aims
    freely: dict[Side, dict[str, int]] = {side: {} for side in Side}
    ends = 0
    for side in Side if found.aims else ():
        turn = position._replace(to_move=side)
        for move in filter(lambda each: each.captures, variant.legal_moves(turn)):
            after, name = turn.after(move), square_name(move.destination)
            ends |= bit(move.destination)
            if not any(m.captures >> move.destination & 1 for m in variant.legal_moves(after)):
                freely[side][name] = max(freely[side].get(name, 0), move.captures.bit_count())
        told = unanswered(variant, turn)
        assert {square_name(s): m.bit_count() for s, m in told.items()} == freely[side]
        assert sorted(map(int.bit_count, told.values()), reverse=True) == [
            captures.bit_count() for captures in told.values()
        ]
    open_ends = {name for each in freely.values() for name in each}
    assert {square_name(square) for square in squares_of(ends & ~found.covered)} == open_ends
    assert not found.covered & ~ends


LINE = "   A B C D E F G\n8  d d d . . T ."
COLUMN = "   E F G\n8  T . .\n9  T . .\n10 T . .\n5  . d ."
PAIR = "   D E F\n7  d . d\n8  . . .\n9  . T .\n10 . T ."
BEYOND = "   E F G H J\n5  . . T d .\n6  d . . . ."
ROUTE = "   E F G H J K\n5  T d . d . .\n6  . . . . . ."


@pytest.mark.parametrize(
    ("variant", "drawing", "kind", "ends", "pieces"),
    [
        (CLASSIC, LINE, Kind.HURL, "C8 F8", ("A8 B8", "F8")),
        (CLASSIC, COLUMN, Kind.SHOVE, "E8 E6", ("E9", "F5")),
        (SINGLE, PAIR, Kind.SHOVE, "E9 E8", ("E10", "D7 F7")),
        (KOOM, BEYOND, Kind.TRAP, "E6 F5", ("H5", "G5")),
        (KOOM, ROUTE, Kind.TRAMPLE, "E5 J5", ("", "F5 H5")),
    ],
)
def test_an_aim_is_supported_by_as_many_as_it_needs(
    variant: Variant, drawing: str, kind: Kind, ends: str, pieces: tuple[str, str]
) -> None:
    origin, destination = map(parse_square, ends.split())
    for to_move in "dT":
        aims = threats_in(variant, drawn(drawing, to_move)).aims
        (aim,) = (a for a in aims if (a.kind, *a[1:3]) == (kind, origin, destination))
        assert (aim.support, aim.victims) == tuple(map(mask, pieces))

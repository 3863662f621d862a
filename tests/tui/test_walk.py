"""Where the keys of a replay lead, without a screen."""

import pytest

from thud.records import editing
from thud.records.record import Record
from thud.records.tree import Cursor, Trail, destination, one_on
from thud.rules.notation import parse_move
from tui.test_variations import short


def varied() -> Record:
    """Return two battles of four moves, the first with other moves in place of its third."""
    record = Record.of(short())
    for text in ("dE2-E6", "dD3-D4"):
        place = Cursor.at(record, 1, 2)
        record = editing.played(place, parse_move(record.variant, place.position, text)).record
    return record


@pytest.mark.parametrize(
    ("trail", "ply", "way", "leads"),
    [
        ((), 1, "next", (1, (), 2)),
        ((), 4, "next", (1, (), 4)),
        ((), 1, "back", (1, (), 0)),
        ((), 0, "back", (1, (), 0)),
        ((), 3, "first", (1, (), 0)),
        ((), 1, "last", (1, (), 4)),
        ((), 1, "battle", (2, (), 0)),
        ((), 2, "into", (1, ((2, 0),), 3)),
        ((), 3, "into", (1, ((2, 0),), 3)),
        (((2, 0),), 3, "out", (1, (), 2)),
        ((), 3, "out", (1, (), 3)),
        ((), 3, "across", (1, ((2, 0),), 3)),
        (((2, 0),), 3, "across", (1, ((2, 1),), 3)),
        (((2, 1),), 3, "across", (1, (), 3)),
        ((), 0, "across", (1, ((2, 0),), 3)),
    ],
)
def test_a_key_leads_to_a_place(
    trail: Trail, ply: int, way: str, leads: tuple[int, Trail, int]
) -> None:
    place = destination(Cursor.at(varied(), 1, ply, trail), way)
    assert (place.number, place.trail, place.ply) == leads


def test_only_the_next_move_of_the_same_battle_is_one_on() -> None:
    record = varied()
    before = Cursor.at(record, 1, 2)
    assert one_on(before, Cursor.at(record, 1, 3))
    assert one_on(before, Cursor.at(record, 1, 3, ((2, 1),)))
    assert not one_on(before, Cursor.at(record, 1, 1))
    assert not one_on(before, Cursor.at(record, 2, 3))


def test_a_variation_counts_as_where_it_leaves_the_battle() -> None:
    record = varied()
    assert Cursor.at(record, 1, 3).ply_in_battle == 3
    assert Cursor.at(record, 1, 3, ((2, 1),)).ply_in_battle == 2


@pytest.mark.parametrize(
    ("place", "by", "leads"),
    [((0,), 1, 3), ((3,), 1, None), ((4,), -1, 3), ((3,), -1, None), ((3, ((2, 0),)), 1, 3)],
)
def test_the_nearest_of_some_places_is_found_from_anywhere(
    place: tuple[int] | tuple[int, Trail], by: int, leads: int | None
) -> None:
    found = Cursor.at(varied(), 1, *place).to_nearest([3], by)
    assert (found and found.ply) == leads

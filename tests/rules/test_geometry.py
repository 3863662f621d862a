"""The board's geometry against plain coordinates: names, steps, rays, masks."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules import reference
from rules.drawing import mask
from rules.strategies import few_squares, masks, squares
from thud.rules import geometry
from thud.rules.geometry import InvalidSquare, Square, parse_square, square_name, squares_of

NAMES = set(reference.NAMES.values())


def place(square: Square) -> reference.Square:
    return geometry.file_of(square), geometry.rank_of(square)


def test_the_octagon_has_165_squares_in_reading_order() -> None:
    assert [place(square) for square in geometry.SQUARES] == list(reference.NAMES)
    assert [square for rank in geometry.RANKS for square in rank] == list(geometry.SQUARES)
    assert list(squares_of(geometry.BOARD)) == list(geometry.SQUARES)
    assert len(geometry.SQUARES) == 165
    assert [len(rank) for rank in geometry.RANKS] == [5, 7, 9, 11, 13, *[15] * 5, 13, 11, 9, 7, 5]


def test_square_at_knows_the_octagon_and_nothing_else() -> None:
    found = {
        (file, rank)
        for file in range(-3, 20)
        for rank in range(-3, 20)
        if (square := geometry.square_at(file, rank)) is not None and place(square) == (file, rank)
    }
    assert found == set(reference.NAMES)


def test_every_name_is_written_and_read_back() -> None:
    for square in geometry.SQUARES:
        name = square_name(square)
        assert name == reference.NAMES[place(square)]
        assert parse_square(name) == parse_square(name.lower()) == square


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("A1", "A1 is off the board"),
        ("p15", "P15 is off the board"),
        ("I8", "'I8' is not a square: files are A to P without I, ranks 1 to 15"),
        ("H16", "'H16' is not a square: files are A to P without I, ranks 1 to 15"),
        ("H08", "'H08' is not a square: files are A to P without I, ranks 1 to 15"),
        ("", "'' is not a square: files are A to P without I, ranks 1 to 15"),
        (" H8", "' H8' is not a square: files are A to P without I, ranks 1 to 15"),
        ("H8\n", "'H8\\n' is not a square: files are A to P without I, ranks 1 to 15"),
        ("H٨", "'H٨' is not a square: files are A to P without I, ranks 1 to 15"),
        ("ﬁ1", "'ﬁ1' is not a square: files are A to P without I, ranks 1 to 15"),
    ],
)
def test_a_text_that_names_no_square_is_refused(text: str, message: str) -> None:
    with pytest.raises(InvalidSquare) as caught:
        parse_square(text)
    assert str(caught.value) == message


@given(st.one_of(st.text(), st.from_regex(r"[A-Za-z]\d{1,3}", fullmatch=True)))
def test_any_other_text_is_refused_in_one_printable_line(text: str) -> None:
    if text.upper() in NAMES and text.isascii():
        assert square_name(parse_square(text)) == text.upper()
        return
    with pytest.raises(InvalidSquare) as caught:
        parse_square(text)
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 500


def test_rays_run_straight_to_the_edge_nearest_square_first() -> None:
    for square in geometry.SQUARES:
        rays = {tuple(map(place, ray)) for ray in geometry.RAYS[square].values()}
        expected = {
            tuple(reference.slides({}, place(square), direction, 15))
            for direction in reference.DIRECTIONS
        }
        assert rays == expected - {()}
        for step, ray in geometry.RAYS[square].items():
            for number, target in enumerate(ray, 1):
                assert target == square + number * step
                assert geometry.step_between(square, target) == (step, number)
                assert geometry.distance(square, target) == number


@given(squares, squares)
def test_squares_out_of_line_have_no_step_between_them(one: Square, other: Square) -> None:
    in_line = any(other in ray for ray in geometry.RAYS[one].values())
    assert (geometry.step_between(one, other) is not None) == in_line


@given(masks, st.sampled_from(geometry.STEPS))
def test_a_shift_moves_each_square_and_drops_what_leaves(board: int, step: int) -> None:
    rays = geometry.RAYS
    expected = {rays[square][step][0] for square in squares_of(board) if step in rays[square]}
    assert set(squares_of(geometry.shift(board, step))) == expected


@given(few_squares)
def test_subsets_come_once_each_the_empty_first_and_the_whole_last(chosen: int) -> None:
    subsets = list(geometry.subsets_of(chosen))
    assert len(subsets) == len(set(subsets)) == 2 ** chosen.bit_count()
    assert all(subset & chosen == subset for subset in subsets)
    assert (subsets[0], subsets[-1]) == (0, chosen)


@pytest.mark.parametrize(
    ("names", "text"),
    [
        ("", ""),
        ("J2 H10", "H10 and J2"),
        ("D6 C5 C4", "C4, C5 and D6"),
    ],
)
def test_squares_are_listed_by_file_then_rank(names: str, text: str) -> None:
    assert geometry.listed(mask(names)) == text

"""Where the cursor goes, by direction and by stop."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thud.rules.geometry import RAYS, SQUARES, file_of, parse_square, rank_of
from thud.tui.board.cursor import DIRECTIONS, cycled, jumped, stepped

some = st.lists(st.sampled_from(SQUARES), unique=True).map(sorted)
squares = st.sampled_from(SQUARES)
directions = st.sampled_from(list(DIRECTIONS))
orthogonal = st.sampled_from(["north", "west", "east", "south"])
OPPOSITE = {"north": "south", "south": "north", "west": "east", "east": "west"}


@given(squares, directions)
def test_a_step_leads_one_square_along_a_ray(square: int, direction: str) -> None:
    ray = RAYS[square].get(DIRECTIONS[direction][0], ())
    assert stepped(square, direction) == (ray[0] if ray else square)


@given(squares, orthogonal, some)
def test_a_jump_leads_to_a_stop_that_way_or_nowhere(
    square: int, direction: str, stops: list[int]
) -> None:
    def ways(stop: int) -> tuple[int, int]:
        across, down = file_of(stop) - file_of(square), rank_of(stop) - rank_of(square)
        aside, ahead = (down, across) if direction in ("east", "west") else (across, down)
        return (-ahead if direction in ("north", "west") else ahead), abs(aside)

    there = jumped(square, direction, stops, flipped=False)
    that_way = [stop for stop in stops if ways(stop)[0] > 0]
    assert there in (that_way or [square])
    before_it = [stop for stop in that_way if ways(stop)[1] <= ways(stop)[0]]
    assert not before_it or there in before_it
    straight = [stop for stop in RAYS[square].get(DIRECTIONS[direction][0], ()) if stop in stops]
    if straight:
        assert ways(there)[0] <= ways(straight[0])[0]


@given(squares, orthogonal, some)
def test_on_a_board_turned_round_a_jump_goes_the_other_way(
    square: int, direction: str, stops: list[int]
) -> None:
    turned = jumped(square, direction, stops, flipped=True)
    assert turned == jumped(square, OPPOSITE[direction], stops, flipped=False)


@pytest.mark.parametrize(
    ("direction", "square"),
    [("north", "H5"), ("east", "L8"), ("south", "J11"), ("west", "G14")],
)
def test_a_jump_prefers_what_is_near_and_straight_ahead(direction: str, square: str) -> None:
    stops = [parse_square(name) for name in ("H5", "K5", "L8", "P9", "J11", "G14")]
    there = jumped(parse_square("H8"), direction, stops, flipped=False)
    assert there == parse_square(square)


@given(squares, some)
def test_going_through_the_stops_meets_each_once(square: int, stops: list[int]) -> None:
    seen = []
    for _ in stops:
        square = cycled(square, stops, 1)
        seen.append(square)
    assert sorted(seen) == stops
    for expected in reversed(seen[:-1]):
        square = cycled(square, stops, -1)
        assert square == expected


@given(squares)
def test_without_stops_the_cursor_stays(square: int) -> None:
    assert cycled(square, [], 1) == square
    assert jumped(square, "north", [], flipped=False) == square

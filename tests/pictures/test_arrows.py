"""Arrows point from square to square, on a flipped board too."""

from __future__ import annotations

from math import dist

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thud.pictures import palette
from thud.pictures.layout import CELL, Arrow, arrow_drawing, corner
from thud.pictures.shapes import Point, polygons
from thud.pictures.svg import board_svg
from thud.rules.geometry import SQUARES, Square
from thud.rules.position import Move
from thud.rules.variants import VARIANTS

two_squares = st.lists(st.sampled_from(SQUARES), min_size=2, max_size=2, unique=True)


def middle(square: Square, flipped: bool) -> Point:
    x, y = corner(square, flipped)
    return x + CELL / 2, y + CELL / 2


@given(two_squares, st.booleans(), st.sampled_from([palette.ADVICE, palette.NOTED]))
def test_its_tip_is_on_its_destination_and_its_end_on_its_origin(
    squares: list[Square], flipped: bool, colours: tuple[str, str]
) -> None:
    origin, destination = squares
    (shape,) = arrow_drawing(Arrow(origin, destination, colours), flipped)
    (((*points, _), closed),) = [(part, closed) for part, closed in polygons(shape.path)]
    first, last = middle(origin, flipped), middle(destination, flipped)
    assert closed
    assert min(dist(point, last) for point in points) == pytest.approx(6, abs=0.1)
    assert min(dist(point, first) for point in points) < CELL / 2
    straight = dist(first, last)
    assert all(dist(point, first) + dist(point, last) < straight + CELL / 2 for point in points)


def test_advice_looks_otherwise_than_what_was_done() -> None:
    move = Move(SQUARES[0], SQUARES[9])
    done, advised = Arrow.of(move), Arrow.of(move, advises=True)
    assert arrow_drawing(done)[0].path == arrow_drawing(advised)[0].path
    assert arrow_drawing(done)[0].fill != arrow_drawing(advised)[0].fill


def test_arrows_are_drawn_over_the_pieces() -> None:
    start, arrow = VARIANTS["classic"].start, Arrow(SQUARES[0], SQUARES[9])
    svg = board_svg(start, arrows=[arrow])
    assert svg.index(arrow_drawing(arrow)[0].path) > svg.rindex("#thud-troll")
    assert board_svg(start) not in svg

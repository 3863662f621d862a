"""Captions fit, paths are valid SVG, and drawings stay within their squares."""

from __future__ import annotations

from math import dist

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thud.pictures.captions import caption_lines, text_width
from thud.pictures.drawings import DRAWINGS, Layer
from thud.pictures.shapes import ellipse, polygons


@given(st.text(max_size=400))
def test_every_caption_fits(caption: str) -> None:
    lines = caption_lines(caption)
    assert len(lines) <= 2
    assert all(text_width(line) <= 60 for line in lines)
    assert all(line == line.strip() != "" for line in lines)


@given(st.lists(st.sampled_from(["dwarf", "Troll", "32", "—", "Łukasz"]), max_size=14))
def test_a_caption_that_fits_loses_nothing(words: list[str]) -> None:
    assert " ".join(caption_lines("  ".join(words))) == " ".join(words)


@pytest.mark.parametrize("caption", ["word " * 100_000, "W" * 100_000, "\u0301" * 100_000])
def test_a_caption_that_is_too_long_is_cut(caption: str) -> None:
    assert caption_lines(caption)[-1].endswith("…") or text_width(caption[:200]) <= 60


def test_two_lines_are_about_equally_long() -> None:
    one, other = caption_lines("a troll tramples " * 6)
    assert abs(len(one) - len(other)) < 12


def test_an_ellipse_is_round() -> None:
    ((points, closed),) = polygons(ellipse(50, 40, 10, 10))
    assert closed
    assert all(dist(point, (50, 40)) == pytest.approx(10, abs=0.05) for point in points)


def test_points_after_the_first_are_lines() -> None:
    assert polygons("M1 2 3 4L5 6 7 8ZM-1.5 0 2 0") == [
        ([(1, 2), (3, 4), (5, 6), (7, 8)], True),
        ([(-1.5, 0), (2, 0)], False),
    ]


def test_a_curve_ends_where_it_should() -> None:
    ((points, _),) = polygons("M0 0Q5 10 10 0")
    assert points[0] == (0, 0)
    assert points[-1] == (10, 0)
    assert max(y for _, y in points) == pytest.approx(5)


@pytest.mark.parametrize("layer", Layer)
def test_a_drawing_stays_on_its_square(layer: Layer) -> None:
    for shape in DRAWINGS[layer]:
        for points, _ in polygons(shape.path):
            for x, y in points:
                assert shape.width / 2 <= x <= 100 - shape.width / 2
                assert shape.width / 2 <= y <= 100 - shape.width / 2

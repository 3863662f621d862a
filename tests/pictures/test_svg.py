"""SVG pictures show the pieces on their squares, with any caption."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable
from random import Random
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.strategies import every_variant, played
from thud.pictures.captions import caption_lines
from thud.pictures.layout import corner
from thud.pictures.svg import board_svg
from thud.rules.geometry import SQUARES, Square, bit, file_of, mask_of, parse_square, squares_of
from thud.rules.position import Move, Position
from thud.rules.valley import FAR_SIDE
from thud.rules.variant import Variant
from thud.rules.variants import VARIANTS

NAMESPACE = "{http://www.w3.org/2000/svg}"
START = VARIANTS["classic"].start
HOSTILE = "</text></svg><script>alert('&amp;\"')</script>]]>\x00\x1b[31m\ud800\ufffe\u202e"

Corners = set[tuple[int, int]]


def drawn(svg: str) -> dict[str, Corners]:
    """Return the corners of all drawings on squares, by kind."""
    groups = ElementTree.fromstring(svg).findall(f"{NAMESPACE}g")
    return {
        group.get("class", ""): {
            (int(use.get("x", "")), int(use.get("y", ""))) for use in group.iter(f"{NAMESPACE}use")
        }
        for group in groups
    }


def texts(svg: str, name: str) -> list[str]:
    root = ElementTree.fromstring(svg)
    (group,) = (g for g in root.findall(f"{NAMESPACE}g") if g.get("class") == name)
    return [text.text or "" for text in group]


def corners(squares: Iterable[Square], flipped: bool = False) -> Corners:
    return {corner(square, flipped) for square in squares}


@every_variant
@pytest.mark.parametrize("flipped", [False, True])
def test_pieces_stand_where_the_position_has_them(variant: Variant, flipped: bool) -> None:
    for seed in range(3):
        for position in list(played(variant, Random(seed), 40))[::8]:
            found = drawn(board_svg(position, flipped=flipped))
            assert found.get("dwarf", set()) == corners(squares_of(position.dwarfs), flipped)
            assert found.get("troll", set()) == corners(squares_of(position.trolls), flipped)
            assert found["stone"] == corners([position.stone], flipped)
            assert found["light"] | found["dark"] == corners(SQUARES, flipped)
            assert not found["light"] & found["dark"]


def test_the_last_move_is_marked() -> None:
    trolls, stone = mask_of(*map(parse_square, ("G8", "G9"))), parse_square("H8")
    origin, captured = parse_square("F5"), mask_of(*map(parse_square, ("G8", "H9")))
    before = Position(bit(origin), trolls, stone)
    move = Move(origin, parse_square("G8"), captured)
    found = drawn(board_svg(before.after(move), last=move))
    assert found["origin"] == corners([origin])
    assert found["destination"] == corners([parse_square("G8")])
    assert found["cross"] == corners([parse_square("H9")])
    assert found["small-cross"] == corners([parse_square("G8")])
    assert not {"origin", "destination", "cross", "small-cross"} & set(drawn(board_svg(before)))


def test_goals_are_tinted() -> None:
    found = drawn(board_svg(START, goals=FAR_SIDE))
    assert found["goal"] == corners(squares_of(FAR_SIDE))
    assert "goal" not in drawn(board_svg(START))


def test_labels_turn_with_the_board() -> None:
    letters, numbers = [*"ABCDEFGHJKLMNOP"], [str(number) for number in range(1, 16)]
    upright = texts(board_svg(START), "labels")
    turned = texts(board_svg(START, flipped=True), "labels")
    assert upright[::4] == letters
    assert upright[1::4] == numbers
    assert turned[::4] == letters[::-1]
    assert turned[1::4] == numbers[::-1]


def test_a_turned_board_is_the_board_turned_by_half() -> None:
    for square in SQUARES:
        (x, y), (turned_x, turned_y) = corner(square), corner(square, flipped=True)
        (far_x, far_y), (near_x, near_y) = corner(SQUARES[-1]), corner(SQUARES[0])
        assert (x + turned_x, y + turned_y) == (far_x + near_x, far_y + near_y)
    assert file_of(SQUARES[0]) == 6


def test_a_hostile_caption_is_only_text() -> None:
    svg = board_svg(START, caption=HOSTILE)
    assert "<script" not in svg
    expected = ["</text></svg><script>alert('&amp;\"')</script>]]> [31m"]
    assert texts(svg, "caption") == expected
    assert ElementTree.fromstring(svg).findtext(f"{NAMESPACE}title") == expected[0]


@given(st.text(st.characters(codec=None), max_size=300))
def test_any_caption_makes_a_document(caption: str) -> None:
    svg = board_svg(Position(0, 0, parse_square("H8")), caption=caption)
    svg.encode("utf-8")
    assert texts(svg, "caption") == caption_lines(caption)


def test_a_caption_makes_the_picture_higher() -> None:
    heights = [
        int(ElementTree.fromstring(board_svg(START, caption=caption)).get("height", ""))
        for caption in ("", "one line", "two lines " * 8)
    ]
    assert heights[0] < heights[1] < heights[2]


def test_drawing_svg_loads_no_pillow() -> None:
    code = (
        "import sys, thud.pictures.svg, thud.pictures.pixels\n"
        "sys.exit(any(name.split('.')[0] == 'PIL' for name in sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0

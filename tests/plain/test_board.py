"""Positions in words name every piece on the board once, and nothing else."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from rules.drawing import drawn
from rules.strategies import every_variant, positions
from rules.test_typed import SHOVES
from thud.cli.diagram import board_lines
from thud.plain.board import (
    board_in_words,
    captures_in_words,
    dangers_in_words,
    drawing,
    piece_in_words,
    side_in_general,
    side_in_words,
    surroundings,
)
from thud.rules.geometry import RAYS, SQUARES, mask_of, parse_square, square_name, squares_of
from thud.rules.position import Position, Side
from thud.rules.threats import unanswered
from thud.rules.variant import Variant
from thud.rules.variants import VARIANTS

NAME = re.compile(r"\b[A-P]\d{1,2}\b")


def named(position: Position, letter: str) -> set[str]:
    return {square_name(s) for s in SQUARES if position.letter_at(s) == letter}


@every_variant
@given(data=st.data())
def test_every_piece_is_named_once_on_the_board_and_among_its_side(
    variant: Variant, data: st.DataObject
) -> None:
    position = data.draw(positions(variant))
    lines = board_in_words(variant, position)
    said: dict[str, list[str]] = {"d": [], "T": [], "R": []}
    for group in ", ".join(line.partition(": ")[2].rstrip(".") for line in lines).split(", "):
        kind = "d" if "dwar" in group else "T" if "troll" in group else "R"
        said[kind] += NAME.findall(group)
        assert variant.stone in group or kind != "R"
    for letter, names in said.items():
        assert len(names) == len(set(names))
        assert set(names) == named(position, letter)
    for side in Side:
        assert set(NAME.findall(side_in_words(position, side))) == named(position, side.value)
    assert board_in_words(variant, position, flipped=True) == lines[::-1]


@every_variant
@given(data=st.data())
def test_the_drawing_is_the_one_of_thud_show(variant: Variant, data: st.DataObject) -> None:
    position = data.draw(positions(variant))
    assert drawing(position) == [line.plain for line in board_lines(position)]


@every_variant
@given(data=st.data())
def test_the_first_piece_in_each_direction_is_named(variant: Variant, data: st.DataObject) -> None:
    position = data.draw(positions(variant))
    square = data.draw(st.sampled_from(SQUARES))
    here, *directions = surroundings(variant, position, square)
    assert here.startswith(square_name(square))
    assert len(directions) == 8
    seen = {name for line in directions for name in NAME.findall(line)}
    rays = RAYS[square].values()
    first = (next((s for s in ray if position.letter_at(s)), None) for ray in rays)
    assert seen == {square_name(s) for s in first if s is not None}
    for name, away in re.findall(r" on (\w+), (adjacent|\d+)", "\n".join(directions)):
        there, far = parse_square(name), 1 if away == "adjacent" else int(away)
        assert any(ray[far - 1 : far] == (there,) for ray in map(tuple, rays))


def test_a_flipped_drawing_is_turned_round() -> None:
    start = VARIANTS["koom"].start
    turned = drawing(start, flipped=True)
    assert turned[0].split() == list("PONMLKJHGFEDCBA")
    assert turned[1].split() == ["15", *"ddddd", "15"]
    assert turned[-2].split()[0] == "1"


@every_variant
@given(data=st.data())
def test_what_a_piece_may_do_names_every_destination(variant: Variant, data: st.DataObject) -> None:
    position = data.draw(positions(variant))
    square = data.draw(st.sampled_from(SQUARES))
    side = Side.TROLLS if position.trolls >> square & 1 else Side.DWARFS
    moves = variant.legal_moves(position._replace(to_move=side), 1 << square)
    first, *rest = piece_in_words(variant, position, square)
    assert square_name(square) in first
    assert {name for line in rest for name in NAME.findall(line)} == {
        square_name(move.destination) for move in moves
    }


def test_what_a_piece_may_do() -> None:
    def said(square: str) -> list[str]:
        return piece_in_words(VARIANTS["classic"], drawn(SHOVES, "T"), parse_square(square))

    assert said("F8") == ["F8 is empty."]
    assert said("H8") == ["The Thudstone on H8 cannot move."]
    first, *_, last = said("F7")
    assert first == "The dwarf on F7 has 35 moves, if it were the dwarfs' turn."
    assert last == "It can be hurled onto G8."


@every_variant
@given(data=st.data())
def test_every_piece_in_danger_is_named(variant: Variant, data: st.DataObject) -> None:
    position = data.draw(positions(variant))
    lines = dangers_in_words(variant, position)
    in_danger = {NAME.findall(line)[0] for line in lines if "captured from" in line}
    captured = 0
    for side in Side:
        for move in variant.legal_moves(position._replace(to_move=side)):
            captured |= move.captures
    if not variant.outcome(position):
        assert in_danger == {square_name(square) for square in squares_of(captured)}
    assert lines != []


def test_dangers_are_told_with_where_they_come_from() -> None:
    lines = dangers_in_words(VARIANTS["classic"], drawn(SHOVES, "T"))
    assert "The dwarf on H6 could be captured from G8." in lines
    assert "The troll on G8 could be captured from F7." in lines
    free = squares_of(mask_of(*unanswered(VARIANTS["classic"], drawn(SHOVES, "T"))))
    assert free
    assert all(square_name(square) in lines[-1] for square in free)
    assert lines[-1].endswith(" could not be answered.")


def test_captures_are_counted_and_named() -> None:
    classic, position = VARIANTS["classic"], drawn(SHOVES, "T")
    ways = side_in_general(classic, position)[-1]
    lines = captures_in_words(classic, position)
    assert "G8 to G7 captures F6, F7 and H6." in lines
    assert (ways, len(lines)) == ("Eight ways to capture: type captures.", 8)
    assert captures_in_words(classic, classic.start) == ["The dwarfs can capture nothing."]
    beaten = classic.start._replace(dwarfs=0)
    assert side_in_general(classic, beaten) == ["There is no legal move."]

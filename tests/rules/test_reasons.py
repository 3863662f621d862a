"""Properties of the reasons why moves are illegal."""

from __future__ import annotations

import re

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from rules.drawing import drawn
from rules.strategies import any_move, every_variant, masks, positions
from thud.rules.geometry import RAYS, bit, parse_square, squares_of
from thud.rules.notation import move_text
from thud.rules.position import Move, Position, Side
from thud.rules.variant import IllegalMove, Variant
from thud.words.moves import pieces_left

LONGEST_MESSAGE = 1000
STANDING = re.compile(r"\b(?:a|the) (\w+) stands on (\w+)")
NAME = re.compile(r"[A-HJ-P]1?\d")


@st.composite
def illegal(draw: st.DrawFn, variant: Variant, position: Position) -> Move:
    """Choose an illegal move: any, one in line, or a legal one with captures changed."""
    kind = draw(st.sampled_from(["any", "in line", "captures"]))
    moves = variant.legal_moves(position)
    if kind == "in line":
        origin = draw(st.sampled_from(sorted(squares_of(position.occupied))))
        ray = draw(st.sampled_from(sorted(RAYS[origin].values())))
        end = draw(st.sampled_from(ray))
        move = Move(origin, end, draw(st.sampled_from([0, bit(end)])))
    elif kind == "captures" and moves:
        move = draw(st.sampled_from(moves))
        move = move._replace(captures=move.captures ^ draw(masks) & position.occupied)
    else:
        move = draw(any_move)
    assume(move not in moves)
    return move


@every_variant
@given(data=st.data())
def test_every_illegal_move_is_refused_with_a_reason_that_is_true(
    variant: Variant, data: st.DataObject
) -> None:
    position = data.draw(positions(variant))
    move = data.draw(illegal(variant, position))
    with pytest.raises(IllegalMove) as caught:
        variant.check(position, move)
    message = str(caught.value)
    assert message.isprintable()
    assert 0 < len(message) < LONGEST_MESSAGE
    assert "nothing on" not in message
    if variant.outcome(position):
        assert message.startswith("the battle is over: ")
        return
    letters = {"dwarf": "d", "troll": "T", variant.stone: "R"}
    for piece, square in STANDING.findall(message):
        assert position.letter_at(parse_square(square)) == letters[piece]
    if empty := re.fullmatch(r"(\w+) is empty", message):
        assert position.letter_at(parse_square(empty[1])) is None
    written = set(NAME.findall(move_text(position, move)))
    assert {name for _, name in STANDING.findall(message)} | written >= set(NAME.findall(message))


H8 = parse_square("H8")


@every_variant
def test_a_move_off_the_board_is_illegal(variant: Variant) -> None:
    for outside in (-1, 0, 15, 240, 1000):
        captures = 1 << max(0, outside)
        for move in Move(outside, H8), Move(H8, outside), Move(H8, H8 + 1, captures):
            with pytest.raises(IllegalMove, match=r"^a move begins and ends on a square"):
                variant.check(variant.start, move)


def test_pieces_left_are_counted_in_figures() -> None:
    position = drawn("   F G H J\n5  d . T T", "d")
    assert [pieces_left(position, side) for side in Side] == ["1 dwarf", "2 trolls"]

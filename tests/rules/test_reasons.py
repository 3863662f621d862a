"""Properties of the reasons why moves are illegal."""

from __future__ import annotations

import re

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from rules.drawing import drawn
from rules.strategies import any_move, every_variant, legal, masks, open_positions, positions
from thud.rules.geometry import RAYS, bit, parse_square, squares_of
from thud.rules.notation import move_text
from thud.rules.position import Move, Position, Side
from thud.rules.variant import IllegalMove, Variant
from thud.wording.moves import pieces_left

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
def test_every_illegal_move_is_refused_with_a_printable_reason(
    variant: Variant, data: st.DataObject
) -> None:
    position = data.draw(positions(variant))
    move = data.draw(illegal(variant, position))
    with pytest.raises(IllegalMove) as caught:
        variant.check(position, move)
    message = str(caught.value)
    assert message.isprintable()
    assert 0 < len(message) < LONGEST_MESSAGE
    assert message == variant.why_not(position, move)
    assert "nothing on" not in message


@every_variant
@given(data=st.data())
def test_a_reason_tells_the_truth_about_the_board(variant: Variant, data: st.DataObject) -> None:
    position = data.draw(open_positions(variant))
    move = data.draw(illegal(variant, position))
    message = variant.why_not(position, move)
    letters = {"dwarf": "d", "troll": "T", variant.stone: "R"}
    for piece, square in STANDING.findall(message):
        assert position.letter_at(parse_square(square)) == letters[piece]
    if empty := re.fullmatch(r"(\w+) is empty", message):
        assert position.letter_at(parse_square(empty[1])) is None
    written = set(NAME.findall(move_text(position, move)))
    assert {name for _, name in STANDING.findall(message)} | written >= set(NAME.findall(message))


@every_variant
@given(data=st.data())
def test_a_finished_battle_refuses_every_move(variant: Variant, data: st.DataObject) -> None:
    position = data.draw(open_positions(variant))
    move = data.draw(legal(variant, position))
    variant.check(position, move)
    ended = position._replace(dwarfs=0, trolls=0)
    with pytest.raises(IllegalMove, match=r"^the battle is over: "):
        variant.check(ended, move)


H8 = parse_square("H8")
OUTSIDE = (-1, 0, 15, 240, 1000)


@every_variant
def test_a_move_from_or_to_no_square_is_illegal(variant: Variant) -> None:
    for outside in OUTSIDE:
        for move in Move(outside, H8), Move(H8, outside):
            with pytest.raises(IllegalMove, match=r"^a move begins and ends on a square"):
                variant.check(variant.start, move)


@every_variant
def test_a_capture_off_the_board_is_illegal(variant: Variant) -> None:
    for side in Side:
        position = variant.start._replace(to_move=side)
        for move in variant.legal_moves(position)[::20]:
            for outside in (0, 15, 240):
                with pytest.raises(IllegalMove):
                    variant.check(position, move._replace(captures=1 << outside))


@pytest.mark.parametrize(
    ("rank", "dwarfs", "trolls"),
    [
        (". . . .", "0 dwarfs", "0 trolls"),
        ("d . . T", "1 dwarf", "1 troll"),
        ("d d T T", "2 dwarfs", "2 trolls"),
    ],
)
def test_pieces_left_are_counted_in_figures(rank: str, dwarfs: str, trolls: str) -> None:
    position = drawn(f"   F G H J\n5  {rank}", "d")
    assert [pieces_left(position, side) for side in Side] == [dwarfs, trolls]

"""Properties of the move text."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.drawing import drawn
from rules.strategies import every_variant, open_positions
from thud.rules.geometry import InvalidSquare
from thud.rules.notation import InvalidMoveText, move_text, parse_move
from thud.rules.position import Move, Position
from thud.rules.variant import IllegalMove, Variant
from thud.rules.variants import VARIANTS

REFUSALS = InvalidMoveText, InvalidSquare, IllegalMove
LONGEST_MESSAGE = 500

spellings: st.SearchStrategy[Callable[[str], str]] = st.sampled_from(
    [str, str.lower, str.upper, str.swapcase]
)


@st.composite
def capturing(draw: st.DrawFn, variant: Variant) -> tuple[Position, Move]:
    """Choose a legal move, one with captures if there is any."""
    position = draw(open_positions(variant))
    moves = variant.legal_moves(position)
    return position, draw(st.sampled_from([move for move in moves if move.captures] or moves))


@every_variant
@given(data=st.data())
def test_case_piece_letter_order_and_spacing_do_not_matter(
    variant: Variant, data: st.DataObject
) -> None:
    position, move = data.draw(capturing(variant))
    path, *captures = move_text(position, move).split("x")
    letter, (origin, destination) = path[0], path[1:].split("-")
    shuffled = data.draw(st.permutations(captures))
    piece = data.draw(st.sampled_from([letter, "", f"{letter} "]))
    hyphen = data.draw(st.sampled_from(["-", " - ", " ", ""]))
    cross = data.draw(st.sampled_from(["x", " x", " x ", "X"]))
    text = f"{piece}{origin}{hyphen}{destination}" + "".join(cross + name for name in shuffled)
    spelling = data.draw(spellings)
    assert parse_move(variant, position, f"  {spelling(text)}\n") == move


CORNER = """
    F G H J
1   d . . .
2   . T d .
3   . . . .
"""

UNREADABLE = [
    ("", InvalidMoveText, "'' is not a move: write it like dF1-F5 or TF7-D5xC4xC5"),
    ("castle", InvalidMoveText, "'castle' is not a move: write it like dF1-F5 or TF7-D5xC4xC5"),
    ("kF1-F5", InvalidMoveText, "'kF1-F5' is not a move: write it like dF1-F5 or TF7-D5xC4xC5"),
    ("dF1-I5", InvalidMoveText, "'dF1-I5' is not a move: write it like dF1-F5 or TF7-D5xC4xC5"),
    ("dF1-F5x", InvalidMoveText, "'dF1-F5x' is not a move: write it like dF1-F5 or TF7-D5xC4xC5"),
    ("dF1~F5", InvalidMoveText, "'dF1~F5' is not a move: write it like dF1-F5 or TF7-D5xC4xC5"),
    ("d" * 120, InvalidMoveText, f"'{'d' * 39}…' is not a move: "),
    ("d" * 121, InvalidMoveText, "a move text has at most 120 characters"),
    ("dF1-G2xG2xG2", InvalidMoveText, "G2 is captured twice"),
    ("dF1-a1", InvalidSquare, "A1 is off the board"),
    ("dF1-G2xP1", InvalidSquare, "P1 is off the board"),
    ("TF1-F2", IllegalMove, "F1 has a dwarf, not a troll"),
    ("dG2-G3", IllegalMove, "G2 has a troll, not a dwarf"),
    ("RF1-F2", IllegalMove, "F1 has a dwarf, not the Thudstone"),
    ("dH8-H9", IllegalMove, "H8 has the Thudstone, not a dwarf"),
]


@pytest.mark.parametrize(("text", "error", "message"), UNREADABLE)
def test_what_is_wrong_with_a_text(text: str, error: type[ValueError], message: str) -> None:
    with pytest.raises(error) as caught:
        parse_move(VARIANTS["classic"], drawn(CORNER, "d"), text)
    assert type(caught.value) is error
    assert str(caught.value).startswith(message)
    assert message.endswith(": ") or str(caught.value) == message


FOUR_AROUND = """
     F G H J
 8   . d R .
 9   . . T .
10   d d d .
"""


def test_captures_are_written_by_file_then_rank() -> None:
    classic, position = VARIANTS["classic"], drawn(FOUR_AROUND, "T")
    move = parse_move(classic, position, "h9-g9xg10xg8xh10xf10")
    assert move_text(position, move) == "TH9-G9xF10xG8xG10xH10"

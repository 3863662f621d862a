"""Properties of typed moves, and error messages for invalid ones."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from records.matches import play
from rules.drawing import drawn
from rules.strategies import every_variant, legal, open_positions
from rules.test_notation import LONGEST_MESSAGE, REFUSALS, capturing, spellings
from thud.rules.battle import Battle
from thud.rules.geometry import parse_square, square_name
from thud.rules.notation import move_text, parse_move
from thud.rules.position import Move, Position, Side
from thud.rules.typed import (
    completions,
    most_captures,
    moves_in,
    read_captures,
    read_sequence,
    read_typed,
)
from thud.rules.variant import IllegalMove, Variant
from thud.rules.variants import VARIANTS
from thud.words.moves import move_list


def texts(position: Position, moves: tuple[Move, ...]) -> list[str]:
    return [move_text(position, move) for move in moves]


SPACES = ["\t", "\u00a0", "\u202f", "\u3000", "\u2009", " \u200b"]
"""What other programs and keyboards put for a space."""

BETWEEN = ["", "-", " ", ",", ", ", " - ", " to ", "->", "–", "  ", "\uff0d", *SPACES]


@st.composite
def forms(draw: st.DrawFn, position: Position, move: Move) -> tuple[str, list[str]]:
    """Return a move's path in a random form, and its captured squares, shuffled."""
    path, *captures = move_text(position, move).split("x")
    letter, (origin, destination) = path[0], path[1:].split("-")
    piece = draw(st.sampled_from(["", letter, f"{letter} "]))
    between = draw(st.sampled_from(BETWEEN))
    return f"{piece}{origin}{between}{destination}", draw(st.permutations(captures))


crosses = st.sampled_from(["x", " x", " x ", "X"])
later_crosses = st.sampled_from(["x", " x ", " ", ",", ", "])


@every_variant
@given(data=st.data())
def test_every_legal_move_is_read_in_all_its_forms(variant: Variant, data: st.DataObject) -> None:
    position, move = data.draw(capturing(variant))
    path, captures = data.draw(forms(position, move))
    spelling = data.draw(spellings)
    taken = data.draw(crosses) + data.draw(later_crosses).join(captures) if captures else " none"
    before = data.draw(st.sampled_from(["", " ", "\ufeff", "12. ", "12.", "12... ", "7 ", *SPACES]))
    assert read_typed(variant, position, f"{before}{spelling(path + taken)}\n") == (move,)


@every_variant
@given(data=st.data())
def test_moves_are_read_as_the_program_lists_them(variant: Variant, data: st.DataObject) -> None:
    battle = Battle(variant)
    play(battle, Random(data.draw(st.integers(0, 10_000))), data.draw(st.integers(1, 12)))
    for line in move_list(battle):
        assert len(moves_in(line)) in (1, 2)
    told = [text for line in move_list(battle) for text in moves_in(f"\ufeff{line}\r\n")]
    assert read_sequence(variant, variant.start, told) == list(battle.moves)
    assert moves_in(" ".join(move_list(battle))) == told
    assert moves_in("".join(f"{text}\u3000" for text in told)) == told


def test_of_several_moves_all_are_legal_or_none_is_read() -> None:
    classic = VARIANTS["classic"]
    for wrong, reason in {
        "TG7-A9": "troll on G7 cannot reach A9",
        "g7f6": "say what it captures",
        "fuzzy": "is not a move",
    }.items():
        with pytest.raises(IllegalMove, match=f"no move was played: in '{wrong}', .*({reason})"):
            read_sequence(classic, classic.start, ["dF1-F5", wrong])
    many = ["dP10-O9", "TG7-G6", "dO9-P10", "TG6-G7"] * 26
    with pytest.raises(IllegalMove, match="at most 100 moves"):
        read_sequence(classic, classic.start, many)
    with pytest.raises(IllegalMove, match="another player's turn"):
        read_sequence(classic, classic.start, many[:2], lambda side: side is Side.DWARFS)
    assert moves_in("f1 f5") == ["f1 f5"]
    assert moves_in(" \ufeff") == []


@every_variant
@given(data=st.data())
def test_a_path_alone_fits_all_its_moves(variant: Variant, data: st.DataObject) -> None:
    position, move = data.draw(capturing(variant))
    path, captures = data.draw(forms(position, move))
    origin, destination = 1 << move.origin, 1 << move.destination
    moves = tuple(variant.legal_moves(position, origin, destination))
    assert read_typed(variant, position, path) == moves
    takes_all = read_typed(variant, position, f"{path} all")
    assert takes_all == read_typed(variant, position, path, take_all=True) == most_captures(moves)
    for other in moves:
        assert any(other.captures & ~most.captures == 0 for most in takes_all)
    answer = data.draw(later_crosses).join(captures) or "none"
    assert read_captures(moves, data.draw(spellings)(answer)) == (move,)
    assert read_captures(moves, "all") == takes_all


@every_variant
@given(data=st.data())
def test_a_destination_alone_is_enough_where_one_piece_can_go_there(
    variant: Variant, data: st.DataObject
) -> None:
    position = data.draw(open_positions(variant))
    move = data.draw(legal(variant, position))
    own = position.pieces(position.to_move)
    moves = tuple(variant.legal_moves(position, destinations=1 << move.destination))
    alone = len({other.origin for other in moves}) == 1
    try:
        found = read_typed(variant, position, square_name(move.destination).lower())
    except REFUSALS as refusal:
        message = str(refusal)
    else:
        assert alone
        assert found == moves
        return
    assert not alone or own >> move.destination & 1
    assert "say" in message


@every_variant
@given(data=st.data())
def test_garbage_is_refused_in_one_line(variant: Variant, data: st.DataObject) -> None:
    position, move = data.draw(capturing(variant))
    text = move_text(position, move)
    place = data.draw(st.integers(0, len(text)))
    alphabet = st.text("ABCDEFGHJKLMNOPITdRxall none- 0123456789", max_size=6)
    inserted = data.draw(st.one_of(alphabet, st.text()))
    changed = text[:place] + inserted + text[place + data.draw(st.integers(0, 3)) :]
    garbage = data.draw(st.one_of(st.text(), st.just(changed), st.text(min_size=121)))
    moves = tuple(variant.legal_moves(position))
    readings: list[Callable[[], tuple[Move, ...]]] = [
        lambda: read_typed(variant, position, garbage),
        lambda: read_captures(moves, garbage),
        lambda: (parse_move(variant, position, garbage),),
    ]
    for read in readings:
        try:
            found = read()
        except REFUSALS as error:
            message = str(error)
        else:
            assert found
            assert set(found) <= set(moves)
            continue
        assert message.isprintable()
        assert 0 < len(message) <= LONGEST_MESSAGE


SHOVES = """
     F G H J
 6   d . d .
 7   d . . .
 8   . T R .
 9   . T . .
10   . . . d
"""


def test_the_stone_is_named_by_its_letter() -> None:
    koom = VARIANTS["koom"]
    (beside,) = read_typed(koom, koom.start, "a10 g10")
    position = koom.start.after(beside)._replace(to_move=Side.DWARFS)
    assert texts(position, read_typed(koom, position, "r g9")) == ["RH8-G9"]
    assert texts(position, read_typed(koom, position, "h8g9")) == ["RH8-G9"]


DOCUMENT = Path(__file__).parents[2] / "docs" / "notation.md"
STEP = """
     F G
 5   d d
 6   T .
"""
HURL = """
     F G H J K L
 3   . . . . . d
 4   . . . . d .
 5   . . . d . .
 8   T . R . . .
"""
START = VARIANTS["classic"].start
BOTH, ALL_OF_THEM = ["TF6-G6xF5xG5"], ["TF6-G6", "TF6-G6xF5", "TF6-G6xG5", "TF6-G6xF5xG5"]
MEANT = {
    "`f1f5`": (START, [["dF1-F5"]] * 5),
    "`f6g6xf5xg5`": (drawn(STEP, "T"), [BOTH] * 3),
    "`f6 g6 all`": (drawn(STEP, "T"), [BOTH, ["TF6-G6"]]),
    "`f6 g6`": (drawn(STEP, "T"), [ALL_OF_THEM]),
    "`j5 f8`": (drawn(HURL, "d"), [["dJ5-F8xF8"]] * 2),
    "`g6`": (drawn(STEP, "T"), [ALL_OF_THEM, ["TF6-G6xF5"]]),
}
"""The rows of the document's table by their first form: where, and what each form means."""


def test_the_document_tells_what_is_understood() -> None:
    section = DOCUMENT.read_text(encoding="utf-8").split("## Typed moves")[1].split("\n## ")[0]
    rows = re.findall(r"^\| (`.*?) \| .*? \|$", section, re.MULTILINE)
    forms_of = {row.split(", `")[0]: re.findall("`([^`]+)`", row) for row in rows}
    assert set(forms_of) == {*MEANT, "`r g9`"}
    for first, (position, meant) in MEANT.items():
        read = (read_typed(VARIANTS["classic"], position, text) for text in forms_of[first])
        assert [texts(position, moves) for moves in read] == meant


AT_THE_START = [
    ("castle", "'castle' is not a move: write it like F1-F5 or f1f5"),
    ("", "'' is not a move: write it like F1-F5 or f1f5"),
    ("f1", "say where the dwarf on F1 goes"),
    ("g2", "G2 can be reached from E2, F1, G1, L2 and P10: say which"),
    ("h8", "no dwarf can go to H8: the Thudstone stands there"),
    ("g7", "no dwarf can go to G7: a troll stands there"),
    ("h9 xg7", "no dwarf can go to H9 and capture G7"),
    ("tf9", "it is the dwarfs' turn"),
    ("g7 g6", "it is the dwarfs' turn, but G7 has a troll"),
    ("t f1 f5", "F1 has a dwarf, not a troll"),
    ("r h9", "the Thudstone never moves"),
    ("i5 f6", "'I5' is not a square: files are A to P without I, ranks 1 to 15"),
    ("a1", "A1 is off the board"),
    ("f1 f5 x g5 g5", "G5 is captured twice"),
    ("f" * 121, "a move text has at most 120 characters"),
]


@pytest.mark.parametrize(("text", "message"), AT_THE_START)
def test_why_a_text_is_refused(text: str, message: str) -> None:
    classic = VARIANTS["classic"]
    with pytest.raises(ValueError) as caught:  # noqa: PT011 - the message is compared whole
        read_typed(classic, classic.start, text)
    assert isinstance(caught.value, REFUSALS)
    assert str(caught.value) == message


def test_a_place_that_nobody_can_reach() -> None:
    with pytest.raises(IllegalMove, match=r"^no troll can go to F6: a dwarf stands there$"):
        read_typed(VARIANTS["koom"], drawn(SHOVES, "T"), "f6")
    with pytest.raises(IllegalMove, match=r"^no troll can go to N8$"):
        read_typed(VARIANTS["koom"], drawn(SHOVES, "T"), "n8")


ANSWERS = [
    ("perhaps", "'perhaps' is not what to capture: say all, none or squares"),
    ("", "'' is not what to capture: say all, none or squares"),
    ("g5", "no move to G7 captures just G5"),
    ("f6 a1", "A1 is off the board"),
    ("f6 f6", "F6 is captured twice"),
]


@pytest.mark.parametrize(("answer", "message"), ANSWERS)
def test_why_an_answer_is_refused(answer: str, message: str) -> None:
    moves = read_typed(VARIANTS["classic"], drawn(SHOVES, "T"), "g8 g7")
    with pytest.raises(ValueError) as caught:  # noqa: PT011 - the message is compared whole
        read_captures(moves, answer)
    assert isinstance(caught.value, REFUSALS)
    assert str(caught.value) == message


def test_a_battle_that_is_over_has_no_moves_to_type() -> None:
    koom = VARIANTS["koom"]
    won = koom.start._replace(stone=parse_square("H1"))
    for text in "a10 b10", "b10", "r h2":
        with pytest.raises(IllegalMove, match=r"^the battle is over: the Rock stands on the far s"):
            read_typed(koom, won, text)
        assert completions(koom, won, text) == []

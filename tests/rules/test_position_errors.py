"""Errors in position texts: invalid texts, and positions a variant does not allow."""

from __future__ import annotations

import pytest

from thud.rules.position import InvalidPosition, Position
from thud.rules.variants import VARIANTS

CLASSIC = VARIANTS["classic"].start.to_text()
KOOM = VARIANTS["koom"].start.to_text()
EMPTY = "5/7/9/11/13/15/15/7R7/15/15/13/11/9/7/5 d"


def with_rank(number: int, rank: str, text: str = CLASSIC) -> str:
    """Return a position text with one rank replaced."""
    board, side = text.split(" ")
    ranks = board.split("/")
    ranks[number - 1] = rank
    return f"{'/'.join(ranks)} {side}"


UNREADABLE = [
    (with_rank(1, "dd1d"), "rank 1: 4 squares, expected 5"),
    (with_rank(5, ""), "rank 5: 0 squares, expected 13"),
    (with_rank(15, "1"), "rank 15: 1 square, expected 5"),
    (with_rank(6, "d14d"), "rank 6: 16 squares, expected 15"),
    (with_rank(6, "114"), "rank 6: 114 squares, expected 15"),
    (with_rank(2, "d5D"), "rank 2: 'D' is neither d, T, R nor a number of empty squares"),
    (with_rank(3, "d7\n"), r"rank 3: '\n' is neither d, T, R nor a number of empty squares"),
    (with_rank(3, "d٧d"), "rank 3: '٧' is neither d, T, R nor a number of empty squares"),
    (with_rank(3, "d²d"), "rank 3: '²' is neither d, T, R nor a number of empty squares"),
    (
        with_rank(4, "\x1b[31md"),
        r"rank 4: '\x1b' is neither d, T, R nor a number of empty squares",
    ),
    (with_rank(8, "6T1T6"), "no stone (R) on any rank"),
    (with_rank(8, "5RTRT5R"), "3 stones (R), on ranks 8, 8, 8; there is exactly one"),
    (CLASSIC[:-2], "after rank 15: the side to move is missing, d or T"),
    (f"{CLASSIC} d", "after rank 15: the side to move is d or T, not 'd d'"),
    (f"{CLASSIC[:-1]}D", "after rank 15: the side to move is d or T, not 'D'"),
    (
        f"{CLASSIC[:-1]}{'x' * 60}",
        f"after rank 15: the side to move is d or T, not '{'x' * 39}…'",
    ),
    (
        with_rank(1, "dd", CLASSIC[:-2] + " x"),
        "rank 1: 2 squares, expected 5; after rank 15: the side to move is d or T, not 'x'",
    ),
    (CLASSIC.replace("/", "", 1), "found 14 ranks; expected 15, separated by /"),
    ("koom", "found 1 rank; expected 15, separated by /"),
    ("d" * 401, "a position text has at most 400 characters, this one has 401"),
]


@pytest.mark.parametrize(("text", "message"), UNREADABLE, ids=[case[-1] for case in UNREADABLE])
def test_every_fault_of_a_text_is_named_with_its_rank(text: str, message: str) -> None:
    with pytest.raises(InvalidPosition) as caught:
        Position.from_text(text)
    assert str(caught.value) == message


DISALLOWED = [
    (
        "single",
        with_rank(3, "d1d5d", with_rank(4, "d1T7d")),
        "33 dwarfs: Classic, single capture has at most 32; "
        "9 trolls: Classic, single capture has at most 8",
    ),
    (
        "classic",
        with_rank(7, "6R8", with_rank(8, "15", EMPTY)),
        "rank 7: the Thudstone is on G7, not H8",
    ),
    ("football", with_rank(4, "10T", KOOM), "9 trolls: Koom Valley Football has at most 8"),
]


@pytest.mark.parametrize(
    ("name", "text", "message"), DISALLOWED, ids=[case[-1] for case in DISALLOWED]
)
def test_a_variant_names_what_it_does_not_allow(name: str, text: str, message: str) -> None:
    Position.from_text(text)
    with pytest.raises(InvalidPosition) as caught:
        VARIANTS[name].position(text)
    assert str(caught.value) == message

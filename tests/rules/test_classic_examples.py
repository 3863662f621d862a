"""Worked examples of Classic: hurls, steps, shoves and their captures."""

from __future__ import annotations

import pytest

from rules.drawing import drawn, texts
from thud.rules.notation import parse_move
from thud.rules.position import Position
from thud.rules.variant import Kind, Variant
from thud.rules.variants import VARIANTS

CLASSIC, SINGLE = VARIANTS["classic"], VARIANTS["single"]
both = pytest.mark.parametrize("variant", [CLASSIC, SINGLE], ids=["classic", "single"])


def kind(variant: Variant, position: Position, text: str) -> Kind:
    return variant.kind(position, parse_move(variant, position, text))


def captures_in(variant: Variant, position: Position) -> set[str]:
    return {text for text in texts(variant, position) if "x" in text}


def choices(path: str, *names: str) -> set[str]:
    """Return the texts of a move with every choice of captures, including none."""
    written = [path]
    for name in names:
        written += [f"{text}x{name}" for text in written]
    return set(written)


@both
@pytest.mark.parametrize(
    ("rank", "hurls"),
    [
        ("d T . . . . . R", {"dA8-B8xB8"}),
        ("d . T . . . . R", set()),
        ("d d T . . . . R", {"dB8-C8xC8"}),
        ("d d . T . . . R", {"dB8-D8xD8"}),
        ("d d . . T . . R", set()),
        ("d d d . . T . R", {"dC8-F8xF8"}),
        ("d d d . . . T R", set()),
        ("d d d d T . . R", {"dD8-E8xE8"}),
        ("d . d . T . . R", set()),
        ("d d d T T . . R", {"dC8-D8xD8"}),
        ("d d T . d . . R", {"dB8-C8xC8"}),
        ("T d d d T . . R", {"dB8-A8xA8", "dD8-E8xE8"}),
        ("T . d d d . T R", {"dC8-A8xA8", "dE8-G8xG8"}),
    ],
)
def test_a_line_of_n_dwarfs_hurls_its_foremost_up_to_n_squares(
    variant: Variant, rank: str, hurls: set[str]
) -> None:
    position = drawn(f"   A B C D E F G H\n8  {rank}", "d")
    assert captures_in(variant, position) == hurls
    assert all(kind(variant, position, text) is Kind.HURL for text in hurls)


@both
@pytest.mark.parametrize(("gap", "flies"), [(5, True), (6, False)])
def test_six_dwarfs_hurl_six_squares(variant: Variant, gap: int, flies: bool) -> None:
    rank = ["d"] * 6 + ["."] * gap + ["T"]
    files = " ".join("ABCDEFGHJKLMNOP"[: len(rank)])
    position = drawn(f"   {files}\n9  {' '.join(rank)}", "d")
    troll = "M9" if gap == 5 else "N9"
    assert captures_in(variant, position) == ({f"dF9-{troll}x{troll}"} if flies else set())


@both
def test_a_hurled_dwarf_lands_where_the_troll_stood(variant: Variant) -> None:
    position = drawn("   A B C D E F G H\n8  d d d . . T . R", "d")
    after = position.after(parse_move(variant, position, "dC8-F8xF8"))
    assert after == drawn("   A B C D E F G H\n8  d d . . . d . R", "T")


LINES = """
   D E F G H J
3  d . . . . .
4  . d . . . .
5  . . d . . .
6  . . d . . T
7  . . T . T .
"""


@both
def test_only_the_line_behind_a_dwarf_counts_on_any_of_the_eight_ways(variant: Variant) -> None:
    assert captures_in(variant, drawn(LINES, "d")) == {"dF5-H7xH7", "dF6-F7xF7"}


@both
def test_a_dwarf_moves_like_a_queen_and_stops_before_every_piece(variant: Variant) -> None:
    position = drawn(
        """
   F G H J K
1  . . d . .
2  . T . d .
3  . . . . .
4  . . T . .
""",
        "d",
    )
    ends = ["F1", "G1", "J1", "K1", "H2", "H3"]
    assert texts(variant, position, origin="H1") == {"dH1-G2xG2"} | {f"dH1-{to}" for to in ends}


STEP = """
   D E F G
4  d . . .
5  d . T .
6  . . . .
"""


@pytest.mark.parametrize(
    ("variant", "expected"),
    [
        (CLASSIC, {"TF5-E5", "TF5-E5xD4", "TF5-E5xD5", "TF5-E5xD4xD5"}),
        (SINGLE, {"TF5-E5", "TF5-E5xD4", "TF5-E5xD5"}),
    ],
    ids=["classic", "single"],
)
def test_a_lone_troll_steps_and_takes_any_dwarfs_or_one(
    variant: Variant, expected: set[str]
) -> None:
    position = drawn(STEP, "T")
    assert texts(variant, position, to="E5") == expected
    assert {kind(variant, position, text) for text in expected} == {Kind.STEP}


SHOVE_ONE = STEP.replace("T .", "T T")


@both
def test_with_a_troll_behind_it_one_square_ahead_is_a_shove_as_well(variant: Variant) -> None:
    position = drawn(SHOVE_ONE, "T")
    assert texts(variant, position, to="E5") == choices("TF5-E5", "D4", "D5")
    assert kind(variant, position, "TF5-E5xD4") is Kind.STEP
    several = Kind.STEP if variant is CLASSIC else Kind.SHOVE
    assert kind(variant, position, "TF5-E5xD4xD5") is several


def test_single_capture_lets_a_step_out_of_line_take_one_dwarf_only() -> None:
    position = drawn(SHOVE_ONE, "T")
    assert texts(SINGLE, position, to="E4") == {"TF5-E4", "TF5-E4xD4", "TF5-E4xD5"}
    assert texts(CLASSIC, position, to="E4") == choices("TF5-E4", "D4", "D5")


SHOVE_FAR = """
   A B C D E F G H
7  d d . . . . . .
8  . . . . T T T R
9  . d d . . . . .
"""


@both
def test_a_shove_flies_up_to_its_lines_length_and_has_to_capture(variant: Variant) -> None:
    position = drawn(SHOVE_FAR, "T")
    far = texts(variant, position, to="B8")
    assert far == choices("TE8-B8", "A7", "B7", "B9", "C9") - {"TE8-B8"}
    assert {kind(variant, position, text) for text in far} == {Kind.SHOVE}
    nearer = choices("TE8-C8", "B7", "B9", "C9") - {"TE8-C8"}
    assert texts(variant, position, to="C8") == nearer
    assert texts(variant, position, to="D8") == {"TE8-D8", "TE8-D8xC9"}


@both
def test_a_shoved_troll_spares_whom_the_player_spares(variant: Variant) -> None:
    position = drawn(SHOVE_FAR, "T")
    assert position.after(parse_move(variant, position, "TE8-B8xA7xC9")) == drawn(
        """
   A B C D E F G H
7  . d . . . . . .
8  . T . . . T T R
9  . d . . . . . .
""",
        "d",
    )


@both
@pytest.mark.parametrize(
    ("rank", "reason"),
    [
        ("d . . . T T . R", "two trolls fly two squares, next to nobody"),
        ("d . d . T T T R", "a dwarf stands in the way"),
        ("d . T . T T T R", "a troll stands in the way"),
        (". . . . T T T R", "nobody is there to be captured"),
        ("d . . . T . T R", "a gap ends the line"),
        ("d . . . T d T R", "a dwarf ends the line"),
    ],
)
def test_no_shove(variant: Variant, rank: str, reason: str) -> None:
    position = drawn(f"   A B C D E F G H\n8  {rank}", "T")
    ahead = texts(variant, position, "E8", "B8") | texts(variant, position, "E8", "C8")
    assert not ahead, reason
    assert texts(variant, position, "E8", "D8")

"""Properties of positions and of the position text."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules import reference
from rules.drawing import mask
from rules.strategies import every_variant, legal, open_positions, played, positions
from thud.rules.geometry import BOARD, SQUARES, bit, parse_square
from thud.rules.notation import move_text
from thud.rules.position import InvalidPosition, Position, Side
from thud.rules.variant import Variant
from thud.rules.variants import VARIANTS

LONGEST_MESSAGE = 2000


@every_variant
@given(data=st.data())
def test_the_text_is_written_as_the_reference_does_and_read_back(
    variant: Variant, data: st.DataObject
) -> None:
    position = data.draw(positions(variant))
    text = position.to_text()
    assert text == reference.write(*reference.parse(text))
    assert variant.position(text) == Position.from_text(f"  {text}\n") == position


@every_variant
def test_the_start_has_no_fault_and_all_pieces(variant: Variant) -> None:
    start = variant.start
    assert variant.faults(start) == []
    assert variant.position(start.to_text()) == start
    assert start.to_move is Side.DWARFS
    assert variant.outcome(start) is None


@pytest.mark.parametrize(
    ("name", "dwarfs", "trolls"),
    [("classic", 32, 8), ("single", 32, 8), ("koom", 16, 8), ("football", 16, 8)],
)
def test_pieces_at_the_start(name: str, dwarfs: int, trolls: int) -> None:
    start = VARIANTS[name].start
    assert (start.dwarfs.bit_count(), start.trolls.bit_count()) == (dwarfs, trolls)
    assert start.stone == parse_square("H8")


def test_koom_valley_is_set_up_as_the_rules_say() -> None:
    for start in VARIANTS["koom"].start, VARIANTS["football"].start:
        assert start.trolls == mask("F2 H2 K2 E3 F3 H3 K3 L3")
        assert start.dwarfs == mask(
            "H9 A10 P10 B11 O11 C12 N12 D13 M13 E14 L14 F15 G15 H15 J15 K15"
        )


def test_classic_dwarfs_stand_on_the_edge_except_in_line_with_the_stone() -> None:
    start = VARIANTS["classic"].start
    edge = mask(" ".join(reference.NAMES[s] for s in reference.NAMES if reference.is_edge(s)))
    assert start.dwarfs == edge & ~mask("A8 P8 H1 H15")
    assert start.trolls == mask("G7 H7 J7 G8 J8 G9 H9 J9")


@every_variant
@given(data=st.data())
def test_a_move_leads_to_the_references_position(variant: Variant, data: st.DataObject) -> None:
    position = data.draw(open_positions(variant))
    before = position.to_text()
    move = data.draw(legal(variant, position))
    assert position.after(move).to_text() == reference.after(before, move_text(position, move))
    assert position.to_text() == before


@every_variant
@given(seed=st.integers(0, 2**32), length=st.integers(0, 80))
def test_pieces_left_and_pieces_captured_add_up(variant: Variant, seed: int, length: int) -> None:
    before, *rest = played(variant, Random(seed), length)
    total = before.occupied.bit_count()
    captured = 0
    for position in rest:
        moves = [m for m in variant.legal_moves(before) if before.after(m) == position]
        captured += moves[0].captures.bit_count()
        assert position.occupied.bit_count() + captured == total
        assert position.pieces(before.to_move).bit_count() == (
            before.pieces(before.to_move).bit_count()
        )
        assert position.to_move is before.to_move.other
        before = position


@every_variant
@given(data=st.data())
def test_no_two_pieces_share_a_square_and_letters_say_what_stands_there(
    variant: Variant, data: st.DataObject
) -> None:
    position = data.draw(open_positions(variant))
    after = position.after(data.draw(legal(variant, position)))
    for now in position, after:
        parts = now.dwarfs, now.trolls, bit(now.stone)
        assert sum(parts) == now.occupied == now.occupied & BOARD
        letters = {square: now.letter_at(square) for square in SQUARES}
        for letter, part in zip("dTR", parts, strict=True):
            assert {s for s in SQUARES if part >> s & 1} == {
                square for square, found in letters.items() if found == letter
            }


@st.composite
def nearly_texts(draw: st.DrawFn, text: str) -> str:
    """Change a text in one to three places."""
    for _ in range(draw(st.integers(1, 3))):
        place = draw(st.integers(0, len(text)))
        letters = st.one_of(st.sampled_from("dTR/ 0123456789-\n"), st.characters())
        inserted = draw(st.one_of(st.just(""), letters))
        text = text[:place] + inserted + text[place + draw(st.integers(0, 1)) :]
    return text


@every_variant
@given(data=st.data())
def test_a_text_is_read_as_the_reference_reads_it_or_refused_in_one_line(
    variant: Variant, data: st.DataObject
) -> None:
    garbage = st.one_of(st.text(), st.text("dTR123456789/ "), st.text(min_size=401, max_size=500))
    nearly = nearly_texts(data.draw(positions(variant)).to_text())
    text = data.draw(st.one_of(garbage, nearly, nearly, nearly))
    try:
        position = variant.position(text)
    except InvalidPosition as error:
        message = str(error)
    else:
        board, _, side = text.strip().partition(" ")
        assert reference.parse(f"{board} {side.strip()}") == reference.parse(position.to_text())
        return
    assert message.isprintable()
    assert 0 < len(message) <= LONGEST_MESSAGE

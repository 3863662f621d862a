"""Properties of positions and of the position text."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from rules import reference
from rules.strategies import every_variant, positions
from thud.rules.position import InvalidPosition, Position
from thud.rules.variant import Variant

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

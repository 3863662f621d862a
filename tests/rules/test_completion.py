"""Completions of typed moves: each continues what was typed and is, or becomes, a legal move."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.drawing import drawn
from rules.strategies import every_variant
from rules.test_notation import capturing, spellings
from rules.test_typed import SHOVES, forms
from thud.rules.notation import MAX_TEXT
from thud.rules.typed import MOST_COMPLETIONS, completions, read_typed
from thud.rules.variant import Variant
from thud.rules.variants import VARIANTS


@every_variant
@given(data=st.data())
def test_each_goes_on_from_any_text_to_a_legal_move(variant: Variant, data: st.DataObject) -> None:
    position, move = data.draw(capturing(variant))
    path, captures = data.draw(forms(position, move))
    written = data.draw(spellings)(path + "".join(f"x{name}" for name in captures))
    garbage = st.one_of(st.text(), st.text("abhdtrxABHDTRX0123 -,", max_size=12))
    begun = written[: data.draw(st.integers(0, len(written)))]
    begun = data.draw(st.one_of(st.just(begun), garbage))
    found = completions(variant, position, begun)
    assert len(found) <= MOST_COMPLETIONS
    for each in found:
        assert each.startswith(begun)
        assert len(each) > len(begun)
        assert read_typed(variant, position, each)


@every_variant
@given(data=st.data())
def test_a_move_is_reached_by_typing_on(variant: Variant, data: st.DataObject) -> None:
    position, move = data.draw(capturing(variant))
    path, captures = data.draw(forms(position, move))
    if "to" in path or not path.isascii():
        return
    written = path + "".join(f"x{name}" for name in captures)
    last = len(path) - 1 if not captures else len(written) - 1
    cut = data.draw(st.integers(min(3, last), last))
    found = completions(variant, position, written[:cut])
    assert len(found) == MOST_COMPLETIONS or any(
        move in read_typed(variant, position, each) for each in found
    )


@pytest.mark.parametrize(
    ("text", "first", "number"),
    [
        ("", "A6-B6", MOST_COMPLETIONS),
        ("d", "dA6-B6", MOST_COMPLETIONS),
        ("d1", "d13-d4", 19),
        ("f1", "f1-f2", MOST_COMPLETIONS),
        ("f1 f", "f1 f2", 13),
        ("f1f1", "f1f10", 5),
        ("df1, f1", "df1, f10", 5),
        ("f1f5", None, 0),
        ("t", None, 0),
        ("r", None, 0),
        (" f1", " f1-f2", MOST_COMPLETIONS),
        ("f1".rjust(MAX_TEXT - 3), "f1-f2".rjust(MAX_TEXT), 16),
        ("f1".rjust(MAX_TEXT), None, 0),
        ("f1".rjust(MAX_TEXT + 1), None, 0),
        ("ｆ１", None, 0),
    ],
)
def test_completions_at_the_start(text: str, first: str | None, number: int) -> None:
    classic = VARIANTS["classic"]
    found = completions(classic, classic.start, text)
    assert len(found) == number
    assert next(iter(found), None) == first


@pytest.mark.parametrize(
    ("text", "rests"),
    [
        ("g8 g7", ["xf6", "xf6xf7", "xf6xf7xh6", "xf6xh6", "xf7", "xf7xh6", "xh6"]),
        ("g8 g7 x", ["f6", "f6xf7", "f6xf7xh6", "f6xh6", "f7", "f7xh6", "h6"]),
        ("TG8-G7xF7", ["xF6", "xF6xH6", "xH6"]),
        ("g8g7xh6, xf", ["6", "6xf7", "7"]),
        ("g8g7xj", []),
    ],
)
def test_captures_are_offered_once_the_path_is_clear(text: str, rests: list[str]) -> None:
    found = completions(VARIANTS["classic"], drawn(SHOVES, "T"), text)
    assert found == [text + rest for rest in rests]


def test_a_capture_without_a_choice_is_offered_with_the_path() -> None:
    hurl = """
             F G H J
         6   d d . T
    """
    found = completions(VARIANTS["classic"], drawn(hurl, "d"), "g6 j")
    assert found == ["g6 j4", "g6 j6xj6", "g6 j8"]

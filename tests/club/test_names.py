"""Visitors' names: whose they are, and what looks like them."""

from pathlib import Path

import pytest

from thud.club.names import looks_of, name_for
from thud.visitor.profile import VisitorProfile, is_given


@pytest.mark.parametrize(
    "name",
    [
        "ANN",
        "a n n",
        "Ann.",
        "\u0391nn",
        "\u0410nn",
        "\uff21nn",
        "\xc4nn",
        "A\u0301nn",
        "Ann\u200b",
    ],
)
def test_a_name_that_looks_like_another_one_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="somebody else"):
        name_for(name, "", ["", "Bob", "Ann"])


@pytest.mark.parametrize(("one", "other"), [("Bill", "B1ll"), ("Otto", "0tt0"), ("Ian", "lan")])
def test_digits_look_like_letters(one: str, other: str) -> None:
    assert looks_of(one) == looks_of(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("wendy", "\u051dendy"),
        ("Yuv", "\u04ae\u057d\u0475"),
        ("Q", "\u051a"),
        ("Anna", "\u0410\u043fn\u0430"),
    ],
)
def test_rarer_letters_look_like_latin_ones(one: str, other: str) -> None:
    assert looks_of(one) == looks_of(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [("Ann", "Anna"), ("\u6728", "\u6797"), ("\u263a", "\u2639"), ("\u042f\u043d", "\u0410\u043d")],
)
def test_other_names_do_not_look_alike(one: str, other: str) -> None:
    assert name_for(one, "", [other]) == one


@pytest.mark.parametrize("name", ["", "Guest", "guest 99", " \u200b"])
def test_who_gives_no_name_of_their_own_gets_one(name: str) -> None:
    assert name_for(name, "", []) == "Guest 1"
    assert name_for(name, "", ["Guest 1", "GUEST2"]) == "Guest 3"
    assert name_for(name, "Guest 7", ["Guest 1"]) == "Guest 7"


@pytest.mark.parametrize(
    ("name", "given"),
    [("", False), ("Guest 7", True), ("guest 7", True), ("Guest house", False), ("Ann", False)],
)
def test_a_visitor_who_was_given_a_name_has_none_of_their_own(
    name: str, given: bool, tmp_path: Path
) -> None:
    profile = VisitorProfile(tmp_path)
    profile.name = name
    assert profile.has_given_name == given
    assert is_given(name) == (given or not name)


def test_a_visitor_keeps_their_own_name() -> None:
    assert name_for("ann", "Ann", ["Bob"]) == "ann"

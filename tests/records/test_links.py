"""Links: what they lead to, and what is said of those that cannot be opened."""

from __future__ import annotations

import re
import zlib
from base64 import urlsafe_b64encode

import pytest
from hypothesis import given, strategies

from records.matches import records
from thud.records.formats import match_in
from thud.records.links import (
    CHATTY,
    PAGE,
    PAGE_VARIABLE,
    BadLink,
    Link,
    LinkKind,
    is_link,
    link_to,
    link_to_position,
    link_to_puzzle,
    read_link,
)
from thud.records.record import Record
from thud.rules.match import Match
from thud.rules.setup import Setup
from thud.rules.variants import VARIANTS


@given(records())
def test_a_match_arrives_as_it_was_sent(record: Record) -> None:
    link = link_to(record)
    kind, text, _ = read_link(link)
    assert kind is LinkKind.MATCH
    assert match_in(text) == (record, "")
    assert is_link(link)
    assert re.fullmatch(r"[!-~]+", link)


@given(records(), strategies.integers(0, 40))
def test_a_chat_may_break_a_link_into_lines(record: Record, width: int) -> None:
    link = link_to(record)
    broken = "\n".join(re.findall(f".{{1,{width + 20}}}", link))
    assert read_link(broken) == read_link(link)


@given(records(), strategies.data())
def test_a_link_that_was_cut_off_says_so(record: Record, data: strategies.DataObject) -> None:
    link = link_to(record)
    first = link.index("=") + 1
    cut = link[: data.draw(strategies.integers(first, len(link) - 2))]
    with pytest.raises(BadLink, match="cut off"):
        read_link(cut)


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_position_has_its_game_with_it(variant: str) -> None:
    setup = Setup.usual(VARIANTS[variant])
    link = read_link(link_to_position(setup))
    assert link.kind is LinkKind.POSITION
    assert Setup.usual(VARIANTS[link.variant]).read(link.text) == setup


def test_a_puzzle_and_that_of_the_day_are_named() -> None:
    assert read_link(link_to_puzzle("classic-12")) == Link(LinkKind.PUZZLE, "classic-12")
    assert read_link("https://example.org/anywhere/#day") == Link(LinkKind.DAY)


def test_a_page_gives_links_to_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    assert link_to_puzzle("koom-1").startswith(PAGE)
    monkeypatch.setenv(PAGE_VARIABLE, "http://localhost:8000/")
    assert link_to_puzzle("koom-1") == "http://localhost:8000/#puzzle=koom-1"


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_match_just_begun_fits_into_a_message(variant: str) -> None:
    assert len(link_to(Record.of(Match(VARIANTS[variant])))) < CHATTY


def packed(data: bytes, version: str = "1") -> str:
    return f"#match={version}.{urlsafe_b64encode(zlib.compress(data, 9)).decode()}"


@pytest.mark.parametrize(
    ("link", "sentence"),
    [
        ("https://example.org/", "nothing follows #"),
        ("#", "nothing follows #"),
        ("#chess=e4", "'chess' is nothing of Thud's"),
        (packed(b"[Event]", "2"), "of a later version"),
        ("#match=", "cut off"),
        ("#match=1.!!!!", "cut off"),
        ("#match=1." + "A" * 200, "cut off"),
        (packed(b"x" * (10 << 20)), "too large"),
        ("#match=1." + "A" * (10 << 20), "at most 100,000 characters"),
        ("#" + "a" * 5000, "is nothing of Thud's"),
        ("#[bold]x[/bold]=1", "nothing follows #"),
    ],
)
def test_a_link_that_cannot_be_opened_gets_a_sentence(link: str, sentence: str) -> None:
    with pytest.raises(BadLink, match=re.escape(sentence)) as refused:
        read_link(link)
    assert len(str(refused.value)) < 200


@pytest.mark.parametrize(
    "text", ["# a heading", "dF1-F5 TG7-F6", '[Event "#match"]\n\n1. dF1-F5', "", "http://x"]
)
def test_other_texts_are_no_links(text: str) -> None:
    assert not is_link(text)

"""A review as a page or as text: complete, harmless and by itself."""

from html.parser import HTMLParser
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from review.judging import judgement_at, random_battle, record_of, variants
from thud.records.record import Record
from thud.review.as_json import review_json
from thud.review.page import review_page, review_text, write_review
from thud.review.summary import Progress, Reviewed
from thud.rules.notation import texts_of
from thud.rules.variant import Variant
from thud.rules.variants import VARIANTS

VOID = {"meta", "br"}


class Page(HTMLParser):
    """Checks that elements are closed in order; collects elements, attributes and text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open, self.seen = list[str](), list[tuple[str, dict[str, str | None]]]()
        self.words = ""
        self.feed(text)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words += data


def reviewed(
    variant: Variant, seed: int, names: tuple[str, str] = ("Ann", "Bob"), comment: str = ""
) -> tuple[Record, list[Reviewed]]:
    battle, random = random_battle(variant, seed, 14), Random(seed)
    record = record_of(battle)._replace(players=names)
    if comment:
        (first,) = record.battles
        record = record.with_battle(1, first.with_notes({1: comment}))
    progress = Progress(record)
    for ply in range(len(battle.moves)):
        progress.add(1, ply, judgement_at(battle, ply, random))
    return record, [progress.reviewed(1)]


@given(variants, st.integers(0, 10**6))
def test_a_page_is_whole_and_needs_nothing_else_and_so_is_the_text(
    variant: Variant, seed: int
) -> None:
    record, reviews = reviewed(variant, seed)
    text = review_text(record, reviews)
    assert text.count("Cost the ") == len(reviews[0].mistakes)
    assert "battle 1: Ann (dwarfs), Bob (trolls)" in text
    assert review_json(record, reviews)
    page = Page(review_page(record, reviews))
    battle = record.battles[0]
    for move in texts_of(battle.start, battle.moves):
        assert move in page.words
    used = {tag for tag, _ in page.seen}
    assert used.isdisjoint({"script", "link", "img", "iframe", "object", "form"})
    targets = {attributes.get("id") for _, attributes in page.seen}
    for _, attributes in page.seen:
        assert not any(name.startswith("on") or name == "src" for name in attributes)
        if target := attributes.get("href"):
            assert target[0] == "#"
            assert target[1:] in targets
    mistakes = [each for each in reviews[0].mistakes if each.mark]
    assert [tag for tag, _ in page.seen].count("figure") <= len(mistakes) + 1


@given(st.text(min_size=1, max_size=20), st.text(max_size=40))
def test_no_name_or_comment_is_markup(name: str, comment: str) -> None:
    wicked = f"<script>alert(1)</script>&quot;'\"><b>{name}"
    record, reviews = reviewed(VARIANTS["classic"], 1, (wicked, "Bob"), f"</p><script>{comment}")
    page = Page(review_page(record, reviews))
    assert "script" not in {tag for tag, _ in page.seen}
    assert "<script>alert(1)</script>&quot;" in page.words


def test_a_file_is_written_by_its_suffix_and_none_replaced(tmp_path: Path) -> None:
    record, reviews = reviewed(VARIANTS["koom"], 3)
    page = write_review(str(tmp_path / "a"), record, reviews)
    assert page == tmp_path / "a.html"
    assert page.read_text(encoding="utf-8") == review_page(record, reviews)
    text = write_review(str(tmp_path / "a.TXT"), record, reviews)
    assert text.read_text(encoding="utf-8") == review_text(record, reviews)
    for name, why in (("a.html", "exists"), ("a.pdf", "must end in"), ("no/a.txt", "cannot be")):
        with pytest.raises(ValueError, match=why):
            write_review(str(tmp_path / name), record, reviews)
    page.write_text("")
    assert write_review(str(page), record, reviews, overwrite=True).read_text(encoding="utf-8")

"""The rules as chapters contain the whole document, at any width."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import chain

import pytest

from thud.rulebook.chapters import (
    DOCUMENT,
    END,
    GAME,
    CellTable,
    Chapter,
    Drawing,
    chapter_on,
    chapters,
    chapters_of,
    topic_at_hand,
    topics_of,
)
from thud.rulebook.diagrams import BoardPart, Diagram, drawn
from thud.rulebook.printed import block_lines, printed, table_lines
from thud.rules.geometry import Square, bit, mask_of, parse_square
from thud.rules.notation import parse_move
from thud.rules.variant import Variant
from thud.rules.variants import VARIANTS
from variants import every_told

TEXT = DOCUMENT.read_text(encoding="utf-8")
WIDTHS = range(60, 161)

every_chapter = pytest.mark.parametrize("chapter", chapters(), ids=lambda each: each.title)
every_variant = pytest.mark.parametrize("variant", VARIANTS.values(), ids=lambda each: each.name)


def words(text: str) -> list[str]:
    return text.split()


def in_document(chapter: Chapter) -> str:
    """Return a chapter's text in the document, without comments."""
    (body,) = re.findall(rf"^#+ {re.escape(chapter.title)}\n((?:(?!#).*\n)*)", TEXT, re.MULTILINE)
    return re.sub(r"<!--.*?-->", "", body, flags=re.DOTALL)


def drawings(chapter: Chapter) -> list[Diagram]:
    return [block.diagram for block in chapter.blocks if isinstance(block, Drawing)]


def test_every_heading_is_a_chapter_and_has_something_to_tell() -> None:
    assert [each.title for each in chapters()] == re.findall(r"^#+ (.+)$", TEXT, re.MULTILINE)
    assert all(each.blocks for each in chapters())


def test_a_digit_leads_to_every_section() -> None:
    heads = [each.section for each in chapters() if each.heads]
    assert heads == list(range(1, len(heads) + 1))
    assert len(heads) <= 9


def test_no_two_chapters_tell_of_the_same() -> None:
    told = Counter(chain.from_iterable(chapter.tells for chapter in chapters()))
    assert max(told.values()) == 1
    assert {variant for variant, _ in told} <= set(VARIANTS)


@every_chapter
def test_no_word_gets_lost_and_nothing_is_too_wide(chapter: Chapter, full: bool) -> None:
    written = re.sub(r"```text\n[^`]*```|^\|.*$", "", in_document(chapter), flags=re.MULTILINE)
    bare = re.sub(r"\]\(.+?\)|[*`\[]|^- ", "", written, flags=re.MULTILINE)
    for width in WIDTHS if full else (60, 61, 97, 160):
        told = [b for b in chapter.blocks if not isinstance(b, (Drawing, CellTable))]
        lines = "\n".join(chain.from_iterable(block_lines(block, width) for block in told))
        assert words(re.sub(r"^- ", "", lines, flags=re.MULTILINE)) == words(bare)

        assert max(map(len, printed(chapter, width))) <= width


@every_chapter
def test_diagrams_are_those_of_the_document_at_any_width_and_show_legal_moves(
    chapter: Chapter,
) -> None:
    blocks = re.findall(r"```text\n(.*?)\n```", in_document(chapter), re.DOTALL)
    assert [[words(line) for line in drawn(each, 160)] for each in drawings(chapter)] == [
        [words(line) for line in block.splitlines()] for block in blocks
    ]
    for diagram in drawings(chapter):
        wide, narrow = "".join(drawn(diagram, 160)), "".join(drawn(diagram, 34))
        for piece in "dTR":
            assert narrow.count(piece) == wide.count(piece)
    for excerpt in chain.from_iterable(drawings(chapter)):
        variant, position, move = excerpt.variant, excerpt.position, excerpt.following
        assert variant.position(position.to_text()) == position
        assert move is None or variant.is_legal(position, move)
        shown = mask_of(*(square for square in squares_in(excerpt) if square is not None))
        assert not (position.dwarfs | position.trolls) & ~shown, "a piece is left out"


def squares_in(excerpt: BoardPart) -> Iterator[Square | None]:
    return chain.from_iterable(squares for _, squares in excerpt.rows())


@pytest.mark.parametrize("name", ["classic", "koom", "football"])
def test_the_setup_is_drawn_whole(name: str) -> None:
    excerpts = chain.from_iterable(chain.from_iterable(map(drawings, chapters_of(name))))
    assert (VARIANTS[name].start, 15 * 15) in [
        (each.position, len([*squares_in(each)])) for each in excerpts
    ]


@every_told
def test_every_variant_has_its_rules(variant: Variant) -> None:
    assert {GAME, END} <= set(topics_of(variant.name))
    first, *others = chapters_of(variant.name)
    assert (variant.name, GAME) in first.tells
    assert first.title.startswith(variant.title.split(",")[0]) or variant.name == "single"
    places = {chapter_on(variant.name, topic) for topic in topics_of(variant.name)}
    assert places == {chapters().index(each) for each in (first, *others)}


@every_variant
def test_whatever_can_be_at_hand_is_told(variant: Variant) -> None:
    for excerpt in chain.from_iterable(chain.from_iterable(map(drawings, chapters()))):
        if excerpt.variant is not variant:
            continue
        for move in variant.legal_moves(excerpt.position):
            topic = topic_at_hand(variant, excerpt.position, [move])
            assert chapter_on(variant.name, topic) is not None, topic


def current_setup(name: str, position: str, square: str) -> str:
    """Return the title of the chapter on the piece on a square."""
    variant = VARIANTS[name]
    place = variant.start if position == "start" else variant.position(position)
    moves = variant.legal_moves(place, bit(parse_square(square)))
    number = chapter_on(name, topic_at_hand(variant, place, moves))
    assert number is not None
    return chapters()[number].title


@pytest.mark.parametrize(
    ("name", "position", "square", "title"),
    [
        ("classic", "start", "F1", "Classic dwarfs"),
        ("classic", "5/7/7d1/7d3/7d5/15/15/5T1R7/15/15/13/11/9/7/5 d", "J5", "The hurl"),
        ("classic", "5/7/d8/2dd7/3d9/6T8/15/7R7/15/15/13/11/9/7/5 T", "G6", "Classic trolls"),
        ("single", "5/7/d8/2dd7/3d9/6T8/15/7R7/15/15/13/11/9/7/5 T", "G6", "Single capture"),
        ("classic", "5/7/9/d10/1d11/15/5T9/6TR7/15/15/13/11/9/7/5 T", "F7", "The shove"),
        ("koom", "start", "H8", "Moving the Rock"),
        ("koom", "start", "H9", "Koom Valley dwarfs"),
        ("koom", "5/7/9/8d2/8T4/6dT2d4/15/7R7/15/15/13/11/9/7/5 d", "L6", "The trap"),
        ("koom", "5/7/9/11/3T9/5d9/15/4d1d2R5/5d9/15/13/11/9/7/5 T", "E5", "The trample"),
        ("football", "start", "H8", "Koom Valley Football"),
        ("classic", "start", "E5", "Classic"),
    ],
)
def test_what_is_at_hand(name: str, position: str, square: str, title: str) -> None:
    assert current_setup(name, position, square) == title


def test_when_it_is_over_the_end_is_at_hand() -> None:
    koom = VARIANTS["koom"]
    position = koom.position("1d1T1/2RTT2/2d6/11/13/15/15/15/15/15/13/11/9/7/5 d")
    over = position.after(parse_move(koom, position, "RG2-H1"))
    assert topic_at_hand(koom, over, []) == END


def test_football_is_told_apart_from_the_game_it_is_made_of() -> None:
    told = [block for chapter in chapters_of("football") for block in printed(chapter, 80)]
    assert not re.search(r"Captures help|no dwarfs are left", "\n".join(told))


def test_a_table_without_room_is_told_cell_by_cell() -> None:
    rows = [["", "Thudstone", "Rock"], ["moves", "never", "one square"]]
    assert table_lines(rows, 12) == [
        "moves",
        "  Thudstone:",
        "    never",
        "  Rock: one",
        "    square",
    ]
    assert len(table_lines(rows, 40)) == 3


@every_variant
def test_a_gist_fits_below_a_board(variant: Variant) -> None:
    assert 0 < len(variant.gist) <= 45
    assert "." not in variant.gist

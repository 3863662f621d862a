"""A person's marks, arrows and circles stay in a record, beside comments and judgements."""

from __future__ import annotations

from io import BytesIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thud.pictures import palette
from thud.plain.replay import tried_in_words
from thud.records.annotation import (
    MARKS,
    MOST,
    Annotation,
    annotated,
    annotation_in,
    typed_shapes,
    written_shapes,
)
from thud.records.editing import CannotChange, commented
from thud.records.editing import annotated as annotated_at
from thud.records.pictured import svg_text, write_battle
from thud.records.record import Record
from thud.records.tgn.notes import prose
from thud.records.tgn.reader import read_tgn
from thud.records.tgn.writer import tgn_text
from thud.records.tree import Cursor, Excerpt, outline
from thud.rules.geometry import SQUARES, parse_square, square_name
from thud.rules.match import Match
from thud.rules.notation import parse_move
from thud.rules.variants import VARIANTS

F1, F5, H8 = map(parse_square, ("F1", "F5", "H8"))

squares = st.sampled_from(SQUARES)
any_annotation = st.builds(
    Annotation,
    st.sampled_from(["", *MARKS]),
    st.lists(st.tuples(squares, squares), max_size=MOST, unique=True).map(tuple),
)
comments = st.sampled_from(["", "Well played.", "[%eval 1.25] [%best dF1-F5 3.40] Why not?"])


def place(*moves: str) -> Cursor:
    """Return the end of a match's first battle."""
    match = Match(VARIANTS["classic"], ("Anna", "Bert"))
    for text in moves:
        match.battle.play(parse_move(match.variant, match.battle.position, text))
    return Cursor.at(Record.of(match), 1, len(moves))


def in_order(annotation: Annotation) -> Annotation:
    """Return an annotation as it is read: arrows come before circles."""
    return annotation._replace(shapes=tuple(sorted(annotation.shapes, key=lambda s: s[0] == s[1])))


@given(any_annotation, any_annotation, comments)
def test_an_annotation_replaces_another_and_nothing_else(
    before: Annotation, now: Annotation, comment: str
) -> None:
    text = annotated(annotated(comment, before), now)
    assert annotation_in([text]) == in_order(now)
    assert annotated(text, Annotation()) == comment
    assert prose(text) == prose(comment)


@given(any_annotation)
def test_shapes_are_typed_as_they_are_written(annotation: Annotation) -> None:
    assert typed_shapes(written_shapes(annotation)) == annotation.shapes


@given(st.text(alphabet="[%]markcslGRF15,H8!? ", max_size=60))
def test_anything_can_be_read(text: str) -> None:
    found = annotation_in([text])
    assert found.mark in ("", *MARKS)
    assert len(found.shapes) <= 2 * MOST


def test_what_is_written_wrong_is_ignored_or_refused() -> None:
    assert annotation_in(["[%mark !!!] [%cal GF1,F1F5,GA1F5] [%csl GF1F5,GH8]"]) == Annotation(
        shapes=((H8, H8),)
    )
    assert typed_shapes("f1-F5, h8 H8") == ((F1, F5), (H8, H8))
    assert typed_shapes("F1F5") == ((F1, F5),)
    for text in "F1-", "I5", "F16", "F1 to F5":
        with pytest.raises(ValueError, match="write an arrow like F1-F5"):
            typed_shapes(text)
    circles = list(map(square_name, SQUARES[: MOST + 1]))
    arrows = [f"A6-{circle}" for circle in circles if circle != "A6"][:MOST]
    assert len(typed_shapes(" ".join([*circles[:MOST], *arrows]))) == 2 * MOST
    with pytest.raises(ValueError, match=f"room for {MOST} arrows"):
        typed_shapes(" ".join(circles))


def test_a_key_goes_through_all_marks() -> None:
    annotation, seen = Annotation(), []
    for _ in range(len(MARKS) + 1):
        annotation = annotation._replace(mark=annotation.next_mark)
        seen.append(annotation.mark)
    assert seen == [*MARKS, ""]


def test_shapes_are_drawn_and_taken_away() -> None:
    one = Annotation().toggled((F1, F5)).toggled((H8, H8))
    assert one.shapes == ((F1, F5), (H8, H8))
    assert one.toggled((F1, F5)).shapes == ((H8, H8),)


@given(any_annotation)
def test_a_record_keeps_them_in_the_battle_and_in_variations(annotation: Annotation) -> None:
    end = commented(annotated_at(place("dF1-F5", "TG7-F6xF5"), annotation), "Ouch.")
    (read,) = read_tgn(tgn_text(end.record))
    again = Cursor.at(read, 1, 2)
    assert again.annotation == in_order(annotation)
    assert again.words == ("Ouch.",)
    assert [each.mark for each in outline(read.battles[0])] == ["", annotation.mark]


def test_no_move_no_mark() -> None:
    with pytest.raises(CannotChange, match="no move has been made"):
        annotated_at(place(), Annotation("!"))
    assert annotated_at(place(), Annotation(shapes=((H8, H8),))).annotation.shapes == ((H8, H8),)


def test_they_are_told_in_lines() -> None:
    end = annotated_at(place("dF1-F5", "TG7-F6xF5"), Annotation("??", ((F1, F5), (H8, H8))))
    assert tried_in_words(end.battle) == ["On TG7-F6xF5??, drawn on the board: F1-F5 H8."]
    end = annotated_at(end, Annotation("!"))
    assert tried_in_words(end.battle) == ["Marked: TG7-F6xF5!."]


def test_they_are_in_pictures() -> None:
    pytest.importorskip("PIL")
    end = annotated_at(place("dF1-F5", "TG7-F6xF5"), Annotation("", ((F1, F5), (H8, H8))))
    drawn = svg_text(end.record, Excerpt(1, 2))
    assert drawn.count(palette.NOTED[0]) == 2
    assert palette.NOTED[0] not in svg_text(end.record, Excerpt(1, 1))
    with_them, without = BytesIO(), BytesIO()
    write_battle(with_them, end.record, Excerpt(1))
    write_battle(without, place("dF1-F5", "TG7-F6xF5").record, Excerpt(1))
    assert with_them.getvalue() != without.getvalue()

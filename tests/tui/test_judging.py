"""What is known of a replay's mistakes, without a screen: the third move of each battle is one."""

import pytest

from thud.records import editing
from thud.records.record import Record
from thud.records.tree import Cursor
from thud.rules.notation import parse_move
from thud.rules.position import Side
from thud.tui.review.judging import ReviewTask
from tui.test_review import judged, judgements
from tui.test_variations import short

MISTAKE = judgements()[2]


@pytest.fixture
def record() -> Record:
    """Return two battles that are judged, the first with another move in place of its second."""
    record = judged(Record.of(short()))
    place = Cursor.at(record, 1, 1)
    return editing.played(place, parse_move(record.variant, place.position, "TG7-G6")).record


@pytest.fixture
async def review_task(record: Record) -> ReviewTask:
    review_task = ReviewTask(record, lambda: None)
    await review_task.read()
    return review_task


def test_nothing_is_known_before_the_record_has_been_read(record: Record) -> None:
    review_task, place = ReviewTask(record, lambda: None), Cursor.at(record, 1, 3)
    assert not review_task.begun
    assert review_task.marks(1) == {}
    assert review_task.with_judgement(place, ["The move."], "m") == ["The move."]
    assert review_task.drill(1, Side.DWARFS, "Anna") is None


def test_only_moves_that_were_played_are_known(record: Record, review_task: ReviewTask) -> None:
    move = review_task.last_move(Cursor.at(record, 1, 3))
    assert move
    assert move.judgement == MISTAKE
    assert review_task.last_move(Cursor.at(record, 1, 0)) is None
    assert review_task.last_move(Cursor.at(record, 1, 2, ((1, 0),))) is None
    assert review_task.better(Cursor.at(record, 1, 2)) == (), "it was no mistake"


def test_what_was_expected_ends_where_a_variation_begins(
    record: Record, review_task: ReviewTask
) -> None:
    assert len(review_task.expected(Cursor.at(record, 1, 2, ((1, 0),)), 1)) == 2
    assert len(review_task.expected(Cursor.at(record, 1, 2), 1)) > 2

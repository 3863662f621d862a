"""Records contain the times left, and no change to a record loses them."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from records.matches import every_variant, variations_of
from rules.test_control import controls
from saving import updated
from thud.records.as_json import as_json
from thud.records.bounds import BadRecord
from thud.records.editing import commented
from thud.records.record import Record
from thud.records.tgn.notes import clock_note, left_in, time_text, used_in, without_clock
from thud.records.tgn.reader import read_tgn
from thud.records.tgn.writer import tgn_text
from thud.records.tree import Cursor
from thud.review.judgement import Judgement
from thud.review.notes import judgements_in, with_judgements, without_judgements
from thud.rules.clock import Control, TimeLeft, parse_control
from thud.rules.match import Match
from thud.rules.variant import Variant
from thud.rules.variants import VARIANTS

CONTROL = parse_control("20+10")
lefts = st.builds(TimeLeft, st.integers(0, 3_599_999_9).map(lambda n: n * 100), st.integers(0, 20))


def timed(variant: Variant, random: Random, control: Control = CONTROL, length: int = 12) -> Match:
    """Return a match with a clock, where some moves have no time."""
    match = Match(variant, ("Ann", "Bob"), control=control)
    for _ in range(length):
        moves = variant.legal_moves(match.battle.position)
        if not moves:
            break
        left = TimeLeft(100 * random.randrange(50_000), random.randrange(4))
        match.battle.play(random.choice(moves), left if random.random() < 0.8 else None)
    return match


@given(left=lefts, used=st.integers(1, 9_999).map(lambda n: n * 100))
def test_a_note_says_what_was_left(left: TimeLeft, used: int) -> None:
    note = clock_note(left, used)
    assert left_in(f"{note} a word") == left
    assert used_in(note) == used
    assert without_clock(f"{note} a [word]") == "a [word]"
    assert left_in(without_clock(note)) is None


@given(text=st.one_of(st.text(), st.from_regex(r"\[%(clk|used|periods) [0-9:.]{1,9}\]")))
def test_any_comment_is_read(text: str) -> None:
    left = left_in(text)
    assert left is None or left.ms >= 0
    assert used_in(text) >= 0


def test_a_time_is_never_written_as_more_than_it_is() -> None:
    assert time_text(1_199_999) == "0:19:59.9"


@every_variant
@given(seed=st.integers(0, 2**32), control=controls, back=st.integers(0, 3), late=st.booleans())
def test_a_match_by_the_clock_is_restored(
    variant: Variant, seed: int, control: Control, back: int, late: bool
) -> None:
    match = timed(variant, Random(seed), control)
    battle = match.battle
    for _ in range(back):
        battle.undo()
    if late and not battle.outcome:
        battle.time_up()
    elif battle.moves and not battle.outcome:
        battle.used = 100 * (seed % 500)
    record = Record.of(match)
    text = tgn_text(record)
    assert read_tgn(text) == (record,)
    again = record.match()
    assert again.control == control
    assert again.battle.left == battle.left
    assert again.battle.used == battle.used
    assert again.battle.outcome == battle.outcome
    assert updated(record, again) == record


@every_variant
def test_what_is_written_beside_the_clock_stays_and_so_does_the_clock(variant: Variant) -> None:
    match = timed(variant, Random(3))
    record = commented(Cursor.at(Record.of(match), 1, 2), "Why?").record
    times = record.battles[0].times
    judged = with_judgements(record, 1, {1: Judgement(25, 25), 4: Judgement(-30, -30)})
    assert judged.battles[0].times == times
    assert set(judgements_in(variant, judged.battles[0])) == {1, 4}
    assert without_judgements(judged) == record
    match.battle.undo()
    match.battle.play(variant.legal_moves(match.battle.position)[-1], TimeLeft(77_000))
    onward = updated(judged, match).battles[0]
    assert onward.times == {n: left for n, left in enumerate(match.battle.left, 1) if left}
    assert any("Why?" in text for node in onward.line for text in node.comments)
    assert set(judgements_in(variant, onward)) == {1, 4}
    assert not variations_of(onward.line)


def test_another_clock_begins_anew() -> None:
    record = Record.of(timed(VARIANTS["koom"], Random(1))).with_clock(parse_control("5"))
    match = record.match()
    assert match.control == parse_control("5")
    assert set(match.battle.left) == {None}


def test_json_has_the_clock() -> None:
    match = Match(VARIANTS["classic"], control=CONTROL)
    match.battle.play(match.variant.legal_moves(match.battle.position)[0], TimeLeft(61_500, 2))
    match.battle.time_up()
    document = as_json(Record.of(match))
    assert document["time_control"] == "20+10"
    (battle,) = document["battles"]
    assert battle["moves"][0]["clock"] == {"seconds": 61.5, "periods": 2}
    assert battle["outcome"]["reason"] == "time"


def read(control: str = "5", end: str = "time", comment: str = "", result: str = "1-0") -> Record:
    tags = f'[Variant "koom"]\n[TimeControl "{control}"]\n[End1 "{end}"]\n\n'
    (record,) = read_tgn(f"{tags}1. dA10-B10 {comment}\n{result}\n")
    return record


@pytest.mark.parametrize("control", ["-", "?", ""])
def test_no_clock_may_be_said_as_in_chess(control: str) -> None:
    assert read(control).control is None


@pytest.mark.parametrize(
    ("wrong", "line"),
    [
        ({"control": "5x"}, "line 2, column 1: '5x' is not a clock"),
        ({"result": "0-1"}, "line 6, column 1: the result is 1-0, not 0-1"),
        ({"end": "agreement"}, "line 6, column 1: the result is 0.5-0.5, not 1-0"),
    ],
)
def test_what_contradicts_itself_is_told(wrong: dict[str, str], line: str) -> None:
    with pytest.raises(BadRecord) as caught:
        read(**wrong)
    assert str(caught.value).startswith(line)


@pytest.mark.parametrize("note", ["[%clk soon]", "[%clk 1:99:00]", "[%periods 3]"])
def test_a_note_that_cannot_be_read_is_kept(note: str) -> None:
    record = read(comment=f"{{{note}}}")
    assert record.battles[0].times == {}
    assert updated(record, record.match()) == record

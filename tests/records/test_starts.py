"""Starting positions in records: shared, different for each battle, and in old files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from saving import begin, save
from thud.records.as_json import json_text
from thud.records.bounds import BadRecord
from thud.records.record import Record
from thud.records.store import Store
from thud.records.tgn.reader import read_tgn
from thud.records.tgn.writer import tgn_text
from thud.rules.match import Handicap, Match, starts_at
from thud.rules.variants import VARIANTS
from thud.strength.people import rated_match

CLASSIC = VARIANTS["classic"]
HANDICAP = Handicap(1, 2)


def begun(*, over: bool = False) -> Match:
    match = Match(CLASSIC, ("Ann", "Bob"), *starts_at(CLASSIC, HANDICAP))
    match.battle.play(CLASSIC.legal_moves(match.battle.position)[0])
    if over:
        match.battle.agree()
        match.next_battle()
        match.battle.play(CLASSIC.legal_moves(match.battle.position)[0])
        match.battle.agree()
    return match


@pytest.mark.parametrize("over", [False, True])
def test_both_starts_are_kept_also_before_the_second_battle(over: bool) -> None:
    record = Record.of(begun(over=over))
    (read,) = read_tgn(tgn_text(record))
    assert read == record
    assert read.match().starts == starts_at(CLASSIC, HANDICAP)
    match = json.loads(json_text(read))["matches"][0]
    assert (match["start"], match["second_start"]) == tuple(
        start.to_text() for start in starts_at(CLASSIC, HANDICAP)
    )


def test_a_match_of_one_start_is_written_as_ever() -> None:
    start = starts_at(CLASSIC, HANDICAP)[1]
    text = tgn_text(Record.of(Match(CLASSIC, ("Ann", "Bob"), start)))
    assert "[Start " in text
    assert "Start2" not in text
    assert read_tgn(text)[0].match().starts == (start, start)


def test_a_second_start_alone_and_one_that_is_the_first_are_understood() -> None:
    start = CLASSIC.start.to_text()
    fewer = starts_at(CLASSIC, HANDICAP)[1].to_text()
    (read,) = read_tgn(f'[Variant "classic"]\n[Start2 "{fewer}"]\n\n*\n')
    assert [each.to_text() for each in read.starts] == [start, fewer]
    (same,) = read_tgn(f'[Variant "classic"]\n[Start2 "{start}"]\n\n*\n')
    assert same.second is None


def test_a_second_start_that_is_none_is_refused_with_its_line() -> None:
    with pytest.raises(BadRecord, match="line 2, column 1: found 1 rank"):
        read_tgn('[Variant "classic"]\n[Start2 "x d"]\n\n*\n')


@pytest.mark.parametrize("over", [False, True])
def test_lists_tell_the_handicap_and_it_is_not_rated(over: bool, tmp_path: Path) -> None:
    store = Store(tmp_path)
    match = begun(over=over)
    with begin(store, match) as saved:
        save(saved, match, ("", "thud level 3"))
    (summary,) = store.finished() if over else store.listing().unfinished
    assert summary.handicap == HANDICAP
    assert summary.set_up
    assert rated_match(summary) is None

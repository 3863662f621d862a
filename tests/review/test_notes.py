"""Judgements in comments of records round-trip, and other text is ignored."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from review.judging import battle_of, judgement_at, random_battle, record_of, variants
from thud.ai.scores import GOAL
from thud.records.bounds import MAX_BYTES
from thud.records.record import MAX_PLIES, Record, line_of
from thud.records.tgn.notes import prose, with_prose
from thud.records.tgn.reader import read_tgn
from thud.records.tgn.writer import tgn_text
from thud.review.judgement import Judgement, given_away
from thud.review.notes import (
    EDITION,
    are_outdated,
    judgement_in,
    judgements_in,
    note,
    number,
    with_judgements,
    without_judgements,
)
from thud.review.summary import Progress
from thud.rules.variant import Variant
from thud.rules.variants import VARIANTS

CLASSIC = VARIANTS["classic"]


@given(variants, st.integers(0, 10**6))
def test_what_is_noted_is_read_again(variant: Variant, seed: int) -> None:
    random = Random(seed)
    battle = random_battle(variant, seed, 6)
    ply = random.randrange(len(battle.moves))
    before, move = battle.positions[ply], battle.moves[ply]
    judgement = judgement_at(battle, ply, random)
    text = note(judgement, before, move)
    assert judgement_in(variant, before, move, text) == judgement
    assert judgement_in(variant, before, move, f"why {text} not?") == judgement
    assert prose(f"why {text} not?") == "why not?"
    assert not prose(text)


@given(st.text("[]%evalbstrpy #+-0123456789.dTFG", max_size=60))
def test_whatever_stands_there_is_read_or_passed_over(text: str) -> None:
    before = CLASSIC.start
    move = CLASSIC.legal_moves(before)[0]
    for comment in (text, f"[%eval {text}]", f"[%eval 1.5] [%best {text}]"):
        judgement_in(CLASSIC, before, move, comment)
        prose(comment)


def test_judgements_of_an_earlier_edition_are_shown_until_they_are_made_anew() -> None:
    battle = random_battle(CLASSIC, 3, 8)
    assert not Progress(record_of(battle)).outdated
    judged = {ply: judgement_at(battle, ply, Random(ply)) for ply in range(1, 5)}
    record = with_judgements(record_of(battle), 1, judged)
    assert not are_outdated(record.battles[0])
    assert not Progress(record).outdated
    text = tgn_text(record)
    assert text.count(f"[%judge {EDITION}]") == 1
    for instead in ("", "[%judge 1]", "[%judge x]"):
        (old,) = read_tgn(text.replace(f"[%judge {EDITION}]", instead))
        progress = Progress(old)
        assert progress.outdated == {1}
        assert progress.at(1, 2) is not None
        assert progress.missing(1) == list(range(len(battle.moves)))
        assert not progress.complete
        assert progress.noted(old) == old
        progress.renew(1)
        assert not progress.outdated
        assert progress.at(1, 2) is None
        progress.add(1, 2, judged[2])
        again = Progress(progress.noted(old))
        assert again.missing(1) == [ply for ply in range(len(battle.moves)) if ply != 2]


def test_goals_are_told_by_who_reaches_them_and_when() -> None:
    koom = VARIANTS["koom"]
    move = koom.legal_moves(koom.start)[0]
    for score, text in ((GOAL - 5, "#+5"), (4 - GOAL, "#-4"), (GOAL, "#+0"), (-GOAL, "#-0")):
        assert number(score) == text
        read = judgement_in(koom, koom.start, move, f"[%eval {text}]")
        assert read
        assert (read == Judgement(score, score)) is (abs(score) < GOAL), "the battle is not over"


def test_a_better_move_that_is_not_legal_is_passed_over() -> None:
    before = CLASSIC.start
    move = CLASSIC.legal_moves(before)[0]
    for best in ("dF1-A1 2.0", "dF1-F5", "dF1-F5 much", "TG7-G6 2.0"):
        found = judgement_in(CLASSIC, before, move, f"[%eval 1.0] [%best {best}]")
        assert found == Judgement(100, 100)
    found = judgement_in(CLASSIC, before, move, "[%eval 1] [%best dF1-F5 2] [%then TG7-F6 dF1-F2]")
    assert found
    assert [each.destination for each in found.line] == [found.line[0].destination]


def test_other_words_for_people_leave_the_notes() -> None:
    assert with_prose("[%eval 1.00] [%best dF1-F5 2.00] oh", "well") == (
        "[%eval 1.00] [%best dF1-F5 2.00] well"
    )
    assert with_prose("[%eval 1.00] oh", "") == "[%eval 1.00]"
    assert with_prose("oh", "well") == "well"


@given(variants, st.integers(0, 10**6))
def test_a_record_keeps_its_judgements_beside_its_comments(variant: Variant, seed: int) -> None:
    random = Random(seed)
    battle = random_battle(variant, seed, 12)
    plain = record_of(battle)
    plies = [ply for ply in range(0, 8, 3) if ply <= len(battle.moves)]
    plain = with_comments(plain, {ply: f"word {ply}" for ply in plies})
    judgements = {ply: judgement_at(battle, ply, random) for ply in range(len(battle.moves))}
    noted = with_judgements(plain, 1, judgements)
    (read,) = read_tgn(tgn_text(noted))
    assert read == noted
    assert judgements_in(variant, read.battles[0]) == judgements
    assert without_judgements(read) == plain
    assert with_judgements(noted, 1, judgements) == noted


@pytest.mark.slow
def test_the_longest_battle_can_be_written_with_its_judgement() -> None:
    shuffle = ["dF1-F2", "TG7-G6", "dF2-F1", "TG6-G7"]
    battle = battle_of(CLASSIC, *shuffle)
    record = record_of(battle)
    (first,) = record.battles
    moves = first.moves * (MAX_PLIES // 4)
    record = record.with_battle(1, first._replace(line=line_of(moves)))
    random = Random(1)
    some = [judgement_at(battle, ply, random) for ply in range(4)]
    judgements = {ply: some[ply % 4] for ply in range(MAX_PLIES)}
    noted = with_judgements(record, 1, judgements)
    assert len(tgn_text(noted).encode()) <= MAX_BYTES
    kept = judgements_in(CLASSIC, noted.battles[0])
    cost = {
        ply: given_away(CLASSIC, battle.positions[ply % 4], each)
        for ply, each in judgements.items()
    }
    assert kept
    assert min(cost[ply] for ply in kept) >= max(
        (cost[ply] for ply in judgements if ply not in kept), default=0
    )


def test_a_comment_with_no_room_is_left_alone() -> None:
    battle = random_battle(CLASSIC, 3, 2)
    record = with_comments(record_of(battle), {1: "x" * 3990})
    judgements = {0: judgement_at(battle, 0, Random(4))}
    noted = with_judgements(record, 1, judgements)
    assert judgements_in(CLASSIC, noted.battles[0]) == judgements
    assert read_tgn(tgn_text(noted)) == (noted,)
    assert without_judgements(noted) == record


def with_comments(record: Record, comments: dict[int, str]) -> Record:
    (battle,) = record.battles
    return record.with_battle(1, battle.with_notes(comments))

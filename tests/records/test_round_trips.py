"""Round trips of records, matches, files of both formats, and JSON."""

import json
import re
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from records.matches import every_variant, play, records
from saving import updated
from thud.records.as_json import json_text
from thud.records.bounds import BadRecord
from thud.records.record import (
    GUEST,
    MAX_COMMENT,
    MAX_COMMENTS,
    MAX_PLIES,
    BattleRecord,
    InvalidRecord,
    Node,
    Record,
    line_of,
)
from thud.records.tgn.reader import read_tgn
from thud.records.tgn.writer import tgn_text
from thud.records.thudboard import read_thud, thud_text
from thud.records.tree import outline
from thud.rules.battle import Battle
from thud.rules.geometry import distance, square_name
from thud.rules.match import Match
from thud.rules.notation import parse_move, texts_of
from thud.rules.position import Position, Side
from thud.rules.variant import Forfeit, Reason, Variant
from thud.rules.variants import VARIANTS


def bare_of(battle: BattleRecord) -> BattleRecord:
    """Return a battle with only the moves played and those taken back."""
    *played, end = line_of(battle.moves)
    back = line_of(battle.undone)[1:]
    return battle._replace(line=(*played, end._replace(variations=(back,) if back else ())))


@given(several=st.lists(records(), min_size=1, max_size=3))
def test_records_are_read_as_they_were_written(several: list[Record]) -> None:
    assert read_tgn(tgn_text(*several)) == tuple(several)


@given(record=records())
def test_a_match_is_restored_exactly(record: Record) -> None:
    match = record.match()
    bare = record._replace(battles=tuple(map(bare_of, record.battles)), tags=())
    again = Record.of(match, event=record.event, date=record.date, programs=record.programs)
    assert again == bare
    assert updated(record, match) == record
    for battle, recorded in zip(match.battles, record.battles, strict=True):
        assert battle.undone == recorded.undone
        assert battle.outcome == recorded.outcome
        if recorded.agreed:
            assert battle.undo()
            assert battle.outcome is None
        if not recorded.forfeit:
            assert sum(iter(battle.redo, False)) == len(recorded.undone)


@given(record=records(), data=st.data())
def test_loose_layout_is_read_and_its_canonical_form_is_stable(
    record: Record, data: st.DataObject
) -> None:
    text = tgn_text(record)
    seed = data.draw(st.integers(0, 2**32))
    loose = loosened(text, Random(seed))
    (read,) = read_tgn(loose)
    assert read == record
    assert tgn_text(read) == text


def loosened(text: str, random: Random) -> str:
    """Change insignificant parts: spaces, line ends, numbers, the byte order mark."""
    tags, body = text.split("\n\n", 1)
    if "{" not in body:
        words = [
            word
            for word in body.split()
            if random.random() < 0.5 or not word[0].isdigit() or "-" in word
        ]
        body = "".join(word + random.choice([" ", "  ", "\n", "\t"]) for word in words)
    ends = random.choice(["\n", "\r\n", "\r"])
    whole = random.choice(["", "\ufeff"]) + tags + "\n" * random.randrange(1, 4) + body
    return whole.replace("\n", ends)


@given(record=records())
def test_thudboard_files_hold_a_battle(record: Record) -> None:
    for number, battle in enumerate(record.battles, 1):
        if battle.quiet_limit or (battle.start.to_move.value == "T" and not battle.moves):
            continue
        text = thud_text(record, number)
        (read,) = read_thud(text, record.variant).whole().battles
        assert (read.start, read.moves) == (battle.start, battle.moves)
        assert thud_text(read_thud(text, record.variant).whole()) == text


@every_variant
def test_the_variant_of_a_thudboard_file_is_found_where_it_can_be(variant: Variant) -> None:
    battle = Battle(variant)
    telling = variant.name == "football"
    for seed in range(100):
        battle = Battle(variant)
        play(battle, Random(seed), 60)
        rolls = [m for p, m in zip(battle.positions, battle.moves, strict=False) if m[0] == p.stone]
        if not telling or any(distance(roll.origin, roll.destination) > 1 for roll in rolls):
            break
    text = thud_text(Record(variant, (BattleRecord.of(battle),)))
    found = read_thud(text).whole()
    assert found.battles[0].moves == battle.moves
    assert found.variant.start == variant.start
    assert (found.variant is variant) == (variant.name != "single")


def hops_position() -> Position:
    rows = ["5", "7", "9", "11", "13", "15", "15", "7R7", "15", "15", "13", "2Td1d1d3", "9", "7"]
    return VARIANTS["koom"].position("/".join([*rows, "1d3"]) + " T")


def test_a_trample_may_stand_as_one_line_or_as_a_line_a_hop() -> None:
    koom = VARIANTS["koom"]
    start = hops_position()
    battle = Battle(koom, start)
    whole = parse_move(koom, start, "TE12-J12xF12xH12")
    battle.play(whole)
    battle.play(parse_move(koom, battle.position, "dK12-K9"))
    text = thud_text(Record(koom, (BattleRecord.of(battle),)))
    assert "TE12-J12xF12xH12\n" in text
    hop_by_hop = text.replace("TE12-J12xF12xH12", "TE12-G12xF12\nTG12-J12xH12")
    assert read_thud(hop_by_hop, koom).whole().battles[0].moves == battle.moves


@every_variant
def test_a_stone_that_is_not_named_stands_where_the_game_has_it(variant: Variant) -> None:
    match = Match(variant)
    play(match.battle, Random(2), 6)
    text = thud_text(Record.of(match))
    bare = re.sub(r",R\w+", "", text, count=1)
    assert bare != text
    assert read_thud(bare, variant) == read_thud(text, variant)
    assert read_thud(bare).whole().battles[0].moves == match.battle.moves
    with pytest.raises(BadRecord, match=r"the stone \(R\) is missing, and a piece is on "):
        read_thud(f"dF1,T{square_name(variant.start.stone)}", variant).whole()


def test_values_with_a_meaning_may_be_in_capitals() -> None:
    match = Match(VARIANTS["koom"])
    play(match.battle, Random(8), 9)
    match.battle.lose(Forfeit(Side.DWARFS, Reason.RESIGNATION))
    record = Record.of(match)._replace(tags=(GUEST,))
    text = tgn_text(record)
    for value in "koom", "resignation", "yes":
        for other in value.capitalize(), value.upper():
            assert f'"{value}"' in text
            assert read_tgn(text.replace(f'"{value}"', f'"{other}"')) == (record,)


def test_only_the_same_troll_hops_on_and_what_it_did_before_is_kept() -> None:
    koom = VARIANTS["koom"]
    text = thud_text(Record(koom, (BattleRecord(hops_position()),)))
    record, fault = read_thud(text + "TE12-G12xF12\n\nTG12-G11\ndK12-K9\n", koom)
    assert str(fault) == "line 4, column 1: TG12-G11: it is the dwarfs' turn, but G12 has a troll"
    assert record is not None
    assert len(record.battles[0].moves) == 1


def test_what_would_not_be_read_is_not_written() -> None:
    record = Record.of(Match(VARIANTS["koom"]))
    (battle,) = record.battles
    bad_comments = ["a } brace", "esc \x1b[31m", "two\nlines", "", "x" * (MAX_COMMENT + 1)]
    bad = [battle._replace(line=(Node(comments=(text,)),)) for text in bad_comments]
    bad += [
        battle._replace(line=(Node(comments=("many",) * (MAX_COMMENTS + 1)),)),
        battle._replace(quiet_limit=0),
        battle._replace(line=(Node(),) * (MAX_PLIES + 2)),
    ]
    records = [record._replace(battles=(one,)) for one in bad]
    records += [
        record._replace(event="\u202egnp"),
        record._replace(date="yesterday"),
        record._replace(tags=(("Variant", "chess"),)),
        record._replace(tags=(("bad name", "x"),)),
        record._replace(tags=tuple((f"T{n}", "x") for n in range(70))),
        record._replace(event="x" * 401),
    ]
    for one in records:
        with pytest.raises(InvalidRecord):
            tgn_text(one)


@given(record=records())
def test_a_match_and_its_record_count_alike(record: Record) -> None:
    match = record.match()
    assert (record.over, record.tally, record.winner) == (match.over, match.tally, match.winner)
    assert [record.points(player) for player in (0, 1)] == [match.points(0), match.points(1)]
    for number in range(1, len(record.battles) + 1):
        assert record.commanders(number) == tuple(match.name_of(side, number) for side in Side)
    (found,) = json.loads(json_text(record))["matches"]
    assert found["tags"] == dict(record.tags)
    assert [(each["name"], each["program"] or "") for each in found["players"]] == list(
        zip(record.players, record.programs, strict=True)
    )
    assert (found["result"]["over"], found["result"]["points"]) == (match.over, list(match.tally))
    winner = match.winner if match.over else None
    assert found["result"]["winner"] == (None if winner is None else match.players[winner])
    for number, battle in enumerate(match.battles, 1):
        written, outcome = found["battles"][number - 1], battle.outcome
        assert (written["dwarfs"], written["trolls"]) == record.commanders(number)
        positions = [position.to_text() for position in battle.positions[1:]]
        assert [move["position"] for move in written["moves"]] == positions
        assert (written["outcome"] is None) is (outcome is None)
        if outcome:
            ended = written["outcome"]
            assert ended["reason"] == outcome.reason.name.lower()
            assert ended["margin"] == ended["dwarfs"] - ended["trolls"] == outcome.margin
            if battle.moves and not record.battles[number - 1].forfeit:
                assert written["moves"][-1]["margin"] == outcome.margin


@every_variant
@given(seed=st.integers(0, 2**32), mark=st.sampled_from(["", "?", "!", "!?", "??"]))
def test_moves_alone_are_read_with_numbers_and_marks(
    variant: Variant, seed: int, mark: str
) -> None:
    battle = Battle(variant)
    play(battle, Random(seed), 12)
    texts = [f"{text}{mark}" for text in texts_of(battle.positions[0], battle.moves)]
    turns = [" ".join(texts[ply : ply + 2]) for ply in range(0, len(texts), 2)]
    text = "\n".join(f"{number}. {turn}" for number, turn in enumerate(turns, 1))
    for written in text, " ".join(texts), f"{text}\n*\n", f"{text} {{and so on}}":
        (record,) = read_tgn(written)
        assert record.battles[0].moves == battle.moves
        assert {each.mark for each in outline(record.battles[0])} == {mark}
        if battle.outcome is None:
            assert not record.over


def test_a_fault_in_moves_alone_is_where_it_is_written() -> None:
    with pytest.raises(BadRecord, match="line 2, column 4: dA6-A5: A5 is off the board"):
        read_tgn("1. dF1-F5 TG7-F6\n2. dA6-A5?")

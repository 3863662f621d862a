"""Round trips of records, matches, files of both formats, and JSON."""

import json
import re
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from records.matches import every_variant, lines, play, records, variations_of
from saving import updated
from thud.records.as_json import json_text
from thud.records.bounds import BadRecord
from thud.records.formats import UnknownFormat, read_file, write_file
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
from thud.records.tgn.reader import read_tgn, readings_of
from thud.records.tgn.writer import tgn_text
from thud.records.thudboard import read_thud, thud_text
from thud.records.tree import Cursor, Excerpt, outline
from thud.rules.battle import Battle
from thud.rules.geometry import distance, square_name
from thud.rules.match import Match
from thud.rules.notation import parse_move, texts_of
from thud.rules.position import Position, Side
from thud.rules.variant import Forfeit, Reason, Variant
from thud.rules.variants import VARIANTS


@given(record=records())
def test_a_record_is_read_as_it_was_written(record: Record) -> None:
    text = tgn_text(record)
    assert read_tgn(text) == (record,)
    assert tgn_text(*read_tgn(text)) == text


def bare_of(battle: BattleRecord) -> BattleRecord:
    """Return a battle with only the moves played and those taken back."""
    *played, end = line_of(battle.moves)
    back = line_of(battle.undone)[1:]
    return battle._replace(line=(*played, end._replace(variations=(back,) if back else ())))


@given(several=st.lists(records(), min_size=2, max_size=3))
def test_a_file_may_hold_several_matches(several: list[Record]) -> None:
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


def test_only_the_same_troll_hops_on() -> None:
    koom = VARIANTS["koom"]
    text = thud_text(Record(koom, (BattleRecord(hops_position()),)))
    record, fault = read_thud(text + "TE12-G12xF12\nTG12-G11\n", koom)
    assert str(fault) == "line 3, column 1: TG12-G11: it is the dwarfs' turn, but G12 has a troll"
    assert record is not None
    assert len(record.battles[0].moves) == 1


@every_variant
def test_the_moves_before_a_bad_line_are_kept(variant: Variant) -> None:
    match = Match(variant)
    play(match.battle, Random(3), 10)
    record = Record.of(match)
    for text, read in (
        (thud_text(record).replace("\n", "\n\n"), lambda text: [read_thud(text, variant)]),
        (tgn_text(record), readings_of),
    ):
        lines = text.rstrip().split("\n")
        lines.insert(-1, "dA1-A2")
        ((partial, fault),) = read("\n".join(lines))
        assert partial is not None
        assert fault is not None
        kept = partial.battles[0].moves
        assert kept == match.battle.moves[: len(kept)]
        assert len(kept) >= 9
        assert fault.line == len(lines) - 1
        assert fault.reason.startswith("dA1-A2: A1 is off the board")


def test_what_is_said_of_moves_that_are_replaced_is_kept_as_a_variation() -> None:
    match = Match(VARIANTS["classic"])
    play(match.battle, Random(1), 4)
    record = Record.of(match)
    said = record.battles[0].with_notes({0: "first", 3: "third", 4: "last"})
    record = record.with_battle(1, said)
    last = match.battle.moves[-1]
    match.battle.undo()
    back = updated(record, match)
    (kept,) = back.battles
    *_, third = kept.line
    assert [node.comments for node in kept.line] == [("first",), (), (), ("third",)]
    assert third.variations == ((Node(last, ("last",)),),)
    assert kept.taken_back
    match.battle.redo()
    assert updated(back, match) == record
    match.battle.undo()
    moves = match.variant.legal_moves(match.battle.position)
    match.battle.play(next(move for move in moves if move != last))
    (kept,) = updated(back, match).battles
    assert kept.line[3] == third
    assert not kept.taken_back
    # Lines without comments are dropped, as in the battle.
    match.battle.undo()
    plain = Record.of(match)
    match.battle.play(last)
    assert not variations_of(updated(plain, match).battles[0].line)


@given(record=records(), data=st.data())
def test_a_match_is_played_on_into_its_variations(record: Record, data: st.DataObject) -> None:
    """A variation that is played keeps its notes."""
    match = record.match()
    if match.battle.outcome:
        return
    number, battle = match.number, record.battles[-1]
    places = [
        (trail, first + len(line) - 1)
        for trail, first, line in lines(battle)
        if trail and trail[0][0] == len(battle.moves)
    ]
    if not places or battle.quiet_limit:
        return
    trail, last = data.draw(st.sampled_from(places))
    place = Cursor.at(record, number, last, trail)
    written = sorted(comments_of(record))
    for move in place.moves[len(match.battle.moves) :]:
        match.battle.play(move)
        record = updated(record, match)
        assert read_tgn(tgn_text(record)) == (record,)
    assert record.battles[-1].moves == place.moves
    assert sorted(comments_of(record)) == written


def comments_of(record: Record) -> list[str]:
    return [
        text
        for battle in record.battles
        for _, _, line in lines(battle)
        for node in line
        for text in node.comments
    ]


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


def test_json_has_positions_margins_names_and_results() -> None:
    match = Match(VARIANTS["classic"], ("Ann", "Bob"))
    play(match.battle, Random(1), 30)
    match.battle.agree()
    match.next_battle()
    play(match.battle, Random(2), 3)
    match.battle.undo()
    document = json.loads(json_text(Record.of(match, programs=("", "level 2"))))
    (found,) = document["matches"]
    first, second = found["battles"]
    assert (document["format"], document["version"]) == ("thud", 1)
    assert found["players"][1] == {"name": "Bob", "program": "level 2"}
    assert (first["dwarfs"], second["dwarfs"]) == ("Ann", "Bob")
    assert [move["position"] for move in first["moves"]] == [
        position.to_text() for position in match.battles[0].positions[1:]
    ]
    assert first["moves"][-1]["margin"] == first["outcome"]["margin"]
    assert first["outcome"]["reason"] == "agreement"
    assert first["outcome"]["margin"] == first["outcome"]["dwarfs"] - first["outcome"]["trolls"]
    assert (len(second["moves"]), len(second["undone"]), second["outcome"]) == (2, 1, None)
    assert found["result"]["points"] == list(match.tally)
    assert not found["result"]["over"]


@given(record=records())
def test_a_match_and_its_record_count_alike(record: Record) -> None:
    match = record.match()
    assert (record.over, record.tally, record.winner) == (match.over, match.tally, match.winner)
    assert [record.points(player) for player in (0, 1)] == [match.points(0), match.points(1)]
    for number in range(1, len(record.battles) + 1):
        assert record.commanders(number) == tuple(match.name_of(side, number) for side in Side)
    (found,) = json.loads(json_text(record))["matches"]
    assert found["tags"] == dict(record.tags)
    assert len(found["battles"]) == len(record.battles)
    assert found["result"]["points"] == list(match.tally)
    winner = match.winner if match.over else None
    assert found["result"]["winner"] == (None if winner is None else match.players[winner])


def test_files_are_opened_and_written_by_their_extension(tmp_path: Path) -> None:
    match = Match(VARIANTS["koom"])
    play(match.battle, Random(8), 9)
    record = Record.of(match)
    for name in ("a.tgn", "b.thud", "c.TGN"):
        write_file(tmp_path / name, record)
        (read,) = read_file(tmp_path / name)
        assert read.battles[0].moves == record.battles[0].moves
    write_file(tmp_path / "d.json", record)
    assert json.loads((tmp_path / "d.json").read_text())["version"] == 1
    with pytest.raises(FileExistsError):
        write_file(tmp_path / "a.tgn", record)
    write_file(tmp_path / "a.tgn", record, overwrite=True)
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "a.tgn",
        "b.thud",
        "c.TGN",
        "d.json",
    ]
    for action in (read_file, lambda path: write_file(path, record)):
        with pytest.raises(UnknownFormat, match="must end in"):
            action(tmp_path / "e.txt")
    two = record._replace(battles=record.battles * 2)
    with pytest.raises(InvalidRecord, match="say which"):
        write_file(tmp_path / "two.thud", two)
    write_file(tmp_path / "two.thud", two, excerpt=Excerpt(2))
    assert (tmp_path / "two.thud").read_bytes() == (tmp_path / "b.thud").read_bytes()


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

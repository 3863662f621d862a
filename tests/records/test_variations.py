"""Variations: a tree beside the moves played, which no edit changes."""

import json
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from records.matches import lines, records, taken_back, variants, variations_of, varied
from saving import updated
from thud.records import editing
from thud.records.as_json import json_text
from thud.records.bounds import BadRecord
from thud.records.editing import CannotChange
from thud.records.record import (
    MAX_COMMENTS,
    MAX_DEPTH,
    MAX_VARIED,
    BattleRecord,
    InvalidRecord,
    Line,
    Record,
    line_of,
    moves_of,
)
from thud.records.tgn.reader import read_tgn, readings_of
from thud.records.tgn.writer import tgn_text
from thud.records.thudboard import thud_text
from thud.records.tree import Cursor, outline
from thud.rules.notation import move_text, parse_move
from thud.rules.position import Move, Position
from thud.rules.variant import Variant

HEAD = '[Variant "classic"]\n\n'


def places(record: Record) -> list[Cursor]:
    """Return every place of a record once."""
    return [
        Cursor.at(record, number, ply, trail)
        for number, battle in enumerate(record.battles, 1)
        for trail, first, line in lines(battle)
        for ply in range(first, first + len(line))
    ]


def played_of(record: Record) -> list[BattleRecord]:
    """Return the parts that no edit may change."""
    return [
        battle._replace(line=line_of(battle.moves), taken_back=False) for battle in record.battles
    ]


def sane(record: Record) -> None:
    """Check that a record round-trips."""
    assert read_tgn(tgn_text(record)) == (record,)


def change_of(place: Cursor, change: str, data: st.DataObject) -> Cursor:
    """Make a change at a place and check its effect; return the same place if it is refused.

    A change may be refused only if it would alter the moves played.
    """
    record = place.record
    try:
        if change == "play":
            moves = record.variant.legal_moves(place.position)
            if not moves:
                return place
            move = data.draw(st.sampled_from(moves))
            after = editing.played(place, move)
            assert (after.move, after.ply) == (move, place.ply + 1)
        elif change == "delete":
            after = editing.deleted(place)
            assert len(places(after.record)) < len(places(record))
        elif change == "promote":
            after = editing.promoted(place)
            assert (after.position, after.moves) == (place.position, place.moves)
            assert len(places(after.record)) == len(places(record))
        else:
            after = editing.commented(place, "so it is")
            assert after.node.comments == ("so it is",)
            assert editing.commented(after, " ").node.comments == ()
    except CannotChange:
        assert not place.parent or change == "promote"
        return place
    return after


CHANGES = ("play", "delete", "promote", "comment")


@given(record=records(), data=st.data())
def test_whatever_is_changed_can_be_kept_and_what_was_played_stays(
    record: Record, data: st.DataObject
) -> None:
    place = data.draw(st.sampled_from(places(record)))
    after = change_of(place, data.draw(st.sampled_from(CHANGES)), data)
    sane(after.record)
    assert played_of(after.record) == played_of(record)


@given(variant=variants, random=st.randoms(use_true_random=False), data=st.data())
def test_however_often_it_is_changed_it_is_read_as_it_was_written(
    variant: Variant, random: Random, data: st.DataObject
) -> None:
    record = first = Record.of(taken_back(variant, random))
    for change in data.draw(st.lists(st.sampled_from(CHANGES), min_size=4, max_size=12)):
        # Most changes are at or after the point to which the battle was taken back.
        late = [place for place in places(record) if place.ply >= len(first.battles[0].moves)]
        place = data.draw(st.sampled_from(late if random.random() < 0.8 else places(record)))
        record = change_of(place, change, data).record
        sane(record)
    assert played_of(record) == played_of(first)
    assert updated(record, record.match()) == record


@given(record=records(), data=st.data())
def test_a_new_variation_is_gone_when_it_is_deleted(record: Record, data: st.DataObject) -> None:
    place = data.draw(st.sampled_from(places(record)))
    known = {place.next_move, *(move for each in place.node.variations for move in moves_of(each))}
    moves = set(record.variant.legal_moves(place.position)) - known
    if moves:
        tried = editing.played(place, min(moves))
        assert len(places(tried.record)) == len(places(record)) + 1
        after = editing.deleted(tried)
        assert after.path == place.path
        assert [each.line for each in after.record.battles] == [
            each.line for each in record.battles
        ]


@given(record=records(), data=st.data())
def test_what_was_passed_by_is_first_again_when_it_is_promoted(
    record: Record, data: st.DataObject
) -> None:
    place = data.draw(st.sampled_from(places(record)))
    try:
        after = editing.promoted(place)
    except CannotChange:
        return
    assert place.parent
    passed = (*place.parent.trail, (place.parent.ply, place.variation_index))
    other = Cursor.at(after.record, place.number, place.first, passed)
    assert editing.promoted(other).record == record


@given(record=records(), data=st.data())
def test_a_path_stays_what_it_is_when_something_is_said_or_tried_elsewhere(
    record: Record, data: st.DataObject
) -> None:
    place, elsewhere = data.draw(st.lists(st.sampled_from(places(record)), min_size=2, max_size=2))
    after = change_of(elsewhere, data.draw(st.sampled_from(["play", "comment"])), data)
    if not any(battle.taken_back for battle in record.battles):
        there = Cursor.at(after.record, place.number, place.ply, place.trail)
        assert there.positions[: place.ply + 1] == place.positions[: place.ply + 1]


@given(record=records(), random=st.randoms(use_true_random=False))
def test_all_that_was_said_is_kept_when_the_match_goes_on(record: Record, random: Random) -> None:
    match = record.match()
    said = words_of(record)
    for _ in range(6):
        battle = match.battle
        moves = battle.variant.legal_moves(battle.position)
        known = [node.move for place in places(record) for node in place.nodes[battle.played + 1 :]]
        if battle.played and random.random() < 0.5:
            battle.undo()
        elif moves and battle.outcome is None:
            battle.play(random.choice([move for move in moves if move in known] or moves))
        record = updated(record, match)
        sane(record)
        assert words_of(record) == said


TAKEN_BACK = {
    "TG7-H6": "1. dF1-F5 TG7-H6\n(1. ... TG7-F6 {why?}\n2. dG1-G5)\n*\n",
    "": "1. dF1-F5\n(1. ... TG7-F6 {why?}\n2. dG1-G5)\n()\n*\n",
}


@pytest.mark.parametrize(("then", "written"), TAKEN_BACK.items(), ids=["replaced", "taken back"])
def test_what_goes_on_from_a_move_that_is_taken_back_goes_with_it(then: str, written: str) -> None:
    (record,) = read_tgn(f"{HEAD}1. dF1-F5 TG7-F6 {{why?}} (2. dG1-G5) () *")
    match = record.match()
    match.battle.undo()
    if then:
        match.battle.play(parse_move(match.variant, match.battle.position, then))
    back = updated(record, match)
    assert tgn_text(back).split("\n\n")[1] == written
    sane(back)
    if not then:
        match.battle.redo()
        assert updated(back, match) == record


def test_moves_that_follow_on_those_taken_back_make_them_a_variation() -> None:
    (record,) = read_tgn(HEAD + "1. dF1-F5 (1. ... TG7-F6 2. dG1-G2) *")
    assert len(record.battles[0].undone) == 2
    end = Cursor.at(record, 1, trail=((1, 0),))
    longer = editing.played(end, record.variant.legal_moves(end.position)[0]).record
    sane(longer)
    assert longer.battles[0].undone == ()
    assert [len(each) for each in variations_of(longer.battles[0].line)] == [3]


def words_of(record: Record) -> list[str]:
    """Return all comments without notes for programs, sorted."""
    return sorted(words for place in places(record) for words in place.words)


@given(record=records())
def test_every_place_is_reached_by_going_on_in_across_and_back(record: Record) -> None:
    for place in places(record):
        back = place.to(place.ply - 1)
        assert back.positions[back.ply] == place.positions[max(0, place.ply - 1)]
        ways = {place.trail}
        going = place
        while (going := going.to_next_alternative()) != place:
            assert going.to(going.ply - 1) == back
            assert going.trail not in ways
            ways.add(going.trail)
        assert (
            len(ways) == len(back.node.variations) + (back.next_move is not None) or not place.ply
        )
        for index in range(len(place.node.variations)):
            assert place.into(index).parent == place


@given(record=records())
def test_the_outline_has_every_move_once_and_each_behind_what_it_could_replace(
    record: Record,
) -> None:
    for number, battle in enumerate(record.battles, 1):
        entries = list(outline(battle))
        paths = [entry.path for entry in entries]
        assert len(set(paths)) == len(paths)
        assert len(paths) == sum(len(line) for _, _, line in lines(battle)) - 1
        for entry in entries:
            place = Cursor.at(record, number, entry.ply, entry.trail)
            assert place.before
            assert place.move
            assert entry.text == move_text(place.before, place.move)
            assert entry.commented == bool(place.node.comments)
            if place.parent and place.parent.next_move:
                replaced = (place.parent.trail, place.first)
                assert paths.index(replaced) < paths.index((entry.trail, place.first))


def test_a_battle_is_written_once_however_many_variations_it_has(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (record,) = read_tgn(f"{HEAD}1. dF1-F5 {'(1. dE2-E6) ' * 40} TG7-F6 2. dG1-G2 *")
    written: list[Move] = []

    def writing(position: Position, move: Move) -> str:
        written.append(move)
        return move_text(position, move)

    monkeypatch.setattr("thud.records.tree.move_text", writing)
    assert len(list(outline(record.battles[0]))) == 43
    assert len(written) <= 43


@given(record=records(), seed=st.integers(0, 2**32))
def test_other_formats_take_what_was_played(record: Record, seed: int) -> None:
    more = varied(record, Random(seed), 10)
    for number in range(1, len(record.battles) + 1):
        assert thud_text(more, number) == thud_text(record, number)
        assert Cursor.at(more, number).positions == Cursor.at(record, number).positions


@given(record=records())
def test_json_has_the_whole_tree(record: Record) -> None:
    (found,) = json.loads(json_text(record))["matches"]
    for written, battle in zip(found["battles"], record.battles, strict=True):
        for trail, first, line in lines(battle):
            found, begins = written, 0
            for ply, index in trail:
                here = [each for each in found["variations"] if begins + each["after"] == ply]
                found, begins = here[index], ply
            assert [comment["text"] for comment in found["comments"]] == [
                text for node in line for text in node.comments
            ]
            plies = [move["ply"] for move in found["moves"]]
            assert plies == list(range(max(first, 1), first + len(line)))
        assert len(written["undone"]) == len(battle.undone)


def test_what_was_played_is_neither_deleted_nor_replaced() -> None:
    (record,) = read_tgn(HEAD + "1. dF1-F5 (1. dE2-E6) (1. dG1-G5) TG7-F6 *")
    place = Cursor.at(record, 1, 1)
    for change in (editing.deleted, editing.promoted):
        with pytest.raises(CannotChange, match="that were played"):
            change(place)
    second = editing.promoted(Cursor.at(record, 1, 1, ((0, 1),)))
    assert second.trail == ((0, 0),)
    with pytest.raises(CannotChange, match="the moves that were played stay first"):
        editing.promoted(second)


def test_a_variation_that_is_promoted_takes_the_place_of_the_one_it_leaves() -> None:
    text = "1. dF1-F5 (1. dE2-E6 TG7-F6 {known} (1. ... TG7-H6 2. dG1-G5)) TG7-F6 *"
    (record,) = read_tgn(HEAD + text)
    place = editing.promoted(Cursor.at(record, 1, 2, ((0, 0), (1, 0))))
    promoted = "(1. dE2-E6 TG7-H6\n(1. ... TG7-F6 {known})\n2. dG1-G5)"
    assert tgn_text(place.record).endswith(f"1. dF1-F5\n{promoted}\n1. ... TG7-F6\n*\n")
    place = editing.deleted(Cursor.at(record, 1, 2, ((0, 0),)))
    left = "(1. dE2-E6 TG7-H6\n2. dG1-G5)"
    assert tgn_text(place.record).endswith(f"1. dF1-F5\n{left}\n1. ... TG7-F6\n*\n")


def test_lines_that_go_on_from_the_end_are_no_moves_taken_back() -> None:
    (record,) = read_tgn(HEAD + "1. dF1-F5 TG7-F6 (2. dG1-G5) () *")
    (battle,) = record.battles
    assert (battle.undone, len(variations_of(battle.line))) == ((), 1)
    assert record.match().battle.undone == ()
    (record,) = read_tgn(HEAD + "1. dF1-F5 TG7-F6 (2. dG1-G5) (2. dE2-E6 TF6-F7) *")
    (battle,) = record.battles
    assert (len(battle.undone), len(variations_of(battle.line))) == (2, 2)
    assert record.match().battle.undone == battle.undone


@pytest.mark.parametrize(
    "text",
    [
        "dF1-F5 (TG7-F6 dG1-G5) *",
        "1. dF1-F5 (1. ... TG7-F6 2. dG1-G5) {a comment} *",
        "dF1-F5 () *",
        "(dF1-F5 TG7-F6) *",
    ],
)
def test_older_files_mean_what_they_meant(text: str) -> None:
    (record,) = read_tgn(HEAD + text)
    (battle,) = record.battles
    assert battle.taken_back == ("()" not in text)
    assert len(variations_of(battle.line)) == battle.taken_back
    sane(record)


def test_a_variation_of_a_first_move_is_one_of_the_same_move() -> None:
    (record,) = read_tgn(HEAD + "1. dF1-F5 (1. dE2-E6 (1. dG1-G5)) (1. dD3-D4) *")
    (battle,) = record.battles
    variations = battle.line[0].variations
    assert [variations_of(each) for each in variations] == [[], [], []]
    texts = [move_text(record.start, *moves_of(each)) for each in variations]
    assert texts == ["dE2-E6", "dG1-G5", "dD3-D4"]


def test_there_are_bounds_to_moves_depth_and_comments() -> None:
    deep = "(1. dE2-E6 " * MAX_DEPTH
    with pytest.raises(BadRecord, match=f"variations are at most {MAX_DEPTH} deep"):
        read_tgn(HEAD + f"1. dF1-F5 {deep} ( *")
    many = "(1. dE2-E6) " * (MAX_VARIED + 1)
    with pytest.raises(BadRecord, match=f"have at most {MAX_VARIED} moves in all"):
        read_tgn(HEAD + f"1. dF1-F5 {many} *")
    said = f"(1. dE2-E6 {'{x}' * (MAX_COMMENTS + 1)})"
    with pytest.raises(BadRecord, match=f"at most {MAX_COMMENTS} comments"):
        read_tgn(HEAD + f"1. dF1-F5 {said} *")


def test_what_could_not_be_read_is_not_written() -> None:
    (record,) = read_tgn(HEAD + "1. dF1-F5 TG7-F6 *")
    (battle,) = record.battles
    start, first, second = battle.line
    one = (first,)
    nested: Line = one
    for _ in range(3000):
        nested = (first._replace(variations=(nested,)), second)

    def varied(*variations: Line) -> BattleRecord:
        return battle._replace(line=(start._replace(variations=variations), first, second))

    wrong = [
        varied(nested),
        varied(()),
        varied((first, second._replace(variations=(one,)))),
        varied(*[one] * (MAX_VARIED + 1)),
        battle._replace(taken_back=True),
    ]
    for each in wrong:
        with pytest.raises(InvalidRecord):
            tgn_text(record._replace(battles=(each,)))


@pytest.mark.parametrize("unit", ["(", "(1. ", "() ", "(1. dE2-E6) ", "7. ", ")"])
def test_no_text_drives_a_call_into_another(unit: str) -> None:
    ((partial, fault),) = readings_of(f"{HEAD}1. dF1-F5 {unit * 6_000} *")
    assert fault is not None
    assert partial is not None
    sane(partial)


def test_a_match_is_played_on_from_a_variation() -> None:
    (record,) = read_tgn(HEAD + "1. dF1-F5 (1. dE2-E6 TG7-H6) TG7-F6 *")
    place = Cursor.at(record, 1, 2, ((0, 0),))
    assert place.match().battle.moves == place.moves

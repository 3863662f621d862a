"""A damaged file keeps every match up to its own first damage, and says where that is."""

import re
from pathlib import Path
from random import Random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from records.matches import play, records
from thud.cli.main import main
from thud.records.bounds import text_of
from thud.records.formats import open_named, read_match
from thud.records.record import MAX_COMMENT, Reading, Record
from thud.records.store import CannotResume, Store
from thud.records.tgn.reader import readings_of
from thud.records.tgn.writer import tgn_text
from thud.rules.match import Match
from thud.rules.variants import VARIANTS

STRANGE = ["\0", "\x1b", "\u200b", "\ufeff", "\u2028", "\x85"]


def played(name: str = "classic", seed: int = 1, length: int = 12) -> Record:
    """Return a match of one battle without comments."""
    match = Match(VARIANTS[name], ("Ann", "Bob"))
    play(match.battle, Random(seed), length)
    return Record.of(match)


def moves_of(reading: Reading) -> list[int]:
    assert reading.record
    return [len(battle.moves) for battle in reading.record.battles]


@given(record=records(), character=st.sampled_from(STRANGE), data=st.data())
def test_an_unprintable_character_costs_nothing(
    record: Record, character: str, data: st.DataObject
) -> None:
    text = tgn_text(record)
    place = data.draw(st.integers(1, len(text)))
    (reading,) = readings_of(text[:place] + character + text[place:])
    assert reading.record == record
    assert reading.fault
    lines = text[:place].split("\n")
    assert (reading.fault.line, reading.fault.column) == (len(lines), len(lines[-1]) + 1)
    assert "is not printable" in reading.fault.reason


@given(seed=st.integers(0, 1000), data=st.data())
@example(seed=1, data=None)
def test_what_stands_before_a_cut_is_kept(seed: int, data: st.DataObject | None) -> None:
    record = played(seed=seed)
    text = tgn_text(record)
    places = range(text.index("\n\n"), len(text) - 2)
    for place in [data.draw(st.sampled_from(places))] if data else places:
        for end in "", "\0" * 9:
            (reading,) = readings_of(text[:place] + end)
            whole = re.findall(r"\w+-\w+(?=\s)", text[text.index("\n\n") : place])
            assert reading.fault
            assert reading.record
            moves = record.battles[0].moves
            assert reading.record.battles[0].moves == moves[: len(whole)]


OPENING = "1. dF1-F5 TG7-F6\n2. dG1-G5 TF6-F7\n*\n"
DAMAGES = {
    "an open brace": (" TG7-F6", " {TG7-F6", 1),
    "a brace in a comment": (" TG7-F6", " TG7-F6 {one {two}", 2),
    "another move": (" TG7-F6", " TG7-A6", 1),
    "no move": (" TG7-F6", " fuzzy", 1),
    "a wrong number": ("\n2. ", "\n3. ", 2),
    "a tag in a line": ("\n2. ", '\n2. [Event "', 2),
    "a byte": (" TG7-F6", " TG7\udc80-F6", 1),
    "no result": ("\n*", "\n", 4),
    # What is no move of the battle costs none.
    "a long comment": (" TF6", f" {{{'a' * (MAX_COMMENT + 1)}}} TF6", 4),
    "a closing brace": (" TF6", " } TF6", 4),
    "a parenthesis": (" TF6", " ) TF6", 4),
    "a bracket": (" TF6", " ] TF6", 4),
    "variations": (" TF6", " (2. dG1-G5 TF6-A9 {why} (2. ... TF6-G6) x) TF6", 4),
    "variations of no move": (" TF6", " (fuzzy (2. dG1-G2)) TF6", 4),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_damage_costs_no_other_match_and_no_move_before_it(damage: str) -> None:
    before, after = played(seed=1), played("koom", seed=2)
    old, new, kept = DAMAGES[damage]
    middle = '[Variant "classic"]\n\n' + OPENING.replace(old, new)
    readings = readings_of("\n".join([tgn_text(before), middle, tgn_text(after)]))
    assert [readings[0], readings[2]] == [Reading(before), Reading(after)]
    assert len(readings) == 3
    assert moves_of(readings[1]) == [kept]
    assert readings[1].fault
    assert readings[1].fault.line > tgn_text(before).count("\n") + 2


def test_a_damaged_tag_costs_no_move() -> None:
    good = tgn_text(played())
    for tag in ['[Event "a', "[Event x]", '[event "a"]', '[Date "soon"]', '[TimeControl "x"]']:
        (reading,) = readings_of(f"{tag}\n{good}")
        assert reading.record == played()
        assert reading.fault
        assert (reading.fault.line, reading.fault.column) == (1, 1)


def test_files_put_together_lose_nothing_by_their_byte_order_marks(tmp_path: Path) -> None:
    first, second = played(seed=1), played(seed=2)
    both = tmp_path / "both.tgn"
    both.write_bytes(b"".join(tgn_text(each).encode("utf-8-sig") for each in (first, second)))
    assert read_match(both) == (first, "")
    kept, fault = read_match(both, number=2)
    assert kept == second
    assert re.fullmatch(
        r"line \d+, column 1: the character .* not printable; 12 moves are kept", fault
    )


def test_bytes_that_are_no_text_cost_what_they_replace() -> None:
    text = tgn_text(played()).replace("*", "{caf\xe9} *").encode("latin-1")
    (reading,) = readings_of(text_of(text))
    assert moves_of(reading) == [12]
    assert reading.fault
    assert reading.fault.reason == "the byte 0xe9 is not UTF-8 text"
    assert reading.record
    assert reading.record.battles[0].line[-1].comments == ("caf\ufffd",)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
def test_another_encoding_is_called_by_its_name(encoding: str, tmp_path: Path) -> None:
    path = tmp_path / "match.tgn"
    path.write_bytes(tgn_text(played()).encode(encoding))
    with pytest.raises(ValueError, match="line 1: it is UTF-16 text: save it as UTF-8"):
        read_match(path)


def test_a_damaged_saved_match_is_opened_but_never_written_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("THUD_DATA_DIR", str(tmp_path))
    store = Store()
    with store.adopt(played()) as saved:
        name, path = saved.id, saved.path
    damaged = path.read_bytes()[:-8]
    path.write_bytes(damaged)
    kept, fault = open_named(name, store)
    assert 8 < len(kept.battles[0].moves) < 12
    assert "the file ends within a battle" in fault
    with pytest.raises(CannotResume):
        store.resume(name)
    assert main(["resume", name]) == 2
    told = capsys.readouterr().err
    assert fault in told
    assert f"'thud play --from {name}'" in told
    assert main(["export", name, "--output", str(tmp_path / "kept.tgn")]) == 0
    assert fault in capsys.readouterr().err
    assert read_match(tmp_path / "kept.tgn") == (kept, "")
    assert path.read_bytes() == damaged


def test_each_match_of_a_file_is_told_of_its_own_first_unprintable_character() -> None:
    match = '[Variant "classic"]\n[Event "a{}b"]\n\n1. dF1-F5 {{c{}d}}\n*\n'
    texts = [match.format("\0", "\x1b"), match.format("", ""), match.format("", "\x85")]
    readings = readings_of("\n".join(texts))
    assert len({reading.record for reading in readings}) == 1
    assert [each.fault and each.fault.line for each in readings] == [2, None, 16]

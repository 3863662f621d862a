"""Broken and hostile files are refused quickly, with an error that names the line."""

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from records.matches import records
from thud.records import bounds
from thud.records.bounds import MAX_BYTES, MAX_MATCHES, BadRecord, text_of
from thud.records.formats import read_file
from thud.records.record import MAX_COMMENTS, MAX_PLIES, BattleRecord, Reading, Record
from thud.records.tgn import reader
from thud.records.tgn.reader import read_tgn, readings_of
from thud.records.tgn.writer import tgn_text
from thud.records.thudboard import read_thud, thud_text
from thud.rules.match import Match
from thud.rules.variants import VARIANTS
from variants import as_told

BROKEN = Path(__file__).with_name("broken")
MESSAGES: dict[str, str] = json.loads((BROKEN / "messages.json").read_text())
HEAD = '[Variant "classic"]\n\n'
LONGEST_MESSAGE = 500


def test_every_broken_file_has_its_message() -> None:
    on_disk = {path.name for path in BROKEN.iterdir()} - {"messages.json"}
    assert on_disk == set(MESSAGES)
    assert len(on_disk) >= 60
    assert {Path(name).suffix for name in on_disk} == {".tgn", ".thud"}


@pytest.mark.parametrize("name", MESSAGES)
def test_a_broken_file_is_refused_for_its_fault(name: str) -> None:
    with pytest.raises(BadRecord) as caught:
        read_file(BROKEN / name)
    assert as_told(str(caught.value)) == MESSAGES[name]
    assert str(caught.value).isprintable()
    lines = (BROKEN / name).read_bytes().replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    assert 1 <= caught.value.line <= lines.count(b"\n") + 1


def test_what_is_too_large_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "large.tgn"
    with path.open("wb") as file:
        file.truncate(1 << 40)  # sparse: reading it would exhaust memory
    with pytest.raises(BadRecord, match="line 1: the file is larger than 1 MiB"):
        read_file(path)
    with pytest.raises(BadRecord, match="larger"):
        text_of(b" " * (MAX_BYTES + 1))
    assert text_of(b" " * MAX_BYTES)


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="needs a file without an end")
def test_what_does_not_tell_its_size_is_not_read_for_ever(tmp_path: Path) -> None:
    (tmp_path / "zero.tgn").symlink_to("/dev/zero")
    with pytest.raises(OSError, match="not a file"):
        read_file(tmp_path / "zero.tgn")


@pytest.mark.slow
def test_there_are_bounds_to_matches_moves_and_comments() -> None:
    many = (HEAD + "*\n") * (MAX_MATCHES + 1)
    with pytest.raises(BadRecord, match="a file has at most 1000 matches"):
        read_tgn(many)
    with pytest.raises(BadRecord, match="a battle in a record has at most 6000 comments"):
        read_tgn(HEAD + "{x}" * (MAX_COMMENTS + 1) + "*")
    there, back = ["dP10-O9", "TG7-G6", "dO9-P10", "TG6-G7"], MAX_PLIES // 4
    moves = " ".join(there * back)
    (record,) = read_tgn(f"{HEAD}{moves} *")
    assert len(record.battles[0].moves) == MAX_PLIES
    for text in (f"{moves} {there[0]}", f"{moves} ({there[0]})"):
        with pytest.raises(BadRecord, match="a battle in a record has at most 5000 moves"):
            read_tgn(f"{HEAD}{text} *")
    with pytest.raises(BadRecord, match="at most 5000 moves"):
        read_thud(thud_text(record) + there[0]).whole()


HOSTILE = {
    "tags": '[A "',
    "backslashes": '[A "' + "\\\\" * 400_000,
    "brackets": "[" * 900_000,
    "braces": HEAD + "{" * 900_000,
    "comment": HEAD + "{" + "a " * 450_000,
    "parentheses": HEAD + "(" * 900_000,
    "closed": HEAD + ")(" * 450_000,
    "digits": HEAD + "1" * 900_000,
    "results": HEAD + "0.5-" * 200_000,
    "numbers": HEAD + "1." * 400_000,
    "dots": HEAD + "." * 900_000,
    "word": HEAD + "d" * 900_000,
    "squares": HEAD + "xF1" * 300_000,
    "lines": HEAD + "\n" * 900_000,
    "comments": HEAD + "{a}" * 300_000,
    "empty comments": HEAD + "{}" * 400_000,
    "quotes": HEAD + '"' * 900_000,
    "closing braces": HEAD + "}" * 900_000,
    "open comments": HEAD + "{\n" * 450_000,
    "broken tags": "[x\n" * 300_000,
    "zeros": HEAD + "\0\n" * 450_000,
    "joiners": HEAD + "\u200c" * 300_000,
    "skipped": HEAD + "1. dF1-F5 (x " + "(" * 400_000 + ")" * 400_000,
    "matches": '[A "x"]\n*\n' * 90_000,
    "stars": HEAD + "* " * 400_000,
    "pieces": "dF1," * 200_000,
    "commas": "," * 900_000,
}


@pytest.mark.slow
@pytest.mark.parametrize("name", HOSTILE)
def test_the_time_to_refuse_is_in_proportion_to_the_length(name: str, full: bool) -> None:
    text = HOSTILE[name] if full else HOSTILE[name][:30_000]
    for read in (read_tgn, lambda text: read_thud(text).whole()):
        began = time.process_time()
        with pytest.raises(BadRecord) as caught:
            read(text)
        assert time.process_time() - began < 30, "in proportion it is two, squared it is hours"
        assert len(str(caught.value)) < LONGEST_MESSAGE


def test_moves_that_take_too_long_to_check_are_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader, "TIMEOUT", -1.0)
    with pytest.raises(BadRecord, match="line 3, column 4: checking the moves took over -1 sec"):
        read_tgn(HEAD + "1. dF1-F5 *")


WORDS = """[ ] " { } ( ) * 1. ... \\ 32-32 1-0 Variant classic koom Start Dwarfs1 Event Date End1
QuietLimit1 dF1-F5 TG7-F6 dF5-F6xF6 x - é 2026 dF1,TG7,RH8 , I5 ٣"""
alphabet = st.sampled_from(
    [*WORDS.split(), *" \n\0\x1b\u202e\ufeff", "\r\n", HEAD, '[Variant "koom"]\n']
)


def refused_or_read(read: Callable[[Any], list[Reading]], given: object) -> None:
    """Check that a reader succeeds, or has a fault with a proper message."""
    try:
        readings = read(given)
    except BadRecord as error:
        readings = [Reading(None, error)]
    for record, fault in readings:
        assert record or fault
        if fault:
            assert str(fault).isprintable()
            assert len(str(fault)) < LONGEST_MESSAGE
            assert fault.reason
            assert fault.line >= 1
            assert fault.column >= 0
        if record:
            text = tgn_text(record)
            assert read_tgn(text) == (record,)
            assert tgn_text(*read_tgn(text)) == text
            record.match()


def reading_of_thud(text: str) -> list[Reading]:
    """Read a battle of ThudBoard."""
    return [read_thud(text)]


@given(pieces=st.lists(alphabet, max_size=60))
def test_fuzzed_text_is_read_or_refused(pieces: list[str]) -> None:
    for read in (readings_of, reading_of_thud):
        refused_or_read(read, "".join(pieces))
        refused_or_read(read, HEAD + "".join(pieces))


@given(data=st.binary(max_size=200))
@example(data=b"\xff\xfe")
def test_fuzzed_bytes_are_text_or_refused(data: bytes) -> None:
    refused_or_read(lambda data: readings_of(text_of(data)), data)
    refused_or_read(lambda data: [read_thud(text_of(data))], data)


@given(record=records(), data=st.data())
def test_records_with_a_part_changed_are_read_or_refused(
    record: Record, data: st.DataObject
) -> None:
    written = tgn_text(record)
    for text, read in ((written, readings_of), (thud_text(record), reading_of_thud)):
        place = data.draw(st.integers(0, len(text)))
        length = data.draw(st.integers(0, 8))
        instead = data.draw(st.one_of(alphabet, st.text(max_size=4)))
        refused_or_read(read, text[:place] + instead + text[place + length :])


def test_the_line_is_counted_with_any_line_ends() -> None:
    for end in ("\n", "\r\n", "\r"):
        data = HEAD.replace("\n", end).encode() + b"1. dF1-F5" + end.encode() + b"\xff"
        _, (fault,) = bounds.clean(text_of(data))
        assert (fault.line, fault.column) == (4, 1)


def test_a_thudboard_file_without_moves_begins_with_the_dwarfs() -> None:
    record = read_thud(thud_text(Record.of(Match(VARIANTS["koom"])))).whole()
    assert record.battles == (BattleRecord(VARIANTS["koom"].start),)

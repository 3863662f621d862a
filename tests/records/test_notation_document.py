"""docs/notation.md is accurate: its examples parse, its tables match the code."""

import json
import re
from pathlib import Path

from records.matches import variations_of
from thud.records import bounds
from thud.records import record as limits
from thud.records.as_json import VERSION, json_text
from thud.records.tgn.reader import OWN_TAGS, TIMEOUT, read_tgn
from thud.records.tgn.writer import ENDS, tgn_text
from thud.records.thudboard import read_thud, thud_text
from thud.rules.notation import parse_move
from thud.rules.position import Position
from thud.rules.variant import Reason
from thud.rules.variants import VARIANTS

TEXT = (Path(__file__).parents[2] / "docs" / "notation.md").read_text(encoding="utf-8")


def blocks(kind: str) -> list[str]:
    """Return the fenced blocks of a kind."""
    return re.findall(rf"^```{kind}\n(.*?)^```$", TEXT, re.DOTALL | re.MULTILINE)


def keys_under(caption: str) -> set[str]:
    """Return the names in the first column of the table that follows a caption."""
    table = TEXT.split(f"\n{caption}\n", 1)[1].split("|\n\n", 1)[0]
    cells = [line.split("|")[1] for line in table.splitlines() if line.startswith("| `")]
    return set(re.findall(r"`(\w+)`", " ".join(cells)))


def test_the_example_of_a_record_is_canonical() -> None:
    (text,) = blocks("tgn")
    (record,) = read_tgn(text)
    assert tgn_text(record) == text
    assert record.battles[0].agreed
    assert len(record.battles[1].undone) == 2
    (variation,) = variations_of(record.battles[0].line)
    assert [len(each) for each in (variation, *variations_of(variation))] == [3, 1]


def test_the_example_of_a_thudboard_file_is_as_it_is_written() -> None:
    (text,) = blocks("thud")
    assert thud_text(read_thud(text).whole()) == text


def test_the_positions_are_the_starts() -> None:
    positions = re.findall(r"^    (\S+/\S+ [dT])$", TEXT, re.MULTILINE)
    assert [Position.from_text(text) for text in positions] == [
        VARIANTS["classic"].start,
        VARIANTS["koom"].start,
    ]


def test_the_moves_of_the_table_can_be_played() -> None:
    moves = re.findall(r"^\| `([dTR]\w+-\w+)` \|", TEXT, re.MULTILINE)
    assert moves == ["dF1-F5", "TF6-G6xF5xG5", "dJ5-F8xF8", "RH8-G9"]
    classic, koom = VARIANTS["classic"], VARIANTS["koom"]
    parse_move(classic, classic.start, moves[0])
    (record,) = read_tgn(blocks("tgn")[0])
    assert moves[1] in tgn_text(record)
    hurl = classic.position("5/7/7d1/7d3/7d5/15/15/5T1R7/15/15/13/11/9/7/5 d")
    parse_move(classic, hurl, moves[2])
    parse_move(koom, koom.start, moves[3])


def test_the_tags_of_the_table_are_those_that_mean_something() -> None:
    assert keys_under("| Tag | Value |") == OWN_TAGS
    ends = re.search(r"^\| `End1`.*$", TEXT, re.MULTILINE)
    assert ends
    assert set(ENDS) == set(Reason)
    assert all(f"`{word}`" in ends[0] for word in ENDS.values())


def test_the_keys_of_the_tables_are_those_of_the_json() -> None:
    (record,) = read_tgn(blocks("tgn")[0])
    document = json.loads(json_text(record))
    (match,) = document["matches"]
    battle = match["battles"][0]
    assert document["version"] == VERSION
    caption = "A match can be written as JSON, for other programs. The document is an object:"
    assert keys_under(caption) == set(document)
    assert keys_under("A match:") == set(match)
    assert keys_under("A battle:") == set(battle)
    assert keys_under("A move:") == set(battle["moves"][0])
    for name in (*match["result"], *battle["outcome"]):
        assert f"`{name}`" in TEXT
    for reason in Reason:
        assert f'`"{reason.name.lower()}"`' in TEXT


def test_the_bounds_are_those_of_the_code() -> None:
    section = TEXT.split("## Bounds and errors")[1]
    numbers = [int(number) for number in re.findall(r"\d+", section.split("\n\n")[1])]
    assert numbers == [
        bounds.MAX_BYTES >> 20,
        bounds.MAX_MATCHES,
        limits.MAX_TAGS,
        limits.MAX_TAG_VALUE,
        limits.MAX_PLIES,
        limits.MAX_VARIED,
        limits.MAX_DEPTH,
        limits.MAX_COMMENTS,
        limits.MAX_COMMENT,
        40,
        limits.MAX_QUIET,
        TIMEOUT,
    ]


def test_the_error_is_one_that_is_given() -> None:
    messages = json.loads(Path(__file__).with_name("broken").joinpath("messages.json").read_text())
    (error,) = re.findall(r"^    (line \d+, column \d+: .*)$", TEXT, re.MULTILINE)
    assert error in messages.values()

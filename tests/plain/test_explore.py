"""`thud explore`: its output, dialogue and errors."""

from __future__ import annotations

import io
import json
import re
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from explore.match_files import played, write
from rules.strategies import every_variant
from thud.cli.main import main
from thud.explore.files import BattleLine, Where
from thud.explore.library import Library, Sample
from thud.plain.explore import EXPLORE_COMMANDS, run
from thud.plain.lines import Lines
from thud.rules.match import Match
from thud.rules.notation import move_text, parse_move
from thud.rules.variant import Variant
from thud.rules.variants import VARIANTS
from thud.session.commands import BOARD_COMMANDS

DOCUMENT = (Path(__file__).parents[2] / "docs" / "explore.md").read_text(encoding="utf-8")
CLASSIC = VARIANTS["classic"]


@pytest.fixture(autouse=True)
def data(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("THUD_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("THUD_CACHE_DIR", str(tmp_path / "cache"))
    write(tmp_path / "data" / "matches" / "a.tgn", played("dF1-F5", "TG7-G6"))
    write(tmp_path / "arena" / "b.tgn", played("dF1-F5", "TG7-F6xF5"), played("dG1-G5", over=False))
    return tmp_path


def asked(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    assert main(["explore", "--json", *arguments]) == 0
    out, err = capsys.readouterr()
    assert not err
    answer = json.loads(out)
    assert isinstance(answer, dict)
    return answer


def walked(tmp_path: Path, *script: str, variant: Variant = CLASSIC) -> str:
    """Return the output of an exploration with scripted input."""
    source, sink = io.BytesIO("".join(f"{line}\n" for line in script).encode()), io.StringIO()
    with closing(Library([tmp_path / "data", tmp_path / "arena"], tmp_path / "cache")) as library:
        library.update()
        run(library, Match(variant), Lines(source, sink, echo=True))
    return sink.getvalue()


def test_json_has_what_the_document_tells(capsys: pytest.CaptureFixture[str], data: Path) -> None:
    answer = asked(capsys, str(data / "arena"))
    assert answer["variant"] == "classic"
    assert answer["position"] == CLASSIC.start.to_text()
    assert (answer["files"], answer["passed_over"], answer["battles"]) == (2, 0, 3)
    first, second = answer["moves"]
    margin = (0 - 1 + 0) / 2
    assert {key: first[key] for key in first if key != "move"} == {
        **{"battles": 2, "share": 0.6667, "dwarfs_won": 0, "drawn": 1, "trolls_won": 1},
        "mean_margin": margin,
        "standard_error": 0.5,
        **{"yours": 2, "your_mean_margin": margin},
    }
    assert (second["battles"], second["mean_margin"]) == (1, None)
    keys = set(
        re.findall(r"`(\w+)`", "".join(re.findall(r"^\| (`.*?) \|", DOCUMENT, re.MULTILINE)))
    )
    assert {*answer, *first} <= keys


def test_the_store_alone_one_file_and_a_position(
    capsys: pytest.CaptureFixture[str], data: Path
) -> None:
    assert asked(capsys)["battles"] == 1
    assert asked(capsys, str(data / "arena" / "b.tgn"))["battles"] == 3
    assert asked(capsys, "--variant", "koom")["battles"] == 0
    position = CLASSIC.start.after(parse_move(CLASSIC, CLASSIC.start, "dF1-F5"))
    answer = asked(capsys, str(data / "arena"), "--position", position.to_text())
    assert [each["move"] for each in answer["moves"]] == ["TG7-F6xF5", "TG7-G6"]


def test_what_cannot_be_read_is_told_in_one_line(
    capsys: pytest.CaptureFixture[str], data: Path
) -> None:
    for name in "cd":
        (data / "arena" / f"{name}.tgn").write_text("nothing")
    assert main(["explore", "--json", str(data / "arena")]) == 0
    out, err = capsys.readouterr()
    assert json.loads(out)["passed_over"] == 2
    assert err.count("\n") == 1
    assert "2 files cannot be read in full" in err


def test_one_walks_by_numbers_and_moves_and_back(tmp_path: Path) -> None:
    said = walked(tmp_path, "1", "2", "back", "back", "back", "G1 G5", "way", "start", "quit")
    assert "Two moves in three battles:" in said
    assert "1. d" in said
    assert "in two battles, 67%. One troll win, one draw." in said
    assert said.count("One move back.") == 2
    assert "This is the start of the walk." in said
    assert "No match continues from here." in said
    assert "dG1-G5\n" in said
    assert said.count("The start of the walk.") == 1


def test_whoever_has_no_matches_is_told_of_those_that_there_are(tmp_path: Path) -> None:
    assert "--corpus" not in walked(tmp_path, "G1 G5", "J1 J5", "K1 K5")
    said = walked(tmp_path / "elsewhere", "quit")
    assert "No match continues from here." in said
    assert "'thud explore --corpus' has battles between computers." in said


def test_matches_are_told(tmp_path: Path) -> None:
    said = walked(tmp_path, "matches 2", "matches", "matches 9", "list 9", "list x")
    assert (
        f"Ann - Bob, battle 1, move 1 of 1, begun dG1-G5: not over. {tmp_path / 'arena' / 'b.tgn'}"
        in said
    )
    assert "match 2" in said
    assert "There is no move '9' in the list." in said
    assert "There is no move 'x' in the list." in said
    ended = walked(tmp_path, "F1 F5", "G7 G6 none", "matches").rpartition("matches")[2]
    assert ended.startswith("\nNo match continues from here."), "one has reached it"


def test_long_lists_are_told_in_parts(tmp_path: Path) -> None:
    moves = [f"dG1-G{rank}" for rank in range(2, 7)] + [f"dF1-F{rank}" for rank in range(2, 12)]
    write(tmp_path / "arena" / "many.tgn", *map(played, moves))
    said = walked(tmp_path, "list 13")
    assert "3 more: type list 13." in said
    assert all(f"\n{number}. d" in said for number in range(1, 16))


def test_the_words_are_all_explained(tmp_path: Path) -> None:
    said = walked(tmp_path, "help", "board", "nonsense")
    assert all(f"{order.form}: {order.meaning}." in said for order in EXPLORE_COMMANDS.values())
    assert "Unknown command 'nonsense'" in said
    own = EXPLORE_COMMANDS.keys() - BOARD_COMMANDS.keys() - {"quit"}
    assert all(f"`{word}" in DOCUMENT for word in own)


def test_the_computer_judges_a_move_of_the_list(tmp_path: Path) -> None:
    said = walked(tmp_path, "judge 1", "judge", "judge 9")
    assert "After dF1-F5. The best move: " in said
    assert "ahead, give or take " in said
    assert said.count("in the list.") == 2


@every_variant
def test_a_battle_that_is_won_is_told_by_points_only_where_they_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, variant: Variant
) -> None:
    first = move_text(variant.start, variant.legal_moves(variant.start)[0])
    write(tmp_path / "arena" / "more.tgn", played(first, variant=variant.name))
    line = BattleLine("Ann – Bob", "dF1-F5 TG7-G6", 61)
    won = [Sample(tmp_path / "a.tgn", Where(1, 1, 3), line, each) for each in (1.0, -2.0)]
    monkeypatch.setattr(Library, "samples", lambda *_: won)
    said = walked(tmp_path, "matches", variant=variant)
    assert ("the dwarfs' share of the wins" in said) is not variant.counts_points
    by = " by 1 point.", " by 2 points."
    for winner, margin in zip(("dwarfs", "trolls"), by, strict=True):
        how = margin if variant.counts_points else " won."
        assert f"Ann - Bob, battle 1, move 4 of 61, begun dF1-F5 TG7-G6: {winner}{how}" in said

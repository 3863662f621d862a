"""Files of the players' own puzzles: reading, errors with line numbers, adding."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from thud.cli.main import main
from thud.exercises.puzzles.book import (
    MAX_BYTES,
    BadPuzzle,
    add_puzzle,
    as_written,
    puzzle_on,
    puzzles,
    read_puzzles,
)
from thud.rules.variants import VARIANTS

SOME = puzzles()[::30]


def written(number: int = 0) -> dict[str, Any]:
    """Return one of our puzzles in the format of the players' files."""
    return as_written(SOME[number])


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "mine.jsonl"
    for number in range(len(SOME)):
        add_puzzle(path, written(number))
    return path


def test_what_is_added_is_read_as_it_was(file: Path) -> None:
    read = read_puzzles(file)
    assert [each._replace(id="") for each in read] == [each._replace(id="") for each in SOME]
    assert [each.number for each in read] == list(range(1, len(SOME) + 1))
    assert len({each.id for each in read}) == len(SOME)
    for each, ours in zip(read, SOME, strict=True):
        again = puzzle_on(each.number, json.dumps(as_written(each)))
        assert again == each
        assert as_written(each)["solutions"] == as_written(ours)["solutions"]


def test_a_puzzle_is_added_once_and_nothing_else_is_touched(file: Path) -> None:
    file.write_text("\n" + file.read_text().rstrip("\n"))
    before = file.read_text()
    with pytest.raises(BadPuzzle, match="already in the file"):
        add_puzzle(file, written())
    add_puzzle(file, as_written(next(each for each in puzzles() if each not in SOME)))
    assert file.read_text().startswith(before)
    assert len(read_puzzles(file)) == len(SOME) + 1


BROKEN = [
    ("", "not JSON"),
    ("[]", "an object"),
    ("7", "an object"),
    ("{}", "variant must be one of classic"),
    ("[" * 100_000, "nested too deeply|not JSON"),
    ({"variant": "chess"}, "variant must be one of"),
    ({"variant": ["classic"]}, "variant must be one of"),
    ({"band": "odd"}, "band must be one of"),
    ({"theme": ""}, "theme must be"),
    ({"theme": "\x1b[31m"}, "theme must be"),
    ({"gain": True}, "gain must be"),
    ({"gain": "much"}, "gain must be"),
    ({"gain": float("nan")}, "NaN is not a number"),
    ({"gain": float("-inf")}, "-Infinity is not a number"),
    (json.dumps(written())[:-1] + ', "gain": 1e999}', "gain must be"),
    ({"gain": 1001}, "gain must be"),
    ({"gain": 10**19}, "gain must be"),
    ({"gain": 10**401}, "a number in it is too long"),
    (json.dumps(written())[:-1] + f', "gain": {"9" * 5000}}}', "a number in it is too long"),
    ({"position": 7}, "position must be"),
    ({"position": "x d"}, "1 rank"),
    ({"solutions": []}, "solutions must be"),
    ({"solutions": [[]]}, "solutions must be"),
    ({"solutions": [["dF1-F99"]]}, "F99"),
    ({"solutions": [["dH8-H9"]]}, "H8"),
    ({"replies": ["dF1-F5"]}, "a reply between"),
    ({"replies": 3}, "replies must be"),
    ({"tempting": []}, "tempting must be"),
    ({"tempting": written()["solutions"][0][:1]}, "the tempting move is a solution"),
    ({"tempting": ["x" * 500]}, "tempting must be"),
]  # fmt: skip


@pytest.mark.parametrize(("change", "reason"), BROKEN)
def test_a_line_that_does_not_hold_is_refused_with_its_number(
    change: str | dict[str, Any], reason: str, tmp_path: Path
) -> None:
    line = change if isinstance(change, str) else json.dumps(written() | change)
    path = tmp_path / "broken.jsonl"
    path.write_text(f"{json.dumps(written(1))}\n\n{line or '{'}\n")
    with pytest.raises(BadPuzzle, match=f"^line 3: .*({reason})"):
        read_puzzles(path)


def test_files_that_are_none_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(BadPuzzle, match="not UTF-8"):
        read_puzzles(path)
    path.write_text(" " * (MAX_BYTES + 1))
    with pytest.raises(BadPuzzle, match="at most 1 MiB"):
        read_puzzles(path)
    path.write_text("\n \n")
    with pytest.raises(BadPuzzle, match="the file has no puzzles"):
        read_puzzles(path)
    with pytest.raises(OSError, match="not a file"):
        read_puzzles(tmp_path)


def test_the_command_lists_prints_and_refuses(
    file: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("THUD_DATA_DIR", str(file.parent / "data"))
    assert main(["puzzles", "--file", str(file), "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)) == len(SOME)
    assert main(["puzzles", "--file", str(file), "--list", "--variant", "koom"]) == 0
    listed = capsys.readouterr().out
    ids = {each.id for each in read_puzzles(file) if each.variant is VARIANTS["koom"]}
    assert {line.split()[0] for line in listed.splitlines()[1:-2]} == ids
    name = read_puzzles(file)[0].id
    assert main(["puzzles", "--file", str(file), "--json", name]) == 0
    assert json.loads(capsys.readouterr().out)[0]["id"] == name
    file.write_text("{")
    assert main(["puzzles", "--file", str(file), "--list"]) == 2
    assert "line 1: it is not JSON" in capsys.readouterr().err
    assert main(["puzzles", "--file", str(file) + "x", "--list"]) == 2
    assert "No such file" in capsys.readouterr().err

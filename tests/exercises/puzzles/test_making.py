"""The tool that makes puzzles: what it verifies, mends and drops."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import make_puzzles
from make_puzzles import Book, doubtful, verify
from thud.exercises.puzzles import book
from thud.exercises.puzzles.book import as_written, puzzles
from thud.exercises.puzzles.search import CONFIRM
from thud.exercises.puzzles.themes import Theme
from thud.rules.variants import VARIANTS

KOOM = VARIANTS["koom"]

EASY = Theme.WIN


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A puzzle directory with valid puzzles, one with a wrong solution, and one non-puzzle."""
    directory = tmp_path / "data"
    directory.mkdir()
    monkeypatch.setattr(make_puzzles, "_DATA", directory)
    monkeypatch.setattr(make_puzzles, "_VERIFY", CONFIRM + 1)
    easy = next(each for each in puzzles() if each.variant.name == "koom" and each.theme == EASY)
    right = as_written(easy)
    wrong = right | {"solutions": [right["tempting"][:1]]}
    none = right | {"position": KOOM.start.to_text()}
    lines = [json.dumps(each) for each in (right, wrong, none, right)]
    (directory / "koom.jsonl").write_text("\n".join(lines) + "\n")
    return directory


@pytest.mark.slow
def test_what_does_not_hold_is_mended_or_dropped_and_the_others_keep_their_numbers(
    data: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = data / "koom.jsonl"
    before = file.read_text()
    told = "koom 2 is told otherwise\nkoom 3 does not hold\n"
    assert verify(Book(KOOM), mend=False) == 2
    assert (capsys.readouterr().out, file.read_text()) == (told, before)
    assert verify(Book(KOOM), mend=True) == 2
    assert capsys.readouterr().out == told
    first, second, third, fourth = file.read_text().splitlines()
    assert first == fourth == before.splitlines()[0]
    assert json.loads(second)["solutions"] == json.loads(first)["solutions"]
    assert not third
    assert verify(Book(KOOM), mend=False) == 0
    monkeypatch.setattr(book, "_DATA", data)
    assert [*book._lines.__wrapped__(KOOM)] == ["koom-1", "koom-2", "koom-4"]


def test_there_are_not_too_many_of_a_kind(data: Path) -> None:
    some = Book(KOOM)
    theme = some.puzzles[0]["theme"]
    assert some.has_enough("another theme", "easy")
    for number in range(make_puzzles._MOST_ALIKE):
        assert not some.has_enough(theme, "hard")
        some.add(some.puzzles[0] | {"band": "hard", "battle": number})
    assert some.has_enough(theme, "hard")
    assert not some.has_enough("another theme", "easy")
    assert len(Book(KOOM).puzzles) == 4 + make_puzzles._MOST_ALIKE


def test_a_puzzle_is_doubted_if_a_deeper_search_of_its_image_finds_another_move() -> None:
    easy = as_written(next(each for each in puzzles() if each.theme == EASY))
    variant = VARIANTS[easy["variant"]]
    assert doubtful(variant, easy, 2_000) == ""
    wrong = easy | {"solutions": [easy["tempting"][:1]]}
    assert doubtful(variant, wrong, 2_000).startswith("another move is better: ")

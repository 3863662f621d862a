"""How far the computer's battles go along with a battle."""

from pathlib import Path

import pytest

from explore.match_files import played, write
from thud.records.record import line_of
from thud.review import known
from thud.review.known import left_known
from thud.rules.variants import VARIANTS

CLASSIC = VARIANTS["classic"]


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "classic.tgn"
    lines = [("dF1-F5", "TG7-G6", "dF5-F4"), ("dF1-F5", "TG7-G6", "dG1-G2"), ("dF1-F5", "TJ7-J6")]
    write(path, *(played(*each) for each in (*lines, lines[0])))
    monkeypatch.setattr(known, "corpus_of", lambda _: path)
    return tmp_path / "cache"


@pytest.mark.parametrize(
    ("moves", "said"),
    [
        (
            ("dK1-K5", "TJ7-J6", "dK5-K3"),
            "Playing itself, the computer has begun the same way for two moves. "
            "Most often it went on with dK5-K4 (2 of 3 battles).",
        ),
        (
            ("dF1-F5", "TG7-G6", "dF5-F4"),
            "Playing itself, the computer has begun the same way for three moves.",
        ),
        (
            ("dF1-F2",),
            "Playing itself, the computer has never begun like this. "
            "It began with dF1-F5 (4 of 4 battles).",
        ),
    ],
)
def test_it_is_told_where_a_battle_left_what_is_known(
    cache: Path, moves: tuple[str, ...], said: str
) -> None:
    assert left_known(CLASSIC, played(*moves).battles[0], cache) == said


def test_what_happened_as_often_as_something_else_did_not_happen_most_often(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "classic.tgn"
    write(path, *(played("dF1-F5", each) for each in ("TG7-G6", "TJ7-J6")))
    monkeypatch.setattr(known, "corpus_of", lambda _: path)
    battle = played("dF1-F5", "TH9-H10").battles[0]
    told = left_known(CLASSIC, battle, tmp_path / "cache")
    assert "one move. It went on with T" in told
    assert told.endswith("(1 of 2 battles).")


def test_of_an_unusual_start_nothing_is_told(cache: Path) -> None:
    battle = played("dF1-F5").battles[0]
    assert left_known(CLASSIC, battle, cache)
    elsewhere = battle._replace(start=CLASSIC.start._replace(dwarfs=1 << 100), line=line_of(()))
    assert left_known(CLASSIC, elsewhere, cache) == ""
    assert left_known(CLASSIC, battle._replace(line=line_of(())), cache) == ""


def test_an_index_that_cannot_be_used_is_no_error(cache: Path) -> None:
    cache.write_text("no directory")
    assert isinstance(left_known(CLASSIC, played("dF1-F5").battles[0], cache), str)

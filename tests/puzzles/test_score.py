"""The score: it follows from what was done, and a file keeps exactly that."""

import json
from pathlib import Path
from typing import TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thud.drill import Attempts
from thud.puzzles.book import puzzles
from thud.puzzles.puzzle import BANDS, Puzzle
from thud.puzzles.score import (
    FILE_NAME,
    PAR,
    PuzzleScore,
    forget_score,
    in_words,
    load_score,
    save_score,
)
from thud.strength.glicko import Rating, rated

CLEAN, MISSED, HINTED = Attempts(), Attempts(misses=2), Attempts(hints=1)
efforts = st.builds(Attempts, st.integers(0, 5), st.integers(0, 3))
Deeds: TypeAlias = list[tuple[Puzzle, Attempts]]
deeds: st.SearchStrategy[Deeds] = st.lists(
    st.tuples(st.sampled_from(puzzles()), efforts), max_size=12
)


def scored(*done: Attempts) -> PuzzleScore:
    """Do the first puzzles, which are easy, one after the other."""
    score = PuzzleScore()
    for puzzle, effort in zip(puzzles(), done, strict=False):
        score = score.with_solved(puzzle, effort)
    return score


def test_nothing_done_is_no_score() -> None:
    assert in_words(PuzzleScore()) == "No puzzle solved yet."
    assert all(PuzzleScore().rating(band) is None for band in BANDS)


def test_a_streak_ends_with_a_miss_or_a_hint() -> None:
    assert scored(CLEAN, CLEAN, CLEAN).streak == 3
    assert scored(CLEAN, MISSED, CLEAN).streak == 1
    assert scored(CLEAN, HINTED).streak == 0
    assert scored(CLEAN, HINTED, CLEAN).clean == 2


def test_a_rating_is_that_of_the_results_against_the_band() -> None:
    first = rated(Rating(), [(PAR["easy"], 1.0)])
    assert scored(CLEAN).rating("easy") == first
    assert scored(CLEAN, MISSED).rating("easy") == rated(first, [(PAR["easy"], 0.0)])
    assert scored(CLEAN).rating("hard") is None


def test_whoever_solves_more_is_rated_higher() -> None:
    ratings = [scored(*[CLEAN] * n, *[MISSED] * (6 - n)).rating("easy") for n in range(7)]
    values = [rating.value for rating in ratings if rating]
    assert values == sorted(values)
    assert len(set(values)) == 7


@given(deeds)
def test_the_first_time_counts(done: Deeds) -> None:
    score, first = PuzzleScore(), dict[str, Attempts]()
    for puzzle, effort in done:
        first.setdefault(puzzle.id, effort)
        score = score.with_solved(puzzle, effort)
    assert {each.id: each.effort for each in score.solved} == first


@given(done=deeds)
def test_what_is_kept_is_read_again(done: Deeds, tmp_path_factory: pytest.TempPathFactory) -> None:
    directory = tmp_path_factory.mktemp("kept") / "new"
    score = PuzzleScore()
    for puzzle, effort in done:
        score = score.with_solved(puzzle, effort)
    save_score(directory, score)
    assert load_score(directory) == score
    forget_score(directory)
    assert load_score(directory) == PuzzleScore()
    forget_score(directory)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{",
        "[" * 100_000,
        '{"solved": 3}',
        '{"solved": [3, ["a"], ["classic-1", "easy", -1, 0], ["classic-1", "odd", 1, 0]]}',
        '{"solved": [["classic-1", "easy", 1e400, 0], ["classic-1", "easy", [], 0]]}',
        "\0" * 300_000,
    ],
)
def test_what_is_wrong_in_the_file_counts_as_not_done(text: str, tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).write_text(text)
    assert load_score(tmp_path) == PuzzleScore()


def test_what_is_right_in_the_file_is_read_all_the_same(tmp_path: Path) -> None:
    listed = [
        None,
        ["classic-1", "easy", 1, 0],
        ["classic-1", "easy", 0, 0],
        ["x", "easy", True, 0],
    ]
    (tmp_path / FILE_NAME).write_text(json.dumps({"solved": listed}))
    assert [each[0] for each in load_score(tmp_path).solved] == ["classic-1", "x"]

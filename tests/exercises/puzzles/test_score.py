"""The score follows from the solved puzzles, which a file stores exactly."""

import json
from datetime import date, timedelta
from itertools import groupby
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thud.exercises.drill import Attempts
from thud.exercises.puzzles import score as score_module
from thud.exercises.puzzles.book import PUZZLED, puzzle_of_the_day, puzzles
from thud.exercises.puzzles.puzzle import Puzzle, PuzzleFilter
from thud.exercises.puzzles.score import (
    BEGINS,
    FILE_NAME,
    PAR,
    PuzzleCourse,
    PuzzleScore,
    Solved,
    forget_score,
    in_words,
    load_score,
    save_score,
    status_of,
)
from thud.strength.glicko import rated

CLEAN, MISSED, HINTED = Attempts(), Attempts(misses=2), Attempts(hints=1)
efforts = st.builds(Attempts, st.integers(0, 5), st.integers(0, 3), shown=st.just(False))
deeds = st.lists(st.tuples(st.sampled_from(puzzles()), efforts), max_size=12)


def scored(*done: Attempts) -> PuzzleScore:
    """Solve the first puzzles, which are easy, with the given attempts."""
    score = PuzzleScore()
    for puzzle, effort in zip(puzzles(), done, strict=False):
        score = score.with_solved(puzzle, effort)
    return score


def test_a_streak_ends_with_a_miss_or_a_hint() -> None:
    assert scored(CLEAN, CLEAN, CLEAN).streak == 3
    assert scored(CLEAN, MISSED, CLEAN).streak == 1
    assert scored(CLEAN, HINTED).streak == 0
    assert scored(CLEAN, HINTED, CLEAN).clean == 2


def test_a_rating_is_that_of_the_results_against_the_difficulty() -> None:
    first = rated(BEGINS, [(PAR["easy"], 1.0)])
    assert scored(CLEAN).rating == first
    assert scored(CLEAN, MISSED).rating == rated(first, [(PAR["easy"], 0.0)])
    missed = scored(MISSED).rating
    assert missed
    assert 0 < BEGINS.value - missed.value < 100


def test_a_rating_is_provisional_until_ten() -> None:
    assert in_words(PuzzleScore()) == "No puzzle solved yet."
    assert in_words(scored(*[CLEAN] * 9)).endswith(" (provisional)")
    assert in_words(scored(*[CLEAN] * 10)).startswith("Solved 10, first try 10, streak 10, ")
    assert "provisional" not in in_words(scored(*[CLEAN] * 10))


def test_a_puzzle_whose_solution_was_shown_is_missed_and_comes_again() -> None:
    first = puzzles()[0]
    shown = scored(CLEAN).with_solved(puzzles()[1], CLEAN._replace(shown=True))
    assert shown.ids == {first.id}
    assert (shown.clean, shown.streak) == (1, 0)
    assert shown.rating == scored(CLEAN, MISSED).rating
    solved = shown.with_solved(puzzles()[1], CLEAN)
    assert solved.ids == {first.id, puzzles()[1].id}
    assert (solved.clean, solved.rating) == (1, shown.rating)


def course(score: PuzzleScore, wanted: PuzzleFilter = PuzzleFilter()) -> PuzzleCourse:  # noqa: B008
    return PuzzleCourse(puzzles(), score, lambda _: None, wanted)


def test_after_a_restart_another_puzzle_comes_first() -> None:
    before, titles = PuzzleScore(), list[str]()
    for _ in range(3):
        begun = course(before)
        titles.append(next(begun.drills()).title)
        before = begun.score
    assert len(set(titles)) == 3


def test_what_was_skipped_comes_again_before_anything_harder() -> None:
    game = puzzles()[0].variant
    easy = [each for each in puzzles() if each.variant is game and each.band == "easy"]
    score = PuzzleScore().with_seen(easy[0].id)
    titles = [each.title for each in course(score).drills()]
    assert titles.index(f"{game.title}, puzzle {easy[0].number} (easy)") == len(easy) - 1


def test_puzzles_stay_in_the_game_of_the_last_one() -> None:
    last = next(each for each in puzzles() if each.variant.name == "koom")
    titles = [each.title for each in course(PuzzleScore().with_seen(last.id)).drills()]
    games = [title.partition(",")[0] for title in titles]
    assert games[0] == last.variant.title
    assert len([game for game, _ in groupby(games)]) == len(set(games)), "one after the other"


def test_a_file_from_before_is_read_and_so_is_what_was_shown_and_set(tmp_path: Path) -> None:
    one, again = ["classic-1", "easy", 1, 0], ["classic-1", "easy", 0, 0]
    saved = {"solved": [None, one, again, ["koom-2", "middling", 0, 0]]}
    (tmp_path / FILE_NAME).write_text(json.dumps(saved))
    before = load_score(tmp_path)
    medium = Solved("koom-2", "medium", Attempts(0, 0))
    assert before == PuzzleScore((Solved("classic-1", "easy", Attempts(1, 0)), medium))
    shown = before.with_solved(puzzles()[1], MISSED._replace(shown=True)).with_seen("koom-3")
    save_score(tmp_path, shown)
    assert load_score(tmp_path) == shown


def test_the_largest_score_is_read_again(tmp_path: Path) -> None:
    """Else all of it would be lost with the next puzzle."""
    effort = Attempts(99, 99, shown=True)
    names = [f"{number:064}" for number in range(score_module._MOST)]
    score = PuzzleScore(tuple(Solved(each, "medium", effort) for each in names), tuple(names))
    save_score(tmp_path, score)
    assert load_score(tmp_path) == score


@given(done=deeds, days=st.lists(st.dates()))
def test_the_first_time_counts_and_what_is_kept_is_read_again(
    done: list[tuple[Puzzle, Attempts]], days: list[date], tmp_path_factory: pytest.TempPathFactory
) -> None:
    directory = tmp_path_factory.mktemp("kept") / "new"
    score, first = PuzzleScore(), dict[str, Attempts]()
    for puzzle, effort in done:
        first.setdefault(puzzle.id, effort)
        score = score.with_solved(puzzle, effort)
    for day in days:
        score = score.with_day(day)
    assert {each.id: each.effort for each in score.solved} == first
    assert score.days == tuple(sorted(set(days)))
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
        *(f'{{"days": {days}}}' for days in ('[1, null, "2026-13-01"]', '"2026-01-01"', "{}")),
    ],
)
def test_what_is_wrong_in_the_file_counts_as_not_done(text: str, tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).write_text(text)
    assert load_score(tmp_path) == PuzzleScore()


def test_the_puzzle_of_a_day_is_the_same_for_everybody_and_few_come_twice(full: bool) -> None:
    days = [date(2026, 12, 1) + timedelta(days=n) for n in range(60 if full else 10)]
    found = [puzzle_of_the_day(day) for day in days]
    assert [each.day for each in found] == days
    assert found[:3] == [puzzle_of_the_day(day) for day in days[:3]]
    assert len({each.puzzle.id for each in found}) > len(days) * 3 / 4
    assert {each.puzzle.variant.name for each in found} == set(PUZZLED)


@given(st.sets(st.integers(0, 30)))
def test_a_series_of_days_forgives_one_missed_day(numbers: set[int]) -> None:
    today, score = date(2026, 12, 31), PuzzleScore()
    for number in numbers:
        score = score.with_day(today - timedelta(days=number))
    ago, missed = 0, 0
    expected = 0
    while missed < 2 and ago <= 30:
        solved = ago in numbers
        expected, missed = expected + solved, 0 if solved else missed + 1
        ago += 1
        if ago == 1 and not solved:
            missed = 0  # today is not over
    assert score.running(today) == expected


async def test_only_the_puzzle_of_the_day_counts_and_not_if_its_solution_was_shown() -> None:
    day = date(2026, 12, 1)
    daily = puzzle_of_the_day(day)
    other = next(each for each in puzzles() if each is not daily.puzzle)
    course = PuzzleCourse(puzzles(), PuzzleScore(), lambda _: None, daily=daily)
    for puzzle, shown in ((other, False), (daily.puzzle, True), (daily.puzzle, False)):
        drill = course.drill(puzzle)
        if shown:
            drill.give_up()
        while not drill.over:
            await drill.attempt(drill.task.solution)
            drill.proceed()
        counts = puzzle is daily.puzzle and not shown
        assert course.score.days == ((day,) if counts else ())
        assert course.score.waits(day) is (puzzle is other)
        assert ("The puzzle of the day: the first day. " in drill.farewell) is counts
    assert course.score.ids == {other.id, daily.puzzle.id}


def test_a_line_says_how_the_puzzle_of_the_day_stands() -> None:
    daily = puzzle_of_the_day(date(2026, 12, 3))
    yesterday = PuzzleScore(days=(date(2026, 12, 1), date(2026, 12, 2)))
    for score, said in (
        (PuzzleScore(), "waits."),
        (yesterday, "waits, after two days running."),
        (yesterday.with_day(daily.day), "is solved: three days running."),
        (PuzzleScore().with_day(daily.day), "is solved: the first day."),
        (PuzzleScore(missed={daily.puzzle.id: daily.day}), "was not solved."),
        (PuzzleScore(missed={daily.puzzle.id: date(2026, 12, 2)}), "waits."),
    ):
        assert status_of(daily, score).endswith(said)

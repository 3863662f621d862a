"""A puzzle at a board: what is right, what is refuted, and what is kept of it."""

from pathlib import Path

import pytest

from thud.drills.drill import Drill
from thud.puzzles.book import puzzles
from thud.puzzles.course import course, drill_of
from thud.puzzles.kept import load_score
from thud.puzzles.puzzle import Puzzle
from thud.puzzles.task import tasks
from thud.rules.position import Move

PUZZLES = puzzles()[::7]
LONG = next(puzzle for puzzle in puzzles() if puzzle.replies)


def wrong_move(puzzle: Puzzle) -> Move:
    """Return a move that captures nothing and is not right."""
    moves = puzzle.variant.legal_moves(puzzle.position)
    return next(m for m in moves if not m.captures and m not in puzzle.solutions[0])


def solve(drill: Drill) -> None:
    while not drill.over:
        assert drill.attempt(drill.task.solution).right
        drill.proceed()


@pytest.mark.parametrize("puzzle", PUZZLES, ids=lambda puzzle: puzzle.id)
def test_every_solution_is_right_and_the_tempting_move_is_not(puzzle: Puzzle) -> None:
    for task in tasks(puzzle):
        assert all(task.judge(move).right for move in task.solutions)
    verdict = next(tasks(puzzle)).judge(puzzle.tempting[0])
    assert not verdict.right
    assert verdict.answers == puzzle.tempting[1:]


@pytest.mark.parametrize("puzzle", PUZZLES, ids=lambda puzzle: puzzle.id)
def test_a_wrong_move_is_answered_by_a_legal_one(puzzle: Puzzle) -> None:
    move = wrong_move(puzzle)
    verdict = next(tasks(puzzle)).judge(move)
    assert not verdict.right
    for answer in verdict.answers:
        puzzle.variant.check(puzzle.position.after(move), answer)
    assert verdict == next(tasks(puzzle)).judge(move)


def test_to_capture_less_is_not_right_but_nearly() -> None:
    puzzle = next(each for each in puzzles() if each.solutions[0][0].captures.bit_count() > 1)
    best = puzzle.solutions[0][0]
    less = best._replace(captures=best.captures & (best.captures - 1))
    verdict = next(tasks(puzzle)).judge(less)
    assert not verdict.right
    assert "leaves something" in verdict.words


def test_to_end_the_battle_is_not_right() -> None:
    assert not next(tasks(LONG)).judge(None).right


def test_a_long_puzzle_goes_on_after_the_best_defence(tmp_path: Path) -> None:
    drill = drill_of(LONG, tmp_path)
    verdict = drill.attempt(drill.task.solution)
    assert verdict.right
    assert verdict.answers == LONG.replies[:1]
    after = LONG.position.after(LONG.solutions[0][0]).after(LONG.replies[0])
    assert not drill.over
    assert load_score(tmp_path).solved == ()
    drill.proceed()
    assert drill.task.position == after
    solve(drill)
    assert load_score(tmp_path).ids == {LONG.id}


def test_the_score_is_said_and_kept_once_a_puzzle_is_done(tmp_path: Path) -> None:
    drill = drill_of(puzzles()[0], tmp_path)
    drill.attempt(wrong_move(puzzles()[0]))
    drill.hint()
    solve(drill)
    (solved,) = load_score(tmp_path).solved
    assert solved.effort == (1, 1)
    assert drill.farewell.startswith("1 solved, 0 at the first try")


def test_a_score_that_cannot_be_kept_is_told(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("")
    drill = drill_of(puzzles()[0], tmp_path / "taken")
    solve(drill)
    assert "cannot be kept" in drill.farewell


def test_a_course_goes_on_with_what_is_not_solved(tmp_path: Path) -> None:
    some = puzzles()[:3]
    drills = course(some, tmp_path)
    solve(next(drills))
    left = list(course(some, tmp_path))
    assert [drill.title for drill in left] == [drill.title for drill in drills]
    assert len(left) == 2
    for drill in left:
        solve(drill)
    assert len(list(course(some, tmp_path))) == 3

"""A puzzle at a board: solutions, refutations, and the stored result."""

import textwrap

import pytest

from thud.ai.player import Decision, Thought
from thud.ai.scores import LIMIT
from thud.exercises.drill import Attempts, Drill
from thud.exercises.puzzles.book import puzzles
from thud.exercises.puzzles.puzzle import BANDS, Puzzle, tasks
from thud.exercises.puzzles.score import PuzzleCourse, PuzzleScore, Solved, in_words
from thud.exercises.puzzles.themes import A_WIN, THEMES
from thud.rules.position import Move

PUZZLES = puzzles()[::7]


def wrong_move(puzzle: Puzzle) -> Move:
    """Return a wrong move without capture."""
    moves = puzzle.variant.legal_moves(puzzle.position)
    return next(m for m in moves if not m.captures and m not in puzzle.solutions[0])


async def solve(drill: Drill) -> None:
    while not drill.over:
        assert (await drill.attempt(drill.task.solution)).right
        drill.proceed()


async def test_every_solution_is_right_and_the_tempting_move_is_not() -> None:
    for puzzle in PUZZLES:
        for task in tasks(puzzle):
            for move in task.solutions:
                verdict = await task.judge(move)
                assert verdict.right, puzzle.id
                assert verdict.answers == puzzle.replies[task.place : task.place + 1]
        assert not (await next(tasks(puzzle)).judge(None)).right, "it is too early to end it"
        verdict = await next(tasks(puzzle)).judge(puzzle.tempting[0])
        assert not verdict.right
        assert verdict.answers == puzzle.tempting[1:]


async def test_a_wrong_move_is_answered_by_a_legal_one(full: bool) -> None:
    """By a computer, which starts anew for each question."""
    for puzzle in puzzles()[::4] if full else PUZZLES[:1]:
        move = wrong_move(puzzle)
        verdict = await next(tasks(puzzle)).judge(move)
        assert not verdict.right
        for answer in verdict.answers:
            puzzle.variant.check(puzzle.position.after(move), answer)
        assert verdict == await next(tasks(puzzle)).judge(move)


async def test_to_capture_less_is_not_right_but_nearly() -> None:
    puzzle = next(each for each in puzzles() if each.solutions[0][0].captures.bit_count() > 1)
    best = puzzle.solutions[0][0]
    less = best._replace(captures=best.captures & (best.captures - 1))
    verdict = await next(tasks(puzzle)).judge(less)
    assert not verdict.right
    assert "can capture more" in verdict.words


async def test_the_score_is_told_and_saved_once_a_puzzle_is_done() -> None:
    saved = list[PuzzleScore]()
    drill = PuzzleCourse(puzzles(), PuzzleScore(), saved.append).drill(puzzles()[0])
    await drill.attempt(wrong_move(puzzles()[0]))
    drill.hint()
    assert saved == []
    await solve(drill)
    ((solved,),) = (score.solved for score in saved)
    assert solved.effort == Attempts(1, 1)
    assert drill.farewell.startswith("A wrong move counts as a miss. Solved 1, first try 0, ")


async def test_a_course_leads_past_what_is_solved_to_all_of_it_again() -> None:
    some = puzzles()[:3]
    course = PuzzleCourse(some, PuzzleScore(), lambda _: None)
    await solve(next(course.drills()))
    left = list(course.drills())
    assert [drill.task.position for drill in left] == [puzzle.position for puzzle in some[1:]]
    for drill in left:
        await solve(drill)
    assert len(list(course.drills())) == 3


WIDTH, MOST_LINES = 28, 22
"""The columns and rows beside the board at 80×24."""
MANY = PuzzleScore(
    tuple(Solved(f"{band}-{n}", band, Attempts()) for band in BANDS for n in range(99))
)


def lines(text: str, width: int = WIDTH) -> int:
    return len(textwrap.wrap(text, width))


async def test_every_text_fits_beside_the_board(full: bool) -> None:
    for puzzle in puzzles() if full else PUZZLES[::4]:
        drill = PuzzleCourse([puzzle], MANY, lambda _: None).drill(puzzle)
        for task in tasks(puzzle):
            head = lines(drill.title) + 2 + lines(task.words)
            tried = (None, *puzzle.tempting[:1], task.solution)
            told = [lines((await task.judge(move)).words, WIDTH - 2) for move in tried]
            told[-1] += 1 + lines(in_words(MANY), WIDTH - 2)
            assert head + 1 + max(told) + 3 <= MOST_LINES


async def test_the_theme_is_told_at_the_end_and_before_it_counts_as_a_hint() -> None:
    puzzle = puzzles()[0]
    for asked in (False, True):
        saved = list[PuzzleScore]()
        drill = PuzzleCourse(puzzles(), PuzzleScore(), saved.append).drill(puzzle)
        assert THEMES[puzzle.theme] not in drill.task.words
        if asked:
            assert THEMES[puzzle.theme] in drill.tell_theme()
            assert drill.hint().move is None, "the first hint still points at a piece"
        await solve(drill)
        assert drill.last_words.startswith(f"Its theme: {THEMES[puzzle.theme]}. ")
        assert saved[0].solved[0].effort.clean is not asked


async def test_a_slower_win_is_told_and_is_no_miss(monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle = next(each for each in puzzles() if each.gain == A_WIN)
    move = wrong_move(puzzle)
    for score, slower in ((-LIMIT - 1, True), (-LIMIT + 1, False)):

        async def reply(*_: object, score: int = score) -> Decision:
            answer = puzzle.variant.legal_moves(puzzle.position.after(move))[0]
            return Decision(answer, Thought(3, score, 2_000, 0.1, (answer,)))

        monkeypatch.setattr("thud.exercises.puzzles.puzzle.refutation", reply)
        drill = PuzzleCourse([puzzle], PuzzleScore(), lambda _: None).drill(puzzle)
        verdict = await drill.attempt(move)
        assert not verdict.right
        assert ("wins too, but later" in verdict.words) is slower
        assert drill.efforts[0].misses == (not slower)

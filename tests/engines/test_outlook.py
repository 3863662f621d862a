"""What is said of a position's result is so by the rules, whatever an engine claims."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.drawing import mask
from rules.strategies import every_variant, open_positions
from sampling import sampled
from thud.ai.player import Decision, Thought
from thud.ai.scores import GOAL, seen_by
from thud.engines.outlook import Outlook, beside, calibrated, corrected, outlook, possible
from thud.exercises.puzzles.book import puzzles
from thud.exercises.puzzles.puzzle import Puzzle
from thud.exercises.puzzles.themes import GAINS
from thud.review.hints import evaluation, expectation, hint
from thud.review.judgement import believed, chance, is_coarse, shares, spread
from thud.rules.geometry import parse_square
from thud.rules.match import Match
from thud.rules.measured import Following, Measured
from thud.rules.notation import parse_move
from thud.rules.position import Move, Position, Side
from thud.rules.tactics import MOST_TRIED, lost
from thud.rules.variant import Variant
from thud.rules.variants import VARIANTS
from thud.text import counted

WON = [each for each in puzzles() if each.gain in GAINS]


def winner_after(variant: Variant, position: Position, line: Sequence[Move]) -> Side | None:
    """Return the winner once a line of legal moves has been played."""
    for move in line:
        variant.check(position, move)
        position = position.after(move)
    outcome = variant.outcome(position)
    return outcome and outcome.winner


def can_win(variant: Variant, position: Position) -> bool:
    side = position.to_move
    return any(winner_after(variant, position, [m]) is side for m in variant.legal_moves(position))


def surely_won_next(variant: Variant, position: Position) -> bool:
    """Whether the other side wins at once after each move of the side to move."""
    moves = variant.legal_moves(position)
    return all(
        can_win(variant, after) or winner_after(variant, position, [move]) is after.to_move
        for move in moves
        if (after := position.after(move))
    )


@st.composite
def thoughts(draw: st.DrawFn, variant: Variant, position: Position) -> Thought:
    """Generate an engine's claims about a position: any score, any goal, a random line."""
    line, here = list[Move](), position
    for _ in range(draw(st.integers(1, 4))):
        if moves := variant.legal_moves(here):
            line.append(draw(st.sampled_from(moves)))
            here = here.after(line[-1])
    goal = draw(st.sampled_from([None, None, 1, 3, 5, -2, -4]))
    score = draw(st.integers(-50_000, 50_000))
    if goal is not None:
        score = GOAL - goal if goal > 0 else -GOAL - goal
    return Thought(3, score, 1, 0.1, tuple(line), goal)


def check(variant: Variant, position: Position, thought: Thought) -> Outlook:
    """Check what a thought is taken for against the rules."""
    side, after = position.to_move, position.after(thought.line[0])
    shown, expects = corrected(variant, position, thought), outlook(variant, position, thought)
    assert expects.score == shown.score
    told = calibrated(variant, position, thought)
    assert told == thought or told.score == corrected(variant, position, told).score or expects.end
    assert expects.end == variant.outcome(after)
    if variant.counts_points:
        margin = shown.score if side is Side.DWARFS else -shown.score
        left = {each: variant.worth[each] * position.pieces(each).bit_count() for each in Side}
        assert -100 * left[Side.TROLLS] <= margin <= 100 * left[Side.DWARFS]
        assert expects.winner is None
        assert expects.end is None or margin == 100 * expects.end.margin
    elif not expects.end:
        dwarfs = chance(variant, seen_by(side, shown.score))
        assert dwarfs >= 0.5 or position.trolls.bit_count() >= 3, "the trolls can only draw"
        assert dwarfs <= 0.5 or position.dwarfs
    if expects.end and expects.end.winner:
        assert (shown.score > 0) is (expects.end.winner is side)
    elif expects.sure and expects.winner is side:
        assert expects.moves == 2
        assert surely_won_next(variant, after)
    elif expects.sure:
        assert expects.moves == 1
        assert surely_won_next(variant, position)
    elif expects.line:
        assert winner_after(variant, after, expects.line) is expects.winner
        own = [thought.line[0], *expects.line][expects.winner is not side :: 2]
        assert len(own) == expects.moves
    return expects


def check_words(variant: Variant, position: Position, thought: Thought, expects: Outlook) -> None:
    """Check that the words claim no more than the values."""
    match = Match(variant, ("Ann", "Bob"), position)
    decision = Decision(thought.line[0], thought)
    told = hint(match, decision, "", expects)[-1]
    judged = evaluation(variant, position, decision, expects)[-1]
    names = {side: match.name_of(side) for side in Side}
    for words in (told, judged):
        if expects.end:
            assert words.startswith("That ends the battle: ") or words == "It wins at once."
            assert (
                variant.counts_points
                or end_in(words, names, position.to_move) is expects.end.winner
            )
        assert ("whatever" in words.lower()) is expects.sure
        assert words.startswith("If the battle goes on") is bool(expects.line)
        assert bool(expects.winner) or "wins in" not in words
        if expects.winner and not (expects.sure and expects.winner is not position.to_move):
            assert f" in {counted(expects.moves, 'move')}" in words
    short = expectation(variant, position, thought)
    assert ("win at once" in short) is bool(
        expects.end and expects.end.winner and not variant.counts_points
    )


def end_in(words: str, names: dict[Side, str], mover: Side) -> Side | None:
    if words == "It wins at once.":
        return mover
    return next((s for s in Side if names[s] in words or f"the {s.plural} win" in words), None)


def test_a_line_that_ends_drawn_is_exact_only_with_a_draws_score() -> None:
    """A line may go on beyond what was searched."""
    koom = VARIANTS["koom"]
    position = Position(mask("H5"), mask("H4"), parse_square("A6"), Side.TROLLS)
    move = parse_move(koom, position, "TH4-H6xH5")
    drawn = Thought(1, -koom.odds.level, 1, 0.1, (move,))
    assert calibrated(koom, position, drawn) == drawn
    other = drawn._replace(score=-1_500)
    assert calibrated(koom, position, other) != other


@pytest.mark.parametrize("goal", [None, 1, 3])
def test_no_engine_makes_two_trolls_win(goal: int | None) -> None:
    koom = VARIANTS["koom"]
    position = Position(mask("H2 O11"), mask("J3 P9"), parse_square("G5"), Side.TROLLS)
    move = next(m for m in koom.legal_moves(position) if not m.captures)
    thought = Thought(3, GOAL - goal if goal else 900, 1, 0.1, (move,), goal)
    assert expectation(koom, position, thought) == "dwarfs 0-100-0%"
    assert believed(koom, position, -thought.score) == koom.odds.level


@every_variant
@given(data=st.data())
def test_no_claim_goes_beyond_the_rules(variant: Variant, data: st.DataObject) -> None:
    position = data.draw(open_positions(variant))
    thought = data.draw(thoughts(variant, position))
    check_words(variant, position, thought, check(variant, position, thought))


@pytest.mark.parametrize("puzzle", sampled(WON, 60), ids=lambda puzzle: puzzle.id)
def test_where_a_battle_is_decided_what_is_claimed_is_so(puzzle: Puzzle) -> None:
    variant, position = puzzle.variant, puzzle.position
    for move in (puzzle.solutions[0][0], puzzle.tempting[0]):
        for goal in (1, 3, -2):
            score = GOAL - goal if goal > 0 else -GOAL - goal
            thought = Thought(3, score, 1, 0.1, (move, *puzzle.tempting[1:]), goal)
            if move != puzzle.tempting[0]:
                thought = thought._replace(line=(move, *puzzle.replies[:1]))
            check_words(variant, position, thought, check(variant, position, thought))


@pytest.mark.parametrize("puzzle", sampled(WON, 60), ids=lambda puzzle: puzzle.id)
def test_a_puzzle_says_only_what_every_other_move_shows(puzzle: Puzzle) -> None:
    variant, position, best = puzzle.variant, puzzle.position, puzzle.solutions[0]
    moves, side = variant.legal_moves(position), position.to_move
    words = puzzle.gain_in_words()
    if words == "No other move wins at once.":
        won = [move for move in moves if winner_after(variant, position, [move]) is side]
        assert set(won) == set(best)
    elif words.startswith("After every other move"):
        assert {move for move in moves if not can_win(variant, position.after(move))} == set(best)
    elif words:
        assert words.startswith("It wins in two moves, whatever ")
        assert all(surely_won_next(variant, position.after(move)) for move in best)


@pytest.mark.parametrize("name", ["classic", "single"])
def test_a_puzzle_tells_tenths_only_where_they_are_known(name: str) -> None:
    told = dict[bool, int]()
    for puzzle in puzzles():
        if puzzle.variant.name == name and not isinstance(puzzle.gain, str):
            coarse = is_coarse(spread(puzzle.variant, puzzle.position))
            words = puzzle.gain_in_words()
            points = words.removeprefix("By the computer's search nothing else comes within ")
            figure = points.removesuffix(" points.")
            assert 1 < float(figure) <= puzzle.gain
            assert not (coarse and "." in figure)
            told[coarse] = told.get(coarse, 0) + 1
    assert len(told) == 2


def test_a_proof_is_given_up_at_its_bound() -> None:
    puzzle = next(each for each in WON if "two moves" in each.gain_in_words())
    after = puzzle.position.after(puzzle.solutions[0][0])
    assert lost(puzzle.variant, after, MOST_TRIED)
    assert not lost(puzzle.variant, after, 1)


def pieces(count: int) -> int:
    """Return a mask of so many squares."""
    return (1 << count) - 1


@every_variant
@given(
    scores=st.lists(st.integers(-49_000, 49_000), min_size=2, max_size=2, unique=True),
    dwarfs=st.integers(0, 32),
    side=st.sampled_from(Side),
)
def test_what_follows_rises_with_the_score(
    variant: Variant, scores: list[int], dwarfs: int, side: Side
) -> None:
    position = variant.start._replace(dwarfs=pieces(dwarfs), to_move=side)

    def follows(score: int) -> float:
        if variant.counts_points:
            return variant.measured.margin(score, position)
        said = score / variant.odds.steep
        return variant.measured.log_odds(said, variant.traits(variant.start))

    lower, higher = map(follows, sorted(scores))
    assert lower <= higher
    if abs(scores[0] - scores[1]) > 10:
        assert lower < higher


def test_the_margin_changes_in_proportion_between_two_numbers_of_dwarfs() -> None:
    measured = Measured(
        (Following(10, 1.0, 0, 10, 40, (300, 100)), Following(20, 0.5, 100, 30, 20, (0, 0)))
    )
    numbers = (3, 10, 15, 20, 32)

    def among(trolls: int, side: Side) -> list[Position]:
        return [Position(pieces(each), pieces(trolls), 112, side) for each in numbers]

    def said(trolls: int, side: Side) -> list[int]:
        return [measured.margin(400, each) for each in among(trolls, side)]

    assert said(2, Side.DWARFS) == [390, 390, 330, 270, 270]
    assert said(2, Side.TROLLS) == [410, 410, 370, 330, 330]
    assert said(1, Side.TROLLS) == [450, 450, 400, 350, 350], "a lone troll"
    assert [*map(measured.spread, among(2, Side.DWARFS))] == [300, 300, 150, 0, 0]
    assert [*map(measured.spread, among(1, Side.TROLLS))] == [100, 100, 50, 0, 0]
    for position in among(1, Side.DWARFS):
        assert abs(measured.score(measured.margin(777, position), position) - 777) <= 1


@given(data=st.data())
def test_the_three_outcomes_are_all_there_is(data: st.DataObject) -> None:
    variant = VARIANTS[data.draw(st.sampled_from(["koom", "football"]))]
    position = data.draw(open_positions(variant))
    expected = data.draw(st.integers(-4_000, 4_000))
    told = shares(variant, position, possible(variant, position, expected))
    assert min(told) >= 0
    assert sum(told) == pytest.approx(1)
    assert sum(told.percents) == 100
    for percent, each in zip(told.percents, told, strict=True):
        assert percent or each < 1e-6, "what may happen is not excluded"
    able = [variant.can_reach_goal(position, side) for side in Side]
    assert able[0] or not told.won, "without a dwarf"
    assert able[1] or told.lost == pytest.approx(0), "with too few trolls"
    if all(able) and variant.odds.telling:
        known = chance(variant, possible(variant, position, expected))
        assert told.won + told.drawn / 2 == pytest.approx(known), "a draw as half"


def test_dwarfs_against_too_few_trolls_win_the_less_the_longer_it_is_quiet() -> None:
    variant = VARIANTS["koom"]
    position = variant.position("5/1T5/9/11/13/15/15/7R7/7d7/15/13/11/9/7/5 d")
    even, more = variant.odds.level, 4 * variant.odds.level
    told = [shares(variant, position, more, quiet) for quiet in (0, 20, 40, 80, 160)]
    assert not any(each.lost for each in told)
    won = [each.won for each in told]
    assert won == sorted(set(won), reverse=True)
    better = shares(variant, position, more + 400, 40)
    assert better.won >= told[2].won
    for quiet in (0, 40):
        assert shares(variant, position, even, quiet) == (0, 1, 0), "no win is expected"


def test_a_line_that_ends_the_battle_is_worth_what_it_ends_with() -> None:
    variant = VARIANTS["single"]
    position = variant.position(
        "5/7/9/11/13/1ddd11/1ddd11/1dddd1TR7/1dddd10/2ddd10/2d10/11/9/7/5 d"
    )
    end = parse_move(variant, position, "dE8-G8xG8")
    thought = Thought(3, 1_800, 1, 0.1, (end,))
    assert calibrated(variant, position, thought) == thought
    quiet = parse_move(variant, position, "dE8-F8")
    other = calibrated(variant, position, thought._replace(line=(quiet,)))
    assert other.score == variant.measured.margin(1_800, position) != 1_800
    trolls = position._replace(to_move=Side.TROLLS)
    step = next(move for move in variant.legal_moves(trolls) if not move.captures)
    theirs = calibrated(variant, trolls, Thought(3, -1_800, 1, 0.1, (step,)))
    assert theirs.score == -variant.measured.margin(1_800, trolls)


def test_lines_keep_the_search_s_order_beside_one_that_ends_the_battle() -> None:
    for name in "classic", "single":
        variant = VARIANTS[name]
        position = variant.position(
            "5/7/9/11/13/1ddd11/1ddd11/1dddd1TR7/1dddd10/2ddd10/2d10/11/9/7/5 d"
        )
        end, quiet = (parse_move(variant, position, each) for each in ("dE8-G8xG8", "dE8-F8"))
        for score, ends in (1_800, 1_790), (1_800, 1_800), (1_800, 1_810), (-1_800, -1_000):
            lines = [
                Thought(3, each, 1, 0.1, (move,)) for each, move in ((score, quiet), (ends, end))
            ]
            told, exact = (calibrated(variant, position, each, lines).score for each in lines)
            assert exact == ends
            assert told == ends or (told > ends) is (score > ends)
            assert score != ends or told == ends


@given(score=st.integers(-3_000, 3_000), exact=st.integers(-32, 32), data=st.data())
def test_beside_an_exact_result_an_expectation_is_no_farther_than_its_score(
    score: int, exact: int, data: st.DataObject
) -> None:
    variant = VARIANTS[data.draw(st.sampled_from(["classic", "single"]))]
    position = data.draw(open_positions(variant))
    expected = variant.measured.margin(score, position)
    found = beside(variant, position, expected, 100 * exact)
    assert (
        abs(found - 100 * exact) <= min(abs(score - 100 * exact) + 1, abs(expected - 100 * exact))
        or (score - 100 * exact) * (expected - 100 * exact) <= 0
    )
    assert min(expected, 100 * exact, score - 1) <= found <= max(expected, 100 * exact, score + 1)

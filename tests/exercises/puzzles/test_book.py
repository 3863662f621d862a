"""The included puzzles are valid, and hold."""

import json
from collections import Counter

import pytest

from make_puzzles import anew
from thud.exercises.puzzles.book import PUZZLED, as_written, puzzle_of, puzzles
from thud.exercises.puzzles.puzzle import BANDS, tasks
from thud.exercises.puzzles.search import step
from thud.exercises.puzzles.themes import GAINS, THEMES, Theme, theme_of
from thud.rules.notation import move_text, parse_move
from thud.rules.symmetry import canonical_text
from thud.rules.tactics import merits
from thud.rules.variant import Gain

MARGIN = 3
"""Points, or dwarfs, by which a solution is better, at least."""
QUIET_MARGIN = 2
"""The same for quiet moves of the dwarfs."""

GOALS = [puzzle for puzzle in puzzles() if puzzle.gain in GAINS]
"""Puzzles of goals: the others were judged by evaluations before the networks."""


def test_there_are_puzzles_of_every_band_and_variant() -> None:
    assert len(puzzles()) >= 250
    assert {puzzle.band for puzzle in puzzles()} == set(BANDS)
    assert {puzzle.variant.name for puzzle in puzzles()} == set(PUZZLED)
    assert min(Counter(puzzle.band for puzzle in puzzles()).values()) >= 12


def test_ids_are_different_and_lead_to_their_puzzles() -> None:
    assert len({puzzle.id for puzzle in puzzles()}) == len(puzzles())
    for puzzle in puzzles():
        assert puzzle_of(puzzle.id.upper()) is puzzle
    with pytest.raises(ValueError, match="no puzzle 'classic-0'"):
        puzzle_of("classic-0")


def test_no_two_are_alike() -> None:
    alike = Counter(
        (each.variant.name, canonical_text(each.variant, each.position)) for each in puzzles()
    )
    assert set(alike.values()) == {1}


def test_every_puzzle_has_legal_moves_and_is_as_its_gain_and_theme_say() -> None:
    for puzzle in puzzles():
        gain, theme = puzzle.gain, puzzle.theme
        least = QUIET_MARGIN if theme is Theme.QUIET else MARGIN
        assert gain in {"a win", "not losing"} if isinstance(gain, str) else gain >= least
        for move in puzzle.solutions[0]:
            after = puzzle.position.after(move)
            if theme in (Theme.HURL, Theme.TRAP, Theme.CAPTURE):
                assert move.captures
            if theme is Theme.WIN:
                outcome = puzzle.variant.decided(after)
                assert outcome is None or outcome.winner is puzzle.position.to_move
        position = puzzle.position
        for place, task in enumerate(tasks(puzzle)):
            assert task.position == position
            for move in task.solutions:
                puzzle.variant.check(position, move)
            if place < len(puzzle.replies):
                assert len(task.solutions) == 1, puzzle.id
                position = position.after(task.solution)
                puzzle.variant.check(position, puzzle.replies[place])
                position = position.after(puzzle.replies[place])
        assert puzzle.tempting[0] not in puzzle.solutions[0]
        tempting = puzzle.position
        for move in puzzle.tempting:
            puzzle.variant.check(tempting, move)
            tempting = tempting.after(move)


def test_what_is_to_be_saved_or_prepared_is_so_by_the_rules() -> None:
    for puzzle in puzzles():
        move, asked = puzzle.solutions[0][0], puzzle.theme
        if asked in (Theme.SAVE, Theme.PREPARE) and not move.captures:
            gains = {each.gain for each in merits(puzzle.variant, puzzle.position, move)}
            assert Gain.KEEPS_FROM_WINNING not in gains, puzzle.id
            if asked is Theme.SAVE:
                assert gains & {Gain.SAVES, Gain.FLEES}, puzzle.id
            else:
                assert Gain.THREATENS in gains or len(puzzle.solutions) > 1, puzzle.id


def test_texts_are_written_as_moves_are() -> None:
    for puzzle in puzzles():
        written = as_written(puzzle)
        assert written["position"] == puzzle.position.to_text()
        for text in (*written["solutions"][0], written["tempting"][0]):
            move = parse_move(puzzle.variant, puzzle.position, text)
            assert move_text(puzzle.position, move) == text


def test_a_theme_follows_from_the_rules_and_the_gain_and_each_has_words() -> None:
    for puzzle in puzzles():
        moves, rest = [best[0] for best in puzzle.solutions], puzzle.tempting[1:2]
        told = theme_of(
            puzzle.variant, puzzle.position, moves, rest[0] if rest else None, puzzle.gain
        )
        assert told is puzzle.theme, puzzle.id
    assert {each.theme for each in puzzles()} == set(THEMES) == set(Theme)


@pytest.mark.slow
def test_a_sample_is_found_again_by_the_program_that_made_them() -> None:
    for puzzle in GOALS[::6]:
        found = step(puzzle.variant, puzzle.position)
        assert found, puzzle.id
        assert set(found.solutions) == set(puzzle.solutions[0]), puzzle.id


@pytest.mark.slow
def test_a_sample_holds_at_ten_times_the_positions() -> None:
    for puzzle in GOALS[::3]:
        written = as_written(puzzle)
        assert json.loads(anew(puzzle.variant, written)) == written, puzzle.id

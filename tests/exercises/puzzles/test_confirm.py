"""Confirming and rejecting puzzles."""

from __future__ import annotations

import json

import pytest

from thud.exercises.puzzles.book import puzzle_on, puzzles
from thud.exercises.puzzles.confirm import NO_PUZZLE, answer, confirmed
from thud.exercises.puzzles.themes import Theme
from thud.rules.variants import VARIANTS

OVER = "5/7/9/11/13/15/15/7R7/15/15/13/11/9/7/4d T"

EASY = Theme.WIN


@pytest.mark.parametrize("name", VARIANTS)
def test_where_the_battle_is_over_there_is_none(name: str) -> None:
    assert confirmed(VARIANTS[name], VARIANTS[name].position(OVER)) is None
    asked = json.dumps({"variant": name, "position": OVER})
    assert json.loads(answer(asked)) == {"reason": NO_PUZZLE}


def test_one_of_ours_is_found_again_and_can_be_read() -> None:
    ours = next(each for each in puzzles() if each.variant.name == "koom" and each.theme == EASY)
    asked = {"variant": "koom", "position": ours.position.to_text()}
    found = json.loads(answer(json.dumps(asked)))["puzzle"]
    puzzle = puzzle_on(1, json.dumps(found))
    assert (puzzle.position, puzzle.theme, puzzle.gain) == (ours.position, ours.theme, ours.gain)
    assert set(puzzle.solutions[0]) == set(ours.solutions[0])

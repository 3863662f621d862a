"""Hints in words."""

import pytest

from thud.ai.player import Decision, Thought
from thud.rules.notation import parse_move, texts_of
from thud.rules.position import Side
from thud.rules.variants import VARIANTS
from thud.wording.hints import advised, expectation


@pytest.mark.parametrize(
    ("variant", "because", "told"),
    [
        ("classic", "It is fine.", "Hint: dF1-F5 (expected: dwarfs +0.1 points). It is fine."),
        ("classic", "", "Hint: dF1-F5 (expected: dwarfs +0.1 points). Then probably TG7-F6xF5."),
        ("koom", "", "Hint: {0} (expected: 34 % for the dwarfs). Then probably {1}."),
        ("football", "", "Hint: {0} (expected: no goal in sight). Then probably {1}."),
    ],
)
def test_a_hint_says_why_and_what_its_figure_counts(variant: str, because: str, told: str) -> None:
    game = VARIANTS[variant]
    if variant == "classic":
        move = parse_move(game, game.start, "dF1-F5")
        answer = parse_move(game, game.start.after(move), "TG7-F6xF5")
    else:
        move = game.legal_moves(game.start)[0]
        answer = game.legal_moves(game.start.after(move))[0]
    decision = Decision(move, Thought(2, 10, 1, 1.0, (move, answer)))
    expected = told.format(*texts_of(game.start, (move, answer)))
    assert advised(game, game.start, decision, because) == expected


@pytest.mark.parametrize(
    ("variant", "side", "score", "goal_in", "told"),
    [
        ("classic", Side.TROLLS, 150, None, "trolls +1.5"),
        ("koom", Side.DWARFS, 400, None, "dwarfs 50 %"),
        ("koom", Side.TROLLS, -400, None, "dwarfs 50 %"),
        ("koom", Side.TROLLS, 99_997, 3, "trolls win in 3"),
        ("football", Side.DWARFS, 100, None, "no goal in sight"),
    ],
)
def test_what_is_expected_is_told_in_short(
    variant: str, side: Side, score: int, goal_in: int | None, told: str
) -> None:
    thought = Thought(1, score, 1, 0.1, (), goal_in)
    assert expectation(VARIANTS[variant], side, thought) == told

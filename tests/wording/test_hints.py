"""Hints in words."""

import pytest

from thud.ai.player import Decision, Thought
from thud.engines.outlook import outlook
from thud.rules.match import Match
from thud.rules.position import Side
from thud.rules.variants import VARIANTS
from thud.wording.hints import expectation, hint
from thud.wording.moves import advised, described


@pytest.mark.parametrize(
    ("variant", "because", "then"),
    [
        ("classic", ["It is fine."], "After that Ann is about even."),
        ("classic", [], "After that Ann is about even."),
        ("koom", [], "Ann's chances: 34%."),
        ("football", [], "No goal is in sight."),
    ],
)
def test_a_hint_says_why_and_what_is_expected(variant: str, because: list[str], then: str) -> None:
    match = Match(VARIANTS[variant], ("Ann", "Bob"))
    game, before = match.variant, match.battle.position
    move = game.legal_moves(before)[0]
    after = before.after(move)
    reply = game.legal_moves(after)[0]
    thought = Thought(2, 10, 1, 1.0, (move, reply))
    expects = outlook(game, before, thought)
    assert hint(match, Decision(move, thought), " ".join(because), expects) == [
        f"Try this: {advised(game, before, move)}.",
        *because,
        f"The likely reply: the {described(game, after, reply)}.",
        then,
    ]


@pytest.mark.parametrize(
    ("variant", "side", "score", "goal_in", "told"),
    [
        ("classic", Side.TROLLS, 150, None, "trolls +1.5"),
        ("koom", Side.DWARFS, 400, None, "dwarfs 50%"),
        ("koom", Side.TROLLS, -400, None, "dwarfs 50%"),
        ("koom", Side.TROLLS, 99_997, 3, "trolls may win in 2"),
        ("football", Side.DWARFS, 100, None, "no goal in sight"),
    ],
)
def test_what_is_expected_is_told_in_short(
    variant: str, side: Side, score: int, goal_in: int | None, told: str
) -> None:
    thought = Thought(1, score, 1, 0.1, (), goal_in)
    game = VARIANTS[variant]
    assert expectation(game, game.start._replace(to_move=side), thought) == told

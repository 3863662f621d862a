"""A computer's evaluation is worded the same everywhere: who is ahead, and by how much."""

import pytest

from thud.ai.player import Decision, Thought
from thud.rules.match import Match
from thud.rules.position import Side
from thud.rules.variants import VARIANTS
from thud.wording.hints import evaluation, expectation, hint
from thud.wording.text import YOU


@pytest.mark.parametrize(
    ("score", "goal_in", "ahead", "told"),
    [
        (0, None, None, ("is about even", "Neither side is ahead", "even")),
        (4, None, None, ("is about even", "Neither side is ahead", "even")),
        (-4, None, None, ("is about even", "Neither side is ahead", "even")),
        (5, None, Side.DWARFS, ("is about even", "dwarfs are ahead by 0.1", "+0.1")),
        (
            -150,
            None,
            Side.TROLLS,
            ("about two points behind", "are ahead by 1.5", "+1.5"),
        ),
        (
            90_000,
            3,
            Side.DWARFS,
            ("should win in two", "dwarfs should win in two", "dwarfs win in 2"),
        ),
        (
            -90_000,
            -2,
            Side.TROLLS,
            ("should lose in one", "trolls should win in one", "trolls win in 1"),
        ),
    ],
)
def test_a_margin_is_told_alike_everywhere(
    score: int, goal_in: int | None, ahead: Side | None, told: tuple[str, ...]
) -> None:
    match = Match(VARIANTS["classic"])
    position = match.battle.position
    move = match.variant.legal_moves(position)[0]
    thought = Thought(1, score, 1, 0.0, (move,), goal_in)
    decision = Decision(move, thought)
    assert thought.ahead(position.to_move) is ahead
    texts = (
        hint(match, decision, "")[-1],
        evaluation(match.variant, position, decision)[-1],
        expectation(match.variant, position.to_move, thought),
    )
    for text, words in zip(texts, told, strict=True):
        assert words in text


@pytest.mark.parametrize(
    ("score", "goal_in", "told"),
    [
        (0, None, "After that you are about even."),
        (-150, None, "After that you are about two points behind."),
        (90_000, 3, "You should win in two moves."),
    ],
)
def test_whoever_plays_a_computer_is_you(score: int, goal_in: int | None, told: str) -> None:
    match = Match(VARIANTS["classic"], (YOU, "Goatherd"))
    move = match.variant.legal_moves(match.battle.position)[0]
    thought = Thought(1, score, 1, 0.0, (move,), goal_in)
    assert hint(match, Decision(move, thought), "")[-1] == told

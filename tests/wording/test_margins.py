"""A computer's evaluation is worded the same everywhere: who is ahead, and by how much."""

import pytest

from thud.ai.player import Decision, Thought
from thud.engines.outlook import outlook
from thud.rules.match import Match
from thud.rules.position import Side
from thud.rules.variants import VARIANTS
from thud.text import YOU
from thud.wording.hints import evaluation, expectation, hint


@pytest.mark.parametrize(
    ("variant", "score", "goal_in", "ahead", "told"),
    [
        ("classic", 0, None, None, ("is about even", "Neither side is ahead", "even")),
        ("classic", 4, None, None, ("is about even", "Neither side is ahead", "even")),
        ("classic", -4, None, None, ("is about even", "Neither side is ahead", "even")),
        (
            "classic",
            5,
            None,
            Side.DWARFS,
            ("is about even", "dwarfs are ahead by 0.1", "dwarfs +0.1"),
        ),
        (
            "classic",
            -150,
            None,
            Side.TROLLS,
            ("may fall about two points behind", "are ahead by 1.5", "trolls +1.5"),
        ),
        (
            "koom",
            90_000,
            3,
            Side.DWARFS,
            ("expects that Ann wins in two", "that the dwarfs win in two", "dwarfs may win in 2"),
        ),
        (
            "koom",
            -90_000,
            -2,
            Side.TROLLS,
            ("expects that Bob wins in one", "that the trolls win in one", "trolls may win in 1"),
        ),
    ],
)
def test_a_margin_is_told_alike_everywhere(
    variant: str, score: int, goal_in: int | None, ahead: Side | None, told: tuple[str, ...]
) -> None:
    match = Match(VARIANTS[variant], ("Ann", "Bob"))
    position = match.battle.position
    move = match.variant.legal_moves(position)[0]
    thought = Thought(1, score, 1, 0.0, (move,), goal_in)
    decision, expects = Decision(move, thought), outlook(match.variant, position, thought)
    assert thought.ahead(position.to_move) is ahead
    texts = (
        hint(match, decision, "", expects)[-1],
        evaluation(match.variant, position, decision, expects)[-1],
        expectation(match.variant, position, thought),
    )
    for text, words in zip(texts, told, strict=True):
        assert words in text


@pytest.mark.parametrize(
    ("variant", "start", "score", "goal_in", "told"),
    [
        ("classic", "", 0, None, "After that you are about even."),
        ("classic", "", 150, None, "After that you are about two points ahead."),
        ("classic", "", -150, None, "Even so, you may fall about two points behind."),
        (
            "classic",
            "ddddd/7/9/11/13/15/6TTT6/6TRT6/6TTT6/15/13/11/9/7/5 d",
            -2150,
            None,
            "You stay about 22 points behind.",
        ),
        ("koom", "", 90_000, 3, "The computer expects that you win in two moves."),
    ],
)
def test_whoever_plays_a_computer_is_you(
    variant: str, start: str, score: int, goal_in: int | None, told: str
) -> None:
    game = VARIANTS[variant]
    match = Match(game, (YOU, "Goatherd"), game.position(start) if start else None)
    position = match.battle.position
    move = next(each for each in game.legal_moves(position) if not each.captures)
    thought = Thought(1, score, 1, 0.0, (move,), goal_in)
    expects = outlook(game, position, thought)
    assert hint(match, Decision(move, thought), "", expects)[-1] == told

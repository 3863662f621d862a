"""A computer's evaluation is worded the same everywhere: who is ahead, and by how much."""

import pytest

from thud.ai.player import Decision, Thought
from thud.engines.outlook import outlook
from thud.rules.match import Match
from thud.rules.position import Side
from thud.rules.variants import VARIANTS
from thud.text import YOU
from thud.wording.hints import evaluation, expectation, hint

EVEN = ("is about even", "Neither side is ahead", "even")


@pytest.mark.parametrize(
    ("variant", "score", "goal_in", "told"),
    [
        ("classic", 4, None, EVEN),
        ("classic", -4, None, EVEN),
        ("classic", 5, None, ("is about even", "dwarfs are ahead by 0.1", "dwarfs +0.1")),
        ("classic", -150, None, ("may fall about two", "are ahead by 1.5", "trolls +1.5")),
        ("koom", 90_000, 3, ("that Ann wins in two", "dwarfs win in two", "dwarfs may win in 2")),
        ("koom", -90_000, -2, ("that Bob wins in one", "trolls win in", "trolls may win in 1")),
        ("koom", 0, None, ("Ann's chances: 34%", "The dwarfs' chances: 34%", "dwarfs 34%")),
        ("football", 100, None, ("No goal is in sight", "No goal is in", "no goal in sight")),
    ],
)
def test_a_margin_is_told_alike_everywhere(
    variant: str, score: int, goal_in: int | None, told: tuple[str, ...]
) -> None:
    match = Match(VARIANTS[variant], ("Ann", "Bob"))
    position = match.battle.position
    move = match.variant.legal_moves(position)[0]
    thought = Thought(1, score, 1, 0.0, (move,), goal_in)
    decision, expects = Decision(move, thought), outlook(match.variant, position, thought)
    texts = (
        hint(match, decision, "", expects)[-1],
        evaluation(match.variant, position, decision, expects)[-1],
        expectation(match.variant, position, thought),
    )
    for text, words in zip(texts, told, strict=True):
        assert words in text


def test_the_trolls_expectation_is_told_for_the_dwarfs() -> None:
    game, thought = VARIANTS["koom"], Thought(1, -400, 1, 0.1, ())
    trolls = game.start._replace(to_move=Side.TROLLS)
    assert expectation(game, trolls, thought) == "dwarfs 50%"


SURROUNDED = "ddddd/7/9/11/13/15/6TTT6/6TRT6/6TTT6/15/13/11/9/7/5 d"


@pytest.mark.parametrize(
    ("variant", "start", "score", "told"),
    [
        ("classic", "", 0, "After that you are about even."),
        ("classic", "", 150, "After that you are about two points ahead."),
        ("classic", "", -150, "Even so, you may fall about two points behind."),
        ("classic", SURROUNDED, -2150, "You stay about 22 points behind."),
        ("koom", "", 90_000, "The computer expects that you win in two moves."),
    ],
)
def test_whoever_plays_a_computer_is_you(variant: str, start: str, score: int, told: str) -> None:
    game = VARIANTS[variant]
    match = Match(game, (YOU, "Goatherd"), game.position(start) if start else None)
    position = match.battle.position
    move = next(each for each in game.legal_moves(position) if not each.captures)
    thought = Thought(1, score, 1, 0.0, (move,), 3 if score == 90_000 else None)
    expects = outlook(game, position, thought)
    assert hint(match, Decision(move, thought), "", expects)[-1] == told

"""A computer's evaluation is worded the same everywhere: who is ahead, and by how much."""

import pytest

from thud.ai.player import Decision, Thought
from thud.engines.outlook import outlook
from thud.rules.match import Match
from thud.rules.position import Side
from thud.rules.variants import VARIANTS
from thud.text import YOU
from thud.wording.hints import evaluation, expectation, hint

EVEN = ("to end about even", "to end about even", "even")


@pytest.mark.parametrize(
    ("variant", "score", "goal_in", "told"),
    [
        ("classic", 4, None, EVEN),
        ("classic", -4, None, EVEN),
        ("classic", 5, None, ("to end about even", "dwarfs can expect to end 0.1", "dwarfs +0.1")),
        ("classic", 104, None, ("one point ahead", "to end 1.0 point ahead", "dwarfs +1.0")),
        ("classic", -150, None, ("two points behind", "to end 1.5 points", "trolls +1.5")),
        ("koom", 90_000, 3, ("that Ann wins in two", "dwarfs win in two", "dwarfs may win in 2")),
        ("koom", -90_000, -2, ("that Bob wins in one", "trolls win in", "trolls may win in 1")),
        ("koom", 9_000, None, ("Ann's chances: 99%", "chances: 99%", "dwarfs 99%")),
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


@pytest.mark.parametrize(
    ("variant", "score", "told"),
    [
        ("classic", 0, "After that, you can expect to end about even."),
        ("classic", 150, "After that, you can expect to end about two points ahead."),
        ("classic", -150, "Even so, you can expect to end about two points behind."),
        ("koom", 90_000, "The computer expects that you win in two moves."),
    ],
)
def test_whoever_plays_a_computer_is_you(variant: str, score: int, told: str) -> None:
    game = VARIANTS[variant]
    match = Match(game, (YOU, "Goatherd"))
    position = match.battle.position
    move = next(each for each in game.legal_moves(position) if not each.captures)
    thought = Thought(1, score, 1, 0.0, (move,), 3 if score == 90_000 else None)
    expects = outlook(game, position, thought)
    assert hint(match, Decision(move, thought), "", expects)[-1] == told

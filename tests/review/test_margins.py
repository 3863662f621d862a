"""A computer's evaluation is worded the same everywhere: who is ahead, and by how much."""

from math import log

import pytest

from thud.ai.player import Decision, Thought
from thud.engines.outlook import Outlook, outlook
from thud.review.hints import evaluation, expectation, hint
from thud.review.judgement import shares
from thud.review.sentences import expected_in_words
from thud.rules.match import Match
from thud.rules.measured import Following, Measured, NoGoalInSight
from thud.rules.position import Side
from thud.rules.variants import VARIANTS
from thud.text import YOU

EVEN = ("end about even, give or take 9", "end about even, give or take 9", "even ±9")

HALF = "chances: 40% to win, 20% to draw, 40% to lose."
UNSEEN = "No goal is in sight. Where that was so in the first turns, the dwarfs won 90 battles"

MEASURED = {
    "classic": Measured(
        (Following(1, 1.0, 0, 0, 0, (900, 900)), Following(32, 1.0, 0, 0, 0, (900, 900)))
    ),
    "koom": Measured(drawn=(log(0.2 / 0.8), 0, 0, 0, 0, 0, 0, 0)),
    "football": Measured(
        no_goal_in_sight=(NoGoalInSight(0, 0.9, 0.1, 0.0), NoGoalInSight(40, 0.5, 0.4, 0.1))
    ),
}
"""What would be known of games: a spread of nine points, a fifth of the battles drawn."""


@pytest.fixture(autouse=True)
def measured(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, known in MEASURED.items():
        monkeypatch.setitem(VARIANTS[name].__dict__, "measured", known)


@pytest.fixture(autouse=True)
def late(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no battle count as hardly begun, in which nothing is news."""
    monkeypatch.setattr("thud.review.hints._EARLY", -1)


@pytest.mark.parametrize(
    ("variant", "score", "goal_in", "told"),
    [
        ("classic", 4, None, EVEN),
        ("classic", -4, None, EVEN),
        ("classic", 49, None, EVEN),
        ("classic", 104, None, ("1 point ahead", "to end 1 point ahead", "dwarfs +1 ±9")),
        ("classic", -190, None, ("2 points behind", "to end 2 points", "trolls +2 ±9")),
        ("koom", 90_000, 3, ("that Ann wins in two", "dwarfs win in two", "dwarfs may win in 2")),
        ("koom", -90_000, -2, ("that Bob wins in one", "trolls win in", "trolls may win in 1")),
        ("koom", 9_000, None, ("Ann's chances: 98% to win", "chances: 98%", "dwarfs 98-1-1%")),
        ("koom", 400, None, (f"Ann's {HALF}", f"The dwarfs' {HALF}", "dwarfs 40-20-40%")),
        ("football", 100, None, (UNSEEN, UNSEEN, "dwarfs 90-10-0%")),
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


@pytest.mark.parametrize(("turn", "told"), [(0, "90-10-0%"), (39, "90-10-0%"), (40, "50-40-10%")])
def test_without_a_goal_in_sight_the_turn_tells(turn: int, told: str) -> None:
    game = VARIANTS["football"]
    assert expectation(game, game.start, Thought(1, 100, 1, 0.1, ()), turn) == f"dwarfs {told}"


def test_the_trolls_expectation_is_told_for_the_dwarfs() -> None:
    game, thought = VARIANTS["koom"], Thought(1, -400, 1, 0.1, ())
    trolls = game.start._replace(to_move=Side.TROLLS)
    assert expectation(game, trolls, thought) == "dwarfs 40-20-40%"
    decision = Decision(game.legal_moves(trolls)[0], thought)
    told = hint(Match(game, ("Ann", "Bob"), trolls), decision, "", Outlook(100))[-1]
    assert told == "Bob's chances: 60% to win, 20% to draw, 20% to lose."


@pytest.mark.parametrize(
    ("variant", "score", "told"),
    [
        ("classic", 0, "You would end about even"),
        (
            "classic",
            190,
            "You would end about 2 points ahead",
        ),
        (
            "classic",
            -190,
            "You would end about 2 points behind",
        ),
        ("koom", 90_000, "The computer expects that you win in two moves"),
    ],
)
def test_whoever_plays_a_computer_is_you(variant: str, score: int, told: str) -> None:
    game = VARIANTS[variant]
    match = Match(game, (YOU, "Goatherd"))
    position = match.battle.position
    move = next(each for each in game.legal_moves(position) if not each.captures)
    thought = Thought(1, score, 1, 0.0, (move,), 3 if score == 90_000 else None)
    expects = outlook(game, position, thought)
    close = ", give or take 9." if game.counts_points else "."
    assert hint(match, Decision(move, thought), "", expects)[-1] == told + close


@pytest.mark.parametrize(("trolls", "told"), [("TTT2", (50, 40, 10)), ("TT3", (56, 44, 0))])
def test_without_a_goal_in_sight_no_figure_is_told_of_other_pieces_than_at_the_start(
    trolls: str, told: tuple[int, int, int]
) -> None:
    game = VARIANTS["football"]
    position = game.position(f"5/7/9/11/13/15/3d11/7R2{trolls}/7d7/15/13/11/9/7/5 d")
    move, thought = game.legal_moves(position)[0], Thought(1, 100, 1, 0.1, ())
    assert shares(game, position, 100, 40).percents == told, "nobody wins without the pieces"
    assert expectation(game, position, thought, 40) == "no goal in sight"
    assert expected_in_words(game, position, 100, 40) == "no forced goal is in sight"
    found = evaluation(game, position, Decision(move, thought), Outlook(100))
    assert found[-1] == "No goal is in sight."

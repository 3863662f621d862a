"""Hints in words."""

import pytest

from rules.drawing import mask
from thud.ai.player import Decision, Thought
from thud.engines.outlook import outlook
from thud.rules.geometry import parse_square
from thud.rules.match import Match
from thud.rules.notation import move_text
from thud.rules.position import Position, Side
from thud.rules.tactics import lets_win
from thud.rules.variants import VARIANTS
from thud.wording.hints import expectation, hint, reasons
from thud.wording.moves import advised, described
from thud.wording.remarks import merits


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


def classic_reasons(best: int, second: int) -> str:
    game = VARIANTS["classic"]
    start = game.start
    one, other = game.legal_moves(start)[:2]
    thought = Thought(2, best, 1, 1.0, (one,))
    rest = Thought(2, second, 1, 1.0, (other,), rank=2)
    return reasons(game, start, Decision(one, thought), rest)


def test_a_hint_says_what_other_moves_cost() -> None:
    assert classic_reasons(210, 10).endswith("Every other move is about two points worse.")
    assert classic_reasons(90, -20).endswith("Every other move is about one point worse.")
    game = VARIANTS["classic"]
    other = move_text(game.start, game.legal_moves(game.start)[1])
    assert classic_reasons(10, 0).endswith(f"{other} is about as good.")


def test_a_hint_says_what_other_moves_cost_where_a_goal_decides() -> None:
    game = VARIANTS["koom"]
    one, other = game.legal_moves(game.start)[:2]
    rest = Thought(2, -600, 1, 1.0, (other,), rank=2)
    told = reasons(game, game.start, Decision(one, Thought(2, 400, 1, 1.0, (one,))), rest)
    assert told.endswith("Every other move costs about 34% of the chances.")


def test_only_one_move_saves() -> None:
    game = VARIANTS["koom"]
    position = Position(mask("H2 O11"), mask("J3 P9 P8"), parse_square("G2"), Side.TROLLS)
    saving = [m for m in game.legal_moves(position) if not lets_win(game, position, m)]
    assert len(saving) == 1
    losing = next(m for m in game.legal_moves(position) if m not in saving)
    best = Decision(saving[0], Thought(3, -100, 1, 1.0, (saving[0],)))
    rest = Thought(3, -99_998, 1, 1.0, (losing,), -2, rank=2)
    told = reasons(game, position, best, rest)
    assert told.endswith("After every other move the dwarfs win at once.")


def test_a_move_without_a_reason_or_without_another_is_told() -> None:
    game = VARIANTS["football"]
    position = game.start
    quiet = next(m for m in game.legal_moves(position) if not merits(game, position, m))
    assert reasons(game, position, Decision(quiet), None) == "The reason lies further ahead."
    held = Position(mask("O7 N6"), mask("P6"), parse_square("H8"), Side.TROLLS)
    (only,) = game.legal_moves(held)
    assert reasons(game, held, Decision(only), None) == "It is the only move."


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

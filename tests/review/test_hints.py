"""Hints in words."""

import pytest

from rules.drawing import mask
from thud.ai.player import Decision, Thought
from thud.engines.outlook import outlook
from thud.review.hints import hint, reasons
from thud.rules.geometry import parse_square
from thud.rules.match import Match
from thud.rules.notation import texts_of
from thud.rules.position import Move, Position, Side
from thud.rules.tactics import lets_win
from thud.rules.variants import VARIANTS
from thud.words.moves import advised, described
from thud.words.remarks import merits


@pytest.mark.parametrize("because", ["It is fine.", ""])
def test_a_hint_says_why_and_what_is_expected(
    because: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = Match(VARIANTS["classic"], ("Ann", "Bob"))
    game, before = match.variant, match.battle.position
    move = game.legal_moves(before)[0]
    reply = game.legal_moves(before.after(move))[0]
    thought = Thought(2, 10, 1, 1.0, (move, reply))
    told = hint(match, Decision(move, thought), because, outlook(game, before, thought))
    wide = round(game.measured.spread(before) / 100)
    assert told == [
        f"Try this: {advised(game, before, move)}.",
        because or "The reason lies further ahead.",
    ], "nothing is news at the beginning"
    again = Decision(move, thought), because, outlook(game, before, thought)
    assert hint(match, *again, before=60) == told, "hardly any change"
    monkeypatch.setattr("thud.review.hints._EARLY", -1)
    assert hint(match, *again) == [
        *told,
        f"Ann would end about even, give or take {wide}.",
    ]
    assert hint(match, *again, before=-310) == told, "less than the computer is unsure of"
    assert hint(match, *again, before=-100 * (wide + 3))[-1] == (
        f"Ann stands about {wide + 3} points better than at the last hint."
    )


@pytest.mark.parametrize(
    ("name", "yet"), [("classic", ": nothing is captured yet"), ("football", "")]
)
def test_a_hint_without_a_visible_reason_says_what_is_expected_to_follow(
    name: str, yet: str
) -> None:
    match = Match(VARIANTS[name], ("Ann", "Bob"))
    game, before = match.variant, match.battle.position
    line, position = list[Move](), before
    for _ in range(3):
        line.append(game.legal_moves(position)[0])
        position = position.after(line[-1])
    thought = Thought(3, 10, 1, 1.0, tuple(line))
    told = hint(match, Decision(line[0], thought), "", outlook(game, before, thought))
    then = " ".join(texts_of(before.after(line[0]), line[1:]))
    assert told[1] == f"The computer expects {then} to follow{yet}."


def test_a_hint_says_what_the_reply_captures() -> None:
    match = Match(VARIANTS["classic"], ("Ann", "Bob"))
    game, before = match.variant, match.battle.position
    move, reply = next(
        (move, reply)
        for move in game.legal_moves(before)
        for reply in game.legal_moves(before.after(move))
        if reply.captures
    )
    thought = Thought(2, 10, 1, 1.0, (move, reply))
    told = hint(match, Decision(move, thought), "", outlook(game, before, thought))
    assert told[-1] == f"The likely reply: the {described(game, before.after(move), reply)}."
    assert " and captures " in told[-1]


@pytest.mark.parametrize(
    ("variant", "best", "second", "told"),
    [
        ("classic", 210, 10, "Every other move is about 2 points worse."),
        ("classic", 90, -20, "Every other move is about 1 point worse."),
        ("classic", 10, 0, "F1 to F3 is about as good."),
        ("koom", 400, -600, "Every other move costs about 34% of the chances."),
    ],
)
def test_a_hint_says_what_other_moves_cost(variant: str, best: int, second: int, told: str) -> None:
    game = VARIANTS[variant]
    one, other = game.legal_moves(game.start)[:2]
    decision = Decision(one, Thought(2, best, 1, 1.0, (one,)))
    rest = Thought(2, second, 1, 1.0, (other,), rank=2)
    said = reasons(game, game.start, decision, rest)
    assert said.endswith(told)


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
    assert reasons(game, position, Decision(quiet), None) == ""
    thought = Thought(3, -99_998, 1, 1.0, (quiet,), -2)
    told = hint(Match(game), Decision(quiet, thought), "", outlook(game, position, thought))
    assert len(told) == 2, "whoever has lost need not look further ahead"
    held = Position(mask("O7 N6"), mask("P6"), parse_square("H8"), Side.TROLLS)
    (only,) = game.legal_moves(held)
    assert reasons(game, held, Decision(only), None) == "It is the only move."

"""The lowest levels end a quiet battle when they are asked to; all say when to ask again."""

from __future__ import annotations

import pytest

from thud.ai.player import Decision, Thought
from thud.engines.client import Engine
from thud.engines.spec import parse_contender
from thud.rules.battle import Battle
from thud.rules.notation import parse_move
from thud.rules.position import Position
from thud.rules.variants import VARIANTS
from thud.session.participants import Computer, Person

QUIET = ("dF1-F2", "TG7-F7", "dF2-F1", "TF7-G7") * 3


@pytest.mark.parametrize(
    ("who", "played", "agrees"),
    [
        ("cpu:1", QUIET, True),
        ("cpu:3", QUIET, True),
        ("cpu:4", QUIET, False),
        ("cpu:1", QUIET[:7], False),
        ("cpu:1", (*QUIET[:10], "dG1-G5", "TF7-F6xG5"), False),
    ],
)
async def test_the_lowest_levels_oblige_after_a_while_without_captures(
    who: str, played: tuple[str, ...], agrees: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def decide(_: Engine, battle: Battle, *__: object, **___: object) -> Decision:
        return Decision(battle.variant.legal_moves(battle.position)[0])

    monkeypatch.setattr(Engine, "decide", decide)
    battle = Battle(VARIANTS["classic"])
    seat = Computer(parse_contender(who))
    for text in played:
        battle.play(parse_move(battle.variant, battle.position, text))
    assert await seat.agrees(battle) == agrees
    await seat.close()


@pytest.mark.parametrize(
    ("score", "cycles", "agrees"),
    [(-400, 2, True), (-401, 2, True), (900, 2, True), (900, 1, False), (-9_000, 1, False)],
)
async def test_where_a_goal_decides_a_level_agrees_to_what_is_no_worse_or_keeps_coming_back(
    score: int, cycles: int, *, agrees: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def decide(_: Engine, battle: Battle, *__: object, **___: object) -> Decision:
        move = battle.variant.legal_moves(battle.position)[0]
        return Decision(move, Thought(1, score, 1, 0.1, (move,)))

    monkeypatch.setattr(Engine, "decide", decide)
    rows = "d4/7/9/11/13/15/15/7R7/15/15/13/11/9/7/3TT T"
    battle = Battle(VARIANTS["koom"], Position.from_text(rows))
    seat = Computer(parse_contender("cpu:1"))
    for text in ("TJ15-J14", "dF1-F2", "TJ14-J15", "dF2-F1") * cycles:
        battle.play(parse_move(battle.variant, battle.position, text))
    assert await seat.agrees(battle) == agrees
    await seat.close()


async def test_in_a_long_quiet_battle_a_level_agrees_if_it_expects_no_more_than_a_draw(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    score = -400

    async def decide(_: Engine, battle: Battle, *__: object, **___: object) -> Decision:
        move = battle.variant.legal_moves(battle.position)[0]
        return Decision(move, Thought(1, score, 1, 0.1, (move,)))

    monkeypatch.setattr(Engine, "decide", decide)
    monkeypatch.setattr("thud.session.participants.keeps_coming", lambda _: False)
    rows = "d4/7/9/11/13/15/15/7R7/15/15/13/11/9/7/3TT T"
    battle = Battle(VARIANTS["koom"], Position.from_text(rows))
    for text in ("TJ15-J14", "dF1-F2", "TJ14-J15", "dF2-F1") * 3:
        battle.play(parse_move(battle.variant, battle.position, text))
    battle.play(parse_move(battle.variant, battle.position, "TJ15-J14"))
    seat = Computer(parse_contender("cpu:5"))
    # At its own last turn it had the trolls.
    for score, agrees in (-400, True), (-7_000, True), (-399, False):
        assert await seat.agrees(battle) == agrees, score
    await seat.close()


@pytest.mark.parametrize(
    ("who", "variant", "said"),
    [
        (
            "cpu:3",
            "classic",
            "Ask again after 40 more moves without a capture, "
            "or when a position comes up a third time.",
        ),
        ("cpu:4", "single", "after 40 more moves without a capture"),
        ("cpu", "classic", "after 40 more moves without a capture"),
        ("cpu:1", "koom", "after 40 more moves without a capture"),
        ("cpu:1", "football", "after 40 more moves, or when a position comes up a third time."),
        ("random", "classic", "never agrees to stop early."),
    ],
)
def test_a_refusal_says_how_long_to_wait(who: str, variant: str, said: str) -> None:
    assert said in Computer(parse_contender(who)).refusal(Battle(VARIANTS[variant]))


def test_nobody_knows_what_people_and_other_programs_will_do() -> None:
    battle = Battle(VARIANTS["classic"])
    assert not Person().refusal(battle)
    assert not Computer(parse_contender("engine:./own")).refusal(battle)

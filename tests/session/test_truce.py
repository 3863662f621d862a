"""The lowest levels end a quiet battle when they are asked to; all say when to ask again."""

from __future__ import annotations

import pytest

from thud.ai.player import Decision
from thud.engines.client import Engine
from thud.engines.spec import parse_contender
from thud.rules.battle import Battle
from thud.rules.notation import parse_move
from thud.rules.variants import VARIANTS
from thud.session.participants import Computer, Person

QUIET = ("dF1-F2", "TG7-F7", "dF2-F1", "TF7-G7") * 3


@pytest.mark.parametrize(
    ("who", "played", "agrees"),
    [
        ("cpu:1", QUIET, True),
        ("cpu:2", QUIET, True),
        ("cpu:3", QUIET, False),
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
    ("who", "variant", "said"),
    [
        (
            "cpu:2",
            "classic",
            "Ask again after 40 more turns without a capture, "
            "or when a position comes up a third time.",
        ),
        ("cpu:3", "single", "after 40 more turns without a capture"),
        ("cpu", "classic", "after 40 more turns without a capture"),
        ("cpu:1", "koom", "after 40 more turns without a capture"),
        ("random", "classic", "never agrees to stop early."),
    ],
)
def test_a_refusal_says_how_long_to_wait(who: str, variant: str, said: str) -> None:
    assert said in Computer(parse_contender(who)).refusal(Battle(VARIANTS[variant]))


def test_nobody_knows_what_people_and_other_programs_will_do() -> None:
    battle = Battle(VARIANTS["classic"])
    assert not Person().refusal(battle)
    assert not Computer(parse_contender("engine:./own")).refusal(battle)

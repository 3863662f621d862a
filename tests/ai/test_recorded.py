"""The search answers as it did: moves, scores, depths and nodes, recorded with an earlier version.

A change that shall make the search play otherwise replaces `recorded.json`.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

import pytest

from thud.ai.levels import LevelPlayer
from thud.ai.player import Limits, Player
from thud.ai.thinker import Thinker
from thud.rules.battle import Battle
from thud.rules.notation import move_text, parse_move
from thud.rules.variants import VARIANTS

BATTLES: Final = json.loads(Path(__file__).with_name("recorded.json").read_text(encoding="utf-8"))
FEW: Final = 5_000
"""The most nodes of an answer that the ordinary run checks."""

DEEP: Final = Limits(nodes=200_000)


def asked(name: str, seed: int, kind: str, number: int) -> tuple[Player, Limits]:
    """Return who was asked: a level, or full strength with so many nodes or plies."""
    variant = VARIANTS[name]
    if kind == "level":
        return LevelPlayer(variant, number, seed), Limits()
    return Thinker(variant, seed), (DEEP if kind == "depth" else Limits())._replace(
        **{kind: number}
    )


def answers(battle: Battle, player: Player, limits: Limits) -> list[Any]:
    move, thought, ends, *_ = player.decide(battle.positions, limits)
    assert thought
    text = move_text(battle.position, move)
    return [text, thought.score, thought.depth, thought.nodes, ends, len(thought.line)]


@pytest.mark.parametrize("name", sorted({battle["variant"] for battle in BATTLES}))
def test_the_answers_are_those_of_before(name: str, full: bool) -> None:
    rows = [
        (battle, row) for battle in BATTLES if battle["variant"] == name for row in battle["asked"]
    ]
    assert len(rows) == 400
    variant = VARIANTS[name]
    for told, (ply, kind, number, seed, answer) in rows if full else rows[::10]:
        if full or answer[3] <= FEW:
            start = variant.position(told["start"]) if told["start"] else variant.start
            battle = Battle(variant, start)
            for text in told["moves"].split()[:ply]:
                battle.play(parse_move(variant, battle.position, text))
            player, limits = asked(name, seed, kind, number)
            found = answers(battle, player, limits)
            assert found == answer, (kind, number, battle.position.to_text())

"""The two baseline players."""

from __future__ import annotations

from typing import TypeAlias

import pytest

from thud.ai.player import Thought
from thud.ai.simple import MaterialPlayer, RandomPlayer
from thud.engines.server import make_player
from thud.rules.battle import Battle
from thud.rules.notation import move_text
from thud.rules.variants import VARIANTS

THREE_PREY = "5/7/9/11/13/15/15/3T3R7/1d1d11/2d12/13/11/9/7/3d1 T"
AT_THE_GOAL = "5/2Rd3/9/11/13/15/15/2dT1d9/15/15/13/11/9/7/5 d"
Maker: TypeAlias = type[RandomPlayer] | type[MaterialPlayer]
MAKERS = pytest.mark.parametrize("make", [RandomPlayer, MaterialPlayer])


def battle(make: Maker, seed: int, name: str = "classic", plies: int = 30) -> Battle:
    """Let a player play against itself."""
    player, fought = make(VARIANTS[name], seed), Battle(VARIANTS[name])
    while fought.outcome is None and len(fought.moves) < plies:
        fought.play(player.decide(fought.positions).move)
    return fought


@MAKERS
@pytest.mark.parametrize("name", VARIANTS)
def test_every_move_is_legal_and_a_seed_repeats_them(make: Maker, name: str) -> None:
    first, again, other = (battle(make, seed, name).moves for seed in (1, 1, 2))
    assert first == again != other


def decided(name: str, text: str, seed: int) -> tuple[str, list[Thought]]:
    variant = VARIANTS[name]
    position = variant.position(text)
    thoughts: list[Thought] = []
    decision = MaterialPlayer(variant, seed).decide([position], report=thoughts.append)
    assert [decision.thought] == thoughts
    return move_text(position, decision.move), thoughts


def test_material_captures_most_and_counts_what_is_left() -> None:
    found = [decided("classic", THREE_PREY, seed) for seed in range(10)]
    assert {text for text, _ in found} == {"TD8-C9xB9xC10xD9"}
    assert {thoughts[0].score for _, thoughts in found} == {300}


def test_material_wins_rather_than_captures() -> None:
    found = [decided("koom", AT_THE_GOAL, seed) for seed in range(10)]
    assert {text for text, _ in found} == {"RG2-G1", "RG2-H1"}
    assert {thoughts[0].goal_in for _, thoughts in found} == {1}


def test_a_kind_of_player_that_there_is_not_is_refused() -> None:
    with pytest.raises(ValueError, match="no player 'nobody'"):
        make_player("nobody", VARIANTS["classic"], 0, None)

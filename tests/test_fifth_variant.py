"""A variant added by one file and one line in the registry works everywhere in the program."""

from __future__ import annotations

import pytest

from thud.ai.player import Limits
from thud.cli.main import main
from thud.engines.spec import FULL_STRENGTH, level_contender, parse_contender
from thud.rules.battle import Battle
from thud.rules.variant import Variant, perft


async def test_the_computer_plays_it_and_gives_hints_from_a_process_of_its_own(
    skirmish_engines: Variant,
) -> None:
    battle = Battle(skirmish_engines)
    for seat in (parse_contender("cpu:2"), parse_contender("random")):
        async with seat.engine() as engine:
            battle.play((await engine.decide(battle)).move)
    async with level_contender(FULL_STRENGTH).engine() as adviser:
        hint = await adviser.decide(battle, Limits(seconds=0.2))
    assert hint.thought
    assert hint.thought.line[0] == hint.move
    battle.play(hint.move)


def test_the_commands_know_it(skirmish: Variant, capsys: pytest.CaptureFixture[str]) -> None:
    for command in ("show", "moves", "perft"):
        assert main([command, "--variant", skirmish.name, *["2"] * (command == "perft")]) == 0
    counts = [f"perft {depth} {perft(skirmish, skirmish.start, depth)}\n" for depth in (1, 2)]
    assert capsys.readouterr().out.endswith("".join(counts))

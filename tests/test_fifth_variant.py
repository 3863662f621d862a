"""A variant added by one file and one line in the registry works everywhere in the program."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from queue import Queue

import pytest

from fifth_tree import plant
from thud.ai.player import Limits
from thud.cli.main import main
from thud.engines.protocol import parse_decision, parse_thought
from thud.engines.server import Server
from thud.engines.spec import FULL_STRENGTH, level_contender, parse_contender
from thud.rules.battle import Battle
from thud.rules.notation import move_text, parse_move
from thud.rules.variant import Variant, perft

TIMEOUT = 60.0


class Spoken:
    """An in-process engine server for a variant and level, with the lines it has sent."""

    def __init__(self, variant: Variant, level: int) -> None:
        self.lines: Queue[str] = Queue()
        self.server = Server(self.lines.put, level=level, seed=1)
        self.server.obey(f"setoption name Variant value {variant.name}")

    def answers(self, line: str, last: str) -> list[str]:
        """Send a line, and wait for the last line of the answer."""
        self.server.obey(line)
        heard = [self.lines.get(timeout=TIMEOUT)]
        while not heard[-1].startswith(last):
            heard.append(self.lines.get(timeout=TIMEOUT))
        return heard


@pytest.mark.parametrize("level", [FULL_STRENGTH, 3])
def test_the_engine_is_ready_for_it_and_plays_it(skirmish: Variant, level: int) -> None:
    spoken = Spoken(skirmish, level)
    assert spoken.answers("isready", "readyok") == ["readyok"]
    battle = Battle(skirmish)
    for _ in range(4):
        *told, best = spoken.answers("go nodes 200", "bestmove")
        thoughts = [parse_thought(skirmish, battle.position, line) for line in told]
        decision = parse_decision(best)
        assert decision
        assert thoughts[-1]
        move = parse_move(skirmish, battle.position, decision[0])
        assert thoughts[-1].line[0] == move
        battle.play(move)
        spoken.server.obey(
            f"position startpos moves {' '.join(map(move_text, battle.positions, battle.moves))}"
        )


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


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="the copy is made for POSIX")
def test_every_law_holds_where_there_is_one_more(tmp_path: Path) -> None:
    name = "sortie"
    done = subprocess.run(
        [str(plant(tmp_path, name)), "-m", "pytest", "-p", "no:cacheprovider", "-k", name],
        cwd=tmp_path,
        env={name: value for name, value in os.environ.items() if not name.startswith("PYTEST")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-5000:]
    passed = re.search(r"(\d+) passed", done.stdout)
    assert passed
    assert int(passed[1]) > 100

"""docs/engine.md is accurate: its conversation takes place, its engine plays."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from engines.conversation import Conversation, conversation
from thud.ai.player import Limits
from thud.engines.client import Engine
from thud.engines.protocol import MAX_LINE, MAX_MOVES, parse_position, parse_thought, played
from thud.engines.spec import parse_contender
from thud.rules.battle import Battle
from thud.rules.notation import parse_move
from thud.rules.variants import VARIANTS
from variants import as_told

DOCUMENT = (Path(__file__).parents[2] / "docs" / "engine.md").read_text()
THOUGHT = "info depth "


def block(kind: str) -> str:
    found = re.search(rf"^```{kind}\n(.*?)^```$", DOCUMENT, re.DOTALL | re.MULTILINE)
    assert found
    return found[1]


def exchanges() -> list[tuple[str, list[str]]]:
    """Return each line sent in the document, with the lines of its answer."""
    said: list[tuple[str, list[str]]] = []
    for line in block("").splitlines():
        if line.startswith("> "):
            said.append((line[2:], []))
        else:
            assert line.startswith("< ")
            said[-1][1].append(line[2:])
    return said


class Listener:
    """Tracks the position, to compare answers that may vary."""

    def __init__(self) -> None:
        self.variant = VARIANTS["classic"]
        self.position = self.variant.start

    def follow(self, line: str) -> None:
        word, _, rest = line.partition(" ")
        if word == "setoption":
            self.variant = VARIANTS[rest.split()[-1]]
            self.position = self.variant.start
        if word == "position" and "dH1-H2" not in rest:
            start, moves = parse_position(self.variant, rest)
            self.position = [start, *played(self.variant, start, moves)][-1]

    def essence(self, line: str) -> str:
        """Return the part of a line that must match the document."""
        if line.startswith(THOUGHT):
            thought = parse_thought(self.variant, self.position, line)
            assert thought is not None
            assert len(thought.line) == len(line.partition(" pv ")[2].split()) > 0
            return re.sub("-?[0-9]+", "N", line.partition(" pv ")[0])
        if line.startswith("bestmove") and not line.endswith("0000"):
            move = parse_move(self.variant, self.position, line.split()[1])
            return f"a best move, and {self.variant.decided(self.position.after(move))}"
        return as_told(line)


def heard(talk: Conversation, expected: list[str]) -> list[str]:
    """Receive lines up to one of the same kind as the last expected line."""
    beginning = "info string" if expected[-1].startswith("info string") else expected[-1].split()[0]
    return talk.hear_until(beginning)


def test_the_conversation_is_as_in_the_document() -> None:
    listener, said = Listener(), exchanges()
    thoughts: set[str] = set()
    promised: set[str] = set()
    assert len(said) > 15
    with conversation() as talk:
        for line, expected in said:
            talk.say(line)
            listener.follow(line)
            answers = heard(talk, expected) if expected else []
            wanted, found = (
                # A search may report more or fewer thoughts.
                [listener.essence(each) for each in lines if not each.startswith(THOUGHT)]
                for lines in (expected, answers)
            )
            assert found == wanted
            thoughts |= thoughts_in(listener, answers)
            promised |= thoughts_in(listener, expected)
            if expected and expected[-1].startswith("bestmove"):
                # A search's reports, if there are any yet, have the document's format, and may come
                # before or after the answer to a command sent meanwhile.
                assert thoughts in (set(), promised), answers
                thoughts, promised = set(), set()


def thoughts_in(listener: Listener, lines: list[str]) -> set[str]:
    """Return the parts of the thoughts among lines that must match the document."""
    return {listener.essence(each) for each in lines if each.startswith(THOUGHT)}


async def test_the_engine_in_the_document_plays(tmp_path: Path) -> None:
    program = tmp_path / "engine.py"
    program.write_text(block("python"))
    async with Engine([sys.executable, str(program)], "Document") as engine:
        for name in "classic", "koom", "classic":
            battle = Battle(VARIANTS[name], VARIANTS[name].start)
            for _ in range(6):
                battle.play((await engine.decide(battle, Limits(seconds=60.0))).move)
        assert engine.own_name == "First thought"
        assert (await engine.decide(Battle(battle.variant, battle.positions[3]))).move


def test_the_numbers_are_those_of_the_program() -> None:
    said = " ".join(DOCUMENT.split())
    assert f"at most {MAX_LINE} characters" in said
    assert f"at most {MAX_MOVES} moves" in said


@pytest.mark.parametrize(
    "text", re.findall(r"^\| `(\S+?)`", DOCUMENT.split("## Players by name")[1], re.MULTILINE)
)
def test_the_players_are_those_of_the_program(text: str) -> None:
    assert parse_contender("engine:./program" if text == "engine:COMMAND" else text)

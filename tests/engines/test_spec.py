"""Contenders as given on the command line."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from thud.ai.levels import LEVELS
from thud.engines.spec import _words, distinct, level_contender, parse_contender
from thud.records.programs import EDITION
from thud.records.record import check_tag
from thud.rules.battle import Battle
from thud.rules.match import player_names
from thud.rules.variants import VARIANTS


def test_a_level_has_many_names() -> None:
    for level, (name, *_) in LEVELS.items():
        texts = f"cpu:{level}", f"level {level}", f" LEVEL:{level} ", f"{level}", name, name.upper()
        assert {parse_contender(text) for text in texts} == {level_contender(level)}
        seat = level_contender(level)
        assert (seat.text, seat.name, seat.human) == (f"cpu:{level}", name, False)
        assert seat.command == (sys.executable, "-P", "-m", "thud", "engine", "--level", str(level))
        assert seat.program.endswith(f"level {level} of 15, edition {EDITION}")


async def test_no_module_is_taken_from_the_current_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("random", "secrets", "json", "threading", "thud"):
        (tmp_path / f"{module}.py").write_text("raise SystemExit('taken from here')")
    monkeypatch.chdir(tmp_path)
    async with parse_contender("cpu:1").engine() as engine:
        decision = await engine.decide(Battle(VARIANTS["classic"]))
    assert decision.move in VARIANTS["classic"].legal_moves(VARIANTS["classic"].start)


@pytest.mark.parametrize(
    ("text", "name", "end"),
    [
        ("random", "Random", ("--player", "random")),
        ("Material", "Material", ("--player", "material")),
        ("cpu", "Computer", ("--level", "0")),
        ("max", "Computer", ("--level", "0")),
        ("engine:./a 'b c' -d", "a", ("./a", "b c", "-d")),
        ("engine: /x/y", "y", ("/x/y",)),
        ("engine:~/z", "z", (os.path.expanduser("~/z"),)),
    ],
)
def test_programs(text: str, name: str, end: tuple[str, ...]) -> None:
    seat = parse_contender(text)
    assert (seat.name, seat.command[-len(end) :], seat.human) == (name, end, False)
    assert seat.foreign is text.startswith("engine:")
    assert parse_contender(seat.text) == seat


def test_backslashes_separate_folders_where_the_system_says_so() -> None:
    line = r"""C:\Games\engine.exe 'two words' "three more words" -d"""
    words = [r"C:\Games\engine.exe", "two words", "three more words", "-d"]
    assert _words(line, separator="\\") == words
    assert _words(r"a\ b # c", separator="/") == ["a b", "#", "c"]


def test_a_person() -> None:
    assert parse_contender("Human").human
    assert parse_contender("human").name == ""


@pytest.mark.parametrize(
    "text", ["", "0", "16", "cpu:0", "cpu:16", "cpu:-1", "cpu:", "nobody", "engine", "\x1b[2J", "²"]
)
def test_nobody(text: str) -> None:
    with pytest.raises(ValueError, match=r"unknown player .*: use human, cpu:1 to cpu:"):
        parse_contender(text)


@pytest.mark.parametrize("text", ["engine:", "engine: ", "engine:''", "engine:'a"])
def test_no_command(text: str) -> None:
    with pytest.raises(ValueError, match=r"is not a command|write a command"):
        parse_contender(text)


def test_any_name_can_stand_at_the_board_and_in_a_record() -> None:
    for path in ("x" * 300, "\x1b[2J", "ä ö", "."):
        seat = parse_contender(f"engine:'./{path}'")
        player_names(*distinct(seat.name, seat.name))
        check_tag("Program1", seat.program)


def test_equal_names_are_numbered() -> None:
    assert distinct("Smith", "smith") == ("Smith 1", "smith 2")
    assert distinct("Smith", "Miner") == ("Smith", "Miner")

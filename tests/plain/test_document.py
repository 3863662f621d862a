"""docs/plain.md keeps its word."""

from __future__ import annotations

import re
from pathlib import Path

from plain.apart import Apart, Does, Line
from plain.playing import played
from thud.plain.lines import LONGEST
from thud.plain.replay import REPLAY_COMMANDS
from thud.session.commands import BOARD_COMMANDS, COMMANDS, COMMANDS_APART

TEXT = (Path(__file__).parents[2] / "docs" / "plain.md").read_text(encoding="utf-8")
HERE, APART = re.findall(r"^```\n(.*?)^```$", TEXT, re.DOTALL | re.MULTILINE)
"""A conversation of two who sit here, and one with somebody at another place."""


def test_the_conversation_is_what_is_said(tmp_path: Path) -> None:
    lines = HERE.splitlines()
    script = [found[1] for line in lines if (found := re.search(r"(?:move:|\?) (\w.*)", line))]
    script = [answer.rpartition("? ")[2] for answer in script]
    assert played(tmp_path, *script).said[: len(lines)] == lines


def test_the_conversation_with_somebody_elsewhere_is_what_is_said(tmp_path: Path) -> None:
    opened = Does("come"), Line("f1 f5"), Line('"good luck'), Does("say", "thank you")
    then = Does("play", "g7 f6 all"), Does("undo"), Line("list"), Line("yes"), Does("go")
    lines = [line.rstrip() for line in Apart(tmp_path, *opened, *then).play()]
    begun = lines.index("Bob has joined.") + 1
    expected = APART.splitlines()
    assert lines[begun : begun + len(expected)] == expected


REPLAYING = [
    (order.form, order.meaning)
    for word, order in REPLAY_COMMANDS.items()
    if word not in ("help", "quit", *BOARD_COMMANDS)
]


def test_the_words_are_those_that_are_known() -> None:
    rows = re.findall(r"^\| `(.*)` \| (.*) \|$", TEXT, re.MULTILINE)
    known = [
        (order.form, order.meaning) for order in (*COMMANDS.values(), *COMMANDS_APART.values())
    ]
    told = [(form.replace("`, `", ", or "), meaning) for form, meaning in rows]
    assert told == known + REPLAYING


def test_the_script_is_played(tmp_path: Path) -> None:
    (words,) = re.findall(r"^printf '%s\\n' (.*) \| thud play --plain --variant koom$", TEXT, re.M)
    script = [word.strip("'") for word in re.findall(r"'[^']+'|\w+", words)]
    session = played(tmp_path, *script, variant="koom")
    assert [len(battle.moves) for battle in session.kept.battles] == [3]
    assert "Koom Valley, battle 1 of 2." in session.answers("Your move: score")


def test_the_longest_line_is_as_long_as_it_says() -> None:
    assert f"A line of more than {LONGEST:,} bytes" in " ".join(TEXT.split())

"""The coach in lines of text: it asks once, in words, and takes yes or no."""

from __future__ import annotations

import io
from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path

import pytest

from plain.playing import begun, played
from session.looking import MISSED, looking
from thud.cli.match import show
from thud.engines.spec import parse_contender
from thud.session.session import Session

AGAINST_CPU = parse_contender("human"), parse_contender("random")
ASKED = "The move from F6 to G7 would capture the troll on G7. Play your move anyway? Yes or no? "


@pytest.fixture(autouse=True)
def asked() -> Iterator[object]:
    with looking() as asked:
        yield asked


def test_a_blunder_is_asked_about_once_and_then_played(tmp_path: Path) -> None:
    session = played(
        tmp_path, "g1 g5", "no", "g1 g5", "score", position=MISSED, seats=AGAINST_CPU, coached=True
    )
    at = session.said.index(f"{ASKED}no")
    assert session.said[at + 1] == "No move was made."
    assert sum(line.startswith(ASKED) for line in session.said) == 1
    assert "You: dwarf moves from G1 to G5." in session.said[at + 2 :]


def test_leaving_at_the_question_leaves_the_move_unmade(tmp_path: Path) -> None:
    session = played(tmp_path, "g1 g5", "quit", position=MISSED, seats=AGAINST_CPU, coached=True)
    assert not session.talk.session.state.battle.moves


def test_a_hint_says_why(tmp_path: Path) -> None:
    session = played(tmp_path, "hint", position=MISSED)
    hint = session.answers("Your move: hint")
    best = "hurl F6 onto the troll on G7"
    assert hint[0] == f"Try this: {best}."
    assert hint[1].startswith("It threatens ")


@pytest.mark.parametrize("coach", [True, None])
def test_the_command_line_calls_the_coach(
    coach: bool | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("THUD_CONFIG_DIR", str(tmp_path))
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"quit\n")))
    session = Session(begun(), None, AGAINST_CPU)
    show(session, Namespace(plain=True, coach=coach))
    assert session.advice.coach.on is bool(coach)
